// The own cards. At one screen they are covered until the right person is there.
import { cls, html, signal, useEffect, useRef, useSteady } from "../base/html.js";
import { countryName, listed, many, t } from "../base/words.js";
import { CODES, countriesOf, teamOf } from "../base/countries.js";
import { begun, cardOf, isCovered, uncovered } from "../state/table.js";
import {
  asked,
  considered,
  held,
  isBusy,
  isFull,
  lookAt,
  pick,
  pickCard,
  playOf,
  questions,
  ticked,
} from "../state/choices.js";
import { keepOpen } from "../state/ending.js";
import { pointed } from "../state/lessons.js";
import { Back, Card, Roundel, opened } from "./card.js";
import { useFlow } from "./flow.js";
import { Icon } from "./icons.js";

const handOf = signal(/** @type {{ country: string, number: number } | null} */ (null)); // another own country's hand that is looked at

/** The card under the pointer or the focus, shown large above the hand: nothing under it is in the way of a click.
 * @type {import("../state/table.js").Signal<{ card: import("../state/table.js").Card, x: number } | null>} */
const near = signal(/** @type {any} */ (null));
const DELAY = 90; // milliseconds
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {import("../state/table.js").Card | undefined} card
 * @param {Event} event */
function approach(card, event) {
  clearTimeout(timer);
  const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : null;
  const isByKeys =
    event.type === "focusin" && event.target instanceof Element && event.target.matches(":focus-visible");
  if (!card || !box || (event.type === "focusin" && !isByKeys)) return;
  timer = setTimeout(() => (near.value = { card, x: box.left + box.width / 2 }), DELAY);
}

function leave() {
  clearTimeout(timer);
  near.value = null;
}

const HALF = 147; // pixels: half of a card shown large, and a little room

/** Where the middle of a card that is shown large is put, so that it does not hide what the bar wants one to press.
 * @param {number} x */
function besideMain(x) {
  const main = document.querySelector(".prompt .acts .main")?.getBoundingClientRect();
  if (!main || x + HALF < main.left || x - HALF > main.right) return x;
  return x < main.left + main.width / 2 ? main.left - HALF : main.right + HALF;
}

function Near() {
  // Cards that go from under the pointer say nothing: whoever comes next must not see them.
  useEffect(() => leave, []);
  if (!near.value) return null;
  const { card, x } = near.value;
  return html`<div class="near" aria-hidden="true" style=${{ left: `${besideMain(Math.min(innerWidth - 150, Math.max(150, x)))}px` }}><${Card} key=${`${card.country} ${card.id}`} card=${card} kind="near-card" place="near" /></div>`;
}

/** The country whose hand is shown. */
export function shownHand() {
  const { view, number } = begun();
  const q = asked.value;
  const active = q?.decision.country ?? (view.seat.includes(view.turn) ? view.turn : view.seat[0]);
  const looked =
    handOf.value?.number === number && view.seat.includes(handOf.value.country) ? handOf.value.country : active;
  return view.seat.includes(looked) ? looked : view.seat[0];
}

/** @param {{ onDeck: (country: string) => void }} props */
export function Hand({ onDeck }) {
  const now = begun();
  const { view } = now;
  // The cards are drawn anew when they change, or what is asked of them: not with every table that comes.
  const cards = useSteady(() => begun().view.countries[shownHand()]?.hand ?? []);
  if (!view.seat.length || now.status === "over") return html`<section class="hand empty"></section>`;
  if (isCovered.value) return html`<${Covered} />`;
  const shown = shownHand();
  const side = view.countries[shown];
  const laid = side.table.length + side.set_size;
  const look = (/** @type {string} */ country) => {
    handOf.value = { country, number: now.number };
    if (questions.value.some((one) => one.decision.country === country)) lookAt(country);
  };
  return html`
    <section class=${cls("hand", view.seat.length === 1 && "single")} onPointerEnter=${keepOpen} onFocusIn=${keepOpen} aria-label=${t("hand.of", { country: countryName(shown), n: (side.hand ?? []).length })}>
      <div class="seats" role="group" aria-label=${t("hand.whose")}>
        ${view.seat.map(
          (
            country,
          ) => html`<button key=${country} class=${cls("seat", country)} aria-pressed=${country === shown} title=${countryName(country)} onClick=${() => look(country)}>
          <span class="sr">${countryName(country)}</span><${Roundel} country=${country} size=${34} /><span aria-hidden="true">${CODES[country]}</span></button>`,
        )}
      </div>
      <${Fan} key=${shown} country=${shown} cards=${cards} />
      <div class="piles">
        ${
          laid > 0 &&
          html`<button class=${cls("pile laid", shown)} title=${t("laid.short")} onClick=${() => onDeck(shown)}><span class="sr">${t("laid.here", { status: side.table.length, set: side.set_size })}</span>
          ${side.table.length > 0 && html`<b aria-hidden="true"><${Icon} name="status" />${side.table.length}</b>`}${side.set_size > 0 && html`<b aria-hidden="true"><${Icon} name="down" />${side.set_size}</b>`}<i aria-hidden="true">${t("laid.short")}</i></button>`
        }
        <button class=${cls("pile", shown)} onClick=${() => onDeck(shown)}><span class="sr">${t("deck.left", { n: side.deck_size })}</span><${Back} country=${shown} /><b aria-hidden="true">${side.deck_size}</b><i aria-hidden="true">${t("deck.short")}</i></button>
        <button class=${cls("pile down", shown)} onClick=${() => onDeck(shown)}><span class="sr">${t("deck.discarded", { n: side.discard_size })}</span><b aria-hidden="true">${side.discard_size}</b><i aria-hidden="true">${t("deck.short-discard")}</i></button>
      </div>
    </section>`;
}

