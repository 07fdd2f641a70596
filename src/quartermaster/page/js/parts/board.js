// The board: a paper map in layers. What never changes in play is drawn once; pieces, choices and supply lie over it.
import { cls, html, raw, useComputed, useEffect, useMemo, useRef, useSteady } from "../base/html.js";
import { countryName, listed, noun, spoken, t } from "../base/words.js";
import { CODES, COUNTRIES, teamOf } from "../base/countries.js";
import { EMBLEM, placed, starPath, token } from "../base/art.js";
import { anyCard, shownSupply, spaceName, straitTeam, world } from "../state/table.js";
import { landed } from "../state/beats.js";
import { aimed, considered, isBusy, picked } from "../state/choices.js";
import { pointed } from "../state/lessons.js";
import { Icon } from "./icons.js";
import { Cuts, Supplies } from "./supply.js";
import { useView } from "./zoom.js";

/** @typedef {import("../state/table.js").View} View */
/** @typedef {import("../state/table.js").Piece} Piece */
/** @typedef {import("../state/table.js").Choice} Choice */
/** @typedef {import("../state/table.js").Drawing} Drawing */

/** @param {any} value */
const here = (value) => (typeof value === "string" ? value : value[world().edition]);

/** What may change while one looks at the map. Every space looks for itself, so that only what changes is drawn anew.
 * @typedef {{ view: Watched<View>, pieces: Watched<Record<string, Piece[]>>, lines: Watched<import("../state/table.js").Supplies>,
 *   legal: Watched<Map<string, Choice[]>>, moved?: Watched<Set<string>>, ghosts?: Watched<{ space: string, piece: Piece }[]> }} Scene */
/** @template T @typedef {import("../../vendor/signals.js").ReadonlySignal<T>} Watched */

/** The middle of a space's places for pieces.
 * @param {string} space
 * @returns {[number, number]} */
export function middle(space) {
  const { slots } = world().map.spaces[space];
  return [
    slots.reduce((sum, [x]) => sum + x, 0) / slots.length,
    slots.reduce((sum, [, y]) => sum + y, 0) / slots.length,
  ];
}

/** What other drawings of the page refer to: the hatching of the Axis, the coast, the spaces.
 * @param {Drawing} map */
function shared(map) {
  return `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" class="hatch"/></pattern><path id="coast" d="${map.coast}" fill-rule="evenodd"/><path id="shore" d="${map.shore}"/>${Object.entries(
    map.spaces,
  )
    .filter(([, s]) => s.kind === "land")
    .map(([id, s]) => `<clipPath id="in-${id}"><path d="${here(s.path)}" clip-rule="evenodd"/></clipPath>`)
    .join("")}</defs>`;
}

/** Sea, water lines, land, peaks, coast.
 * @param {Drawing} map */
function ground(map) {
  const list = Object.values(map.spaces);
  const [w, h] = map.box;
  const peak = (/** @type {[number, number, number]} */ [x, y, s]) =>
    `<path class="pk" d="M${x - s} ${y}L${x} ${y - s}L${x + s} ${y}"/><path class="pk2" d="M${x} ${y - s}l${(s * 0.45).toFixed(1)} ${s}M${(x + s * 0.3).toFixed(1)} ${(y - s * 0.7).toFixed(1)}l${(s * 0.4).toFixed(1)} ${(s * 0.7).toFixed(1)}"/>`;
  return `<rect class="deep" width="${w}" height="${h}"/>
    ${list
      .filter((s) => s.kind === "sea")
      .map((s) => `<path class="sea" d="${here(s.path)}" fill-rule="evenodd"/>`)
      .join("")}
    <path class="grat" d="${map.graticule}"/>
    ${[17, 12.5, 8.5, 5].map((width, i) => `<use href="#shore" class="wl" stroke-width="${width * 2}" stroke-opacity="${0.35 + i * 0.13}"/><use href="#shore" class="wf" stroke-width="${width * 2 - 1.7}"/>`).join("")}
    ${list
      .filter((s) => s.shelf)
      .map((s) => `<path class="shelf" d="${s.shelf}"/>`)
      .join("")}
    ${list
      .filter((s) => s.kind === "sea")
      .map((s) => `<path class="sea-edge" d="${here(s.path)}" fill-rule="evenodd"/>`)
      .join("")}
    <path class="scenery" d="${map.scenery}" fill-rule="evenodd"/>
    <use href="#coast" class="land-shadow" transform="translate(1.200 2)"/>
    ${list
      .filter((s) => s.kind === "land")
      .map((s) => `<path class="land" d="${here(s.path)}" fill-rule="evenodd"/>`)
      .join("")}
    <g class="peaks">${map.peaks.map(peak).join("")}</g>
    <g transform="translate(352 520) scale(.9)" class="rose"><circle r="30"/><circle r="24"/><path d="${starPath(34, 0.18, 4)}"/><path d="${starPath(22, 0.25, 4)}" transform="rotate(45)"/><text y="-37">N</text></g>`;
}

