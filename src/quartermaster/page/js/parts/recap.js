// Since your last turn: a chip a country, and what the chosen one did, to be seen again on the map. It lies where the fewest
// pieces stand: over Siberia and the north of the Pacific, or on a phone over the lower edge of the map.
import { cls, computed, html, raw, signal } from "../base/html.js";
import { countryName, many, t } from "../base/words.js";
import { CODES, teamOf } from "../base/countries.js";
import { sign, token } from "../base/art.js";
import { woodcut } from "../base/pictures/pictures.js";
import { anyCard, begun, log, table, world } from "../state/table.js";
import { held, hints, questions } from "../state/choices.js";
import { note } from "../state/notes.js";
import { isShowing, replayTurns } from "../state/beats.js";
import { meaningOf } from "../state/meaning.js";
import { cardOfTurn, deedOfTurn, pointsOfTurn, since, storyOf, turns as all } from "../state/turns.js";
import { arrow, shape } from "./board.js";
import { Roundel } from "./card.js";
import { Icon } from "./icons.js";

/** @typedef {import("../state/turns.js").Turn} Turn */

const closed = signal(""); // the turn whose recap was put away
// Turns by the log entry that they begin with, of those that are recapped:
const chosen = signal(-1); // the one that somebody wants to be told
const pointed = signal(-1); // the one whose chip is under the pointer or has the focus

/** The space that the wanted turn was about. */
export const recalled = computed(() => {
  const turn = since.value.find(({ start }) => start === (pointed.value < 0 ? chosen.value : pointed.value));
  return turn && isRecapped.value ? deedOfTurn(turn)?.space : undefined;
});

/** Whether the recap lies on the table: one thing at a time. */
const isRecapped = computed(() => isDue() && !isShowing.value && !note.value && !held.value && !hints.value);

const keyOfTurn = () => `${begun().id} ${begun().view.round} ${begun().view.turn}`;

/** Whether there is something to tell, and the viewer has not acted yet. */
function isDue() {
  if (!table.value?.view || !since.value.length || !questions.value.length || closed.value === keyOfTurn())
    return false;
  const { view } = begun();
  const acts = new Set(["play", "set", "use", "discard"]);
  const hasActed = all.value.at(-1)?.entries.some((entry) => acts.has(entry.what) && entry.country === view.turn);
  return (view.step === "play" || view.step === "turn") && !hasActed;
}

export function Recap() {
  if (!isRecapped.value) return null;
  const turns = since.value;
  const { view } = begun();
  const close = () => (closed.value = keyOfTurn());
  const end = all.value.at(-1)?.start ?? 0;
  const again = (/** @type {number} */ from, /** @type {number} */ to) =>
    replayTurns(log.value.slice(from, to), view, log.value.slice(to));
  const againOf = (/** @type {Turn} */ turn) => again(turn.start, turns[turns.indexOf(turn) + 1]?.start ?? end);
  return html`
    <section class="recap" aria-label=${t("recap.title")}>
      <header><h2>${t("recap.title")}</h2>
        <p class="recap-sum">${[many("recap.turns", turns.length), ...scored(turns)].join(" · ")}</p>
        <button class="quiet recap-again" onClick=${() => again(turns[0].start, end)} aria-label=${t("recap.play")}><${Icon} name="play" /><span>${t("recap.play")}</span></button>
        <button class="main recap-done" onClick=${close}>${t("recap.done")}</button></header>
      <${Strip} turns=${turns} onAgain=${againOf} />
    </section>`;
}

/** A chip a country, and what one of them did: the wanted one, at first the one that did most harm.
 * @param {{ turns: Turn[], onAgain: (turn: Turn) => void }} props */
function Strip({ turns, onAgain }) {
  const worst = [isHarmful, isThreatening, deedOfTurn].map((is) => turns.findLast((turn) => is(turn))).find(Boolean);
  const wanted = [pointed.value, chosen.value].map((start) => turns.find((turn) => turn.start === start)).find(Boolean);
  const turn = wanted ?? worst ?? turns[0];
  const { played, card } = cardIn(turn);
  const deed = deedOfTurn(turn);
  return html`
    ${
      turns.length > 1 &&
      html`<div class="recap-chips" role="group" onPointerLeave=${() => (pointed.value = -1)}>${turns.map(
        (one) => html`
      <button key=${one.start} class=${cls("recap-chip", one.country, teamOf(one.country), isHarmful(one) && "hurt")} aria-pressed=${one === turn} title=${countryName(one.country)}
        onClick=${() => (chosen.value = one.start)} onPointerEnter=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && (pointed.value = one.start)}>
        <span class="sr">${countryName(one.country)}</span><span aria-hidden="true">${CODES[one.country]}</span><${Sign} turn=${one} /><${Gain} turn=${one} /></button>`,
      )}</div>`
    }
    <button class=${cls("strip-told", turn.country)} onClick=${() => onAgain(turn)} title=${t("recap.again")}>
      ${deed?.space ? html`<${Crop} turn=${turn} deed=${deed} />` : html`<${Picture} country=${turn.country} card=${card} />`}
      <span class="strip-lines" aria-live="polite"><span><b>${countryName(turn.country)}</b>${" · "}${card?.name ?? played?.text ?? t("recap.nothing")} <${Gain} turn=${turn} /></span>
      ${storyOf(turn).map((line) => html`<span key=${line}>${line}</span>`)}<${Means} turn=${turn} /></span>
      <${Icon} name="play" /></button>`;
}

