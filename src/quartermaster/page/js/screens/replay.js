// Looking back: any moment, through one's own eyes or, once all is over, anyone's.
import { cls, computed, field, html, signal, useEffect, useMemo, useRef, useSignal } from "../base/html.js";
import { countryName, spoken, t } from "../base/words.js";
import { ApiError, get } from "../base/api.js";
import { CODES, COUNTRIES, countriesOf, seatsAgainstBots, teamOf } from "../base/countries.js";
import { copy, say } from "../state/session.js";
import { begun, cardOf, game, isWanted, log as told, piecesOf, shownSupply } from "../state/table.js";
import { considered } from "../state/choices.js";
import { isMaking, makeTable } from "../state/making.js";
import { SPEEDS, settings } from "../state/settings.js";
import { cardOfTurn, pointsOfTurn, storyOf, turnsOf } from "../state/turns.js";
import { go } from "../router.js";
import { Board } from "../parts/board.js";
import { Roundel, opened } from "../parts/card.js";
import { Countries, counted } from "../parts/countries.js";
import { Header } from "../parts/header.js";
import { Icon } from "../parts/icons.js";
import { Sentence } from "../parts/log.js";
import { pull } from "../parts/sheet.js";

/** @typedef {import("../api").ReplayView} Moment */

export const replaying = signal(/** @type {number | null} */ (null)); // the step that is looked at

/** The step that the address asks for. */
export function readStep() {
  const asked = new URLSearchParams(location.search).get("step");
  replaying.value = asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
}
addEventListener("popstate", readStep);

const address = (/** @type {number} */ step) => `${location.pathname}?step=${step}`;

let isStarted = false; // it plays as soon as it is there

/** Begin to look back; Back leads out of it again.
 * @param {number} step
 * @param {boolean} [plays] at once */
export function replayFrom(step, plays = false) {
  isStarted = plays;
  history.pushState({ isReplay: true }, "", address(step));
  replaying.value = step;
}

function leave() {
  if (history.state?.isReplay) history.back();
  else {
    history.replaceState(null, "", location.pathname);
    replaying.value = null;
  }
}

const nothing = () => {};
const ROOMY = 1600; // pixels: countries and cards lie open beside the map
/** The turn that a moment tells of: the one that has just ended, or that goes on.
 * @param {Moment} moment */
function turnAt(moment) {
  const turns = turnsOf(told.value.slice(0, moment.log.start + moment.log.entries.length));
  const hasEnded = moment.turns.includes(moment.step) && turns.length > 1;
  const turn = turns.at(hasEnded ? -2 : -1);
  // A game that goes on from a record may begin within a turn.
  const country =
    turn?.country || turn?.entries.find((entry) => cardOfTurn({ ...turn, country: entry.country ?? "" }))?.country;
  return turn && country ? { ...turn, country } : null;
}

const BEAT = { move: 800, turn: 1600 }; // milliseconds for each at normal speed

