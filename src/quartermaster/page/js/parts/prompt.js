// The bar over the lower edge of the board: one sentence, the primary choice, pass, undo, hint. What comes and goes while
// one points at things stands above it: a button that moves away under the pointer cannot be clicked.
import { cls, computed, duration, html, signal } from "../base/html.js";
import { countryName, listed as inWords, many, noun, t } from "../base/words.js";
import { get } from "../base/api.js";
import { settings } from "../state/settings.js";
import { attempt } from "../state/session.js";
import {
  anyCard,
  begun,
  cardName,
  game,
  isCovered,
  isMine,
  isShared,
  left,
  log,
  mine,
  own,
  send,
} from "../state/table.js";
import {
  ahead,
  answer,
  asked,
  canConfirm,
  confirmTicks,
  consider,
  discardOf,
  emptiness,
  held,
  hints,
  isBusy,
  lookAt,
  pick,
  pickCard,
  playOf,
  questions,
  sentence,
  takeBack,
  thinkAgain,
  ticked,
} from "../state/choices.js";
import { MOMENT, ending } from "../state/ending.js";
import { pointed } from "../state/lessons.js";
import { below, skip } from "../state/beats.js";
import { told } from "./stage.js";
import { Card, Roundel, opened } from "./card.js";
import { Icon } from "./icons.js";

/** @typedef {import("../state/choices.js").Question} Question */
/** @typedef {import("../state/table.js").Choice} Choice */

export const isListOpen = signal(false); // the choices as a list

export function Prompt() {
  const now = begun();
  const q = asked.value;
  if (now.status === "over") return null;
  // What others did is shown first; one's own window does not wait, for its time runs.
  const isShowing = below.value !== null && !now.window?.is_yours;
  const open = isShowing ? null : now.window;
  return html`
    <section onClickCapture=${onlyOnce} class=${cls("prompt", q && !isShowing && "yours", (isShowing || !q) && "watching", q?.decision.country, isBusy.value && "busy", q?.ask !== undefined && "answering")} aria-label=${t("prompt.label")}>
      ${
        now.is_paused &&
        html`<p class="sentence">${t("prompt.paused")}</p>
        ${mine.value.length > 0 && html`<span class="acts"><button class="main" onClick=${() => send("/resume")}>${t("prompt.resume")}</button></span>`}`
      }
      ${open && html`<${Reaction} q=${q} />`}
      ${!open && q && !isShowing && html`<${Asked} q=${q} />`}
      ${!open && (!q || isShowing) && !now.is_paused && html`<${Waiting} />`}
      <${Decided} /><${Proposal} />
      ${
        q &&
        !isShowing &&
        html`<div class="above">
        ${now.settings.has_hints && hints.value?.number === now.number && html`<${Hints} q=${q} />`}
        ${ahead.value && html`<p class="aside ahead" role="status">${ahead.value}</p>`}
        <${Choices} q=${q} />
      </div>`
      }
    </section>`;
}

let first = ""; // the button that the first click of several in a row was for

/** The second click or tap of two in a row is for what stood there at the first, not for what has come in its place.
 * @param {MouseEvent} event */
function onlyOnce(event) {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const name = button ? `${button.className} ${button.textContent}` : "";
  if (event.detail > 1 && name !== first) event.stopPropagation();
  else first = name;
}

function Waiting() {
  const now = begun();
  const shown = below.value;
  const who = shown?.who ?? now.waiting_for;
  const text = shown
    ? told(shown)
    : isCovered.value
      ? t("prompt.covered")
      : who
        ? t("prompt.waiting", { country: noun(`country.${who}`) })
        : t("prompt.waiting-all");
  return html`${who && html`<${Roundel} country=${who} size=${34} />`}
    <div class="lines"><p class="sentence" role="status">${text}</p>${!now.view.seat.length && html`<p class="aside">${t("prompt.onlooker")}</p>`}</div>
    <span class="acts">${shown ? html`<button class="skip-beats" onClick=${skip}>${t("beats.skip")}</button>` : html`<${Undo} />`}</span>`;
}

/** First cards that were chosen ahead of time. */
function Decided() {
  const { first_cards: cards, window: open } = begun();
  return open
    ? null
    : cards
        .filter((one) => one.discards.length)
        .map(
          (one) => html`
    <p class="aside" key=${one.country}>${t("first.decided", { country: noun(`country.${one.country}`), cards: inWords(one.discards.map((id) => cardName(id, one.country))) })}
      ${" "}<button class="link" onClick=${() => thinkAgain(one.country)}>${t("first.change")}</button></p>`,
        );
}