/** What a space is drawn as.
 * @param {Drawing} map
 * @param {string} id */
export const shape = (map, id) => here(map.spaces[id].path);

/** The tint of who holds a space: whose piece stands there first.
 * @param {{ id: string, scene: Pick<Scene, "pieces"> }} props */
function Tint({ id, scene: { pieces } }) {
  const holder = useSteady(() => pieces.value[id]?.find((piece) => piece.kind !== "air")?.country);
  if (!holder) return null;
  const { map } = world();
  const d = shape(map, id);
  return map.spaces[id].kind === "sea"
    ? html`<path class=${cls("sea-held", holder)} d=${d} fill-rule="evenodd" />`
    : html`<g class=${cls("held", holder)} clip-path=${`url(#in-${id})`}><path class="tint" d=${d} fill-rule="evenodd" />
        ${teamOf(holder) === "axis" && html`<path d=${d} fill="url(#hatch)" fill-rule="evenodd" />`}<path class="inner" d=${d} /></g>`;
}

/** Borders, coast, emblems of the homes: over the tints.
 * @param {Drawing} map */
function edges(map) {
  const homes = Object.values(world().board).filter((space) => space.home_of);
  const lands = Object.keys(map.spaces).filter((id) => map.spaces[id].kind === "land");
  return `${lands.map((id) => `<path class="edge" d="${shape(map, id)}"/>`).join("")}
    <use href="#coast" class="coastline"/>
    ${homes
      .map((space) => {
        const small = space.id === "japan";
        const [x, y] = small ? map.spaces.japan.slots[1] : middle(space.id);
        return `<g class="homeland ${space.home_of}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${small ? 1.5 : 2.4})"><circle r="15" class="home-plate"/><circle r="13.200" class="home-ring"/><g class="home-ink">${EMBLEM[String(space.home_of)]}</g></g>`;
      })
      .join("")}`;
}

/** A long name in two lines, as even as may be.
 * @param {string} name */
function broken(name) {
  const words = name.split(" ");
  if (name.length < 10 || words.length < 2) return [name];
  const halves = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  return halves.sort((a, b) => Math.max(...a.map((s) => s.length)) - Math.max(...b.map((s) => s.length)))[0];
}

/** @param {string} text */
const plain = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const LETTERS = "700 11.5px 'Barlow Condensed'"; // of names on land, as in the styles
/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** How wide a name is on the map.
 * @param {string} text */
function width(text) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * 6;
  ruler.font = LETTERS;
  return ruler.measureText(text).width + text.length * 0.055 * 11.5;
}

/** The badge of a supply space. @param {number} x @param {number} y */
const source = (x, y) =>
  `<g class="source"><path class="source-base" d="${placed(starPath(11, 0.8, 8), 1, x, y)}"/><path class="source-star" d="${placed(starPath(8.6, 0.44), 1, x, y)}"/><text x="${x.toFixed(1)}" y="${y + 3.2}">2</text></g>`;

/** Names, badges of supply spaces, and where the map goes on at its other edge.
 * @param {Drawing} map */
function names(map) {
  const [w] = map.box;
  const label = (/** @type {string} */ id) => {
    const {
      label: [x, y],
      kind,
    } = map.spaces[id];
    const lines = broken(spaceName(id));
    const size = kind === "sea" ? 12 : 11.5;
    const star = map.stars[id];
    // A badge stands before its name, however long that is in a language.
    const before = x + 10 - Math.max(...lines.map((line) => width(line.toUpperCase()))) / 2 - 14;
    const text = lines
      .map(
        (line, i) =>
          `<text class="name ${kind}" x="${x + (star ? 10 : 0)}" y="${(y + 4 + (i - (lines.length - 1) / 2) * size * 0.96).toFixed(1)}" font-size="${size}">${plain(kind === "sea" ? line : line.toUpperCase())}</text>`,
      )
      .join("");
    return text + (star ? source(Math.max(12, Math.min(star[0], before)), star[1]) : "");
  };
  const pointers = map.pointers.map(
    ({ side, at: [, y] }) =>
      `<path class="wrap" d="M${side === "left" ? 9 : w - 9} ${y - 6}v12l${side === "left" ? -6 : 6}-6z"/>`,
  );
  return pointers.join("") + Object.keys(map.spaces).map(label).join("");
}

/** A layer drawn from text, anew only when what it depends on changes.
 * @param {{ name: string, draw: () => string, on: any[] }} props */
function Drawn({ name, draw, on }) {
  const text = useMemo(() => raw(draw()), on);
  return html`<svg class=${`layer ${name}`} viewBox="0 0 1440 640" aria-hidden="true" dangerouslySetInnerHTML=${text}></svg>`;
}

/** @param {string} id
 * @param {Piece[] | undefined} pieces
 * @param {Choice[] | undefined} actions
 * @param {import("../state/table.js").Supplies} lines */
function describe(id, pieces, actions, lines) {
  const who = (pieces ?? [])
    .map((p) => {
      const reason = p.kind !== "air" && lines[p.country]?.[id]?.missing;
      const piece = t(`piece.${p.country}.${p.kind}`);
      return reason ? t("map.unsupplied", { piece, reason }) : piece;
    })
    .join(", ");
  const doable = actions?.map((action) => action.phrase).join("; ");
  return [spaceName(id), who, doable].filter(Boolean).join(": ");
}

/** What one clicks: a space, over the drawing.
 * @param {{ id: string, scene: Scene, onSpace: (id: string) => void }} props */
function Hit({ id, scene: { pieces, lines, legal }, onSpace }) {
  const { map } = world();
  const s = map.spaces[id];
  const own = useComputed(() => pieces.value[id]);
  const look = useSteady(() => {
    const actions = legal.value.get(id);
    return {
      isLegal: actions !== undefined,
      isVain: actions !== undefined && isVain(actions, own.value),
      text: describe(id, own.value, actions, lines.value),
      names: cls(
        considered.value.includes(id) && "led",
        pointed.value.spaces.includes(id) && "pointed",
        picked.value === id && "picked",
      ),
    };
  });
  const { isLegal, text, names } = look;
  return html`<path d=${s.shelf ?? here(s.path)} fill-rule="evenodd" data-space=${id} class=${cls("space", s.kind, isLegal && "legal", look.isVain && "vain", names)}
    role=${isLegal ? "button" : undefined} tabindex=${isLegal ? 0 : undefined} aria-label=${isLegal ? text : undefined}
    onClick=${() => onSpace(id)}
    onKeyDown=${(/** @type {KeyboardEvent} */ e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), onSpace(id))}>
    <title>${text}</title></path>`;
}

/** Seas lie under the shelves of islands, and those under the land.
 * @param {Drawing} map */
const inOrder = (map) => {
  const rank = (/** @type {string} */ id) => (map.spaces[id].kind === "sea" ? 0 : map.spaces[id].shelf ? 1 : 2);
  return Object.keys(map.spaces).sort((a, b) => rank(a) - rank(b));
};

/** The pieces of a space.
 * @param {{ id: string, scene: Pick<Scene, "pieces" | "lines" | "moved"> }} props */
function Spot({ id, scene: { pieces, lines, moved } }) {
  const seen = useRef(/** @type {Set<string> | null} */ (null)); // who stood there when it was drawn last
  const own = useComputed(() => pieces.value[id]); // the same object while nothing comes or goes here
  const those = useSteady(() =>
    (own.value ?? []).map((piece) => ({
      ...piece,
      cut: piece.kind !== "air" && lines.value[piece.country]?.[id]?.is_supplied === false,
      mark: moved?.value.has(`${id} ${piece.country}`) ?? false,
      isDim: shownSupply.value !== null && shownSupply.value !== piece.country,
    })),
  );
  const before = seen.current;
  useEffect(() => {
    seen.current = new Set(those.map(({ country }) => country));
  });
  const { slots } = world().map.spaces[id];
  // Whatever was shown on its way has landed already.
  const isFresh = (/** @type {string} */ country) =>
    before && !before.has(country) && landed.peek() !== `${id} ${country}`;
  return those.map(({ country, kind, isDim, ...how }, i) => {
    return html`<g key=${country} class=${cls("piece", isDim && "dim", isFresh(country) && "fresh")} data-space=${id} data-country=${country}
      dangerouslySetInnerHTML=${raw(token(country, kind, how, slots[i % 3]))}></g>`;
  });
}

/** Where pieces were that are gone.
 * @param {{ scene: Scene }} props */
function Ghosts({ scene: { ghosts, pieces } }) {
  const { map } = world();
  return (ghosts?.value ?? []).map(({ space, piece }) => {
    const [x, y] = map.spaces[space].slots[(pieces.value[space]?.length ?? 0) % 3];
    return html`<g key=${`${space} ${piece.country}`} class="lost" transform=${`translate(${x} ${y})`} dangerouslySetInnerHTML=${raw(`<g class="faint">${token(piece.country, piece.kind)}</g><path class="lost-x" d="M-12-11L12 11M12-11L-12 11"/>`)}></g>`;
  });
}

/** Whether all that can be chosen in a space is a battle against nobody: allowed, and seldom meant.
 * @param {Choice[]} actions
 * @param {Piece[] | undefined} pieces */
const isVain = (actions, pieces) =>
  actions.every(
    ({ verb, card, country }) =>
      (verb === "battle" || BATTLES.has(anyCard(card ?? "", country)?.type ?? "")) &&
      !pieces?.some((piece) => teamOf(piece.country) !== teamOf(country)),
  );
const BATTLES = new Set(["land-battle", "sea-battle"]);

/** The spaces that can be chosen glow; while a choice is on its way, its own space alone.
 * @param {{ scene: Scene }} props */
function Glow({ scene: { legal, pieces } }) {
  const { map } = world();
  const those = useSteady(() =>
    isBusy.value
      ? aimed.value
        ? [aimed.value]
        : []
      : [...legal.value].filter(([id, actions]) => !isVain(actions, pieces.value[id])).map(([id]) => id),
  );
  return (
    those.length > 0 &&
    html`<svg class="layer glow" viewBox="0 0 1440 640" aria-hidden="true">${those.map((id) => html`<path key=${id} d=${map.spaces[id].shelf ?? here(map.spaces[id].path)} fill-rule="evenodd" />`)}</svg>`
  );
}

/** A part of the supply that one looks at, on a layer of its own: what flows is painted all the time.
 * @param {{ scene: Scene, part: typeof Supplies }} props */
function SupplyShown({ scene: { lines, pieces }, part }) {
  const country = shownSupply.value;
  if (!country) return null;
  return html`<svg class="layer" viewBox="0 0 1440 640" aria-hidden="true"><${part} country=${country} lines=${lines.value[country] ?? {}} pieces=${pieces.value} /></svg>`;
}

/** What moves with the map. It alone is asked anew while one moves it.
 * @param {{ zoom: ReturnType<typeof useView>, children?: any }} props */
function Sheet({ zoom, children }) {
  return html`<div class=${cls("sheet", zoom.isGliding.value && "gliding")} style=${zoom.style}>${children}</div>`;
}

/** The map with everything on it. `marks` and `rings` draw themselves over the pieces.
 * @param {{ scene: Scene, onSpace: (id: string) => void, marks?: any, rings?: any, focus?: Watched<string[]>, startsWhole?: boolean, tools?: any }} props */
export function Board({ scene, onSpace, marks, rings, focus, startsWhole, tools }) {
  const { map } = world();
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const zoom = useView(frame, map.box, focus, startsWhole);
  const ids = useMemo(() => inOrder(map), [map]);
  return html`
    <div class="map" ref=${frame}>
      <${Sheet} zoom=${zoom}>
        <${Drawn} name="ground" draw=${() => shared(map) + ground(map)} on=${[map, world().edition]} />
        <svg class="layer tints" viewBox="0 0 1440 640" aria-hidden="true">${ids.map((id) => html`<${Tint} key=${id} id=${id} scene=${scene} />`)}</svg>
        <${Drawn} name="edges" draw=${() => edges(map)} on=${[map, world().edition]} />
        <svg class="layer hits" viewBox="0 0 1440 640" role="group" aria-label=${t("map.label")}>${ids.map((id) => html`<${Hit} key=${id} id=${id} scene=${scene} onSpace=${onSpace} />`)}</svg>
        <${Glow} scene=${scene} />
        <${SupplyShown} scene=${scene} part=${Supplies} />
        <${Drawn} name="names" draw=${() => names(map)} on=${[map, spoken(), world().board]} />
        <${SupplyShown} scene=${scene} part=${Cuts} />
        <svg class="layer live" viewBox="0 0 1440 640" aria-hidden="true">
          ${map.straits.map((strait) => html`<${Strait} key=${strait.land} strait=${strait} scene=${scene} />`)}
          <${Ghosts} scene=${scene} />
          ${ids.map((id) => html`<${Spot} key=${id} id=${id} scene=${scene} />`)}
        </svg>
        ${marks}${rings}
        <div class="grain"></div>
      <//>
      <${MapTools} zoom=${zoom} tools=${tools} />
      <${SupplyStrip} scene=${scene} />
      <${Locator} zoom=${zoom} map=${map} />
      <${OutOfSight} zoom=${zoom} scene=${scene} />
    </div>`;
}

/** A part of the map as it stands, to be looked at. It refers to what the board itself defines, so that has to be on the page.
 * @param {{ scene: Pick<Scene, "pieces" | "lines">, box: number[] }} props */
export function BoardPart({ scene, box }) {
  const { map } = world();
  const ids = useMemo(() => inOrder(map), [map]);
  const [under, over] = useMemo(() => [raw(ground(map)), raw(edges(map))], [map, world().edition]);
  return html`<svg class="board-part" viewBox=${box.join(" ")} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <g dangerouslySetInnerHTML=${under}></g>${ids.map((id) => html`<${Tint} key=${id} id=${id} scene=${scene} />`)}
    <g dangerouslySetInnerHTML=${over}></g>${ids.map((id) => html`<${Spot} key=${id} id=${id} scene=${scene} />`)}</svg>`;
}

/** The part of the map, so wide and so high, where most pieces are to be seen. What lies low in it counts less, for there
 * the picture fades.
 * @param {Record<string, Piece[]>} pieces
 * @param {number} w
 * @param {number} h
 * @returns {[number, number, number, number]} */
export function fullest(pieces, w, h) {
  const { box, spaces } = world().map;
  const spots = Object.entries(pieces).flatMap(([id, those]) => those.map((_, i) => spaces[id].slots[i % 3]));
  const seen = (/** @type {number[]} */ [left, top]) =>
    spots.reduce((sum, [x, y]) => {
      const edge = Math.min(x - left, left + w - x, y - top, top + h - y);
      const weight = y < top + h * 0.55 ? 1 : 0.2;
      return sum + (edge > 22 ? weight : edge > -22 ? -weight : 0); // whatever is cut looks worse than what is not there
    }, 0);
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(most, at));
  const boxes = spots.flatMap(([x]) =>
    spots.map(([, y]) => [within(x - w / 2, box[0] - w), within(y - h * 0.3, box[1] - h)]),
  );
  const [left, top] = boxes.reduce((best, one) => (seen(one) > seen(best) ? one : best), boxes[0] ?? [395, 60]);
  return [Math.round(left), Math.round(top), w, h];
}

/** @param {{ strait: Drawing["straits"][number], scene: Scene }} props */
function Strait({ strait, scene: { view } }) {
  const team = useSteady(() => straitTeam(view.value, strait.land));
  const [x, y] = strait.at;
  const [a, b] = strait.arrows.map((arrow) => arrow[1]);
  const gate = team === "axis" ? "M-7-10H7L10-7V7L7 10H-7L-10 7V-7z" : "M0-10A10 10 0 1 1 0 10 10 10 0 1 1 0-10z";
  return html`<g class=${cls("strait", team)} data-land=${strait.land}>
    <path class="ch" d=${`M${a[0]} ${a[1]}Q${x} ${y} ${b[0]} ${b[1]}`} />
    <g transform=${`translate(${x} ${y})`}><path class="gate" d=${gate} /><title>${t(`map.strait-${team}`, { land: spaceName(strait.land) })}</title><path class="bars" d="M-5 6V-2A5 5 0 0 1-1.500-6.500V6M5 6V-2A5 5 0 0 0 1.500-6.500V6" /></g></g>`;
}

/** @param {{ zoom: ReturnType<typeof useView>, tools?: any }} props */
function MapTools({ zoom, tools }) {
  return html`
    <div class="map-tools tools l" role="toolbar" aria-label=${t("map.tools")}>
      <button class="zoom-in" onClick=${() => zoom.by(1.4)} aria-label=${t("map.in")}><${Icon} name="plus" /></button>
      <button class="zoom-out" onClick=${() => zoom.by(0.7)} aria-label=${t("map.out")}><${Icon} name="minus" /></button>
      <button onClick=${() => zoom.wholeOrBack()} aria-label=${t("map.fit")}><${Icon} name="fit" /></button>
      ${tools}
    </div>`;
}

/** Whose lines of supply are drawn, and how they are: a strip at the edge of the map.
 * @param {{ scene: Scene }} props */
function SupplyStrip({ scene: { lines } }) {
  const shown = shownSupply.value;
  if (!shown) return null;
  const all = Object.values(lines.value[shown] ?? {});
  const cut = all.filter((one) => !one.is_supplied).map((one) => spaceName(one.space));
  const state = cut.length ? t("supply.short", { list: listed(cut) }) : t(all.length ? "supply.well" : "supply.none");
  return html`<div class="supply-of" role="group" aria-label=${t("map.supply")}>
    <p role="status"><b>${t("label", { text: countryName(shown) })}</b> <span class=${cls(cut.length > 0 && "short")}>${state}</span></p>
    <div>${COUNTRIES.map(
      (c) => html`
      <button key=${c} class=${cls("pip", c, teamOf(c))} aria-pressed=${shown === c}
        onClick=${() => (shownSupply.value = c)}><span aria-hidden="true">${CODES[c]}</span><span class="sr">${t("map.supply-of", { country: noun(`country.${c}`) })}</span></button>`,
    )}</div></div>`;
}

/** @param {{ zoom: ReturnType<typeof useView>, map: Drawing }} props */
function Locator({ zoom, map }) {
  if (!zoom.isPart.value) return null;
  const { x, y, w, h } = zoom.window.value;
  return html`<svg class=${cls("locator", zoom.isMoving.value && "moving")} viewBox=${`0 0 ${map.box[0]} ${map.box[1]}`} aria-hidden="true"><rect width="1440" height="640" /><use href="#coast" /><rect class="win" x=${x} y=${y} width=${w} height=${h} /></svg>`;
}

/** A space that could be chosen but lies outside the window.
 * @param {{ zoom: ReturnType<typeof useView>, scene: Scene }} props */
function OutOfSight({ zoom, scene: { legal } }) {
  if (!zoom.isPart.value) return null;
  const { x, y, w, h } = zoom.window.value;
  const away = [...legal.value.keys()].filter((id) => {
    const [a, b] = middle(id);
    return a < x || b < y || a > x + w || b > y + h;
  });
  if (!away.length) return null;
  return html`<button class="more-here" onClick=${() => zoom.show([away[0]])}>${t("map.next", { space: spaceName(away[0]) })}</button>`;
}

/** An arrow from one place to another, thick and bent.
 * @param {[number, number]} from
 * @param {[number, number]} to */
export function arrow([ax, ay], [bx, by]) {
  const dx = bx - ax,
    dy = by - ay,
    len = Math.hypot(dx, dy) || 1;
  const nx = -dy / len,
    ny = dx / len,
    bend = Math.min(60, len * 0.28),
    ux = dx / len,
    uy = dy / len;
  const sx = ax + ux * 18,
    sy = ay + uy * 18,
    ex = bx - ux * 24,
    ey = by - uy * 24;
  const cx = (sx + ex) / 2 - nx * bend,
    cy = (sy + ey) / 2 - ny * bend;
  const tx = ex - cx,
    ty = ey - cy,
    tl = Math.hypot(tx, ty) || 1,
    hx = tx / tl,
    hy = ty / tl;
  const p = (/** @type {number} */ a, /** @type {number} */ b) => `${a.toFixed(1)} ${b.toFixed(1)}`;
  const w0 = 3,
    w1 = 7,
    qx = ex - hx * 16,
    qy = ey - hy * 16;
  return `M${p(sx + nx * w0, sy + ny * w0)}Q${p(cx + nx * w1 * 0.7, cy + ny * w1 * 0.7)} ${p(qx - hy * w1, qy + hx * w1)}L${p(qx - hy * 15, qy + hx * 15)}L${p(ex + hx * 4, ey + hy * 4)}L${p(qx + hy * 15, qy - hx * 15)}L${p(qx + hy * w1, qy - hx * w1)}Q${p(cx - nx * w1 * 0.7, cy - ny * w1 * 0.7)} ${p(sx - nx * w0, sy - ny * w0)}z`;
}