export function Replay() {
  const now = begun();
  const eyes = useSignal("");
  const by = useSignal(/** @type {"move" | "turn"} */ ("move"));
  const isPlaying = useSignal(isStarted);
  const wasWanted = useRef(isWanted.value);
  const hasHands = useSignal(innerWidth >= ROOMY);
  const hasMore = useSignal(false); // where there is little room, what is seldom wanted is out of sight
  const moment = useSignal(/** @type {Moment | null} */ (null));
  const scene = useMemo(
    () => ({
      view: computed(() => /** @type {Moment} */ (moment.value).view),
      pieces: computed(() => (moment.value ? piecesOf(moment.value.view) : {})),
      lines: computed(() => moment.value?.supply ?? {}),
      legal: signal(new Map()),
    }),
    [],
  );
  const step = Math.min(replaying.value ?? 0, now.steps);
  const isOver = now.status === "over";
  if (!isWanted.value) wasWanted.current = false;
  const isCalled = isWanted.value && !wasWanted.current && !isOver; // one's turn has come meanwhile
  useEffect(() => {
    isStarted = false;
    shownSupply.value = null;
    return () => {
      considered.value = [];
      shownSupply.value = null;
    };
  }, []);
  useEffect(() => {
    let late = false;
    // Only what is too far is set right: a key may have gone on since this was drawn.
    if ((replaying.peek() ?? 0) > now.steps) replaying.value = step;
    if (location.search !== `?step=${step}`) history.replaceState(history.state, "", address(step));
    const query = isOver && eyes.value ? `?as=${eyes.value}` : "";
    get(`${game()}/replay/${step}${query}`)
      .then((/** @type {Moment} */ found) => {
        if (late) return;
        moment.value = found;
      })
      .catch((error) => {
        if (!(error instanceof ApiError)) throw error;
        if (late) return;
        say(error.message, "error");
        if (step > 0) replaying.value = 0;
      });
    return () => void (late = true);
  }, [step, eyes.value, now.id, spoken()]);
  const last = Math.max(now.steps, (moment.value?.steps ?? 1) - 1);
  const move = (/** @type {number} */ n) => (replaying.value = Math.max(0, Math.min(last, n)));
  /** Somebody goes to a step, and wants to look at it. @param {number} n */
  const to = (n) => {
    isPlaying.value = false;
    move(n);
  };
  const turn = moment.value && by.value === "turn" && step > 0 ? turnAt(moment.value) : null;
  // The map looks at what was done: by a move, or all through a turn.
  useEffect(() => {
    if (!moment.value) return;
    const places = turn ? turn.entries : moment.value.actions;
    considered.value = [...new Set(places.flatMap(({ space }) => space ?? []))];
  }, [moment.value, by.value]);
  /** The step at which the turn before or after this one begins. @param {number} way */
  const turnFrom = (way) => {
    const starts = moment.value?.turns ?? [];
    const at = replaying.value ?? 0;
    return way > 0 ? (starts.find((start) => start > at) ?? last) : (starts.findLast((start) => start < at) ?? 0);
  };
  const nextStep = () => (by.value === "turn" ? turnFrom(1) : (replaying.value ?? 0) + 1);
  // The next moment comes once this one is there and has been seen.
  useEffect(() => {
    if (!isPlaying.value || moment.value?.step !== step) return undefined;
    if (step >= last) return void (isPlaying.value = false);
    const timer = setTimeout(() => move(nextStep()), BEAT[by.value] * (SPEEDS[settings.value.speed] || 1));
    return () => clearTimeout(timer);
  }, [isPlaying.value, moment.value, step, by.value]);
  const toggle = () => {
    if (!isPlaying.value && step >= last) move(0);
    isPlaying.value = !isPlaying.value;
  };
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ e) => {
      if (
        replaying.value === null || // it has just been left
        !(e.target instanceof Element) ||
        e.target.closest("select, input:not([type=range])") ||
        document.querySelector("dialog[open]")
      )
        return;
      const at = replaying.value ?? 0; // not what was drawn last: keys may be faster
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowLeft: () => to(e.shiftKey ? turnFrom(-1) : at - 1),
        ArrowRight: () => to(e.shiftKey ? turnFrom(1) : at + 1),
        PageUp: () => to(at - 10),
        PageDown: () => to(at + 10),
        Home: () => to(0),
        End: () => to(Infinity),
        Escape: () => (hasHands.value && innerWidth < ROOMY ? (hasHands.value = false) : leave()),
      };
      if (e.key === " " && !e.target.closest("button, a")) toggle();
      else if (keys[e.key]) keys[e.key]();
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const playOn = (/** @type {string} */ team) => async () => {
    const id = await makeTable({ game: now.id, step, seats: seatsAgainstBots(countriesOf(team), "veteran") }, true);
    if (!id) return;
    replaying.value = null;
    go(`/games/${id}`);
  };
  if (!moment.value) return html`<p class="loading">${t("loading")}</p>`;
  const { view, log, income } = moment.value;
  const button = (
    /** @type {string} */ icon,
    /** @type {string} */ label,
    /** @type {() => void} */ act,
    isOff = false,
  ) => html`
    <button aria-label=${label} title=${label} aria-disabled=${isOff} onClick=${act}><${Icon} name=${icon} /></button>`;
  const isShown = shownSupply.value !== null;
  const close = () => (hasHands.value = false);
  const showHands = (/** @type {boolean} */ are) => {
    hasHands.value = are;
    hasMore.value = false; // what takes the room of the map
  };
  return html`
    <div class="app table replay">
      <h1 class="sr">${t("tools.replay")}</h1>
      <${Header} view=${view} table=${{ ...now, status: "playing", waiting_for: null }} turn=${view.turn} round=${view.round} score=${view.score} onCountry=${() => showHands(true)} />
      <div class="board"><${Board} scene=${scene} onSpace=${nothing} focus=${considered} startsWhole=${step === 0}
          tools=${html`<button class=${cls("wide", isShown && "on")} aria-pressed=${isShown} aria-label=${t("map.supply")} onClick=${() => (shownSupply.value = isShown ? null : view.turn)}><${Icon} name="supply" /><span>${t("map.supply")}</span></button>`} />
        <aside class=${cls("drawer drawer-countries", !hasHands.value && "closed")} aria-label=${t("replay.hands")}>
          <header onPointerDown=${(/** @type {PointerEvent} */ event) => pull(event, ".drawer", close)}><h2>${t("replay.hands")}</h2><button class="quiet" aria-label=${t("close")} onClick=${close}><${Icon} name="close" /></button></header>
          <div class="replay-all"><${Countries} view=${view} income=${income} />
          ${
            view.seat.length > 0 &&
            html`<div class="replay-hands">${view.seat.map(
              (c) => html`
            <div key=${c} class="laid"><span class=${cls("pip", c, teamOf(c))}>${CODES[c]}</span>${counted(
              view.countries[c].hand ?? [],
            ).map(
              ([id, n]) =>
                html`<button key=${id} class="chip-card" onClick=${() => (opened.value = cardOf(c, id) ?? null)}>${cardOf(c, id)?.name ?? id}${n > 1 && ` ×${n}`}</button>`,
            )}</div>`,
            )}</div>`
          }</div>
        </aside>
      </div>
      <section class="prompt-panel" aria-label=${t("replay.label")}>
        ${isCalled && html`<button class="main called" onClick=${leave}>${t("replay.called")}</button>`}
        <span class="sr" role="status">${isCalled && t("replay.called")}</span>
        <div class="replay-told">
          <${Roundel} country=${turn?.country ?? log.entries[0]?.country ?? view.turn} size=${30} />
          <ul class="told" aria-live=${isPlaying.value ? "off" : "polite"} tabindex="0" aria-label=${t("log.title")}>${turn ? html`<${TurnTold} turn=${turn} />` : log.entries.length ? log.entries.map((entry, i) => html`<li key=${i}><${Sentence} entry=${entry} /></li>`) : html`<li class="dim">${t("replay.nothing")}</li>`}</ul>
        </div>
        <div class="slider">
          <span class="transport">
            ${button("first", t("replay.first"), () => to(0), step === 0)}
            ${button("back", t(by.value === "turn" ? "replay.turn-back" : "replay.back"), () => to(by.value === "turn" ? turnFrom(-1) : step - 1), step === 0)}
            <button class="main play-pause" aria-label=${t(isPlaying.value ? "replay.pause" : "replay.play")} onClick=${toggle}><${Icon} name=${isPlaying.value ? "pause" : "play"} /></button>
            ${button("next", t(by.value === "turn" ? "replay.turn-next" : "replay.next"), () => to(nextStep()), step >= last)}
            ${button("last", t("replay.last"), () => to(last), step >= last)}
          </span>
          <input type="range" min="0" max=${last} value=${step} aria-label=${t("replay.step", { n: step, of: last })}
            onInput=${(/** @type {Event} */ e) => to(Number(field(e).value))} />
          <span class="at">${t("replay.step", { n: step, of: last })}</span>
        </div>
        <div class="row">
          <span class="speed" role="group" aria-label=${t("replay.by")}>${/** @type {const} */ (["move", "turn"]).map((one) => html`<button key=${one} aria-pressed=${by.value === one} onClick=${() => (by.value = one)}>${t(`replay.by-${one}`)}</button>`)}</span>
          <button class="more-button" aria-expanded=${hasMore.value} onClick=${() => (hasMore.value = !hasMore.value)}>${t("replay.more")}</button>
          <span class=${cls("more", hasMore.value && "open")}>
          ${
            isOver &&
            html`<label>${t("replay.eyes")} <select value=${eyes.value} onChange=${(/** @type {Event} */ e) => (eyes.value = field(e).value)}>
            <option value="">${t("replay.all")}</option><option value="none">${t("replay.none")}</option>
            ${COUNTRIES.map((c) => html`<option key=${c} value=${c}>${countryName(c)}</option>`)}</select></label>`
          }
          <button onClick=${() => copy(`${location.origin}${address(step)}`)}>${t("replay.share")}</button>
          ${isOver && ["axis", "allies"].map((team) => html`<button key=${team} disabled=${isMaking.value} onClick=${playOn(team)}>${t("replay.play-on", { team: t(`team.${team}`) })}</button>`)}
          <button aria-pressed=${hasHands.value} onClick=${() => showHands(!hasHands.value)}>${t("replay.hands")}</button>
          </span>
          <button class="leave" onClick=${leave}>${t(isOver ? "replay.result" : "replay.leave")}</button>
        </div>
      </section>
    </div>`;
}

/** A turn in a sentence or two: its card, and what that did.
 * @param {{ turn: import("../state/turns.js").Turn }} props */
function TurnTold({ turn }) {
  const played = cardOfTurn(turn);
  const story = storyOf(turn).filter((text) => text !== played?.text);
  const points = pointsOfTurn(turn);
  return html`
    ${played ? html`<li><${Sentence} entry=${played} /></li>` : html`<li>${t("label", { text: countryName(turn.country) })} ${t("recap.nothing")}</li>`}
    <li>${story.join(" ")}${points !== 0 && html` <b class="vp">${points > 0 ? "+" : "−"}${Math.abs(points)}</b>`}</li>`;
}