/** @param {{ q: Question }} props */
function Asked({ q }) {
  const { waiting_for } = begun();
  const isAnotherAwaited = waiting_for && !isMine(waiting_for); // one chooses first cards ahead of one's turn
  const { decision } = q;
  const others = questions.value.filter((one) => one !== q);
  return html`
    <${Roundel} country=${decision.country} size=${34} />
    <div class="lines">
      <p class="sentence" role="status" aria-live="assertive"><strong>${t("label", { text: countryName(decision.country) })}</strong> ${sentence(q)}</p>
      ${decision.kind === "discard-step" && settings.value.ends !== "asked" && html`<p class="aside">${t(ending.value ? "prompt.ends-soon" : "prompt.stays-open")}</p>`}
      ${
        ((q.first && isAnotherAwaited) || others.length > 0) &&
        html`<p class="aside">
        ${q.first && isAnotherAwaited && html`${t("prompt.waiting", { country: noun(`country.${waiting_for}`) })} `}
        ${others.length > 0 && html`${t("prompt.also")} ${others.map((one) => html`<button key=${one.decision.country} class="link" onClick=${() => lookAt(one.decision.country)}>${countryName(one.decision.country)}</button>`)}`}</p>`
      }
    </div>
    <${Acts} q=${q} />`;
}

/** At most one brass button, then the rest. @param {{ q: Question }} props */
function Acts({ q }) {
  const play = playOf(q);
  const discard = discardOf(q);
  const { pass, ticks } = q;
  const ends = q.decision.kind === "discard-step";
  const confirm = ends
    ? ticked.value.length
      ? many("prompt.discard-end", ticked.value.length)
      : t("prompt.end")
    : t("first.decide", { n: ticked.value.length, count: ticks?.count ?? 0 });
  const isEmpty = play && emptiness(play);
  return html`
    <span class="acts">
      ${ticks && html`<button class=${cls("main confirm", ending.value && "ending")} style=${{ "--moment": `${MOMENT}ms` }} disabled=${!canConfirm(q) || isBusy.value} onClick=${() => confirmTicks(q)}>${confirm}</button>`}
      ${play && html`<button class=${cls(!isEmpty && "main", "play")} disabled=${isBusy.value} onClick=${() => pick(q, play)}>${t("verb.play")}</button>`}
      ${discard && html`<button class="discard" disabled=${isBusy.value} onClick=${() => pick(q, discard)}>${t("verb.discard-for-nothing")}</button>`}
      ${!play && !ticks && html`<${Loose} q=${q} />`}
      ${
        !play &&
        q.extras.map(
          (action) => html`<button key=${action.text} class="extra" onClick=${() => pick(q, action)}
        onMouseEnter=${() => consider(action)} onMouseLeave=${() => consider(null)} title=${about(action)}>${action.phrase}</button>`,
        )
      }
      ${pass && !ticks && !play && html`<button class="pass" disabled=${isBusy.value} onClick=${() => pick(q, pass)}>${t("verb.pass")}</button>`}
      <${Undo} />${!q.first && html`<${HintButton} />`}<${ListButton} />
    </span>`;
}

/** Choices that are neither on a card in hand nor on the map.
 * @param {{ q: Question }} props */
function Loose({ q }) {
  const cards = q.loose.filter((action) => action.card && anyCard(action.card, action.country) && q.loose.length > 2);
  const plain = q.loose.filter((action) => !cards.includes(action));
  return html`
    ${
      cards.length > 0 &&
      html`<div class="tray" role="group" aria-label=${t("prompt.choices")}>${cards.map(
        (action) => html`
      <${Card} key=${action.text} card=${anyCard(action.card ?? "", action.country)} isLit=${true} title=${action.phrase} onPick=${() => pick(q, action)} />`,
      )}</div>`
    }
    ${plain.map(
      (
        action,
        i,
      ) => html`<button key=${action.text} class=${cls(i === 0 && plain.length < 3 && "main", action.verb)} title=${about(action)} onClick=${() => pick(q, action)}
      onMouseEnter=${() => consider(action)} onMouseLeave=${() => consider(null)}>${action.phrase}</button>`,
    )}`;
}

/** What the card of a choice says.
 * @param {Choice} action */
const about = (action) => (action.card ? anyCard(action.card, action.country)?.text : undefined);

const COMING = ["about-to-be-removed", "played", "used"]; // occasions before something takes effect: one lets it stand

/** What letting an occasion for reactions pass is called, and what it means.
 * @param {Question} q */
const letting = (q) =>
  COMING.includes(q.decision.event?.kind)
    ? { name: t("window.pass"), means: t("window.pass-means") }
    : { name: t("window.not-now"), means: t("window.not-now-means") };

/** A window for reactions: what was done, the ring of time, and the card with which one could answer.
 * @param {{ q: Question | null }} props */
