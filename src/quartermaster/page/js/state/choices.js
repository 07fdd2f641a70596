// What is asked of the viewer, and every way to answer. The cards and the map are where one chooses; all
// ways lead through `pick` or `confirm` here.
import { computed, signal } from "../base/html.js";
import { listed, many, noun, t } from "../base/words.js";
import { get, put } from "../base/api.js";
import { skip } from "./beats.js";
import { settings } from "./settings.js";
import { turnsOf } from "./turns.js";
import {
  anyCard,
  begun,
  cardName,
  game,
  isCovered,
  isMine,
  isShared,
  log,
  onTable,
  own,
  send,
  spaceName,
  spaceNoun,
  table,
} from "./table.js";

/** @typedef {import("./table.js").Choice} Choice */
/** @typedef {import("../api").Decision} Decision */
/** A question, and where each of its answers stands: on cards of the hand, on spaces, or in the bar.
 * @typedef {{ decision: Decision, actions: Choice[], ask?: number, first?: boolean, extras: Choice[], passes: boolean,
 *   byCard: Map<string, Choice[]>, bySpace: Map<string, Choice[]>, loose: Choice[], pass?: Choice,
 *   ticks: { count: number, exact: boolean } | null }} Question */

const HAND_VERBS = new Set(["play", "discard"]);
/** Decisions in which several cards are ticked and sent at once. */
const TICKED = new Set(["setup", "discard", "discard-step"]);

/** @param {Decision} decision
 * @param {Choice[]} actions
 * @param {Partial<Question>} [more]
 * @returns {Question} */
function question(decision, actions, more = {}) {
  const hand = table.value?.view?.countries[decision.country]?.hand ?? [];
  const inHand = actions.filter((action) => action.card && HAND_VERBS.has(action.verb) && hand.includes(action.card));
  const isTicked =
    TICKED.has(decision.kind) && inHand.length > 0 && inHand.every((action) => action.verb === "discard");
  const pass = actions.find((action) => action.verb === "pass");
  /** @type {Map<string, Choice[]>} */
  const byCard = new Map();
  for (const action of inHand) byCard.set(String(action.card), [...(byCard.get(String(action.card)) ?? []), action]);
  /** @type {Map<string, Choice[]>} */
  const bySpace = new Map();
  for (const action of actions)
    if (action.space) bySpace.set(action.space, [...(bySpace.get(action.space) ?? []), action]);
  const loose = actions.filter((action) => !inHand.includes(action) && !action.space && action !== pass);
  const ticks = isTicked
    ? {
        count: decision.kind === "discard-step" ? hand.length : (decision.count ?? 1),
        exact: decision.kind !== "discard-step",
      }
    : null;
  return { decision, actions, extras: [], passes: false, byCard, bySpace, loose, pass, ticks, ...more };
}

/** The decisions that wait for the viewer: the game's own, or the questions of a window, and first cards that can be
 * chosen ahead of time. At a screen that several share those come first, for after the game's own it is the next one's. */
export const questions = computed(() => {
  const now = table.value;
  if (!now?.view || now.status !== "playing" || isCovered.value || now.is_paused) return [];
  /** @type {Question[]} */
  const found = [];
  if (now.window) {
    for (const ask of now.window.asks)
      if (ask.answer === null) found.push(question(ask.decision, ask.actions, { ask: ask.number }));
  } else if (now.decision) {
    if (now.ahead && !settings.value.asksAlways) {
      // What may be done before the play step stands in it; playing a card passes that question.
      const extras = now.actions.filter((action) => action.verb !== "pass");
      found.push(question(now.ahead.decision, now.ahead.actions, { extras, passes: true }));
    } else found.push(question(now.decision, now.actions));
  }
  for (const one of now.window ? [] : now.first_cards) {
    const hand = now.view.countries[one.country].hand;
    if (!hand || one.discards.length || found.some((q) => q.decision.country === one.country)) continue;
    const decision = {
      country: one.country,
      kind: "setup",
      prompt: "", // the bar says it with what is ticked
      count: one.count,
    };
    const actions = [...new Set(hand)].map((card) => ({
      country: one.country,
      text: `discard ${card}`,
      phrase: t("first.discard", { card: cardName(card, one.country) }),
      verb: "discard",
      card,
    }));
    found.push(question(decision, actions, { first: true }));
  }
  if (isShared.value) found.sort((a, b) => Number(b.first ?? false) - Number(a.first ?? false));
  return found;
});

