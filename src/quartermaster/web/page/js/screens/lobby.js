// A table before its game: who comes, who is ready.
import { cls, field, html, useEffect, useSignal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { put } from "../base/api.js";
import { CODES } from "../base/countries.js";
import { attempt, beSomeone, copy, me } from "../state/session.js";
import { botName, bots, loadBots, mine, send, table } from "../state/table.js";
import { Chat } from "../parts/chat.js";

export function Lobby() {
  const now = /** @type {import("../api").TableView} */ (table.value);
  useEffect(() => void loadBots(), []);
  const code = new URLSearchParams(location.search).get("seat");
  const invited = new URLSearchParams(location.search).get("code");
  const name = useSignal(me.value?.name ?? "");
  const link = `${location.origin}/games/${now.id}`;
  const sit = (/** @type {number} */ n) => attempt(async () => {
    await beSomeone(name.value);
    await send(`/seats/${n}/take`, Number(code) === n && invited ? { code: invited } : {});
  });
  const give = (/** @type {number} */ n, /** @type {string} */ who, bot = "veteran") => send(`/seats/${n}`, { who, bot }, put);
  const isReady = mine.value.length > 0 && mine.value.every((seat) => seat.is_ready);
  const isFull = now.seats.every((seat) => ["person", "bot"].includes(seat.who));
  const allReady = now.seats.every((seat) => seat.is_ready);
  return html`
    <div class="narrow">
      <h1>${now.settings.title || t("lobby.title")}</h1>
      <p class="dim">${t(`rules.${now.settings.rules}`)}${now.settings.options["air-marshal"] ? " · Air Marshal" : ""}${" "}
        · ${t(`clock.${now.settings.clock?.kind}`)} · ${now.settings.is_public ? t("lobby.public") : t("lobby.private")}</p>
      <section class="panel">
        <div class="row invite">
          <input readonly value=${link} aria-label=${t("lobby.link")} onFocus=${(/** @type {Event} */ e) => field(e).select()} />
          <button onClick=${() => copy(link)}>${t("lobby.copy")}</button>
        </div>
        ${me.value === null && html`<label>${t("me.name")}<input value=${name.value} maxlength="24"
          onInput=${(/** @type {Event} */ e) => (name.value = field(e).value)} /></label>`}
        <ul class="seats">
          ${now.seats.map((seat, n) => html`
            <li class=${cls("seat-row", seat.is_yours && "yours")}>
              <span class="names">${seat.countries.map((c) => html`
                <span class=${cls("chip", c)}><span class="code">${CODES[c]}</span> ${countryName(c)}</span>`)}</span>
              <span class="who">
                ${seat.who === "person" ? seat.name : seat.who === "bot" ? botName(seat.bot) : t(`seat.${seat.who}`)}
                ${seat.who === "person" && html` <span class=${cls("tag", seat.is_ready && "now")}>
                  ${seat.is_ready ? t("lobby.is-ready") : t("lobby.not-ready")}</span>`}
              </span>
              <span class="row">
                ${(seat.who === "open" || (seat.who === "invited" && Number(code) === n && invited)) && html`
                  <button class="main" onClick=${() => sit(n)}>${t("lobby.sit")}</button>`}
                ${seat.is_yours && html`<button onClick=${() => send(`/seats/${n}/leave`)}>${t("lobby.leave")}</button>`}
                ${seat.invitation && html`<button onClick=${() => copy(`${link}?seat=${n}&code=${seat.invitation}`)}>
                  ${t("lobby.copy-invitation")}</button>`}
                ${now.is_host && !seat.is_yours && html`
                  <select aria-label=${t("setup.who")} value="" onChange=${(/** @type {Event} */ e) => {
                    const [who, bot] = field(e).value.split(":");
                    if (who) give(n, who, bot);
                  }}>
                    <option value="">${t("lobby.change")}</option>
                    <option value="open">${t("who.open")}</option>
                    <option value="invite">${t("who.invite")}</option>
                    <option value="me">${t("who.me")}</option>
                    ${bots.value.map((b) => html`
                      <option value=${`bot:${b.name}`}>${t("lobby.bot", { bot: botName(b.name) })}</option>`)}
                  </select>`}
              </span>
            </li>`)}
        </ul>
        <p class="row">
          ${mine.value.length > 0 && !now.is_host && html`
            <button class="big main" onClick=${() => send("/ready", { is_ready: !isReady })}>
              ${isReady ? t("lobby.unready") : t("lobby.ready")}</button>`}
          ${now.is_host && html`
            <button class="big main" disabled=${!isFull || !allReady} onClick=${() => send("/start")}>
              ${t("lobby.start")}</button>
            ${!isFull && html`<span class="dim">${t("lobby.waiting-seats")}</span>`}
            ${isFull && !allReady && html`<span class="dim">${t("lobby.waiting-ready")}</span>`}`}
          ${!now.is_host && html`<span class="dim">${t("lobby.host-starts", { name: now.host })}</span>`}
        </p>
      </section>
      <section class="panel"><h2>${t("chat.title")}</h2><${Chat} /></section>
    </div>`;
}
