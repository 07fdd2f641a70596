// A table before its game: who comes, who is ready.
import { cls, field, html, useEffect, useSignal } from "../base/html.js";
import { countryName, listed, t } from "../base/words.js";
import { put } from "../base/api.js";
import { TEAMS, teamOf } from "../base/countries.js";
import { attempt, beNamed, copy, isNamed, me } from "../state/session.js";
import { addChance } from "../state/deal.js";
import { botName, bots, isShared, loadBots, mine, send, table, take } from "../state/table.js";
import { Chat } from "../parts/chat.js";
import { Roundel } from "../parts/card.js";
import { clockText, rulesText } from "../parts/games.js";
import { ReportButton } from "../parts/report.js";

export function Lobby() {
  const now = /** @type {import("../api").TableView} */ (table.value);
  useEffect(() => void loadBots(), []);
  // Whoever sits at the table adds chance of their own to its deal, and notes what the server has promised.
  useEffect(() => void addChance(now).then((next) => next && take(next)), [now.id, now.deal.can_contribute]);
  const code = new URLSearchParams(location.search).get("seat");
  const invited = new URLSearchParams(location.search).get("code");
  const name = useSignal("");
  const link = `${location.origin}/games/${now.id}`;
  /** Take the name that was typed, also in the seats one has. */
  const beCalled = async () => {
    const before = me.value?.name;
    await beNamed(isNamed() ? "" : name.value);
    if (me.value?.name === before) return;
    for (const [n, seat] of now.seats.entries())
      if (seat.is_yours && seat.name === before) await send(`/seats/${n}/take`);
  };
  /** @param {() => Promise<any>} [work] */
  const byName = (work) => () =>
    attempt(async () => {
      await beCalled();
      await work?.();
    });
  const sit = (/** @type {number} */ n, moves = false) =>
    byName(() => send(`/seats/${n}/take`, { moves, ...(isMeant(n) ? { code: invited } : {}) }));
  const give = (/** @type {number} */ n, /** @type {string} */ who, bot = "veteran") =>
    send(`/seats/${n}`, { who, bot }, put);
  const isReady = mine.value.length > 0 && mine.value.every((seat) => seat.is_ready);
  const vacant = now.seats.filter((seat) => !["person", "bot"].includes(seat.who));
  const mustAgree = Boolean(now.brought?.needs_agreement);
  const isMeant = (/** @type {number} */ n) => now.seats[n].who === "invited" && Number(code) === n && Boolean(invited);
  const isAsked = !isNamed() && (!mine.value.length || mine.value.some((seat) => seat.name === me.value?.name));
  const late = now.seats.filter((seat) => seat.who === "person" && !seat.is_ready);
  const waiting = vacant.length
    ? t("lobby.waiting-seats", { countries: listed(vacant.flatMap((seat) => seat.countries).map(countryName)) })
    : late.length > 0 && t("lobby.waiting-ready", { names: listed(late.map((seat) => seat.name)) });
  /** @param {import("../api").SeatView} seat
   * @param {number} n its number at the table */
  const place = (seat, n) => html`
            <li key=${n} class=${cls("seat-row", seat.countries[0], seat.is_yours && "yours", vacant.includes(seat) && "vacant", isMeant(n) && "meant")}>
              <span class="faces">${seat.countries.map((c) => html`<${Roundel} key=${c} country=${c} size=${42} />`)}</span>
              <span class="who">
                <b>${seat.who === "person" ? seat.name || t("seat.gone") : seat.who === "bot" ? botName(seat.bot) : t(`lobby.seat-${isMeant(n) ? "meant" : seat.who}`)}</b>
                ${
                  seat.who === "person" &&
                  html` <span class=${cls("tag", seat.is_ready && "now")}>
                  ${seat.is_ready ? t("lobby.is-ready") : t("lobby.not-ready")}</span>`
                }
                ${seat.who === "person" && !seat.is_yours && seat.name && html` <${ReportButton} of=${{ what: "person", seat: n, name: seat.name }} />`}
                <span class="dim names">${listed(seat.countries.map(countryName))}</span>
              </span>
              <span class="row">
                ${(seat.who === "open" || isMeant(n)) && html`<${Sit} seat=${seat} onSit=${(/** @type {boolean} */ moves) => sit(n, moves)()} />`}
                ${seat.is_yours && html`<button onClick=${() => send(`/seats/${n}/leave`)}>${t("lobby.leave")}</button>`}
                ${
                  seat.invitation &&
                  html`<button onClick=${() => copy(`${link}?seat=${n}&code=${seat.invitation}`)}>
                  ${t("lobby.copy-invitation")}</button>`
                }
                ${
                  now.is_host &&
                  !seat.is_yours &&
                  html`
                  <select aria-label=${t("setup.who")} value="" onChange=${(/** @type {Event} */ e) => {
                    const [who, bot] = field(e).value.split(":");
                    if (who) give(n, who, bot);
                  }}>
                    <option value="">${t("lobby.change")}</option>
                    <option value="open">${t("who.open")}</option>
                    <option value="invite">${t("who.invite")}</option>
                    <option value="me">${t("who.me")}</option>
                    ${bots.value.map(
                      (b) => html`
                      <option value=${`bot:${b.name}`}>${t("lobby.bot", { bot: botName(b.name) })}</option>`,
                    )}
                  </select>`
                }
              </span>
            </li>`;
  return html`
    <div class="narrow lobby">
      <h1>${now.settings.title || t("lobby.title")}</h1>
      <p class="dim">${rulesText(now.settings)} · ${clockText(now.settings.clock)} · ${now.settings.is_public ? t("lobby.public") : t("lobby.private")}</p>
      ${
        isAsked &&
        html`<form class="panel as-whom" onSubmit=${(/** @type {Event} */ e) => {
          e.preventDefault();
          void byName()();
        }}><label>${t("me.name")}<input value=${name.value} maxlength="24" autocomplete="nickname"
          onInput=${(/** @type {Event} */ e) => (name.value = field(e).value)} /></label>
          ${mine.value.length > 0 && html`<button>${t("save")}</button>`}<p class="dim">${t("me.name-hint")}</p></form>`
      }
      <div class="sides">${TEAMS.map(
        (team) => html`
        <section key=${team} class=${cls("dossier", team)} aria-label=${t(`team.${team}`)}>
          <h2>${t(`team.${team}`)}</h2>
          <ul class="seats">${now.seats.map((seat, n) => teamOf(seat.countries[0]) === team && place(seat, n))}</ul>
        </section>`,
      )}</div>
      <div class="lobby-papers">
        <div>
          <${Links} link=${link} />
          ${now.brought && html`<${Brought} brought=${now.brought} />`}
          <${Sealed} deal=${now.deal} />
        </div>
        <section class="panel"><h2>${t("chat.title")}</h2><${Chat} /></section>
      </div>
      <div class="setup-foot">
        ${
          mine.value.length > 0 &&
          !now.is_host &&
          html`
          <button class="big main" onClick=${byName(() => send("/ready", { is_ready: !isReady, agrees: mustAgree && !isReady }))}>
            ${isReady ? t("lobby.unready") : mustAgree ? t("lobby.ready-agree") : t("lobby.ready")}</button>`
        }
        ${
          now.is_host &&
          html`
          <button class="big main" disabled=${Boolean(waiting)} onClick=${byName(() => send("/start"))}>
            ${t("lobby.start")}</button>
          ${waiting && html`<p class="waits">${waiting}</p>`}`
        }
        ${!now.is_host && html`<p class="waits">${t("lobby.host-starts", { name: now.host })}</p>`}
      </div>
    </div>`;
}