/** The choices of a reaction that are cards with a face: they lie beside the question.
 * @param {Question | null} q */
export const answerCards = (q) =>
  q && (q.ask !== undefined || q.decision.kind === "react")
    ? q.actions.filter((action) => action.verb !== "pass" && action.card && anyCard(action.card, action.country))
    : [];

const chosenQuestion = signal(/** @type {string | null} */ (null)); // the country that one looks at, of several asked
/** The question at hand. */
export const asked = computed(
  () => questions.value.find((q) => q.decision.country === chosenQuestion.value) ?? questions.value[0] ?? null,
);
/** @param {string} country */
export const lookAt = (country) => (chosenQuestion.value = country);

export const held = signal(/** @type {string | null} */ (null)); // the card that was picked up, not yet played
export const ticked = signal(/** @type {number[]} */ ([])); // places in the hand
export const picked = signal(/** @type {string | null} */ (null)); // a space that was clicked
export const considered = signal(/** @type {string[]} */ ([])); // spaces that a choice under the pointer leads to
/** A choice that wants to be confirmed; a grave one is rather not to be done.
 * @type {import("./table.js").Signal<{ title?: string, text: string, label: string, act: () => void, isGrave?: boolean } | null>} */
export const doubt = signal(/** @type {any} */ (null));
/** What a bot would do at a number of the table; null while it thinks.
 * @type {import("./table.js").Signal<{ number: number, found: import("../api").HintView[] | null } | null>} */
export const hints = signal(/** @type {any} */ (null));

// Several choices that belong together are sent one after the other: each when it is asked for.
/** @typedef {{ text?: string, space?: string, kind?: string }} Step the choice of a text or of a space, in a decision of a kind */
const plan = signal(/** @type {Step[]} */ ([]));
/** @type {number[]} */
let begins = []; // the numbers of the table at which plans were begun, to take each back as one
let undoing = -1; // the one that one has asked to go back to
let planTurn = ""; // a plan is for one turn
const sending = signal(0); // choices on their way: tables may come meanwhile that are not their answer

/** The space of the last choice. */
export const aimed = signal(/** @type {string | null} */ (null));

/** Whether a choice is on its way or will follow by itself: nothing else can be chosen. A window asks within a plan. */
export const isBusy = computed(() => sending.value > 0 || (plan.value.length > 0 && !table.value?.window));

/** Send a choice; nothing else can be chosen until it is answered.
 * @param {string} path
 * @param {unknown} body
 * @param {typeof put} [method] */
async function choose(path, body, method) {
  sending.value += 1;
  const reply = await send(path, body, method);
  if (!reply) plan.value = [];
  sending.value -= 1;
  goOn();
}

/** @param {import("./table.js").View} view */
const turnOf = (view) => `${view.round} ${view.turn}`;

/** @param {import("../api").TableView} now
 * @param {Step} step */
const fits = (now, step) =>
  now.actions.filter(
    (action) =>
      (step.text === undefined || action.text === step.text) &&
      (step.space === undefined || action.space === step.space) &&
      (step.kind === undefined || now.decision?.kind === step.kind),
  );

/** Send what is planned next, if it is what is asked; else it waits, or is given up. */
function goOn() {
  const now = table.value;
  if (!now?.view || !plan.value.length || sending.value) return;
  if (now.status !== "playing" || turnOf(now.view) !== planTurn) {
    plan.value = [];
    held.value = null;
    return;
  }
  if (now.window || !now.decision) return; // others are asked, or oneself is
  // A choice of one was taken by itself; where something else came up, its question is asked now.
  const next = plan.value.findIndex((step) => fits(now, step).length === 1);
  const step = plan.value[next];
  plan.value = next < 0 ? [] : plan.value.slice(next + 1);
  const [action] = step ? fits(now, step) : [];
  if (action) void choose("/moves", { number: now.number, country: action.country, text: action.text });
  else held.value = null;
}

