// The figures of the rulebook: small pieces of a map that is nowhere, drawn as the board is. Loaded by the rulebook alone.
import { t } from "../base/words.js";
import { EMBLEM, SIL, placed, roundel, sign, starPath, token } from "../base/art.js";
import { CODES, COUNTRIES, teamOf } from "../base/countries.js";
import { arrow } from "../parts/board.js";

/** @typedef {[number, number]} Spot */
/** A space of such a map by its corners, and the country that holds it. @typedef {{ at: Spot[], held?: string }} Space */

/** The line between two corners, as rough as coasts are: the same from either side.
 * @param {Spot} a @param {Spot} b @param {number} [depth] @returns {Spot[]} all but the last */
function rough(a, b, depth = 3) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!depth || length < 7) return [a];
  const isTurned = a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
  const [from, to] = isTurned ? [b, a] : [a, b];
  const chance = Math.sin(from[0] * 12.9898 + from[1] * 78.233 + to[0] * 37.719 + to[1] * 4.581) * 43758.5453;
  const aside = (chance - Math.floor(chance) - 0.5) * 0.3;
  /** @type {Spot} */
  const middle = [
    (a[0] + b[0]) / 2 + (from[1] - to[1]) * aside, // to the same side, whichever way one goes
    (a[1] + b[1]) / 2 + (to[0] - from[0]) * aside,
  ];
  return [...rough(a, middle, depth - 1), ...rough(middle, b, depth - 1)];
}

