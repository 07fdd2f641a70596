// The first screen: play now, or find a table.
import { html, useEffect, useSignal, cls, CODES, COUNTRIES } from "./lib.js";
import { countryName, t } from "./words.js";
import { attempt, beSomeone, get, me, post } from "./api.js";
import { go } from "./main.js";
import { isLesson } from "./lessons.js";

const TEAMS = { axis: COUNTRIES.filter((_, i) => i % 2 === 0), allies: COUNTRIES.filter((_, i) => i % 2) };

/** Seats with one person's countries together and a bot for each other. */
export function seatsAgainstBots(own, bot) {
  const others = COUNTRIES.filter((country) => !own.includes(country));
  return [{ countries: own, who: "me" }, ...others.map((c) => ({ countries: [c], who: "bot", bot }))];
}

/** Lessons that are over are no games to come back to. */
const isWorthShowing = (game) => !(isLesson(game.id) && game.status === "over");

async function playNow(own, bot) {
  await attempt(async () => {
    await beSomeone();
    const table = await post("/api/games", { seats: seatsAgainstBots(own, bot), start: true });
    go(`/games/${table.id}`);
  });
}

/** A record from a file: replayed if it is whole, else played on by its reader. */
async function bring(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  await attempt(async () => {
    await beSomeone();
    const wish = { record: await file.text(), seats: seatsAgainstBots(TEAMS.axis, "veteran"), start: true };
    go(`/games/${(await post("/api/games", wish)).id}`);
  });
}

export function Home() {
  const bot = useSignal("veteran");
  const lists = useSignal({ mine: null, open: null, watch: null });
  useEffect(() => {
    for (const show of ["mine", "open", "watch"]) {
      attempt(() => get(`/api/games?show=${show}`)).then(
        (found) => (lists.value = { ...lists.value, [show]: (found ?? []).filter(isWorthShowing) }),
      );
    }
  }, [me.value?.id]);
  const begin = (own) => (event) => {
    event.preventDefault();
    playNow(own, bot.value);
  };
  return html`
    <div class="home">
      <section class="hero panel">
        <h1>${t("home.title")}</h1>
        <p class="lead">${t("home.lead")}</p>
        <h2>${t("home.play-now")}</h2>
        <div class="sides">
          ${Object.entries(TEAMS).map(([team, countries]) => html`
            <div class=${cls("side", team)}>
              <button class="big primary" onClick=${begin(countries)}>
                ${t("home.play-as", { who: t(`team.${team}`) })}
              </button>
              <div class="countries">
                ${countries.map((country) => html`
                  <button class=${cls("country", country)} onClick=${begin([country])}>
                    <span class="code" aria-hidden="true">${CODES[country]}</span> ${countryName(country)}
                  </button>`)}
              </div>
            </div>`)}
        </div>
        <p class="row">
          <label>${t("home.against")}
            <select value=${bot.value} onChange=${(e) => (bot.value = e.target.value)}>
              ${["rookie", "veteran", "general"].map((level) => html`
                <option value=${level}>${t(`bot.${level}`)}</option>`)}
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
                  : seat.who === "bot" ? t(`bot.${seat.name}`) : t(`seat.${seat.who}`)}`).join(" · ")}</span>
            </a>
          </li>`)}
      </ul>
    </section>`;
}