onTable((before, next) => {
  if (before?.id !== next.id) begins = [];
  else if (next.steps < before.steps && undoing >= 0) begins = begins.filter((number) => number < undoing);
  if (before?.number === next.number && before?.version === next.version) return;
  if (!plan.value.length) held.value = null; // a card that is being played stays up
  ticked.value = [];
  void consider(null);
  considered.value = []; // also what the card of somebody else before this screen led to
  if (before?.number !== next.number) hints.value = null;
  goOn();
});

/** @param {Step[]} steps */
function begin(steps) {
  picked.value = null;
  skip();
  begins.push(begun().number);
  planTurn = turnOf(begun().view);
  plan.value = steps;
  goOn();
}

/** The questions of windows that were answered here: number of the table and of the question. */
export const answered = new Set();

/** Answer a question.
 * @param {Question} q
 * @param {Choice} action
 * @param {Step[]} [then] what is chosen along with it */
export function answer(q, action, then = []) {
  picked.value = null;
  aimed.value = action.space ?? then.find((step) => step.space)?.space ?? null;
  skip();
  if (q.ask !== undefined) {
    answered.add(`${begun().number} ${q.ask}`);
    return choose("/answers", { number: begun().number, ask: q.ask, text: action.text });
  }
  const isExtra = q.extras.includes(action);
  const first = q.passes && !isExtra ? [{ text: "pass", kind: "react" }] : [];
  return begin([...first, { text: action.text }, ...then]);
}

/** Send the cards that are ticked, and end the turn where that belongs to it.
 * @param {Question} q */
export function confirmTicks(q) {
  const hand = begun().view.countries[q.decision.country].hand ?? [];
  const cards = ticked.value.map((place) => hand[place]);
  if (q.first) return choose("/first-cards", { country: q.decision.country, discards: cards }, put);
  const { kind } = q.decision;
  const steps = cards.map((card) => ({ text: `discard ${card}`, kind }));
  return begin(kind === "discard-step" ? [...steps, { text: "pass", kind }] : steps);
}

/** @param {string} country */
export const thinkAgain = (country) => send("/first-cards", { country, discards: [] }, put);

/** @param {Question} q */
export const canConfirm = (q) => q.ticks !== null && (q.ticks.exact ? ticked.value.length === q.ticks.count : true);

/** The deeds that somebody could take back. */
export const DEEDS = new Set(["play", "set", "use", "discard", "build", "recruit", "battle"]);
/** @param {import("./table.js").LogEntry | undefined} entry */
const isOwnDeed = (entry) => DEEDS.has(entry?.what ?? "") && own.value.has(entry?.country ?? "");

/** The countries whose turns came since one's last deed, and go with it when that is taken back. */
function turnsSince() {
  const entries = log.value;
  const last = entries.findLastIndex(isOwnDeed);
  const later = turnsOf(entries.slice(last + 1)).map((turn) => turn.country);
  return [...new Set(later)].filter((country) => country && !own.value.has(country));
}

/** Take back one's last choice, with all that was sent along with it. Where others' turns go with it, that is said before. */
export function takeBack() {
  const countries = begun().undo.length ? [] : turnsSince();
  if (!countries.length) return void goBack();
  const list = listed(countries.map((country) => t("warn.turn", { country: noun(`country.${country}`) })));
  doubt.value = {
    text: many("warn.undo", countries.length, { list }),
    label: t("tools.undo"),
    act: goBack,
    isGrave: true,
  };
}

function goBack() {
  const now = begun();
  plan.value = [];
  const last = begins.at(-1);
  // Where nothing may be taken back without asking, it is asked for the same.
  undoing = last !== undefined && (now.undo.includes(last) || !now.undo.length) ? last : -1;
  return choose("/undo", undoing < 0 ? {} : { to: undoing });
}

/** Whether so many cards are ticked that none has room: nobody sees which of several would have to go. Of one card another
 * takes the place.
 * @param {Question} q */
export const isFull = (q) => q.ticks !== null && q.ticks.exact && q.ticks.count > 1 && canConfirm(q);

/** A card of the hand was clicked: ticked, picked up, or put down again.
 * @param {Question | null} q
 * @param {string} card
 * @param {number} place in the hand */