/** @param {Spot[]} spots */
const line = (spots) => `M${spots.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
/** @param {Space} space @returns {[Spot, Spot][]} */
const sides = ({ at }) => at.map((spot, i) => [spot, at[(i + 1) % at.length]]);
/** @param {Space} space */
const outline = (space) => `${line(sides(space).flatMap(([a, b]) => rough(a, b)))}z`;

/** Land in the sea, with its coast and borders.
 * @param {Space[]} lands
 * @param {Spot[][]} [borders] between seas */
function ground(lands, borders = []) {
  const all = lands.map(outline).join("");
  /** @type {Map<string, { way: string, times: number }>} */
  const edges = new Map();
  for (const [a, b] of lands.flatMap(sides)) {
    const key = [a, b].map(String).sort().join(" ");
    edges.set(key, { way: line([...rough(a, b), b]), times: (edges.get(key)?.times ?? 0) + 1 });
  }
  const those = (/** @type {number} */ times) =>
    [...edges.values()]
      .filter((edge) => edge.times === times)
      .map((edge) => edge.way)
      .join("");
  return `<rect class="sea" width="360" height="150"/>
    ${[17, 12.5, 8.5, 5].map((width, i) => `<path d="${all}" class="wl" stroke-width="${width * 2}" stroke-opacity="${0.35 + i * 0.13}"/><path d="${all}" class="wf" stroke-width="${width * 2 - 1.7}"/>`).join("")}
    ${borders.map((border) => `<path class="sea-edge" d="${line(border)}"/>`).join("")}
    <path class="land" d="${all}"/>
    ${lands.map((land) => (land.held ? `<g class="held ${land.held}"><path class="tint" d="${outline(land)}"/></g>` : "")).join("")}
    <path class="edge" d="${those(2)}"/><path class="coastline" d="${those(1)}"/>`;
}

/** The badge of a supply space. @param {number} x @param {number} y */
const star = (x, y) =>
  `<g class="source"><path class="source-base" d="${placed(starPath(11, 0.8, 8), 1, x, y)}"/><path class="source-star" d="${placed(starPath(8.6, 0.44), 1, x, y)}"/><text x="${x}" y="${y + 3.2}">2</text></g>`;
/** @param {string} country @param {Spot} at */
const home = (country, [x, y]) =>
  `<g class="homeland ${country}" transform="translate(${x} ${y}) scale(2.4)"><circle r="15" class="home-plate"/><circle r="13.2" class="home-ring"/><g class="home-ink">${EMBLEM[country]}</g></g>`;
/** A line of supply. @param {string} country @param {Spot[]} spots */
const supply = (country, spots) =>
  `<g class="supply ${country}">${["case", "line", "flow"].map((part) => `<path class="sup-${part}" d="${line(spots)}"/>`).join("")}</g>`;
/** What is taken off. @param {Spot} at @param {string} drawing */
const gone = ([x, y], drawing) =>
  `<g class="faint">${drawing}</g><path class="lost-x" d="M${x - 12} ${y - 11}l24 22m0-22l-24 22"/>`;
/** A piece that may come. @param {string} country @param {string} kind @param {Spot} at */
const ghost = (country, kind, at) => `<g class="figure-ghost">${token(country, kind, { mark: true }, at)}</g>`;
/** @param {Spot} from @param {Spot} to @param {string} [kind] */
const way = (from, to, kind = "") => `<path class="arrow ${kind}" d="${arrow(from, to)}"/>`;
/** @param {Spot} at */
const ring = ([x, y]) => `<circle class="cut-ring" cx="${x}" cy="${y}" r="25"/>`;

/** One beside the other. @param {string} left @param {string} right */
const halves = (left, right) =>
  `<svg width="177" height="150">${left}</svg><svg x="183" width="177" height="150">${right}</svg><path class="figure-gap" d="M177-1h6v152h-6z"/>`;

// Two lands, and the sea to their left.
/** @type {Spot[]} */
const WEST = [[138, -20], [112, 46], [124, 104], [112, 170], [236, 170], [252, 76], [232, -20]]; // prettier-ignore
/** @type {Spot[]} */
const EAST = [[232, -20], [252, 76], [236, 170], [390, 170], [390, -20]]; // prettier-ignore

// An island to the left, a mainland of two lands to the right.
/** @type {Spot[]} */
const ISLE = [[-20, -20], [72, -20], [94, 38], [84, 96], [98, 170], [-20, 170]]; // prettier-ignore
/** @type {Spot[]} */
const COAST = [[196, -20], [182, 52], [200, 104], [186, 170], [276, 170], [268, 84], [282, -20]]; // prettier-ignore
/** @type {Spot[]} */
const INLAND = [[282, -20], [268, 84], [276, 170], [390, 170], [390, -20]]; // prettier-ignore
/** @type {Record<"home" | "sea" | "coast" | "inland", Spot>} */
const CHAIN = { home: [52, 76], sea: [140, 80], coast: [230, 66], inland: [318, 84] };

/** A strait between two lands, for a navy on either side. @param {boolean} isOpen for the Allies */
function strait(isOpen) {
  const gate = isOpen ? "M0-10A10 10 0 1 1 0 10 10 10 0 1 1 0-10z" : "M-7-10H7L10-7V7L7 10H-7L-10 7V-7z";
  const north = { at: /** @type {Spot[]} */ ([[28, -20], [62, 44], [88, 62], [114, 44], [150, -20]]) }; // prettier-ignore
  const south = { at: /** @type {Spot[]} */ ([[40, 170], [64, 118], [88, 96], [112, 118], [136, 170]]) }; // prettier-ignore
  /** @type {[Spot, Spot]} */
  const [west, east] = [[30, 88], [146, 88]]; // prettier-ignore
  return `${ground(
    [isOpen ? north : { ...north, held: "germany" }, south],
    [
      [
        [88, 62],
        [88, 96],
      ],
    ],
  )}
    ${isOpen ? supply("united-kingdom", [west, east]) : ""}
    <g class="strait ${isOpen ? "allies" : "axis"}"><path class="ch" d="M50 80Q88 72 126 80"/><g transform="translate(88 79)"><path class="gate" d="${gate}"/><path class="bars" d="M-5 6V-2A5 5 0 0 1-1.5-6.5V6M5 6V-2A5 5 0 0 0 1.5-6.5V6"/></g></g>
    ${isOpen ? "" : `${token("germany", "army", {}, [88, 28])}${ring(east)}`}
    ${token("united-kingdom", "navy", {}, west)}${token("united-kingdom", "navy", { cut: !isOpen }, east)}`;
}

/** @param {[string, string, Spot][]} pieces */
const enlarged = (pieces) =>
  pieces.map(
    ([country, kind, [x, y]]) => `<g transform="translate(${x} ${y}) scale(1.35)">${token(country, kind)}</g>`,
  );

const desk = (width = 360) => `<rect class="figure-desk" width="${width}" height="150"/>`;
/** A drawing of its own size within another. @param {string} drawing @param {number} x @param {number} y @param {number} size */
const within = (drawing, x, y, size) =>
  drawing
    .replace(/ (width|height)="[^"]*"/g, "")
    .replace("<svg ", `<svg x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}" `);
/** A word or two, in two lines where they are long. @param {number} x @param {number} y @param {string} text */
function word(x, y, text) {
  const cut = text.length > 14 ? text.lastIndexOf(" ") : -1;
  const lines = cut < 0 ? [text] : [text.slice(0, cut), text.slice(cut + 1)];
  return lines.map((one, i) => `<text class="figure-word" x="${x}" y="${y + i * 12}">${one}</text>`).join("");
}

