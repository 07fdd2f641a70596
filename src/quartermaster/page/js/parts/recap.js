// Since your last turn: one card a country, each to be seen again on the map.
import { cls, html, raw, signal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { CODES, teamOf } from "../base/countries.js";
import { scene, sign, subject, token } from "../base/art.js";
import { anyCard, begun, mine, world } from "../state/table.js";
import { held, questions } from "../state/choices.js";
import { note } from "../state/notes.js";
import { replayTurn, stage } from "../state/beats.js";
import { cardOfTurn, deedOfTurn, pointsOfTurn, since, turns as all } from "../state/turns.js";
import { Roundel } from "./card.js";
import { Icon } from "./icons.js";

/** @typedef {import("../state/turns.js").Turn} Turn */

const closed = signal(""); // the turn whose recap was put away
const isOpen = signal(innerWidth > 1000 && innerHeight > 700); // small screens show one line until it is wanted

export function Recap() {
  const turns = since.value;
  const { view } = begun();
  const key = `${view.round} ${view.turn}`;
  const acts = new Set(["play", "set", "use", "discard"]);
  const hasActed = all.value.at(-1)?.entries.some((entry) => acts.has(entry.what) && entry.country === view.turn);
  const isFresh = (view.step === "play" || view.step === "turn") && !hasActed;
  const isWanted = turns.length > 0 && questions.value.length > 0 && isFresh && closed.value !== key;
  if (!isWanted || stage.value || note.value || held.value) return null; // one thing at a time
  const close = () => (closed.value = key);
  const again = (/** @type {Turn} */ turn) => replayTurn(turn.entries, view);
  return html`
    <section class=${cls("recap", turns.length < 3 && "short")} aria-label=${t("recap.title")}>
      <header><h2><button class="recap-toggle" aria-expanded=${isOpen.value} onClick=${() => (isOpen.value = !isOpen.value)}>${t("recap.title")}
          ${!isOpen.value && html`<span class="pips" aria-hidden="true">${turns.map((turn) => html`<span class=${cls("pip", turn.country, teamOf(turn.country))}>${CODES[turn.country]}</span>`)}</span>`}</button></h2>
        <button class="quiet" aria-label=${t("recap.close")} onClick=${close}><${Icon} name="close" /></button></header>
      ${isOpen.value && html`<div class="posts" tabindex="0" role="list">${turns.map((turn) => html`<${Postcard} key=${turn.start} turn=${turn} onAgain=${() => again(turn)} />`)}</div>`}
    </section>`;
}

/** @param {{ turn: Turn, onAgain: () => void }} props */
function Postcard({ turn, onAgain }) {
  const played = cardOfTurn(turn);
  const card = played?.card ? anyCard(played.card, turn.country) : undefined;
  const deed = deedOfTurn(turn);
  const points = pointsOfTurn(turn);
  const own = new Set(mine.value.flatMap((seat) => seat.countries));
  const hurt = turn.entries.filter((entry) => entry.what === "remove" && entry.country && own.has(entry.country));
  return html`
    <article class=${cls("post", turn.country)} role="listitem">
      <button class="post-face" onClick=${onAgain} title=${t("recap.again")}>
        <span class="post-head"><${Roundel} country=${turn.country} size=${24} /><b>${countryName(turn.country)}</b>${points !== 0 && html`<span class="vp">${points > 0 ? "+" : ""}${points}</span>`}</span>
        ${deed?.space ? html`<${Crop} turn=${turn} space=${deed.space} />` : html`<${Picture} country=${turn.country} card=${card} />`}
        <span class="post-text">${card ? html`<span class="mini"><span dangerouslySetInnerHTML=${raw(sign(card.type))}></span>${card.name}</span>` : html`<span class="mini">${played?.text ?? t("recap.nothing")}</span>`}
          ${deed && !hurt.includes(deed) ? deed.text : ""}</span>
        ${hurt.length > 0 && html`<span class="alert">${hurt[0].text}</span>`}
      </button>
    </article>`;
}

/** Of a turn that changed nothing on the map: the picture of its card, or the country's own sign.
 * @param {{ country: string, card?: import("../state/table.js").Card }} props */
function Picture({ country, card }) {
  return card
    ? html`<span class="crop picture" aria-hidden="true" dangerouslySetInnerHTML=${raw(scene(subject(card), card.name, country))}></span>`
    : html`<span class=${cls("crop picture still", country)} aria-hidden="true"><${Roundel} country=${country} size=${46} /></span>`;
}

/** A piece of the map around a space.
 * @param {{ turn: Turn, space: string }} props */
function Crop({ turn, space }) {
  const { map } = world();
  const [x, y] = map.spaces[space].slots[0];
  const w = 190,
    h = 70;
  const vx = Math.min(1440 - w, Math.max(0, x - w / 2)),
    vy = Math.min(640 - h, Math.max(0, y - h / 2));
  const lost = turn.entries.find((entry) => entry.what === "remove" && entry.space === space);
  const kind = map.spaces[space].kind === "sea" ? "navy" : "army";
  const mark = lost?.country
    ? `<g class="faint">${token(lost.country, kind)}</g><path class="lost-x" d="M-12-11L12 11M12-11L-12 11"/>`
    : token(turn.country in CODES ? turn.country : "germany", kind, { mark: true });
  return html`<svg class="crop" viewBox=${`${vx} ${vy} ${w} ${h}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <rect class="sea" x=${vx} y=${vy} width=${w} height=${h} /><use href="#coast" class="crop-land" /><g transform=${`translate(${x} ${y})`} dangerouslySetInnerHTML=${raw(mark)}></g></svg>`;
}
