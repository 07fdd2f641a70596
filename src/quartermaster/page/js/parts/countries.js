// A country's side of the table: its cards that lie open, what it has left, who plays it.
import { cls, duration, field, html } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { COUNTRIES, teamOf } from "../base/countries.js";
import { begun, cardOf, isCovered, left, mine, order, send, sitter } from "../state/table.js";
import { Card, Roundel, opened } from "./card.js";
import { Icon } from "./icons.js";
import { ReportButton } from "./report.js";

/** @typedef {import("../state/table.js").View} View */

/** What the signs beside a country's numbers stand for. */
const LEGEND = [
  ["hand", "hand"],
  ["deck", "deck"],
  ["pile", "discard"],
  ["down", "set"],
  ["star", "income"],
];

/** All six, short; for the drawer and the replay.
 * @param {{ view: View, income?: Record<string, number>, onPick?: (country: string) => void, only?: string }} props */
export function Countries({ view, income, onPick, only }) {
  return html`
    ${!only && html`<p class="facts legend" aria-hidden="true">${LEGEND.map(([icon, what]) => html`<span key=${what}><${Icon} name=${icon} /> ${t(`facts.${what}`)}</span>`)}</p>`}
    <ul class="country-list">${COUNTRIES.filter((country) => !only || country === only).map((country) => html`<${Country} key=${country} country=${country} view=${view} income=${income} onPick=${onPick} />`)}</ul>`;
}

/** @param {{ country: string, view: View, income?: Record<string, number>, onPick?: (country: string) => void }} props */
function Country({ country, view, income, onPick }) {
  const now = begun();
  const side = view.countries[country];
  const laid = isCovered.value ? [] : (side.set ?? []);
  const number = now.seats.findIndex((seat) => seat.countries.includes(country));
  const seat = now.seats[number];
  const isOn = now.status === "playing" && view.turn === country;
  const top = side.discard_top ? cardOf(country, side.discard_top) : undefined;
  const chip = (
    /** @type {string} */ id,
    /** @type {string} */ kind,
  ) => html`<button class=${cls("chip-card", kind, view.used.includes(id) && "used")}
    onClick=${() => (opened.value = cardOf(country, id) ?? null)}><${Icon} name=${kind === "set" ? "down" : "status"} /> ${cardOf(country, id)?.name}</button>`;
  // A tap anywhere in its line leads to a country, where nothing else is to be pressed.
  const onLine = (/** @type {Event} */ event) =>
    !(event.target instanceof Element && event.target.closest("button, label")) && onPick?.(country);
  const fact = (
    /** @type {string} */ icon,
    /** @type {any} */ n,
    /** @type {string} */ what,
    /** @type {any} */ more = "",
  ) =>
    html`<span title=${t(`facts.${what}`)}><${Icon} name=${icon} /><span class="sr">${t("label", { text: t(`facts.${what}`) })}</span> ${n}${more}</span>`;
  return html`
    <li class=${cls(country, teamOf(country), isOn && "on", onPick && "leads")} onClick=${onLine} aria-current=${isOn ? "step" : undefined}>
      <div class="line"><${Roundel} country=${country} size=${26} />
        ${onPick ? html`<button class="link" onClick=${() => onPick(country)}><strong>${countryName(country)}</strong></button>` : html`<strong>${countryName(country)}</strong>`}
        <span class="who">${sitter(seat)}${seat.who === "person" && !seat.is_yours && mine.value.length > 0 && html` <${ReportButton} of=${{ what: "person", seat: number, name: seat.name }} />`}</span>
        ${now.waiting_for === country && html`<span class="tag now">${t("game.decides")}</span>`}
        ${seat.seconds_left !== null && html`<span class=${cls("clock", seat.is_running && "running")}>${duration(left(seat.seconds_left, seat.is_running))}</span>`}
      </div>
      <div class="facts">
        ${fact("hand", side.hand_size, "hand")}${fact("deck", side.deck_size, "deck")}
        ${fact("pile", side.discard_size, "discard", top && html` <button class="link" onClick=${() => (opened.value = top)}>${top.name}</button>`)}
        ${fact("down", side.set_size, "set")}${income && fact("star", `+${income[country] ?? 0}`, "income")}
        <span title=${t("facts.reserve")}>${t("facts.left", { army: side.reserve.army, navy: side.reserve.navy })}${side.reserve["air-force"] !== undefined ? t("facts.left-air", { n: side.reserve["air-force"] }) : ""}</span>
      </div>
      ${(side.table.length > 0 || laid.length > 0) && html`<div class="laid">${side.table.map((id) => chip(id, "status"))}${laid.map((id) => chip(id, "set"))}</div>`}
      ${
        seat.is_yours &&
        seat.bot &&
        now.status === "playing" &&
        html`
        <button class="primary" onClick=${() => send(`/seats/${number}/take`, {})}>${t("seat.back")}</button>`
      }
    </li>`;
}

