// What is drawn of pieces, countries and types of cards: silhouettes, tokens, roundels, signs. Plain SVG text of our own, no files.
import { CODES, teamOf } from "./countries.js";

/** Silhouettes of the pieces.
 * @type {Record<string, string>} */
export const SIL = {
  army: `<path d="M-4.500-8h6.500l1.600 1.300H12.500v2H4.600L5.300-2h4.500l1.900 2.700-1.600 1.500H-10.600l-1.600-2.100 1.300-2.100h4.200z"/><path fill-rule="evenodd" d="M-9 3.200H9a2.800 2.800 0 0 1 0 5.600H-9a2.800 2.800 0 0 1 0-5.600zM-8.600 4.700a1.300 1.300 0 1 0 .01 0zM-2.900 4.700a1.300 1.300 0 1 0 .01 0zM2.900 4.700a1.300 1.300 0 1 0 .01 0zM8.600 4.700a1.300 1.300 0 1 0 .01 0z"/>`,
  navy: `<path d="M-14 2.600H14l-3.300 6H-10.400z"/><path d="M-5.500 1.600v-3.200h2.600v-3.400h1.700v-4.600h1.500v3h2.400v1.600H.3v1.800h3v4.800zM4.500 1.600v-4.800h2v4.800z"/><path d="M-6.700 1.600h-4.200v-1.300l-3.300-1.700.4-.9 3.800 1.300h3.300zM7.700 1.600h3.400v-1.300l3.200-1.700-.4-.9-3.700 1.300H7.700z"/>`,
  air: `<path d="M0-11.500c1.100 0 1.700 1.500 1.700 3.100v3.300L12.500.9v2.800L1.700 1.600 1.200 6.500l3.300 2.300v1.900L0 9.600l-4.500 1.100V8.800l3.300-2.300-.5-4.900-10.800 2.100V.9l10.800-6v-3.300c0-1.600.6-3.100 1.700-3.100z"/>`,
};
// Angular is Axis, round is Allies; block is army, hull is navy, disc or diamond is air force.
/** @type {Record<string, Record<string, string>>} */
const BASE = {
  axis: {
    army: "M-12-16.500H12L17-11.500V9.500L12 14.500H-12L-17 9.500V-11.500z",
    navy: "M-17-15H17V-9L10.500 14.500H-10.500L-17-9z",
    air: "M0-12L12 0 0 12-12 0z",
  },
  allies: {
    army: "M-6-16.500H6A11 11 0 0 1 17-5.500V3.500A11 11 0 0 1 6 14.500H-6A11 11 0 0 1-17 3.500V-5.500A11 11 0 0 1-6-16.500z",
    navy: "M-13-15H13Q17-15 17-11C17 4 11 14.500 0 14.500S-17 4-17-11Q-17-15-13-15z",
    air: "M0-11A11 11 0 1 1 0 11 11 11 0 1 1 0-11z",
  },
};

const ARITY = { M: 2, L: 2, H: 1, V: 1, Q: 4, C: 6, S: 4, A: 7, Z: 0 };

/** A path made larger or smaller and moved. Where a drawing says so itself, the browser keeps a plane of its own for every
 * such part, and goes through all of them whenever something begins or ends to move.
 * @param {string} d
 * @param {number} k
 * @param {number} [dx]
 * @param {number} [dy] */
export function placed(d, k, dx = 0, dy = 0) {
  let command = "M";
  let at = 0; // which number of the command
  return d.replace(/([a-zA-Z])|(-?(?:\d+\.?\d*|\.\d+))/g, (whole, letter) => {
    if (letter) {
      [command, at] = [letter, 0];
      return letter;
    }
    const kind = command.toUpperCase();
    const place = at++ % ARITY[/** @type {keyof typeof ARITY} */ (kind)];
    if (kind === "A" && place > 1 && place < 5) return ` ${whole}`; // how an arc is turned
    const isY = kind === "V" || (kind === "A" ? place === 6 || place === 1 : kind !== "H" && place % 2 === 1);
    const isPoint = command === kind && (kind !== "A" || place > 4);
    return ` ${+(Number(whole) * k + (isPoint ? (isY ? dy : dx) : 0)).toFixed(2)}`;
  });
}

/** The same for the paths and circles of a drawing.
 * @param {string} drawing
 * @param {number} k
 * @param {number} [dx]
 * @param {number} [dy] */
const drawnAt = (drawing, k, dx = 0, dy = 0) =>
  drawing
    .replace(/ d="([^"]+)"/g, (_, d) => ` d="${placed(d, k, dx, dy)}"`)
    .replace(/ r="([^"]+)"/g, (_, r) => `${dx || dy ? ` cx="${dx}" cy="${dy}"` : ""} r="${+(r * k).toFixed(2)}"`);

