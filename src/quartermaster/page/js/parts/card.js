// Cards in our own design: a frame and a badge for each type, a woodcut, and rules that are never cut off.
import {
  cls,
  html,
  raw,
  signal,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSignal,
  whenIdle,
} from "../base/html.js";
import { countryName, spoken, t } from "../base/words.js";
import { get } from "../base/api.js";
import { CODES } from "../base/countries.js";
import { roundel, sign } from "../base/art.js";
import { woodcut } from "../base/pictures/pictures.js";
import { catalogue } from "../state/table.js";
import { Dialog } from "./dialog.js";

/** @typedef {import("../state/table.js").Card} CardData */

export const opened = signal(/** @type {CardData | null} */ (null)); // the card that is shown large

const BASIC = new Set(["build-army", "build-navy", "land-battle", "sea-battle", "deploy-air-force"]);
const fonts = signal(0); // letters have another size once their font is there
document.fonts?.ready.then(() => (fonts.value += 1));
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => (fonts.value += 1), 200);
});

/** From `high` down to `low`, without `high` itself.
 * @param {number} high
 * @param {number} low
 * @param {number} by */
const down = (high, low, by) =>
  Array.from({ length: Math.max(0, Math.ceil((high - low) / by)) }, (_, i) => Math.max(low, high - (i + 1) * by));

/** How a card can give way to its text, step by step: text and title a step smaller, then the picture.
 * @typedef {{ size: number, head: number, pic: number }} Step */
/** @param {Step} now */
function stepsFrom(now) {
  /** @type {Step[]} */
  const steps = [];
  for (const [what, low, by] of /** @type {const} */ ([
    ["size", 12, 0.5],
    ["head", 14, 0.5],
    ["pic", 34, 4],
    ["size", 10.5, 0.25],
    ["pic", 18, 4],
    ["size", 9, 0.25],
    ["pic", 6, 4],
    ["head", 12, 0.5],
    ["pic", 0, 2],
    ["head", 10, 0.5],
  ]))
    for (const value of down(now[what], low, by)) {
      now = { ...now, [what]: value };
      steps.push(now);
    }
  return steps;
}

/** What fitted before: by card, place and letters. @type {Map<string, Step | null>} */
const fitted = new Map();

/** Rules are never clipped. Every look at whether they fit makes the browser lay out what was written, so all cards are
 * written before any is looked at, and the step that fits is sought by halves. Whoever has time waits for the browser to
 * lay them out by itself where this one pauses.
 * @param {Map<HTMLElement, string>} cards each with the name under which its step is remembered, or none */
function* fitting(cards) {
  const jobs = [...cards].flatMap(([el, name]) => {
    const [body, text, title, pic] = [".body", ".text", ".title", ".pic"].map(
      (one) => /** @type {HTMLElement | null} */ (el.querySelector(one)),
    );
    if (!body || !text || !title || !pic) return [];
    const put = (/** @type {Step | null} */ step) => {
      text.style.fontSize = step ? `${step.size}px` : "";
      title.style.fontSize = step ? `${step.head}px` : "";
      if (step) el.style.setProperty("--pic", `${step.pic}px`);
      else el.style.removeProperty("--pic");
    };
    const known = fitted.get(name);
    put(known ?? null);
    if (known !== undefined) return [];
    const isOver = () =>
      body.clientHeight > 0 && (body.scrollHeight > body.clientHeight + 0.5 || title.scrollWidth > title.clientWidth);
    const now = () => ({
      size: parseFloat(getComputedStyle(text).fontSize),
      head: parseFloat(getComputedStyle(title).fontSize),
      pic: pic.clientHeight,
    });
    const done = (/** @type {Step | null} */ step) => {
      put(step);
      if (name && body.clientHeight > 0) fitted.set(name, step);
    };
    return [{ put, isOver, now, done }];
  });
  if (!jobs.length) return;
  yield;
  const [over, fine] = [true, false].map((is) => jobs.filter((job) => job.isOver() === is));
  for (const job of fine) job.done(null);
  const open = over
    .map((job) => ({ ...job, steps: stepsFrom(job.now()), from: 0, to: 0 }))
    .filter((job) => job.steps.length);
  for (const job of open) job.to = job.steps.length - 1;
  for (let left = open; left.length; left = left.filter((job) => job.from < job.to)) {
    for (const job of left) job.put(job.steps[(job.from + job.to) >> 1]);
    yield;
    const still = left.map((job) => job.isOver());
    left.forEach((job, i) => {
      const half = (job.from + job.to) >> 1;
      if (still[i] && job.from < job.to) job.from = half + 1;
      else job.to = half;
    });
  }
  for (const job of open) job.done(job.steps[job.from]);
}

/** @type {Map<HTMLElement, string>} */
const waiting = new Map();
/** Fit a card together with all that come with it, before anything is painted.
 * @param {HTMLElement} el
 * @param {string} name */
function fitSoon(el, name) {
  if (!waiting.size)
    queueMicrotask(() => {
      const work = fitting(waiting);
      while (!work.next().done);
      waiting.clear();
    });
  waiting.set(el, name);
}

