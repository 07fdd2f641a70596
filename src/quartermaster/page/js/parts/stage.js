// Another's turn as it is shown: the card at the side, what it does on the map, points that fly.
import { cls, html, raw } from "../base/html.js";
import { countryName, listed, t } from "../base/words.js";
import { teamOf } from "../base/countries.js";
import { token } from "../base/art.js";
import { anyCard, spaceName, world } from "../state/table.js";
import { stage } from "../state/beats.js";
import { set, settings } from "../state/settings.js";
import { Back, Card, Roundel } from "./card.js";
import { arrow, middle } from "./board.js";

/** The panel beside the map: on the side away from the action. */
export function StagePanel() {
  const now = stage.value;
  if (!now) return null;
  const card = now.card?.card ? anyCard(now.card.card, now.card.country) : undefined;
  const isLeft = now.at !== null && middle(now.at)[0] > world().map.box[0] / 2;
  return html`
    <aside key=${`${now.turn} ${isLeft}`} class=${cls("beat", isLeft && "at-left", `b-${now.beat.kind}`)}>
      <span class=${cls("beat-who", now.who)}><${Roundel} country=${now.who} size=${26} /> ${countryName(now.who)}</span>
      ${card ? html`<${Card} key=${card.id} card=${card} kind="shown" />` : html`<div class="card hidden-card shown"><${Back} country=${now.who} size=${72} /></div>`}
      <span class="speed" role="group" aria-label=${t("beats.speed")}>${
        /** @type {const} */ (["slow", "normal", "fast"]).map(
          (speed) => html`
        <button key=${speed} aria-pressed=${settings.value.speed === speed} onClick=${() => set({ speed })}>${t(`speed.${speed}`)}</button>`,
        )
      }
</span>
    </aside>`;
}

/** What is said of a beat; of points also for what.
 * @param {import("../state/beats.js").Stage} now */
export function told({ beat, pieces }) {
  const { entry } = beat;
  if (beat.kind !== "points" || entry.card) return entry.text;
  const held = Object.keys(world().map.stars).filter((space) =>
    pieces[space]?.some((piece) => piece.country === beat.country),
  );
  return held.length ? t("beats.scored", { text: entry.text, list: listed(held.map(spaceName)) }) : entry.text;
}

/** What a beat shows on the map itself. */
export function StageMarks() {
  const now = stage.value;
  if (!now?.beat.entry.space) return null;
  const { entry, kind } = now.beat;
  const space = String(entry.space);
  const [x, y] = middle(space);
  const from = kind === "battle" ? origin(space, now.beat.country, now.pieces) : null;
  return html`<g key=${`${entry.what} ${space} ${now.left}`} class=${cls("stage", kind)}>
    ${from && html`<path class=${cls("arrow", teamOf(now.beat.country) === "allies" && "foe")} d=${arrow(middle(from), [x, y])} />`}
    ${kind === "lost" && html`<g transform=${`translate(${x} ${y})`} class="gone" dangerouslySetInnerHTML=${raw(`<g class="falling">${token(String(entry.country), world().map.spaces[space].kind === "sea" ? "navy" : "army")}</g><path d="M-15-14L15 14M15-14L-15 14"/>`)}></g>`}
  </g>`;
}

/** Rings around the space at hand: elements of their own, which move without anything being painted.
 * @param {{ space: string }} props */
export function Rings({ space }) {
  const [w, h] = world().map.box;
  const [x, y] = middle(space);
  return html`<div key=${space} class="pulse" style=${{ left: `${(x / w) * 100}%`, top: `${(y / h) * 100}%` }} aria-hidden="true"><i></i><i></i></div>`;
}

/** What a reaction is about, on the map: the space, and where the attack comes from.
 * @param {{ action: import("../state/table.js").Choice | null, event: Record<string, any> | undefined, pieces: Record<string, import("../state/table.js").Piece[]> }} props */
export function ReactionMarks({ action, event, pieces }) {
  const space = event?.space ?? action?.space;
  if (!space) return null;
  const [x, y] = middle(space);
  const by = action?.country ?? event?.country;
  const from = action?.verb === "battle" ? origin(space, by, pieces) : null;
  return html`<g class="stage">${from && html`<path class="arrow foe" d=${arrow(middle(from), [x, y])} />`}</g>`;
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

/** Points on their way to the score. */
export function Points() {
  const now = stage.value;
  if (now?.beat.kind !== "points") return null;
  const team = teamOf(now.beat.country);
  return html`<span key=${now.left} class=${cls("vp-fly", team)} aria-hidden="true">${now.beat.entry.n > 0 ? "+" : ""}${now.beat.entry.n}</span>`;
}
