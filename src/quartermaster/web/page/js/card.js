// Cards in our own design: type by colour, sign and word.
import { html, signal, cls, CODES, useEffect, useRef } from "./lib.js";
import { Icon } from "./icons.js";
import { catalogue } from "./table.js";
import { countryName, has, t } from "./words.js";

export const opened = signal(null); // the card that is shown large

/** A card; `small` shows its head alone. What stands in it may be clicked, unless it is a button. */
export function Card({ card, small, marks, children, onPick, isLit, ...rest }) {
  if (!card) return html`<div class="card back" aria-label=${t("card.hidden")}></div>`;
  const body = html`
    <span class="head"><span class="sign" aria-hidden="true"><${Icon} name=${card.type} /></span>
      <span class="name">${card.name}</span></span>
    <span class="kind">${t(`type.${card.type}`)}${marks && html` <span class="marks">${marks}</span>`}</span>
    ${!small && html`<span class="text">${card.text}</span>`}`;
  return html`
    <div class=${cls("card", `type-${card.type}`, card.country, small && "small", isLit && "lit")} ...${rest}>
      ${onPick
        ? html`<button class="face" onClick=${onPick} title=${t("card.read", { card: card.name })}>${body}</button>`
        : html`<div class="face">${body}</div>`}
      ${children && html`<div class="card-actions">${children}</div>`}
    </div>`;
}

/** The link of a card's name to the card. */
export function CardLink({ card }) {
  return html`<button class="link" onClick=${() => (opened.value = card)}>${card.name}</button>`;
}

export function Dialog({ title, onClose, children, label, closes }) {
  const box = useRef(null);
  useEffect(() => {
    const dialog = box.current;
    if (!dialog.open) dialog.showModal();
    return () => dialog.open && dialog.close();
  }, []);
  return html`
    <dialog ref=${box} aria-label=${label || title} onClose=${onClose}
      onClick=${(e) => e.target === box.current && onClose()}>
      <div class="dialog-body">
        ${title && html`<h2>${title}</h2>`}
        ${children}
        <p class="row end"><button onClick=${onClose}>${closes || t("close")}</button></p>
      </div>
    </dialog>`;
}

/** A text of a ruling: the language's own, or the English one it comes with. */
const ruled = (ruling, part) => (has(`ruling.${ruling.id}.${part}`) ? t(`ruling.${ruling.id}.${part}`) : ruling[part]).replaceAll("*", "");
const rulings = signal(null); // all that were made on cards, once somebody wants to read

export function OpenedCard() {
  const card = opened.value;
  useEffect(() => {
    if (card && rulings.value === null) {
      fetch("/static/rulings.json").then((reply) => reply.json()).then((found) => (rulings.value = found)).catch(() => {});
    }
  }, [card]);
  if (!card) return null;
  const own = (rulings.value ?? []).filter((one) => one.editions.includes(catalogue.value.edition) && one.cards.some((id) => card.id.startsWith(id)));
  return html`
    <${Dialog} label=${card.name} onClose=${() => (opened.value = null)}>
      <${Card} card=${card} />
      <p class="dim">${countryName(card.country)} (${CODES[card.country]}) · ${t("card.copies", { n: card.copies })}</p>
      <p class="dim">${t(`type-about.${card.type}`)}</p>
      ${own.length > 0 && html`<h3>${t("card.rulings")}</h3>
        <ul>${own.map((one) => html`<li key=${one.id}><strong>${ruled(one, "about")}:</strong> ${ruled(one, "text")} <span class="dim">${ruled(one, "why")}</span></li>`)}</ul>`}
    <//>`;
}
