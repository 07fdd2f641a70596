// First cards can be chosen while others choose theirs.
import { html, cls, CODES, useSignal } from "./lib.js";
import { countryName, t } from "./words.js";
import { put } from "./api.js";
import { cardOf, isCovered, send, table } from "./table.js";

export function FirstCards() {
  const { first_cards: waiting, view } = table.value;
  if (isCovered.value) return null;
  return waiting.filter((one) => view.countries[one.country].hand).map((one) => html`<${Choosing} key=${one.country} one=${one} />`);
}

function Choosing({ one }) {
  const { country, count, discards } = one;
  const picked = useSignal([]); // places in the hand
  const hand = table.value.view.countries[country].hand;
  const decide = (cards) => send("/first-cards", { country, discards: cards }, put);
  const toggle = (i) => (picked.value = picked.value.includes(i) ? picked.value.filter((place) => place !== i) : [...picked.value, i]);
  const name = (id) => cardOf(country, id)?.name ?? id;
  return html`
    <div class="question">
      <p class="sentence" role="status">
        <span class=${cls("code", country)} aria-hidden="true">${CODES[country]}</span>
        <strong>${countryName(country)}:</strong> ${discards.length ? t("first.decided", { cards: discards.map(name).join(", ") }) : t("first.choose", { n: count })}
      </p>
      ${discards.length > 0
        ? html`<button onClick=${() => decide([])}>${t("first.change")}</button>`
        : html`
          <button class="primary" disabled=${picked.value.length !== count} onClick=${() => decide(picked.value.map((i) => hand[i]))}>
            ${t("first.decide", { n: picked.value.length, count })}</button>
          <ul class="toggles" aria-label=${t("first.cards", { country: countryName(country) })}>
            ${hand.map((id, i) => html`<li key=${i}><button aria-pressed=${picked.value.includes(i)}
              onClick=${() => toggle(i)}>${name(id)}</button></li>`)}
          </ul>`}
    </div>`;
}