export function pickCard(q, card, place) {
  if (!q || isBusy.value) return false;
  skip(); // whoever takes a card has seen enough
  if (q.ticks) {
    const { count } = q.ticks;
    const has = ticked.value.includes(place);
    if (has) ticked.value = ticked.value.filter((one) => one !== place);
    else if (!isFull(q)) ticked.value = [...ticked.value, place].slice(-count);
    return true;
  }
  if (!q.byCard.has(card)) return false;
  if (held.value === card) {
    held.value = null;
    considered.value = [];
  } else {
    held.value = card;
    considered.value = playOf(q)?.leads_to ?? [];
  }
  return true;
}

/** Tick a card of which several may lie in the hand, or untick it.
 * @param {Question} q
 * @param {string} card
 * @param {number} [copy] which of them */
export function tick(q, card, copy = 0) {
  const hand = handOf(q);
  const place = hand.map((_, i) => i).filter((i) => hand[i] === card)[copy];
  if (place !== undefined) pickCard(q, card, place);
}
/** @param {Question} q
 * @param {string | null | undefined} card
 * @param {number} [copy] */
export const isTicked = (q, card, copy = 0) => ticked.value.filter((place) => handOf(q)[place] === card).length > copy;
/** @param {Question} q */
export const handOf = (q) => begun().view.countries[q.decision.country].hand ?? [];

/** How the card that is picked up can be played.
 * @param {Question} q */
export const playOf = (q) =>
  held.value === null ? undefined : (q.byCard.get(held.value) ?? []).find((action) => action.verb !== "discard");
/** @param {Question} q */
export const discardOf = (q) =>
  held.value === null ? undefined : (q.byCard.get(held.value) ?? []).find((action) => action.verb === "discard");

/** @type {Map<string, Choice[]>} */
const NOTHING = new Map();

/** Spaces that can be clicked, with what that does. A card that is picked up lights where it leads: such a
 * space plays it there.
 * @returns {Map<string, Choice[]>} */
export const lit = computed(() => {
  const q = asked.value;
  if (!q) return NOTHING;
  const play = playOf(q);
  if (!play) return q.bySpace;
  return new Map(
    (play.leads_to ?? []).map((space) => [
      space,
      [
        {
          ...play,
          space,
          phrase: t("prompt.play-there", { card: cardName(play.card ?? "", play.country), space: spaceNoun(space) }),
        },
      ],
    ]),
  );
});

/** @param {string} space */
export function pickSpace(space) {
  const q = asked.value;
  const actions = lit.value.get(space) ?? [];
  if (!q || actions.length !== 1 || isBusy.value) {
    picked.value = picked.value === space ? null : space;
    return;
  }
  const play = playOf(q);
  if (play) pick(q, play, [{ space }]);
  else pick(q, actions[0]);
}

/** Choose; what is seldom meant is asked about first.
 * @param {Question} q
 * @param {Choice} action
 * @param {Step[]} [then] */
export function pick(q, action, then = []) {
  if (isBusy.value) return;
  const text = warning(q, action);
  const act = () => void answer(q, action, then);
  if (text) doubt.value = { text, label: action.phrase, act, isGrave: action.verb === "remove" };
  else act();
}

/** @param {Question} q
 * @param {Choice} action */
function warning(q, action) {
  const now = begun();
  if (q.ask !== undefined) return null;
  if (q.decision.kind === "play" && action.verb === "discard")
    return t("warn.discard", { card: cardName(action.card ?? "", action.country) });
  // What every choice would lose is no reason to hesitate.
  const lost = (action.loses ?? []).filter((space) => q.actions.some((other) => !(other.loses ?? []).includes(space)));
  if (lost.length) return t("warn.supply", { list: listed(lost.map(spaceName)) });
  if (action.verb === "remove" && !now.actions.some((one) => one.text === action.text))
    return t("warn.remove", { space: spaceNoun(action.space ?? "") });
  if (action.verb === "build" && isNaming(action)) return t("warn.naming", { space: spaceNoun(action.space ?? "") });
  if (action.verb === "play") return emptiness(action);
  return null;
}

/** Whether a build names a piece that stands there already.
 * @param {Choice} action */