/** @type {Map<string, string>} */
const drawn = new Map();

/** What all tokens of a kind of a team have in common, at a place.
 * @param {string} team
 * @param {string} kind
 * @param {[number, number]} at */
function body(team, kind, [x, y]) {
  const key = `${team} ${kind} ${x} ${y}`;
  const base = BASE[team][kind];
  if (!drawn.has(key))
    drawn.set(
      key,
      `<path class="tk-shadow" d="${placed(base, 1, x + 1.5, y + 5)}"/><path class="tk-side" d="${placed(base, 1, x, y + 3)}"/>
    <path class="tk-face" d="${placed(base, 1, x, y)}"/><path class="tk-rim" d="${placed(base, 0.9, x, y)}"/>
    <g class="tk-ink">${drawnAt(SIL[kind], 0.86, x, y - 4.5)}</g>`,
    );
  return drawn.get(key);
}

/** The sign of an air force at the shoulder of its carrier.
 * @param {string} team
 * @param {[number, number]} at */
const wing = (team, [x, y]) =>
  `<path class="tk-side" d="${placed(BASE[team].air, 0.86, x + 12, y - 11.5)}"/><path class="tk-face tk-wing" d="${placed(BASE[team].air, 0.86, x + 12, y - 13)}"/><g class="tk-ink">${drawnAt(SIL.air, 0.6, x + 12, y - 13)}</g>`;

/** A piece, around its place.
 * @param {string} country
 * @param {string} kind army, navy or air
 * @param {{ air?: boolean, cut?: boolean, mark?: boolean }} [how] with an air force, out of supply, moved of late
 * @param {[number, number]} [at] */
export function token(country, kind, { air = false, cut = false, mark = false } = {}, at = [0, 0]) {
  const team = teamOf(country);
  const [x, y] = at;
  const s = kind === "air" ? "" : `<text class="tk-code" x="${x}" y="${y + 11.5}">${CODES[country]}</text>`;
  return `<g class="tk ${country} ${cut ? "cut" : ""}">
    ${mark ? `<path class="tk-mark" d="${placed(BASE[team][kind], 1.22, x, y + 1)}"/>` : ""}
    ${body(team, kind, at)}${s}${air ? wing(team, at) : ""}
    ${cut ? `<circle cx="${x - 14}" cy="${y - 14}" r="7" class="tk-warn"/><text class="tk-warnt" x="${x - 14}" y="${y - 10}">!</text>` : ""}</g>`;
}

/** @param {number} x @param {number} y @param {number} degrees */
const turned = (x, y, degrees) => {
  const a = (degrees * Math.PI) / 180;
  return `${(x * Math.cos(a) - y * Math.sin(a)).toFixed(2)} ${(x * Math.sin(a) + y * Math.cos(a)).toFixed(2)}`;
};
/** An ellipse, `r` from the middle. @param {number} r @param {number} at degrees around the middle @param {number} tilt @param {number} rx @param {number} ry */
const leaf = (r, at, tilt, rx, ry) => {
  const [a, b] = [rx, -rx].map((x) => {
    const t = (tilt * Math.PI) / 180;
    return turned(r + x * Math.cos(t), x * Math.sin(t), at);
  });
  const arc = `A${rx} ${ry} ${(at + tilt).toFixed(1)} 1 1`;
  return `M${a}${arc} ${b}${arc} ${a}z`;
};
/** @param {number} n how many @param {(degrees: number) => string} draw */
const around = (n, draw) => `<path d="${Array.from({ length: n }, (_, i) => draw((360 * i) / n)).join("")}"/>`;
/** Shapes by their corners, turned. @param {number} degrees */
const flake = (degrees) =>
  `<path d="${[
    [-1, -9.5, 1, -9.5, 1, 9.5, -1, 9.5],
    [-3.5, -7, 0, -4, 3.5, -7, 3.5, -4.8, 0, -1.8, -3.5, -4.8],
    [-3.5, 7, 0, 4, 3.5, 7, 3.5, 4.8, 0, 1.8, -3.5, 4.8],
  ]
    .map((c) => `M${c.flatMap((x, i) => (i % 2 ? [] : [turned(x, c[i + 1], degrees)])).join("L")}z`)
    .join("")}"/>`;
/** @param {number} r @param {number} [q] how deep it is cut @param {number} [n] of how many points */
export const starPath = (r, q = 0.42, n = 5) =>
  "M" +
  Array.from({ length: n * 2 }, (_, i) => {
    const a = (Math.PI * i) / n - Math.PI / 2,
      d = i % 2 ? r * q : r;
    return `${(d * Math.cos(a)).toFixed(2)} ${(d * Math.sin(a)).toFixed(2)}`;
  }).join("L") +
  "z";
