// A table before its game: who comes, who is ready.
import { html, cls, CODES, useSignal } from "./lib.js";
import { countryName, t } from "./words.js";
import { attempt, beSomeone, me, put, say } from "./api.js";
import { Chat } from "./panels.js";
import { game, mine, send, table } from "./table.js";

export function Lobby() {
  const now = table.value;
  const code = new URLSearchParams(location.search).get("seat");
  const invited = new URLSearchParams(location.search).get("code");
  const name = useSignal(me.value?.name ?? "");
  const link = `${location.origin}/games/${now.id}`;
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      say(t("lobby.copied"));
    } catch {
      say(text);
    }
  };
  const sit = (n) => attempt(async () => {
    await beSomeone(name.value);
    await send(`/seats/${n}/take`, Number(code) === n && invited ? { code: invited } : {});
  });
  const give = (n, who, bot = "veteran") => send(`/seats/${n}`, { who, bot }, put);
  const isReady = mine.value.length > 0 && mine.value.every((seat) => seat.is_ready);
  const isFull = now.seats.every((seat) => ["person", "bot"].includes(seat.who));
  const allReady = now.seats.every((seat) => seat.is_ready);
  return html`
    <div class="narrow">
      <h1>${now.settings.title || t("lobby.title")}</h1>
      <p class="dim">${t(`rules.${now.settings.rules}`)}${now.settings.options["air-marshal"] ? " · Air Marshal" : ""}${" "}
        · ${t(`clock.${now.settings.clock.kind}`)} · ${now.settings.is_public ? t("lobby.public") : t("lobby.private")}</p>
      <section class="panel">
        <div class="row invite">
          <input readonly value=${link} aria-label=${t("lobby.link")} onFocus=${(e) => e.target.select()} />
          <button onClick=${() => copy(link)}>${t("lobby.copy")}</button>
        </div>
        ${me.value === null && html`<label>${t("me.name")}<input value=${name.value} maxlength="24"
          onInput=${(e) => (name.value = e.target.value)} /></label>`}
        <ul class="seats">
          ${now.seats.map((seat, n) => html`
            <li class=${cls("seat-row", seat.is_yours && "yours")}>
              <span class="names">${seat.countries.map((c) => html`
                <span class=${cls("chip", c)}><span class="code">${CODES[c]}</span> ${countryName(c)}</span>`)}</span>
              <span class="who">
                ${seat.who === "person" ? seat.name : seat.who === "bot" ? t(`bot.${seat.bot}`) : t(`seat.${seat.who}`)}
                ${seat.who === "person" && html` <span class=${cls("tag", seat.is_ready && "now")}>
                  ${seat.is_ready ? t("lobby.is-ready") : t("lobby.not-ready")}</span>`}
              </span>
              <span class="row">
                ${(seat.who === "open" || (seat.who === "invited" && Number(code) === n && invited)) && html`
                  <button class="primary" onClick=${() => sit(n)}>${t("lobby.sit")}</button>`}
                ${seat.is_yours && html`<button onClick=${() => send(`/seats/${n}/leave`)}>${t("lobby.leave")}</button>`}
                ${seat.invitation && html`<button onClick=${() => copy(`${link}?seat=${n}&code=${seat.invitation}`)}>
                  ${t("lobby.copy-invitation")}</button>`}
                ${now.is_host && !seat.is_yours && html`
                  <select aria-label=${t("setup.who")} value="" onChange=${(e) => {
                    const [who, bot] = e.target.value.split(":");
                    if (who) give(n, who, bot);
                  }}>
                    <option value="">${t("lobby.change")}</option>
                    <option value="open">${t("who.open")}</option>
                    <option value="invite">${t("who.invite")}</option>
                    <option value="me">${t("who.me")}</option>
                    ${["rookie", "veteran", "general"].map((b) => html`
                      <option value=${`bot:${b}`}>${t("lobby.bot", { bot: t(`bot.${b}`) })}</option>`)}
                  </select>`}
              </span>
            </li>`)}
        </ul>
        <p class="row">
          ${mine.value.length > 0 && !now.is_host && html`
            <button class="big primary" onClick=${() => send("/ready", { is_ready: !isReady })}>
              ${isReady ? t("lobby.unready") : t("lobby.ready")}</button>`}
          ${now.is_host && html`
            <button class="big primary" disabled=${!isFull || !allReady} onClick=${() => send("/start")}>
              ${t("lobby.start")}</button>
            ${!isFull && html`<span class="dim">${t("lobby.waiting-seats")}</span>`}
            ${isFull && !allReady && html`<span class="dim">${t("lobby.waiting-ready")}</span>`}`}
          ${!now.is_host && html`<span class="dim">${t("lobby.host-starts", { name: now.host })}</span>`}
        </p>
      </section>
      <section class="panel"><h2>${t("chat.title")}</h2><${Chat} /></section>
    </div>`;
}