function isNaming(action) {
  const side = begun().view.countries[action.target ?? action.country];
  return [...side.armies, ...side.navies].includes(action.space ?? "");
}

/** Why a card would do nothing, if it would.
 * @param {Choice} action */
export function emptiness(action) {
  if (action.is_idle) return t("warn.nothing");
  if (action.leads_to?.length) return null;
  const type = anyCard(action.card ?? "", action.country)?.type ?? "";
  return ["build-army", "build-navy", "land-battle", "sea-battle"].includes(type) ? t("warn.nothing") : null;
}

export const ahead = signal(""); // what a piece that one thinks of building would have
/** @type {Choice | null} */
let considering = null;

/** Someone looks at a choice: show on the map where it leads, and what supply a new piece had.
 * @param {Choice | null} action */
export async function consider(action) {
  if (action === considering) return; // the pointer and the focus come one after the other
  considering = action;
  considered.value = action?.leads_to ?? (action?.space ? [action.space] : []);
  ahead.value = "";
  if (!action?.space || !["build", "recruit"].includes(action.verb)) return;
  const owner = action.target ?? action.country;
  const found = await get(`${game()}/supply?having=${owner}:${action.space}`).catch(() => null);
  const state = found?.[owner]?.[action.space];
  if (!state || considering !== action) return;
  const space = spaceNoun(action.space);
  const path = state.path.map(spaceName).join(" – ");
  ahead.value = !state.is_supplied
    ? t("ahead.cut", { space, reason: state.missing })
    : t(state.path.length > 1 ? "ahead.supplied" : "ahead.supplied-here", { space, path });
}

/** The card that cards are ticked for: the last one that was played or used.
 * @param {Question} q */
function payingFor(q) {
  const entry = log.value.findLast((one) => one.what !== "discard");
  return entry?.card && entry.country === q.decision.country && ["play", "use"].includes(entry.what)
    ? entry.card
    : null;
}

/** What is to be ticked, what for, and how many more.
 * @param {Question} q
 * @param {number} count */
function ticking(q, count) {
  const { kind, country, prompt } = q.decision;
  const n = count - ticked.value.length;
  const tell = t(ticked.value.length ? "prompt.tick-more" : "prompt.tick", { n });
  if (kind === "setup") {
    const all = handOf(q).length;
    const id = q.first && !isMine(begun().waiting_for) ? "first.choose" : "first.keep";
    return `${t(id, { country: noun(`country.${country}`), keep: all - count, all })} ${tell}`;
  }
  const card = payingFor(q);
  if (count === 1) return card ? t("prompt.for-card", { ask: prompt, card: cardName(card, country) }) : prompt;
  if (card === REALLOCATE) return `${t("prompt.reallocate", { n: count })} ${tell}`;
  return `${card ? t("prompt.for-card", { ask: prompt, card: cardName(card, country) }) : prompt}. ${tell}`;
}
export const REALLOCATE = "reallocate-resources";

/** What the bar asks, in one sentence.
 * @param {Question} q */
export function sentence(q) {
  const play = playOf(q);
  if (play) {
    const card = cardName(play.card ?? "", play.country);
    if (play.leads_to?.length) return t("prompt.where", { card });
    const empty = emptiness(play);
    if (empty) return `${t("prompt.play-it", { card })} ${empty}`;
    const kind = play.verb === "play" && anyCard(play.card ?? "", play.country)?.type;
    return t(kind === "response" || kind === "status" ? `prompt.play-${kind}` : "prompt.play-it", { card });
  }
  if (q.decision.kind === "discard-step")
    return ticked.value.length ? many("prompt.discarding", ticked.value.length) : t("prompt.end-turn");
  if (isFull(q)) return t("prompt.full", { n: ticked.value.length });
  if (q.ticks?.exact) return ticking(q, q.ticks.count);
  if (held.value !== null) return t("prompt.only-discard", { card: cardName(held.value, q.decision.country) });
  return q.decision.prompt;
}

/** The last thing that happened to a space, for words about reactions. */
export const lastDeed = () =>
  log.value.findLast((entry) => ["play", "battle", "build", "recruit", "use"].includes(entry.what));