function Reaction({ q }) {
  const open = /** @type {import("../api").WindowView} */ (begun().window);
  const seconds = left(open.seconds_left, true);
  const most = begun().settings.window || seconds || 1;
  const usable = q?.actions.filter((action) => action.verb !== "pass") ?? [];
  const number = begun().number;
  // That a turn or a step begins is not what somebody did, nor is a pass: what was done before has nothing to do with it.
  const isTime = open.action.verb === "pass" || /^start-|-step$/.test(q?.decision.event?.kind ?? "");
  const might = t("window.might", { countries: inWords(open.countries.map(countryName)) });
  return html`
    <div class="window" role="status">
      <span class="timer"><${Roundel} country=${q?.decision.country ?? open.action.country} size=${34} />
        ${seconds > 0 && html`<svg viewBox="0 0 44 44" aria-hidden="true"><circle r="20" cx="22" cy="22" /><circle class="run" r="20" cx="22" cy="22" pathLength="100" stroke-dashoffset=${100 - Math.min(100, (seconds / most) * 100)} /></svg>`}</span>
      <div class="lines">
        <p class="sentence">${isTime ? (q ? `${q.decision.prompt}.` : might) : html`<strong>${t("label", { text: countryName(open.action.country) })}</strong> ${open.action.phrase}.`}
          ${seconds > 0 && seconds < 3600 && html` <span class="clock running">${duration(seconds)}</span>`}</p>
        ${(q || !isTime) && html`<p class="aside">${q ? `${isTime ? "" : `${q.decision.prompt}. `}${letting(q).means}.` : might}</p>`}
      </div>
    </div>
    <span class="acts">
      ${usable.map((action, i) => html`<button key=${action.text} class=${cls(i === 0 && "main")} onClick=${() => q && answer(q, action)}>${action.phrase}</button>`)}
      ${q?.pass && html`<button class="pass" title=${letting(q).means} onClick=${() => q.pass && answer(q, q.pass)}>${letting(q).name}</button>`}
      ${open.is_yours && !open.has_gone_on && !q && !isCovered.value && html`<button onClick=${() => send("/go-on", { number })}>${t("window.go-on")}</button>`}
      ${open.is_yours && !open.has_gone_on && !isCovered.value && open.can_hold && seconds > 0 && html`<button onClick=${() => send("/hold", { number })}>${t("window.hold")}</button>`}
      ${q && html`<${HintButton} /><${ListButton} />`}
    </span>
    ${usable.length > 0 && html`<div class=${cls("answer-cards", usable.length > 1 && "several")}>${usable.map((action) => html`<${Card} key=${action.text} card=${anyCard(action.card ?? "", action.country)} isLit=${true} title=${action.phrase} onPick=${() => q && answer(q, action)} />`)}</div>`}`;
}

/** The same choices as a list, for keys and for those who do not see the map.
 * @param {{ q: Question }} props */
function Choices({ q }) {
  const all = listed(q);
  const isByCard = q.ticks !== null || q.byCard.size > 0; // then the numbers are those of the cards
  return html`
    <div class=${cls("question", !isListOpen.value && "sr-until-focus")}>
      <ul class="choices" aria-label=${t("prompt.choices")}>
        ${all.map(
          (action, i) => html`
          <li key=${action.text}><button class=${cls(action.verb, pointed.value.actions.includes(action.text) && "pointed")} aria-pressed=${q.ticks ? isTicked(q, action) : undefined} onClick=${() => take(q, action)}
            onMouseEnter=${() => consider(action)} onFocus=${() => consider(action)} onMouseLeave=${() => consider(null)} onBlur=${() => consider(null)}>
            ${i < 9 && !isByCard && html`<kbd aria-hidden="true">${i + 1}</kbd>`} ${action.phrase}</button></li>`,
        )}
      </ul>
    </div>`;
}

/** @param {Question} q */
const handFor = (q) => begun().view.countries[q.decision.country].hand ?? [];
/** @param {Question} q
 * @param {Choice} action */
const isTicked = (q, action) => ticked.value.some((place) => handFor(q)[place] === action.card);

/** A line of the list: where cards are ticked, it ticks.
 * @param {Question} q
 * @param {Choice} action */
export function take(q, action) {
  if (q.ticks && action.card) pickCard(q, action.card, handFor(q).indexOf(action.card));
  else if (q.ticks) confirmTicks(q);
  else pick(q, action);
}

/** All choices of a question, those that do something first.
 * @param {Question} q */
export function listed(q) {
  const isLast = (/** @type {Choice} */ action) =>
    action.verb === "pass" || (q.decision.kind === "play" && action.verb === "discard");
  return [...q.actions.filter((a) => !isLast(a)), ...q.extras, ...q.actions.filter(isLast)];
}