/** @param {{ country: string, cards: string[] }} props */
function Fan({ country, cards }) {
  const fan = useRef(/** @type {HTMLElement | null} */ (null));
  useFlow(fan, country, cards);
  const q = asked.value?.decision.country === country ? asked.value : null;
  const isTicking = q?.ticks !== null && q !== null;
  const middle = (cards.length - 1) / 2;
  // A card that was picked up or ticked elsewhere, by a hint or a key, comes into sight where the hand is wider than the screen.
  const last = isTicking ? ticked.value.at(-1) : undefined;
  useEffect(() => {
    const box = fan.current;
    const up = box?.querySelector(".card.up") ?? box?.querySelectorAll(".card:not(.ghost)")[last ?? -1];
    if (!box || !up) return;
    const [view, card] = [box.getBoundingClientRect(), up.getBoundingClientRect()];
    const over = card.left < view.left ? card.left - view.left : Math.max(0, card.right - view.right);
    if (over) box.scrollBy({ left: over + Math.sign(over) * 12 });
  }, [held.value, last]);
  const isChoosing = q !== null && (isTicking || q.byCard.size > 0);
  return html`
    <div ref=${fan} class=${cls("fan", cards.length > 7 && "many", cards.length > 10 && "crowd")} style=${{ "--n": cards.length }} role="list" aria-label=${many("hand.cards", cards.length, { country: countryName(country) })}>
      ${cards.map((id, i) => {
        const card = cardOf(country, id);
        const can = q !== null && (isTicking || q.byCard.has(id));
        const isTicked = isTicking ? ticked.value.includes(i) : undefined;
        const isUp = held.value === id && cards.indexOf(id) === i && can;
        const light = (/** @type {Event} */ event) => {
          approach(card, event);
          return (
            can &&
            !held.value &&
            (considered.value = (q.byCard.get(id) ?? []).flatMap((action) => action.leads_to ?? []))
          );
        };
        const dark = () => {
          leave();
          if (!held.value) considered.value = [];
        };
        const onPick = () => {
          leave();
          if (!pickCard(q, id, i)) opened.value = card ?? null;
        };
        const playNow = () => {
          const play = q && playOf(q);
          if (play && !isBusy.value) pick(q, play);
        };
        const key = `${id} ${cards.slice(0, i).filter((one) => one === id).length}`;
        return html`<${Card} key=${key} data-key=${key} role="listitem" card=${card} isLit=${can} isUp=${isUp} isDim=${isChoosing && (!can || (isTicked === false && isFull(q)))}
          isTicked=${isTicked} isPressed=${isTicked ?? (isChoosing ? isUp : undefined)}
          number=${can && i < 9 ? i + 1 : undefined} kind=${cls(pointed.value.cards.includes(id) && can && "pointed")}
          style=${{ "--off": i - middle, "--name": card?.name.length, "--text": card?.text.length }} place="fan" room=${cards.length} title=${can ? undefined : t("card.read", { card: card?.name })}
          onPick=${onPick} onDblClick=${playNow} onMouseEnter=${light} onFocusIn=${light} onMouseLeave=${dark} onFocusOut=${dark}>
          <button class="card-read" aria-label=${t("card.read", { card: card?.name })} onClick=${() => (opened.value = card ?? null)}><${Icon} name="read" /></button><//>`;
      })}
      ${cards.length === 0 && html`<p class="dim" role="listitem">${t("hand.empty")}</p>`}
    </div><${Near} />`;
}

function Covered() {
  const { view, seats } = begun();
  const seat = seats.find((one) => one.countries.includes(view.seat[0]));
  const countries = listed(view.seat.map(countryName));
  const name = seat?.name ?? "";
  // Who gave no name is called by what they play.
  const team = teamOf(view.seat[0]);
  const isTeam = view.seat.length === countriesOf(team).length;
  const names = [t("me.guest"), t(`team.${team}`), countries, view.seat.map((c) => CODES[c]).join(" ")];
  const form = name && !names.includes(name) ? "" : isTeam ? `-${team}` : "-countries";
  return html`<section class=${cls("hand covered", view.seat.length === 1 && "single")}>
    <div class="covered-backs" aria-hidden="true">${view.seat.map((country, i) => html`<span key=${country} class=${country} style=${{ "--off": i - (view.seat.length - 1) / 2 }}><${Back} country=${country} size=${44} /></span>`)}</div>
    <p>${t(`hand.covered${form}`, { name, countries })}</p>
    <button class="main big" onClick=${() => (uncovered.value = view.seat.join(" "))}>${t(`hand.uncover${form}`, { name, countries })}</button></section>`;
}
