// Another's turn as it is shown: the card at the side, what it does on the map, points that fly.
import { cls, html, raw, steady, useEffect, useMemo, useRef } from "../base/html.js";
import { countryName, listed, t } from "../base/words.js";
import { teamOf } from "../base/countries.js";
import { token } from "../base/art.js";
import { anyCard, own, spaceName, table, world } from "../state/table.js";
import { beside, coming, stage, standing } from "../state/beats.js";
import { set, settings } from "../state/settings.js";
import { lastCardOf } from "../state/turns.js";
import { Back, Card, Roundel, opened } from "./card.js";
import { arrow, middle } from "./board.js";
import { covers } from "./zoom.js";

/** What others did that may be answered now: its card stays beside the map for as long as the window is open. */
const answered = steady(() => {
  const open = table.value?.window;
  if (!open || own.value.has(open.action.country)) return null;
  const { country, space } = open.action;
  const card = open.action.card ?? lastCardOf(country);
  return card ? { card: { card, country }, who: country, at: space ?? null } : null;
});

/** The panel beside the map: the card at hand, and under it, not to be seen yet, the next one. It is there all the time and
 * goes from side to side and away as it is, so that nothing is laid out or painted when a beat begins. */
export function StagePanel() {
  const now = beside.value ?? answered.value;
  const isAnswered = now !== null && now === answered.value;
  useEffect(() => {
    if (isAnswered) covers.value += 1; // the map looks to where the panel does not lie
  }, [isAnswered]);
  const last = useRef(now);
  const shown = (last.current = now ?? last.current);
  const next = beside.value && coming.value;
  const cards = shown ? [shown] : [];
  if (shown && next && keyOf(next) !== keyOf(shown)) cards.push(/** @type {any} */ (next));
  const side = useMemo(() => shown && sideOf(shown), [shown && keyOf(shown), shown?.at]);
  return html`
    <div class=${cls("beat-place", now ? side : "away", isAnswered && "asking")} inert=${!now}>
      <aside class=${cls("beat-panel", now && "beat", isAnswered && "answered")}>
        <span class=${cls("beat-who", shown?.who)}>${shown && html`<${Roundel} country=${shown.who} size=${26} /> ${countryName(shown.who)}`}</span>
        <div class="beat-cards">${cards.map((one) => html`<${Shown} key=${keyOf(one)} card=${one.card} who=${one.who} isNow=${one === shown} isAnswered=${isAnswered} />`)}</div>
        ${beside.value && html`<${Speed} />`}
      </aside>
    </div>`;
}

/** A card that somebody has played. @typedef {Pick<import("../state/table.js").LogEntry, "card" | "country">} Played */

/** @param {{ card: Played | null, who: string }} one */
const keyOf = (one) => `${one.who} ${one.card?.card ?? ""}`;

/** The side away from the action. A phone shows the space at hand in its middle: there it is the side from which no attack comes.
 * @param {Pick<import("../state/beats.js").Stage, "at" | "who">} one */
function sideOf({ at, who }) {
  if (at === null) return "at-right";
  const [x] = middle(at);
  const from = innerWidth <= 700 ? origin(at, who, standing.peek()) : null;
  const isRight = from ? middle(from)[0] > x : innerWidth > 700 && x > world().map.box[0] / 2;
  return isRight ? "at-left" : "at-right";
}

/** A card that can be answered can be read meanwhile: on a phone only its name is shown.
 * @param {{ card: Played | null, who: string, isNow: boolean, isAnswered: boolean }} props */
function Shown({ card: played, who, isNow, isAnswered }) {
  const isEarly = useRef(!isNow).current; // there is time
  const card = played?.card ? anyCard(played.card, played.country) : undefined;
  return html`<div class=${cls("beat-card", isNow ? "now" : "coming")} aria-hidden=${isNow ? undefined : "true"}>
    ${card ? html`<${Card} card=${card} kind="shown" place=${isAnswered ? "answered" : "beat"} isEarly=${isEarly} title=${isAnswered ? t("card.read", { card: card.name }) : undefined} onPick=${isAnswered ? () => (opened.value = card) : undefined} />` : html`<div class="card hidden-card shown"><${Back} country=${who} size=${72} /></div>`}</div>`;
}

function Speed() {
  return html`<span class="speed" role="group" aria-label=${t("beats.speed")}>${
    /** @type {const} */ (["slow", "normal", "fast"]).map(
      (speed) => html`
    <button key=${speed} aria-pressed=${settings.value.speed === speed} onClick=${() => set({ speed })}>${t(`speed.${speed}`)}</button>`,
    )
  }</span>`;
}

/** What is said of a beat; of points also for what.
 * @param {import("../state/beats.js").Stage} now */
