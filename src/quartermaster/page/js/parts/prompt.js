// The bar over the lower edge of the board: one sentence, the primary choice, pass, undo, hint. What comes and goes while
// one points at things stands above it: a button that moves away under the pointer cannot be clicked.
import { cls, computed, duration, html, signal, useLayoutEffect, useRef } from "../base/html.js";
import { countryName, has, listed as inWords, many, noun, t } from "../base/words.js";
import { get } from "../base/api.js";
import { set, settings } from "../state/settings.js";
import { attempt } from "../state/session.js";
import {
  anyCard,
  begun,
  cardName,
  game,
  isCovered,
  isMine,
  isShared,
  kindAt,
  left,
  log,
  mine,
  own,
  send,
  spaceNoun,
} from "../state/table.js";
import {
  DEEDS,
  ahead,
  answerCards,
  asked,
  canConfirm,
  confirmTicks,
  consider,
  discardOf,
  emptiness,
  handOf,
  held,
  hints,
  isBusy,
  isTicked,
  lookAt,
  pick,
  pickCard,
  playOf,
  questions,
  sentence,
  takeBack,
  thinkAgain,
  tick,
  ticked,
} from "../state/choices.js";
import { MOMENT, ending, isWaiting } from "../state/ending.js";
import { vote } from "../state/outcomes.js";
import { pointed } from "../state/lessons.js";
import { below, skip } from "../state/beats.js";
import { told } from "./stage.js";
import { Card, Roundel, opened } from "./card.js";
import { Icon } from "./icons.js";

/** @typedef {import("../state/choices.js").Question} Question */
/** @typedef {import("../state/table.js").Choice} Choice */

const wantsList = signal(false);
/** Whether the choices are shown as a list: not beside hints, for together they would cover the map. */
export const isListOpen = computed(() => wantsList.value && !hints.value);
export const closeList = () => (wantsList.value = false);
export function toggleList() {
  wantsList.value = !isListOpen.value;
  hints.value = null;
}