/** @type {Record<string, string>} */
export const EMBLEM = {
  germany: `<path d="M-9-2.600H9V2.600H-9zM-5.500-7.500h11v2.200h-11zM-5.500 5.300h11v2.200h-11z"/>`,
  japan: `${around(5, (at) => leaf(5, at - 90, 0, 3.9, 3.9))}<circle r="2" class="hole"/>`,
  italy: `${around(11, (at) => leaf(7, at, 62, 3.2, 1.44))}<circle r="2.400"/>`,
  "united-kingdom": `<path fill-rule="evenodd" d="M0-9A9 9 0 1 1 0 9 9 9 0 1 1 0-9zM0-6A6 6 0 1 0 0 6 6 6 0 1 0 0-6z"/><circle r="3"/>`,
  "soviet-union": [0, 60, 120].map(flake).join(""),
  "united-states": `<path d="${starPath(10)}"/>`,
};
/** @type {Record<string, string>} */
const PLATE = {
  axis: "M-9.500-14H9.500L14-9.500V9.500L9.500 14H-9.500L-14 9.500V-9.500z",
  allies: "M0-14A14 14 0 1 1 0 14 14 14 0 1 1 0-14z",
};
const RIM = { axis: placed(PLATE.axis, 0.87), allies: placed(PLATE.allies, 0.87) };
const INK = Object.fromEntries(Object.entries(EMBLEM).map(([country, ink]) => [country, drawnAt(ink, 0.92)]));
/** The emblem of a country on its plate.
 * @param {string} country
 * @param {number} [size] */
export const roundel = (country, size = 24) => {
  const team = teamOf(country) === "axis" ? "axis" : "allies";
  return `<svg class="roundel ${country}" viewBox="-15 -15 30 30" width="${size}" height="${size}" aria-hidden="true"><path class="rd-plate" d="${PLATE[team]}"/><path class="rd-rim" d="${RIM[team]}"/><g class="rd-ink">${INK[country]}</g></svg>`;
};

// One sign per card type, 16 px box.
/** @type {Record<string, string>} */
const SIGN = {
  "build-army":
    "M1.500 9.500h12.800l1-2.300H9.800l-.5-2H6L4.800 7.200H1.800zM2.500 10.800h11v2.400h-11zM9.800 5.600h5.500v1H9.800z",
  "build-navy": "M.5 9.500h15L13.300 13.500H3zM4.500 8.500V6h2V2.500h1.500V6H11v2.500z",
  "land-battle":
    "M8 .5l1.400 4 3.300-2.600-1 4.100 4 .2-3.400 2.300 2.700 3.200-4.100-.9-.4 4.200L8 11.500 5.500 15l-.4-4.200-4.100.9 2.700-3.200L.3 6.200l4-.2-1-4.100 3.300 2.600z",
  "sea-battle":
    "M8 1a2 2 0 0 1 .9 3.800V6H12v1.600H8.900v5.200c2-.3 3.400-1.600 3.700-3.300l-1.300.5 2.200-3.500 1.700 3.700-1.300-.4C13.400 12.900 11 15 8 15s-5.400-2.100-5.900-5.200l-1.300.4 1.700-3.700 2.200 3.500-1.300-.5c.3 1.700 1.700 3 3.700 3.300V7.600H4V6h3.100V4.800A2 2 0 0 1 8 1z",
  event: "M8 .5l2 5.500 5.500 2-5.500 2-2 5.500-2-5.500L.5 8 6 6z",
  "economic-warfare":
    "M5.200 4.200h2.300v1.900H5.400a1.900 1.900 0 0 0 0 3.800h2.100v1.900H5.200a3.800 3.800 0 0 1 0-7.600zM8.500 4.200h2.300a3.800 3.800 0 0 1 0 7.600H8.500V9.900h2.100a1.900 1.900 0 0 0 0-3.800H8.500zM7.200 1l1 2h-.8zM8.800 15l-1-2h.8z",
  status: "M8 .8L15.200 8 8 15.200.8 8zM8 4.200L4.200 8 8 11.800 11.800 8z",
  response: "M9.500.5L2.500 9h4.300L5.500 15.500 13.500 6H8.800z",
  bolster: "M1 9h6v6H1zM9 9h6v6H9zM5 2h6v6H5z",
  "deploy-air-force":
    "M8 .5c.8 0 1.200 1 1.200 2.100v2.200l6.300 3.700v1.800L9.200 8.800l-.4 3.300 2.200 1.500V15L8 14.200 5 15v-1.400l2.200-1.500-.4-3.300-6.300 1.500V8.500l6.300-3.700V2.600C6.800 1.500 7.200.5 8 .5z",
};
/** @param {string} type */
export const sign = (type) =>
  `<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d="${SIGN[type] ?? SIGN.event}"/></svg>`;