function ListButton() {
  return html`<button class="quiet list-button" aria-pressed=${isListOpen.value} aria-label=${t("prompt.list")} title=${t("prompt.list")} onClick=${() => (isListOpen.value = !isListOpen.value)}><${Icon} name="list" /></button>`;
}

function HintButton() {
  const now = begun();
  if (!now.settings.has_hints) return null;
  const isThinking = hints.value?.found === null;
  const ask = async () => {
    hints.value = { number: now.number, found: null };
    const found = await attempt(() => get(`${game()}/hints${asked.value?.passes ? "?ahead=true" : ""}`));
    if (hints.value?.number === now.number) hints.value = found ? { number: now.number, found } : null;
  };
  return html`<button class=${cls("quiet hint-button", isThinking && "thinking")} disabled=${isThinking} aria-label=${t("hints.ask")} title=${t("hints.ask")} onClick=${ask}><${Icon} name="hint" /></button>`;
}

/** What a bot would do, each to be done by a click. @param {{ q: Question }} props */
function Hints({ q }) {
  const close = () => (hints.value = null);
  const found = hints.value?.found;
  return html`<div class="hints" role="group" aria-label=${t("hints.title")}>
    <header><b>${t("hints.title")}</b><button class="quiet" aria-label=${t("close")} onClick=${close}><${Icon} name="close" /></button></header>
    ${!found && html`<p class="thinking" role="status">${t("hints.thinking")}</p>`}
    ${
      found &&
      html`<ol>${found.map(
        ({ action, chance, reason }) => html`
      <li key=${action.text}><button onClick=${() => follow(q, action)} onMouseEnter=${() => consider(action)} onFocus=${() => consider(action)} onMouseLeave=${() => consider(null)} onBlur=${() => consider(null)}>
        <strong>${action.phrase}</strong> <span class="tag">${t("hints.chance", { n: Math.round(chance * 100) })}</span> ${reason}</button></li>`,
      )}</ol>`
    }</div>`;
}

/** Do what a hint says: its card is picked up, so that one sees where it leads; all else is chosen.
 * @param {Question} q
 * @param {Choice} action */
function follow(q, action) {
  hints.value = null;
  if (action.card && q.byCard.has(action.card) && action.verb !== "discard" && !q.ticks) {
    if (held.value !== action.card) pickCard(q, action.card, handFor(q).indexOf(action.card));
  } else take(q, listed(q).find((one) => one.text === action.text) ?? action);
}

const DEEDS = new Set(["play", "set", "use", "discard", "build", "recruit", "battle"]);
/** Whether whoever is before the screen has done something that they could take back: of several people at one screen the last
 * thing done, for what came before it is another's. */
const hasDecided = computed(() => {
  const isOwn = (/** @type {import("../state/table.js").LogEntry | undefined} */ entry) =>
    own.value.has(entry?.country ?? "");
  const deeds = log.value.filter((entry) => DEEDS.has(entry.what));
  return isShared.value ? isOwn(deeds.at(-1)) : deeds.some(isOwn);
});

function Undo() {
  const now = begun();
  if (!mine.value.length || isCovered.value || !hasDecided.value) return null;
  const others = now.seats.some((seat) => seat.who === "person" && !seat.is_yours);
  const label = now.undo.length || !others ? t("tools.undo") : t("tools.ask-undo");
  return html`<button class="quiet undo" disabled=${isBusy.value} aria-label=${label} title=${`${label} (u)`} onClick=${takeBack}><${Icon} name="undo" /></button>`;
}

function Proposal() {
  const { proposal } = begun();
  if (!proposal) return null;
  const may = mine.value.length > 0 && !proposal.has_your_vote;
  return html`
    <div class="proposal" role="status">
      <span>${t(`proposal.${proposal.what}`, { name: proposal.by })} (${proposal.votes}/${proposal.needed})
        ${proposal.waits_for.length > 0 && html` <small>${t("proposal.waits-for", { names: inWords(proposal.waits_for) })}${proposal.seconds_left !== null && html`, ${t("proposal.until", { time: duration(left(proposal.seconds_left, true)) })}`}</small>`}</span>
      ${may && html`<button class="main" onClick=${() => send("/votes", { is_for: true })}>${t("proposal.yes")}</button>`}
      ${mine.value.length > 0 && html`<button onClick=${() => send("/votes", { is_for: false })}>${may ? t("proposal.no") : t("proposal.withdraw")}</button>`}
    </div>`;
}

/** Read the card that a question is about.
 * @param {Question} q */
export const readSource = (q) => {
  const card = q.decision.source ? anyCard(q.decision.source, q.decision.country) : undefined;
  if (card) opened.value = card;
};