/** Fit a card that is not to be seen yet, bit by bit.
 * @param {HTMLElement} el
 * @param {string} name
 * @param {() => void} then */
function fitInTime(el, name, then) {
  const work = fitting(new Map([[el, name]]));
  const goOn = () => {
    if (!el.isConnected) return;
    if (work.next().done) then();
    else whenIdle(goOn, 100);
  };
  whenIdle(goOn, 100);
}

/** A card. `onPick` makes its face a button; `grows`: as high as its text wants; `place`: where cards have one size, which they
 * share with `room` others; `isEarly`: it is not to be seen yet, and drawn bit by bit.
 * @param {{ card?: CardData, marks?: any, children?: any, onPick?: () => void, isLit?: boolean, isUp?: boolean, isDim?: boolean,
 *   isTicked?: boolean, isPressed?: boolean, grows?: boolean, place?: string, room?: number, isEarly?: boolean, number?: number, kind?: string, title?: string, [rest: string]: any }} props */
export function Card({
  card,
  marks,
  children,
  onPick,
  isLit,
  isUp,
  isDim,
  isTicked,
  isPressed,
  grows,
  place,
  room,
  isEarly = false,
  number,
  kind,
  title,
  ...rest
}) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isDrawn = useSignal(!isEarly);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || grows) return;
    const name = place ? `${place} ${room} ${card?.country} ${card?.id} ${fonts.value} ${card?.text}` : "";
    if (isDrawn.value) fitSoon(el, name);
    else fitInTime(el, name, () => (isDrawn.value = true)); // as long as there is no picture, there is less to lay out
  }, [card?.id, card?.text, fonts.value, grows, room]);
  const picture = useMemo(
    () => raw(card && isDrawn.value ? woodcut(card) : ""),
    [card?.id, card?.country, isDrawn.value],
  );
  if (!card) return html`<div class="card hidden-card" aria-label=${t("card.hidden")}></div>`;
  const isPlain = BASIC.has(card.type);
  const body = html`
    <span class="pic" aria-hidden="true" dangerouslySetInnerHTML=${picture}></span>
    <span class="badge" aria-hidden="true" dangerouslySetInnerHTML=${raw(sign(card.type))}></span>
    <span class="body">
      ${!isPlain && html`<span class="type">${t(`type.${card.type}`)}</span>`}
      <span class="title">${card.name}</span> <span class="text">${card.text}</span>
      ${marks && html`<span class="marks">${marks}</span>`}
    </span>
    ${number !== undefined && html`<kbd aria-hidden="true">${number}</kbd>`}
    ${isTicked !== undefined && html`<span class="tick-box" aria-hidden="true">${isTicked ? "✓" : ""}</span>`}`;
  return html`
    <div ref=${box} class=${cls("card", `t-${card.type}`, card.country, isPlain && "plain", isLit && "lit", isUp && "up", isDim && "dimmed", isTicked !== undefined && "tickable", isTicked && "ticked", grows && "grows", kind)} ...${rest}>
      ${
        onPick
          ? html`<button class="face" aria-pressed=${isPressed} onClick=${onPick} title=${title}>${body}</button>`
          : html`<div class="face">${body}</div>`
      }
      ${children && html`<div class="card-actions">${children}</div>`}
    </div>`;
}

/** The back of a country's cards.
 * @param {{ country: string, size?: number }} props */
export const Back = ({ country, size = 40 }) =>
  html`<span class=${cls("back", country)} dangerouslySetInnerHTML=${raw(roundel(country, size))}></span>`;

/** @param {{ country: string, size?: number }} props */
export const Roundel = ({ country, size = 24 }) =>
  html`<span class="roundel-box" dangerouslySetInnerHTML=${raw(roundel(country, size))}></span>`;

const rulings = signal({ language: "", all: /** @type {import("../api").RulingData[]} */ ([]) }); // made on cards, once somebody wants to read

/** @param {string} text */
const plain = (text) => text.replaceAll("*", "");

/** @param {{ acts?: any }} props what can be done with the card */
export function OpenedCard({ acts }) {
  const card = opened.value;
  const language = spoken();
  useEffect(() => {
    if (card && rulings.value.language !== language)
      get("/api/rulings")
        .then((all) => (rulings.value = { language, all }))
        .catch(() => {});
  }, [card, language]);
  if (!card) return null;
  const own = rulings.value.all.filter(
    (one) => one.editions.includes(catalogue.value?.edition ?? "") && one.cards.some((id) => card.id.startsWith(id)),
  );
  return html`
    <${Dialog} label=${card.name} kind="card-dialog" onClose=${() => (opened.value = null)} acts=${acts}>
      <${Card} card=${card} grows=${true} kind="large" />
      <p class="dim">${countryName(card.country)} (${CODES[card.country]}) · ${t("card.copies", { n: card.copies })}</p>
      <p class="dim">${t(`type-about.${card.type}`)}</p>
      ${
        own.length > 0 &&
        html`<h3>${t("card.rulings")}</h3>
        <ul>${own.map((one) => html`<li key=${one.id}><strong>${t("label", { text: plain(one.about) })}</strong> ${plain(one.text)} <span class="dim">${plain(one.why)}</span></li>`)}</ul>`
      }
    <//>`;
}