export function told({ beat, pieces }) {
  const { entry } = beat;
  if (beat.kind !== "points" || entry.card) return entry.text;
  const held = starsOf(beat.country, pieces);
  return held.length ? t("beats.scored", { text: entry.text, list: listed(held.map(spaceName)) }) : entry.text;
}

/** The supply spaces in which a country stands.
 * @param {string} country
 * @param {import("../state/beats.js").Stage["pieces"]} pieces */
export const starsOf = (country, pieces) =>
  Object.keys(world().map.stars).filter((space) => pieces[space]?.some((piece) => piece.country === country));

/** Where something lies on the map, in shares of it: such elements move without the map being painted.
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h */
function box(x, y, w, h) {
  const [width, height] = world().map.box;
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => `${((part / whole) * 100).toFixed(3)}%`;
  return { left: share(x, width), top: share(y, height), width: share(w, width), height: share(h, height) };
}

/** What a beat shows on the map itself. */
export function StageMarks() {
  const now = stage.value;
  if (!now?.beat.entry.space) return null;
  const { entry, kind } = now.beat;
  const space = String(entry.space);
  const key = `${entry.what} ${space} ${now.left}`;
  const from = kind === "battle" ? origin(space, now.beat.country, now.pieces) : null;
  if (from)
    return html`<${Arrow} key=${key} from=${middle(from)} to=${middle(space)} isFoe=${teamOf(now.beat.country) === "allies"} moves=${true} />`;
  return now.mover && (kind === "piece" || kind === "lost")
    ? html`<${Mover} key=${key} space=${space} mover=${now.mover} goes=${kind === "lost"} />`
    : null;
}

/** @param {{ from: [number, number], to: [number, number], isFoe: boolean, moves?: boolean }} props */
function Arrow({ from, to, isFoe, moves }) {
  const room = 80; // for its bend and its head
  const x = Math.min(from[0], to[0]) - room;
  const y = Math.min(from[1], to[1]) - room;
  const w = Math.abs(from[0] - to[0]) + 2 * room;
  const h = Math.abs(from[1] - to[1]) + 2 * room;
  return html`<svg class=${cls("mark", moves && "grows")} style=${box(x, y, w, h)} viewBox=${`${x} ${y} ${w} ${h}`} aria-hidden="true"><path class=${cls("arrow", isFoe && "foe")} d=${arrow(from, to)} /></svg>`;
}

/** A piece that lands, or one that is struck and leaves.
 * @param {{ space: string, mover: import("../state/beats.js").Mover, goes: boolean }} props */
function Mover({ space, mover: { piece, place }, goes }) {
  const [x, y] = world().map.spaces[space].slots[place % 3];
  const size = 30;
  const picture = raw(token(piece.country, piece.kind, { air: piece.air }));
  const at = {
    style: box(x - size, y - size, 2 * size, 2 * size),
    viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`,
    "aria-hidden": "true",
  };
  return html`<svg class=${cls("mark", goes ? "falls" : "lands")} ...${at} dangerouslySetInnerHTML=${picture}></svg>
    ${goes && html`<svg class="mark gone" ...${at}><path d="M-15-14L15 14M15-14L-15 14" /></svg>`}`;
}

/** Rings around the space at hand, or the place in it of the piece that moves: elements of their own, which move without
 * anything being painted.
 * @param {{ space: string, place?: number }} props */
export function Rings({ space, place }) {
  const { box, spaces } = world().map;
  const [w, h] = box;
  const [x, y] = place === undefined ? middle(space) : spaces[space].slots[place % 3];
  return html`<div class="pulse" style=${{ left: `${(x / w) * 100}%`, top: `${(y / h) * 100}%` }} aria-hidden="true"><i></i><i></i></div>`;
}

/** What a reaction is about, on the map: the space, and where the attack comes from.
 * @param {{ action: import("../state/table.js").Choice | null, event: Record<string, any> | undefined, pieces: Record<string, import("../state/table.js").Piece[]> }} props */
export function ReactionMarks({ action, event, pieces }) {
  const space = event?.space ?? action?.space;
  if (!space) return null;
  const by = action?.country ?? event?.country;
  const from = action?.verb === "battle" ? origin(space, by, pieces) : null;
  return from && html`<${Arrow} from=${middle(from)} to=${middle(space)} isFoe=${true} />`;
}

/** Where an attack comes from: a piece of the attacker next to the space.
 * @param {string} space
 * @param {string} country
 * @param {Record<string, import("../state/table.js").Piece[]>} pieces */
function origin(space, country, pieces) {
  const next = world().borders.flatMap(([a, b]) => (a === space ? [b] : b === space ? [a] : []));
  const [x] = middle(space);
  return (
    next.find((id) => pieces[id]?.some((piece) => piece.country === country) && Math.abs(middle(id)[0] - x) < 700) ??
    null
  );
}
