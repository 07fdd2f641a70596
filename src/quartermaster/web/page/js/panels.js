// What lies beside the map: the countries, the log, the talk.
import { html, cls, signal, CODES, COUNTRIES, duration, teamOf, useEffect, useRef, useSignal } from "./lib.js";
import { Icon } from "./icons.js";
import { countryName, t } from "./words.js";
import { attempt, beSomeone, post } from "./api.js";
import { Card, opened } from "./card.js";
import { picked } from "./map.js";
import { anyCard, cardOf, game, heardAt, isCovered, log, mine, order, send, spaceName, table, talk } from "./table.js";

const ticks = signal(0);
setInterval(() => (ticks.value += 1), 500);

/** Seconds that are left now of what was left when the table came. */
export function left(seconds, isRunning) {
  ticks.value;
  return isRunning ? seconds - (performance.now() - heardAt.value) / 1000 : seconds;
}

export function Countries({ view }) {
  const now = table.value;
  return html`
    <ul class="country-list">
      ${COUNTRIES.map((country) => {
        const side = view.countries[country];
        const laid = isCovered.value ? [] : side.set ?? [];
        const seatNumber = now.seats.findIndex((seat) => seat.countries.includes(country));
        const seat = now.seats[seatNumber];
        const isOn = now.status === "playing" && view.turn === country;
        return html`
          <li key=${country} class=${cls(country, teamOf(country), isOn && "on")} aria-current=${isOn ? "step" : undefined}>
            <div class="line">
              <span class=${cls("code", country)} aria-hidden="true">${CODES[country]}</span>
              <strong>${countryName(country)}</strong>
              <span class="who">${seat.bot ? (seat.is_away ? t("seat.away", { name: seat.name }) : t(`bot.${seat.bot}`)) : seat.name}</span>
              ${now.waiting_for === country && html`<span class="tag now">${t("game.decides")}</span>`}
              ${seat.seconds_left !== null && html`
                <span class=${cls("clock", seat.is_running && "running")}>${duration(left(seat.seconds_left, seat.is_running))}</span>`}
            </div>
            <div class="facts">
              <span title=${t("facts.hand")}><${Icon} name="hand" /> ${side.hand_size}</span>
              <span title=${t("facts.deck")}><${Icon} name="deck" /> ${side.deck_size}</span>
              <span title=${t("facts.discard")}><${Icon} name="pile" /> ${side.discard_size}${side.discard_top && html` <button class="link" onClick=${() => (opened.value = cardOf(country, side.discard_top))}>${cardOf(country, side.discard_top)?.name}</button>`}</span>
              <span title=${t("facts.set")}><${Icon} name="response" /> ${side.set_size}</span>
              <span title=${t("facts.income")}><${Icon} name="star" /> +${now.income[country] ?? 0}</span>
              <span title=${t("facts.reserve")}><${Icon} name="army" /> ${side.reserve.army} <${Icon} name="navy" /> ${side.reserve.navy}${side.reserve["air-force"] !== undefined && html` <${Icon} name="plane" /> ${side.reserve["air-force"]}`}</span>
            </div>
            ${(side.table.length > 0 || laid.length > 0) && html`<div class="laid">
              ${side.table.map((id) => html`<button class=${cls("chip-card", view.used.includes(id) && "used")}
                onClick=${() => (opened.value = cardOf(country, id))}><${Icon} name="status" /> ${cardOf(country, id)?.name}</button>`)}
              ${laid.map((id) => html`<button class="chip-card down"
                onClick=${() => (opened.value = cardOf(country, id))}><${Icon} name="response" /> ${cardOf(country, id)?.name}</button>`)}
            </div>`}
            ${seat.is_yours && seat.bot && now.status === "playing" && html`
              <button class="primary" onClick=${() => send(`/seats/${seatNumber}/take`, {})}>${t("seat.back")}</button>`}
          </li>`;
      })}
    </ul>`;
}

/** A sentence of the log, with its card and its space as links. */
function Sentence({ entry }) {
  const links = [];
  const card = entry.card && anyCard(entry.card, entry.country);
  if (card) links.push([card.name, () => (opened.value = card)]);
  for (const id of [entry.space, entry.source]) {
    if (id) links.push([spaceName(id), () => (picked.value = id)]);
  }
  let parts = [entry.text];
  for (const [name, show] of links) {
    parts = parts.flatMap((part) => {
      if (typeof part !== "string" || !part.includes(name)) return [part];
      const i = part.indexOf(name);
      return [part.slice(0, i), html`<button class="link" onClick=${show}>${name}</button>`, part.slice(i + name.length)];
    });
  }
  return parts;
}