/** @type {[string, string][]} */
const STEPS = [
  ["play", "M-5-8l10-2 4 16-10 3zM-1-4l4-.8"],
  ["air", ""],
  ["supply", "M-7 5a2.500 2.500 0 1 0-.01 0M7-6a2.500 2.500 0 1 0-.01 0M-5 3.500L5.200-2.500"],
  ["victory", starPath(9)],
  ["discard", "M-6-8h12v7M-6-8v13h4M2 6l4 4 4-4M6 10V1"],
  ["draw", "M-6-6h9v12h-9zM-3-9h9v12M0-3v6M-3 0h6"],
];
const steps = () =>
  `${desk()}<path class="figure-way" d="M32 66H328"/>${STEPS.map(([step, sign], i) => {
    const x = 32 + i * 59.2;
    const drawn =
      step === "air" ? `<path class="solid" d="${SIL.air.match(/ d="([^"]+)"/)?.[1]}"/>` : `<path d="${sign}"/>`;
    return `<g class="figure-step" transform="translate(${x} 66)"><circle r="22"/>${drawn}</g>${word(x, 110, t(`step.${step}`))}`;
  }).join("")}`;

/** @param {string} team */
const teammates = (team) =>
  desk(177) +
  COUNTRIES.filter((country) => teamOf(country) === team)
    .map((country, i) => within(roundel(country), 34 + i * 54, 66, 44) + word(34 + i * 54, 110, CODES[country]))
    .join("");

const TYPES = [
  "build-army",
  "build-navy",
  "land-battle",
  "sea-battle",
  "event",
  "status",
  "response",
  "economic-warfare",
];
const types = () =>
  desk() +
  TYPES.map((type, i) => {
    const [x, y] = [48 + (i % 4) * 88, i < 4 ? 28 : 98];
    return `<g class="figure-type">${within(sign(type), x, y, 24)}</g>${word(x, y + 30, t(`type.${type}`))}`;
  }).join("");

/** All figures, each by the part of the rulebook that it stands in.
 * @type {Record<string, () => string>} */
export const FIGURES = {
  "aim.teams": () => halves(teammates("axis"), teammates("allies")),
  "cards.types": types,
  "board.spaces": () =>
    `${ground(
      [{ at: WEST, held: "germany" }, { at: EAST }],
      [
        [
          [-5, 96],
          [60, 88],
          [118, 92],
        ],
      ],
    )}
    ${home("germany", [176, 66])}${star(134, 24)}${token("germany", "army", {}, [222, 110])}${star(304, 74)}`,
  "board.pieces": () =>
    halves(
      `<rect class="figure-land" width="177" height="150"/>${enlarged([["germany", "army", [36, 78]], ["japan", "navy", [90, 78]], ["italy", "air", [142, 76]]]).join("")}`, // prettier-ignore
      `<rect class="figure-land" width="177" height="150"/>${enlarged([["soviet-union", "army", [36, 78]], ["united-kingdom", "navy", [90, 78]], ["united-states", "air", [142, 76]]]).join("")}`, // prettier-ignore
    ),
  "turn.steps": steps,
  "supply.chains": () =>
    `${ground([
      { at: ISLE, held: "italy" },
      { at: COAST, held: "italy" },
      { at: INLAND, held: "italy" },
    ])}
    ${supply("italy", [CHAIN.home, CHAIN.sea, CHAIN.coast, CHAIN.inland])}${star(52, 34)}
    ${token("italy", "army", {}, CHAIN.home)}${token("italy", "navy", {}, CHAIN.sea)}${token("italy", "army", {}, CHAIN.coast)}${token("italy", "army", {}, CHAIN.inland)}`,
  "supply.straits": () => halves(strait(true), strait(false)),
  "supply.step": () =>
    `${ground([
      { at: ISLE, held: "italy" },
      { at: COAST, held: "italy" },
      { at: INLAND, held: "italy" },
    ])}${star(52, 34)}
    ${gone(CHAIN.sea, token("italy", "navy", {}, CHAIN.sea))}${ring(CHAIN.coast)}${ring(CHAIN.inland)}
    ${token("italy", "army", {}, CHAIN.home)}${token("italy", "army", { cut: true }, CHAIN.coast)}${token("italy", "army", { cut: true }, CHAIN.inland)}`,
  "building.build": () =>
    `${ground([{ at: WEST, held: "united-kingdom" }, { at: EAST }])}<path class="space legal" d="${outline({ at: EAST })}"/>
    ${way([176, 78], [62, 78], "builds")}${way([176, 78], [308, 78], "builds")}
    ${token("united-kingdom", "army", {}, [182, 78])}${ghost("united-kingdom", "navy", [48, 84])}${ghost("united-kingdom", "army", [316, 78])}`,
  "battle.fight": () =>
    `${ground([
      { at: WEST, held: "soviet-union" },
      { at: EAST, held: "germany" },
    ])}
    ${way([182, 80], [304, 78])}${token("soviet-union", "army", {}, [176, 78])}${gone([314, 76], token("germany", "army", {}, [314, 76]))}`,
  "points.stars": () =>
    `${ground([
      { at: WEST, held: "japan" },
      { at: EAST, held: "soviet-union" },
    ])}${star(176, 34)}${star(306, 34)}
    ${token("japan", "army", {}, [176, 74])}${token("soviet-union", "army", {}, [284, 74])}${token("united-states", "army", {}, [328, 74])}
    <text class="figure-points" x="176" y="128">+2</text><text class="figure-points" x="284" y="128">+1</text><text class="figure-points" x="328" y="128">+1</text>`,
  "air-marshal.defence": () =>
    `${ground([
      { at: WEST, held: "germany" },
      { at: EAST, held: "united-kingdom" },
    ])}
    ${way([176, 84], [272, 88])}${token("germany", "army", {}, [168, 80])}${token("united-kingdom", "army", {}, [284, 90])}
    ${gone([324, 50], token("united-kingdom", "air", {}, [324, 50]))}`,
};