export function Prompt() {
  const now = begun();
  const q = asked.value;
  if (now.status === "over") return null;
  // What others did is shown first; one's own window does not wait, for its time runs.
  const isShowing = below.value !== null && !now.window?.is_yours;
  const open = isShowing ? null : now.window;
  const isReacting = open !== null || (!isShowing && answerCards(q).length > 0);
  return html`
    <section onClickCapture=${onlyOnce} class=${cls("prompt", q && !isShowing && "yours", (isShowing || !q) && "watching", q?.decision.country, isBusy.value && "busy", isReacting && q && "answering")} aria-label=${t("prompt.label")}>
      ${
        now.is_paused &&
        html`<p class="sentence">${t("prompt.paused")}</p>
        ${mine.value.length > 0 && html`<span class="acts"><button class="main" onClick=${() => send("/resume")}>${t("prompt.resume")}</button></span>`}`
      }
      ${isReacting && html`<${Reaction} q=${q} open=${open} />`}
      ${!isReacting && q && !isShowing && html`<${Asked} q=${q} />`}
      ${!open && (!q || isShowing) && !now.is_paused && html`<${Waiting} />`}
      <${Decided} /><${Proposal} />
      ${
        q &&
        !isShowing &&
        html`<${Above}>
        ${now.settings.has_hints && hints.value?.number === now.number && html`<${Hints} q=${q} />`}
        ${ahead.value && html`<p class="aside ahead" role="status">${ahead.value}</p>`}
        <${Choices} q=${q} />
      <//>`
      }
    </section>`;
}

/** What stands above the bar has the room that is left over it.
 * @param {{ children?: any }} props */
function Above({ children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const bar = box.current?.parentElement;
    if (!bar?.parentElement) return;
    const measure = new ResizeObserver(() => bar.style.setProperty("--room", `${bar.offsetTop}px`));
    measure.observe(bar);
    measure.observe(bar.parentElement);
    return () => measure.disconnect();
  }, []);
  return html`<div class="above" ref=${box}>${children}</div>`;
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
      <p class="sentence" role="status" aria-live="assertive">${decision.kind !== "setup" && html`<strong>${t("label", { text: countryName(decision.country) })}</strong> `}${sentence(q)}</p>
      ${decision.kind === "discard-step" && settings.value.ends !== "asked" && html`<p class="aside">${isWaiting.value ? html`${t("prompt.first-turns")} <button class="link" onClick=${() => set({ ended: Infinity })}>${t("prompt.end-by-itself")}</button>` : t(ending.value ? "prompt.ends-soon" : "prompt.stays-open")}</p>`}
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
        onMouseEnter=${() => consider(action)} onMouseLeave=${() => consider(null)} title=${about(action)} aria-description=${about(action)}>${action.phrase}</button>`,
        )
      }
      ${pass && !ticks && !play && html`<button class="pass" disabled=${isBusy.value} onClick=${() => pick(q, pass)}>${t("verb.pass")}</button>`}
      <${Undo} isCancel=${q.decision.kind === "discard" && begun().undo.length > 0} />${!q.first && html`<${HintButton} />`}<${ListButton} />
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
      ) => html`<button key=${action.text} class=${cls(i === 0 && plain.length < 3 && "main", action.verb)} title=${about(action)} aria-description=${about(action)} onClick=${() => pick(q, action)}
      onMouseEnter=${() => consider(action)} onMouseLeave=${() => consider(null)}>${action.phrase}</button>`,
    )}`;
}

/** What the card of a choice says, or the rule that lets everyone do it.
 * @param {Choice} action */
function about({ card, country }) {
  const rule = `rule.${card}.about`;
  return card ? (anyCard(card, country)?.text ?? (has(rule) ? t(rule) : undefined)) : undefined;
}

const COMING = ["about-to-be-removed", "played", "used"]; // occasions before something takes effect: one lets it stand

/** Where the cards stay that one could use and does not.
 * @param {Question} q */
function keeps(q) {
  const { hand, table } = begun().view.countries[q.decision.country];
  const [id, ...others] = answerCards(q).map((action) => action.card ?? "");
  if (!id) return "";
  const place = hand?.includes(id) ? "hand" : table.includes(id) ? "table" : "down";
  return t(`window.keeps.${others.length ? "several" : place}`);
}

/** What letting an occasion for reactions pass is called, and what it means.
 * @param {Question} q */
function letting(q) {
  const isComing = COMING.includes(q.decision.event?.kind);
  return {
    name: t(isComing ? "window.pass" : "window.not-now"),
    means: [isComing && t("window.takes-effect"), keeps(q)].filter(Boolean).join(" "),
  };
}

/** What a choice is called, the same wherever it stands.
 * @param {Question} q
 * @param {Choice} action */
function nameOf(q, action) {
  if (action.verb !== "pass") return action.phrase;
  if (q.decision.kind === "discard-step") return t("prompt.end");
  return q.ask !== undefined || answerCards(q).length ? letting(q).name : action.phrase;
}

/** What somebody does, as a sentence.
 * @param {Choice} action */
function deedOf({ verb, country, card, space, target, phrase }) {
  const kind = kindAt(space) === "sea" ? "navy" : "army";
  const whose = target && own.value.has(target) ? "own" : "their";
  /** @type {Record<string, string>} */
  const ids = {
    battle: target ? `deed.battle.${whose}.${kind}` : "deed.battle.empty",
    eliminate: `deed.eliminate.${whose}.${kind}`,
    build: `deed.build.${kind}`,
    recruit: `deed.recruit.${kind}`,
    deploy: "deed.deploy",
    play: card ? "deed.play" : "deed.response",
    use: "deed.use",
  };
  if (!ids[verb]) return `${t("label", { text: countryName(country) })} ${phrase}.`;
  return t(ids[verb], {
    country: noun(`country.${country}`),
    owner: noun(`country.${target}`),
    space: spaceNoun(space ?? ""),
    card: cardName(card ?? "", country),
  });
}

const REMOVALS = ["about-to-be-removed", "removed", "battled"];
/** The occasions that are what was done, and need not be told again. @type {Record<string, string[]>} */
const SAME = {
  battle: REMOVALS,
  eliminate: REMOVALS,
  build: ["built"],
  recruit: ["recruited"],
  deploy: ["deployed"],
  play: ["played"],
  use: ["used", "use-done"],
};

/** What a reaction is asked about. A question that says more than that it is one is shown whole.
 * @param {Question | null} q
 * @param {import("../api").WindowView | null} open */
function occasionOf(q, open) {
  const event = q?.decision.event;
  // That a turn or a step begins is not what somebody did, nor is a pass: what was done before has nothing to do with it.
  const isTime = !open || open.action.verb === "pass" || /^start-|-step$/.test(event?.kind ?? "");
  if (isTime) return q?.decision.prompt ?? "";
  const deed = deedOf(open.action);
  if (!q) return deed;
  const { space, verb } = open.action;
  const isSame = SAME[verb]?.includes(event?.kind) && (event?.space ?? null) === (space ?? null);
  return `${deed} ${isSame && q.decision.prompt.endsWith("?") ? t("window.react") : q.decision.prompt}`;
}

/** A question for a reaction: what was done, the ring of time if others wait, and the card with which one could answer.
 * @param {{ q: Question | null, open: import("../api").WindowView | null }} props */
function Reaction({ q, open }) {
  const seconds = open ? left(open.seconds_left, true) : 0;
  const most = begun().settings.window || seconds || 1;
  const usable = q?.actions.filter((action) => action.verb !== "pass") ?? [];
  const faces = answerCards(q);
  const { number } = begun();
  const occasion = occasionOf(q, open);
  const hasNothing = open?.is_yours && !q && !open.asks.length && !isCovered.value;
  const rest = q
    ? letting(q).means
    : hasNothing
      ? t("window.nothing")
      : t("window.might", { countries: inWords((open?.countries ?? []).map(countryName)) });
  return html`
    <div class="window">
      <span class="timer"><${Roundel} country=${q?.decision.country ?? open?.action.country} size=${34} />
        ${seconds > 0 && html`<svg viewBox="0 0 44 44" aria-hidden="true"><circle r="20" cx="22" cy="22" /><circle class="run" r="20" cx="22" cy="22" pathLength="100" stroke-dashoffset=${100 - Math.min(100, (seconds / most) * 100)} /></svg>`}</span>
      <div class="lines">
        <p class="sentence"><span role="status">${occasion || rest}</span>
          ${seconds > 0 && seconds < 3600 && html` <span class="clock running" role="timer">${duration(seconds)}</span>`}</p>
        ${occasion && rest && html`<p class="aside" role="status">${rest}</p>`}
      </div>
    </div>
    <span class="acts">
      ${usable.map((action, i) => html`<button key=${action.text} class=${cls(i === 0 && "main")} title=${about(action)} aria-description=${about(action)} onClick=${() => q && pick(q, action)}>${action.phrase}</button>`)}
      ${q?.pass && html`<button class="pass" title=${letting(q).means} onClick=${() => q.pass && pick(q, q.pass)}>${letting(q).name}</button>`}
      ${open?.is_yours && !open.has_gone_on && !q && !isCovered.value && html`<button onClick=${() => send("/go-on", { number })}>${t("window.go-on")}</button>`}
      ${open?.is_yours && !open.has_gone_on && !isCovered.value && open.can_hold && seconds > 0 && html`<button onClick=${() => send("/hold", { number })}>${t("window.hold")}</button>`}
      ${!open && html`<${Undo} />`}${q && html`<${HintButton} /><${ListButton} />`}
    </span>
    ${faces.length > 0 && html`<div class=${cls("answer-cards", faces.length > 1 && "several")}>${faces.map((action) => html`<${Card} key=${action.text} card=${anyCard(action.card ?? "", action.country)} isLit=${true} title=${action.phrase} onPick=${() => q && pick(q, action)} />`)}</div>`}`;
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
          <li key=${action.text}><button class=${cls(action.verb, pointed.value.actions.includes(action.text) && "pointed")} aria-pressed=${q.ticks && action.card ? isTicked(q, action.card) : undefined} onClick=${() => take(q, action)}
            onMouseEnter=${() => consider(action)} onFocus=${() => consider(action)} onMouseLeave=${() => consider(null)} onBlur=${() => consider(null)}>
            ${i < 9 && !isByCard && html`<kbd aria-hidden="true">${i + 1}</kbd>`} ${nameOf(q, action)}</button></li>`,
        )}
      </ul>
    </div>`;
}

/** A line of the list: where cards are ticked, it ticks.
 * @param {Question} q
 * @param {Choice} action */
export function take(q, action) {
  if (q.ticks && action.card) tick(q, action.card);
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
  return html`<button class="quiet list-button" aria-pressed=${isListOpen.value} aria-label=${t("prompt.list")} title=${t("prompt.list")} onClick=${toggleList}><${Icon} name="list" /></button>`;
}

function HintButton() {
  const now = begun();
  if (!now.settings.has_hints) return null;
  const isThinking = hints.value?.found === null;
  const ask = async () => {
    if (hints.value) return void (hints.value = null);
    hints.value = { number: now.number, found: null };
    const found = await attempt(() => get(`${game()}/hints${asked.value?.passes ? "?ahead=true" : ""}`));
    if (hints.value?.number === now.number) hints.value = found ? { number: now.number, found } : null;
  };
  return html`<button class=${cls("quiet hint-button", isThinking && "thinking")} disabled=${isThinking} aria-expanded=${hints.value !== null} aria-label=${t("hints.ask")} title=${t("hints.ask")} onClick=${ask}><${Icon} name="hint" /></button>`;
}

/** What a bot would do, each to be done by a click. Where cards are ticked they are ticked here too, and the lines stay.
 * @param {{ q: Question }} props */
function Hints({ q }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const close = () => (hints.value = null);
  // What the table has of a choice says also where it leads.
  const found = hints.value?.found?.map((hint) => ({
    ...hint,
    action: listed(q).find((one) => one.text === hint.action.text) ?? hint.action,
  }));
  const cards = found?.map(({ action }) => (action.verb === "discard" ? (action.card ?? "") : "")) ?? [];
  const count = q.ticks?.exact ? q.ticks.count : 0;
  const best = found?.[0]?.cards ?? []; // what goes together best with the first, itself among them
  const isWhole = count > 1 && best.length >= count;
  const at = found?.map(({ action }) => action.space ?? action.leads_to?.[0]).find(Boolean);
  useLayoutEffect(() => standAway(box.current, at), [at]);
  const tickAll = () => {
    ticked.value = [];
    for (const [i, card] of best.slice(0, count).entries()) tick(q, card, copyOf(best, i));
  };
  return html`<div class="hints" role="group" aria-label=${t("hints.title")} ref=${box}>
    <header><b>${t("hints.title")}</b><button class="quiet" aria-label=${t("close")} onClick=${close}><${Icon} name="close" /></button></header>
    ${!found && html`<p class="thinking" role="status">${t("hints.thinking")}</p>`}
    ${isWhole && html`<button class="tick-all" onClick=${tickAll}>${t("hints.tick-all", { n: count })}</button>`}
    ${
      found &&
      html`<ol>${found.map(({ action, chance, reason }, i) => {
        const copy = copyOf(cards, i);
        const isOn = q.ticks && cards[i] ? isTicked(q, cards[i], copy) : undefined;
        return html`
      <li key=${`${action.text} ${copy}`}><button aria-pressed=${isOn} onClick=${() => follow(q, action, copy)} onMouseEnter=${() => consider(action)} onFocus=${() => consider(action)} onMouseLeave=${() => consider(null)} onBlur=${() => consider(null)}>
        <strong>${isOn && html`<span aria-hidden="true">✓ </span>`}${nameOf(q, action)}</strong> <span class="tag">${t("hints.chance", { n: Math.round(chance * 100) })}</span> ${reason}</button></li>`;
      })}</ol>`
    }</div>`;
}

/** How many equal cards stand before one.
 * @param {string[]} list
 * @param {number} i */
const copyOf = (list, i) => list.slice(0, i).filter((one) => one === list[i]).length;

/** Hints stand at the side of the map where the space they are about is not.
 * @param {HTMLElement | null} box
 * @param {string} [space] */
function standAway(box, space) {
  const at = space ? document.querySelector(`.space[data-space="${space}"]`)?.getBoundingClientRect() : undefined;
  box?.classList.toggle("at-left", at !== undefined && at.left + at.width / 2 > innerWidth / 2);
}

/** Do what a hint says: a card that is played is picked up, so that one sees where it leads; all else is chosen.
 * @param {Question} q
 * @param {Choice} action
 * @param {number} copy which of several equal cards */
function follow(q, action, copy) {
  if (q.ticks && action.card) return void tick(q, action.card, copy);
  hints.value = null;
  const card = action.card ?? "";
  const isPlayed = action.verb !== "discard" && q.byCard.get(card)?.some((one) => one.text === action.text);
  if (!isPlayed) take(q, action);
  else if (held.value !== card) pickCard(q, card, handOf(q).indexOf(card));
}

/** Whether whoever is before the screen has done something that they could take back: of several people at one screen the last
 * thing done, for what came before it is another's. */
const hasDecided = computed(() => {
  const isOwn = (/** @type {import("../state/table.js").LogEntry | undefined} */ entry) =>
    own.value.has(entry?.country ?? "");
  const deeds = log.value.filter((entry) => DEEDS.has(entry.what));
  return isShared.value ? isOwn(deeds.at(-1)) : deeds.some(isOwn);
});

/** @param {{ isCancel?: boolean }} props isCancel: what was begun is given up */
function Undo({ isCancel = false }) {
  const now = begun();
  if (!mine.value.length || isCovered.value || !hasDecided.value) return null;
  const others = now.seats.some((seat) => seat.who === "person" && !seat.is_yours);
  const label = now.undo.length || !others ? t("tools.undo") : t("tools.ask-undo");
  if (isCancel)
    return html`<button class="undo cancel" disabled=${isBusy.value} title=${`${label} (u)`} onClick=${takeBack}>${t("cancel")}</button>`;
  return html`<button class="quiet undo" disabled=${isBusy.value} aria-label=${label} title=${`${label} (u)`} onClick=${takeBack}><${Icon} name="undo" /></button>`;
}

function Proposal() {
  const { proposal } = begun();
  if (!proposal) return null;
  const may = mine.value.length > 0 && !proposal.has_your_vote;
  return html`
    <div class="proposal">
      <span><span role="status">${t(`proposal.${proposal.what}`, { name: proposal.by })} ${proposal.about && `${proposal.about}. `}(${proposal.votes}/${proposal.needed})
        ${proposal.waits_for.length > 0 && html` <small>${t("proposal.waits-for", { names: inWords(proposal.waits_for) })}</small>`}</span>
        ${proposal.waits_for.length > 0 && proposal.seconds_left !== null && html` <small role="timer">${t("proposal.until", { time: duration(left(proposal.seconds_left, true)) })}</small>`}</span>
      ${may && html`<button class="main" onClick=${() => vote(true)}>${t("proposal.yes")}</button>`}
      ${mine.value.length > 0 && html`<button onClick=${() => vote(false)}>${may ? t("proposal.no") : t("proposal.withdraw")}</button>`}
    </div>`;
}

/** Read the card that a question is about.
 * @param {Question} q */
export const readSource = (q) => {
  const card = q.decision.source ? anyCard(q.decision.source, q.decision.country) : undefined;
  if (card) opened.value = card;
};