/** The standing orders of the seat that holds a country.
 * @param {string} country */
function ordersOf(country) {
  const seat = begun().seats.findIndex((one) => one.countries.includes(country));
  return (
    begun().orders.find((one) => one.seat === seat) ?? {
      seat,
      cards: /** @type {Record<string, string>} */ ({}),
      passes: false,
    }
  );
}

/** An own country's cards on the table, with the standing order on the card itself.
 * @param {{ view: View, country: string }} props */
export function Laid({ view, country }) {
  const orders = ordersOf(country);
  const side = view.countries[country];
  const cards = /** @type {[string, boolean][]} */ ([
    ...(side.set ?? []).map((id) => [id, true]),
    ...side.table.map((id) => [id, false]),
  ]);
  if (!cards.length) return html`<p class="dim">${t("laid.none")}</p>`;
  return html`<div class="cards wrap">${cards.map(([id, isDown]) => {
    const card = cardOf(country, id);
    const marks = isDown ? t("card.face-down") : view.used.includes(id) ? t("card.used") : t("card.on-table");
    return html`
      <${Card} key=${`laid ${id}`} card=${card} grows=${true} marks=${marks} onPick=${() => (opened.value = card ?? null)}>
        ${
          card?.reacts &&
          side.set &&
          html`
          <select aria-label=${t("orders.label", { card: card.name })} value=${orders.cards[id] ?? "ask"}
            onChange=${(/** @type {Event} */ e) => order({ ...orders, cards: { ...orders.cards, [id]: field(e).value } })}>
            ${["ask", "every", "always", "never"].map((o) => html`<option value=${o}>${t(`order.${o}`)}</option>`)}
          </select>`
        }<//>`;
  })}</div>`;
}

/** "Pass until my turn", where there is something to pass with.
 * @param {{ view: View, country: string }} props */
export function Passing({ view, country }) {
  const orders = ordersOf(country);
  const side = view.countries[country];
  const may = [
    ...(side.set ?? []),
    ...side.table,
    ...(begun().settings.options["air-marshal"] ? (side.hand ?? []) : []),
  ];
  if (!may.some((id) => cardOf(country, id)?.reacts)) return null;
  return html`<label class="passing"><input type="checkbox" checked=${orders.passes}
    onChange=${(/** @type {Event} */ e) => order({ ...orders, passes: field(e).checked })} /> ${t("orders.pass")}</label>`;
}

/** Equal cards once, with their number.
 * @param {string[]} cards
 * @returns {[string, number][]} */
export const counted = (cards) => [...new Set(cards)].map((id) => [id, cards.filter((one) => one === id).length]);

/** What is left in the own deck, by kind.
 * @param {{ side: import("../api").CountryView }} props */
export function Deck({ side }) {
  /** @type {Record<string, string[]>} */
  const kinds = {};
  for (const id of side.deck ?? []) {
    const card = cardOf(side.country, id);
    if (card) (kinds[card.type] ??= []).push(id);
  }
  return html`
    ${Object.entries(kinds).map(
      ([kind, cards]) => html`
      <h4>${t(`type.${kind}`)} (${cards.length})</h4>
      <p class="laid">${counted(cards).map(([id, n]) => html`<button key=${id} class="chip-card" onClick=${() => (opened.value = cardOf(side.country, id) ?? null)}>${cardOf(side.country, id)?.name}${n > 1 && ` ×${n}`}</button>`)}</p>`,
    )}
    ${side.deck_size === 0 && html`<p class="dim">${t("deck.empty")}</p>`}`;
}