/** The ways into a free seat: who sits elsewhere moves there, or plays it as well if it is of their own team.
 * @param {{ seat: import("../api").SeatView, onSit: (moves: boolean) => void }} props */
function Sit({ seat, onSit }) {
  if (!mine.value.length) return html`<button class="main" onClick=${() => onSit(false)}>${t("lobby.sit")}</button>`;
  const isOwnTeam = mine.value.every((one) => teamOf(one.countries[0]) === teamOf(seat.countries[0]));
  // Where several people share a screen, none of their seats is given up for another.
  return html`${!isShared.value && html`<button onClick=${() => onSit(true)}>${t("lobby.move")}</button>`}
    ${(isOwnTeam || isShared.value) && html`<button onClick=${() => onSit(false)}>${t("lobby.also")}</button>`}`;
}

const HERE = ["localhost", "127.0.0.1", "[::1]"]; // names that every computer has for itself

/** The one link that seats people, where a seat is open; else, for onlookers. Invited seats have their own.
 * @param {{ link: string }} props */
function Links({ link }) {
  const now = /** @type {import("../api").TableView} */ (table.value);
  const isOpen = now.seats.some((seat) => seat.who === "open");
  if (!isOpen && !now.can_watch) return null;
  const isInvited = now.seats.some((seat) => seat.who === "invited");
  const about = isOpen ? t(now.settings.is_public ? "lobby.link-public" : "lobby.link-open") : t("lobby.link-watch");
  return html`
    <section class="panel">
      <h2>${t("lobby.friends")}</h2>
      <p class="dim">${about} ${isInvited && t("lobby.link-invited")}</p>
      <div class="row invite"><input readonly value=${link} aria-label=${about} onFocus=${(/** @type {Event} */ e) => field(e).select()} />
        <button class=${cls(isOpen && now.is_host && "main")} onClick=${() => copy(link)}>${t("lobby.copy")}</button></div>
      ${HERE.includes(location.hostname) && html`<p class="dim only-here">${t("lobby.link-here")} <code>make play ARGS="--host 0.0.0.0"</code></p>`}
    </section>`;
}

/** What is known of a game that goes on from a record. @param {{ brought: import("../api").BroughtView }} props */
function Brought({ brought }) {
  return html`
    <section class="panel brought" aria-label=${t("brought.title")}>
      <h2>${t("brought.title")}</h2>
      <p>${t("brought.by", { name: brought.by, n: brought.actions })} ${t(`brought.${brought.deal}`)}</p>
      ${brought.view && html`<p>${t("label", { text: t("bar.round", { n: brought.view.round }) })} ${t("team.axis")} <b>${brought.view.score.axis}</b>, ${t("team.allies")} <b>${brought.view.score.allies}</b></p>`}
      ${brought.needs_agreement && html`<p class="agree">${t("brought.agreement")} ${brought.agreed.length ? t("brought.agreed", { names: listed(brought.agreed) }) : t("brought.nobody")}</p>`}
    </section>`;
}

/** That the cards are sealed; with what, on request. @param {{ deal: import("../api").DealView }} props */
function Sealed({ deal }) {
  if (!deal.commitment) return null;
  return html`
    <details class="panel sealed">
      <summary>${t("deal.sealed")} <span class="dim">${deal.missing.length ? t("deal.missing", { names: listed(deal.missing) }) : t("deal.all-added")}</span></summary>
      <p>${t("deal.about")}</p>
      <dl><dt>${t("deal.commitment")}</dt><dd><code>${deal.commitment}</code></dd>
        ${deal.contributions.map((one) => html`<dt key=${one.seat}>${one.is_yours ? t("deal.added-you") : t("deal.added-by", { name: one.name })}</dt><dd><code>${one.added}</code></dd>`)}</dl>
    </details>`;
}