/** The sign of the card that a turn was played with.
 * @param {{ turn: Turn }} props */
function Sign({ turn }) {
  const { card } = cardIn(turn);
  return card && html`<span class="chip-sign" dangerouslySetInnerHTML=${raw(sign(card.type))}></span>`;
}

/** The card that a turn was played with, as far as it is known.
 * @param {Turn} turn */
function cardIn(turn) {
  const played = cardOfTurn(turn);
  return { played, card: played?.card ? anyCard(played.card, turn.country) : undefined };
}

/** @param {{ turn: Turn }} props */
function Gain({ turn }) {
  const points = pointsOfTurn(turn);
  return points !== 0 && html`<span class="vp">${points > 0 ? "+" : "−"}${Math.abs(points)}</span>`;
}

/** @param {{ turn: Turn }} props */
function Means({ turn }) {
  const meaning = meaningOf(turn);
  return html`<span class=${cls("means", meaning[0].kind)} title=${meaning.map(({ text }) => text).join("\n")}>${meaning.slice(0, 2).map(({ text }) => html`<span key=${text}>${text}</span>`)}</span>`;
}

/** @param {Turn} turn */
const isHarmful = (turn) => meaningOf(turn)[0].kind === "harm";
/** @param {Turn} turn */
const isThreatening = (turn) => meaningOf(turn)[0].kind === "threat";

/** What each team scored.
 * @param {Turn[]} turns */
function scored(turns) {
  const scores = turns.flatMap((turn) => turn.entries.filter((entry) => entry.what === "score" && entry.country));
  const sums = ["axis", "allies"].map((team) => ({
    team,
    n: scores.reduce((sum, entry) => sum + (teamOf(String(entry.country)) === team ? entry.n : 0), 0),
  }));
  return sums
    .filter(({ n }) => n !== 0)
    .map(({ team, n }) => `${t(`team.${team}`)} ${n > 0 ? "+" : "−"}${Math.abs(n)}`);
}

/** Of a turn that changed nothing on the map: the picture of its card, or the country's own sign.
 * @param {{ country: string, card?: import("../state/table.js").Card }} props */
function Picture({ country, card }) {
  return card
    ? html`<span class="crop picture" aria-hidden="true" dangerouslySetInnerHTML=${raw(woodcut(card))}></span>`
    : html`<span class=${cls("crop picture still", country)} aria-hidden="true"><${Roundel} country=${country} size=${46} /></span>`;
}

/** A piece of the map around a space, with what was done there.
 * @param {{ turn: Turn, deed: import("../state/table.js").LogEntry }} props */
function Crop({ turn, deed }) {
  const { map } = world();
  const space = String(deed.space);
  const [x, y] = map.spaces[space].slots[0];
  const w = 190,
    h = 70;
  const vx = Math.min(1440 - w, Math.max(0, x - w / 2)),
    vy = Math.min(640 - h, Math.max(0, y - h / 2));
  const lost = turn.entries.find((entry) => entry.what === "remove" && entry.space === space);
  const kind = map.spaces[space].kind === "sea" ? "navy" : "army";
  const owner = String(lost?.country ?? deed.target ?? turn.country);
  const mark = lost
    ? `<g class="faint">${token(owner, kind)}</g><path class="lost-x" d="M-12-11L12 11M12-11L-12 11"/>`
    : token(owner, kind, { mark: true });
  // An attack comes from the side, whoever was beside it by then.
  const isAttack = lost !== undefined && lost.country !== turn.country;
  const from = /** @type {[number, number]} */ ([x + (x < vx + 95 ? 88 : -88), y + (y > vy + h / 2 ? -14 : 14)]);
  return html`<svg class="crop" viewBox=${`${vx} ${vy} ${w} ${h}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <rect class="sea" x=${vx} y=${vy} width=${w} height=${h} /><use href="#coast" class="crop-land" />
    <path class=${cls("crop-held", owner)} d=${shape(map, space)} fill-rule="evenodd" />
    ${isAttack && html`<path class=${cls("arrow", teamOf(turn.country) === "allies" && "foe")} d=${arrow(from, [x, y])} />`}
    <g transform=${`translate(${x} ${y})`} dangerouslySetInnerHTML=${raw(mark)}></g></svg>`;
}