export function Log() {
  const seen = useRef(false); // whoever opens the log wants to see its end
  const box = useRef(null);
  const entries = log.value;
  useEffect(() => {
    const { current } = box;
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < 400;
    if (isNear || !seen.current) current.scrollTop = current.scrollHeight;
    seen.current = true;
  }, [entries.length]);
  return html`
    <ol class="log" ref=${box} aria-label=${t("log.title")} tabindex="0">
      ${entries.slice(-400).map((entry, i) => html`
        <li key=${i + Math.max(0, entries.length - 400)} class=${cls(entry.what, entry.country)}><${Sentence} entry=${entry} /></li>`)}
    </ol>`;
}

export function Chat() {
  const text = useSignal("");
  const room = useSignal("all");
  const rooms = mine.value.length
    ? ["all", ...new Set(mine.value.map((seat) => teamOf(seat.countries[0])))]
    : ["spectators"];
  const chosen = rooms.includes(room.value) ? room.value : rooms[0];
  const say = (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    attempt(async () => {
      await beSomeone();
      await post(`${game()}/chat`, { text: text.value, room: chosen });
      text.value = "";
    });
  };
  return html`
    <div class="chat">
      <ol aria-live="polite" aria-label=${t("chat.title")} tabindex="0">
        ${talk.value.length === 0 && html`<li class="dim">${t("chat.empty")}</li>`}
        ${talk.value.map((message) => html`
          <li key=${message.id} class=${cls(message.room, message.is_yours && "yours")}>
            <strong>${message.name}</strong>${message.room !== "all" && html` <span class="tag">${t(`room.${message.room}`)}</span>`}
            <span class="said">${message.text}</span></li>`)}
      </ol>
      <form class="row" onSubmit=${say}>
        ${rooms.length > 1 && html`<select aria-label=${t("chat.to")} value=${chosen} onChange=${(e) => (room.value = e.target.value)}>
          ${rooms.map((one) => html`<option value=${one}>${t(`room.${one}`)}</option>`)}</select>`}
        <input aria-label=${t("chat.say")} placeholder=${t("chat.say")} maxlength="500" value=${text.value}
          onInput=${(e) => (text.value = e.target.value)} />
        <button>${t("chat.send")}</button>
      </form>
    </div>`;
}

/** The standing orders of the seat that holds a country. */
function ordersOf(country) {
  const seat = table.value.seats.findIndex((one) => one.countries.includes(country));
  return table.value.orders.find((one) => one.seat === seat) ?? { seat, cards: {}, passes: false };
}

/** An own country's cards on the table, with the standing order on the card itself. */
export function Laid({ view, country }) {
  const orders = ordersOf(country);
  const side = view.countries[country];
  const cards = [...(side.set ?? []).map((id) => [id, true]), ...side.table.map((id) => [id, false])];
  return cards.map(([id, isDown]) => {
    const card = cardOf(country, id);
    const marks = isDown ? t("card.face-down") : view.used.includes(id) ? t("card.used") : t("card.on-table");
    return html`
      <${Card} key=${`laid ${id}`} card=${card} marks=${marks} onPick=${() => (opened.value = card)}>
        ${card?.reacts && html`
          <select aria-label=${t("orders.label", { card: card.name })} value=${orders.cards[id] ?? "ask"}
            onChange=${(e) => order({ ...orders, cards: { ...orders.cards, [id]: e.target.value } })}>
            ${["ask", "every", "always", "never"].map((o) => html`<option value=${o}>${t(`order.${o}`)}</option>`)}
          </select>`}<//>`;
  });
}

/** "Pass until my turn", where there is something to pass with. */
export function Passing({ view, country }) {
  const orders = ordersOf(country);
  const side = view.countries[country];
  const may = [...(side.set ?? []), ...side.table, ...(table.value.settings.options["air-marshal"] ? side.hand ?? [] : [])];
  if (!may.some((id) => cardOf(country, id)?.reacts)) return null;
  return html`<label class="passing"><input type="checkbox" checked=${orders.passes}
    onChange=${(e) => order({ ...orders, passes: e.target.checked })} /> ${t("orders.pass")}</label>`;
}
