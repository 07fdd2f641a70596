// The first screen: play now, or find a table.
import { cls, field, html, useEffect, useSignal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { get, post } from "../base/api.js";
import { CODES, TEAMS, countriesOf, seatsAgainstBots } from "../base/countries.js";
import { attempt, beSomeone, me } from "../state/session.js";
import { botName, bots, loadBots } from "../state/table.js";
import { isLesson } from "../state/lessons.js";
import { go } from "../router.js";
import { Roundel } from "../parts/card.js";

/** @typedef {import("../api").GameItem} GameItem */

/** Lessons that are over are no games to come back to.
 * @param {GameItem} game */
const isWorthShowing = (game) => !(isLesson(game.id) && game.status === "over");

/** @param {string[]} own
 * @param {string} bot */
async function playNow(own, bot) {
  await attempt(async () => {
    await beSomeone();
    const table = await post("/api/games", { seats: seatsAgainstBots(own, bot), pause: 0, start: true });
    go(`/games/${table.id}`);
  });
}

/** A record from a file: replayed if it is whole, else played on by its reader.
 * @param {Event} event */
async function bring(event) {
  const [file] = field(event).files ?? [];
  const text = file && (await file.text());
  field(event).value = "";
  if (!file) return;
  await attempt(async () => {
    await beSomeone();
    const wish = { record: text, seats: seatsAgainstBots(countriesOf("axis"), "veteran"), start: true };
    go(`/games/${(await post("/api/games", wish)).id}`);
  });
}

export function Home() {
  const bot = useSignal("veteran");
  const lists = useSignal(/** @type {Record<string, GameItem[] | null>} */ ({ mine: null, open: null, watch: null }));
  const isBusy = useSignal(false);
  useEffect(() => {
    for (const show of ["mine", "open", "watch"]) {
      attempt(() => get(`/api/games?show=${show}`)).then(
        (found) => (lists.value = { ...lists.value, [show]: (found ?? []).filter(isWorthShowing) }),
      );
    }
  }, [me.value?.id]);
  useEffect(() => void loadBots(), []);
  const begin = (/** @type {string[]} */ own) => async () => {
    if (isBusy.value) return; // a second click would make a second table
    isBusy.value = true;
    await playNow(own, bot.value);
    isBusy.value = false;
  };
  return html`
    <div class="home">
      <section class="front">
        <h1>${t("home.title")}</h1>
        <p class="lead">${t("home.lead")}</p>
        <div class="sides">
          ${TEAMS.map((team) => html`
            <div class=${cls("dossier", team)} key=${team}>
              <h2>${t(`team.${team}`)}</h2>
              <p>${t(`home.about-${team}`)}</p>
              <div class="trio">
                ${countriesOf(team).map((country) => html`
                  <button key=${country} class=${cls("pick", country)} disabled=${isBusy.value} onClick=${begin([country])}><${Roundel} country=${country} size=${52} />${countryName(country)}</button>`)}
              </div>
              <button class="main" disabled=${isBusy.value} onClick=${begin(countriesOf(team))}>${t("home.play-as", { who: t(`team.${team}`) })}</button>
            </div>`)}
        </div>
        <p class="row">
          <label>${t("home.against")}
            <select value=${bot.value} onChange=${(/** @type {Event} */ e) => (bot.value = field(e).value)}>
              ${bots.value.map(({ name }) => html`<option value=${name}>${botName(name)}</option>`)}
            </select>
          </label>
          <a class="button" href="/new">${t("home.more")}</a>
          <a class="button" href="/learn">${t("home.learn")}</a>
          <label class="button">${t("home.record")}<input class="hidden" type="file" accept=".txt,text/plain" onChange=${bring} /></label>
        </p>
      </section>
      <${Games} title=${t("home.mine")} games=${lists.value.mine} empty=${t("home.mine-empty")} />
      <${Games} title=${t("home.open")} games=${lists.value.open} empty=${t("home.open-empty")} />
      <${Games} title=${t("home.watch")} games=${lists.value.watch} empty=${t("home.watch-empty")} />
      <footer class="notice-text">${t("home.notice")}</footer>
    </div>`;
}

/** @param {{ title: string, games: GameItem[] | null, empty: string }} props */
function Games({ title, games, empty }) {
  return html`
    <section class="panel">
      <h2>${title}</h2>
      ${games === null && html`<p class="dim">${t("loading")}</p>`}
      ${games?.length === 0 && html`<p class="dim">${empty}</p>`}
      <ul class="games">
        ${games?.map((game) => html`
          <li key=${game.id} class=${cls(game.your_turn && "yours")}>
            <a href=${`/games/${game.id}`}>
              <strong>${game.table.settings.title || t(`rules.${game.table.settings.rules}`)}</strong>
              ${game.table.settings.options["air-marshal"] && html` <span class="tag">Air Marshal</span>`}
              <span class="tag">${t(`status.${game.status}`)}</span>
              ${game.your_turn && html`<span class="tag now">${t("home.your-turn")}</span>`}
              ${game.winner && html`<span class="tag">${t("home.won-by", { who: t(`team.${game.winner}`) })}</span>`}
              <span class="who">${game.table.seats.map((seat) =>
                `${seat.countries.map((c) => CODES[c]).join("+")} ${seat.who === "person" ? seat.name
                  : seat.who === "bot" ? botName(seat.name) : t(`seat.${seat.who}`)}`).join(" · ")}</span>
            </a>
          </li>`)}
      </ul>
    </section>`;
}
