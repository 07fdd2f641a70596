// The first screen: choose a side or countries by their face and play; go on with a game.
import { cls, field, html, signal, useEffect, useRef, useSignal } from "../base/html.js";
import { countryName, listed, noun, t } from "../base/words.js";
import { ApiError, get, post } from "../base/api.js";
import { TEAMS, countriesOf, seatsAgainstBots } from "../base/countries.js";
import { attempt, me, say } from "../state/session.js";
import { bots, loadBots } from "../state/table.js";
import { lessons, loadLessons, progress } from "../state/lessons.js";
import { level, makeTable } from "../state/making.js";
import { set } from "../state/settings.js";
import { go } from "../router.js";
import { Backdrop } from "../parts/backdrop.js";
import { Roundel } from "../parts/card.js";
import { Dialog } from "../parts/dialog.js";
import { GameTiles, isWorthShowing, rulesText } from "../parts/games.js";
import { startLesson } from "../parts/guide.js";
import { Icon } from "../parts/icons.js";

/** @typedef {import("../api").GameItem} GameItem */

const SHOWN = 3; // games to go on with; the others are a click away

/** Whether one is on the way to a table: all stays as it was until that is there, though the server tells of a new game and maybe a new guest. */
const isLeaving = signal(false);

/** Do what leads to a table, once. @param {() => Promise<unknown>} work whether it did */
async function leave(work) {
  if (isLeaving.value) return;
  isLeaving.value = true;
  try {
    if (!(await work())) isLeaving.value = false;
  } catch (error) {
    isLeaving.value = false;
    throw error;
  }
}

/** Make a table and go there.
 * @param {Record<string, any>} wish
 * @param {string} [asked] what of it is to be seen */
async function goTo(wish, asked = "") {
  const id = await makeTable(wish, true);
  if (id) go(`/games/${id}${asked}`);
  return id;
}

/** @param {string[]} own */
const play = (own) =>
  leave(async () => {
    await loadBots();
    return goTo({ seats: seatsAgainstBots(own, level()), pause: 0 });
  });

/** A record from a file, and what the server reads in it.
 * @type {import("../../vendor/signals.js").Signal<{ text: string, told: import("../api").RecordView } | null>} */
const brought = signal(/** @type {any} */ (null));

/** Look at a record from a file; nothing begins by it.
 * @param {Event} event */
async function bring(event) {
  const [file] = field(event).files ?? [];
  const text = file && (await file.text());
  field(event).value = "";
  if (!file) return;
  try {
    brought.value = { text, told: await post("/api/records", { record: text }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isWrong = error.status === 400 || error.status === 422;
    say(isWrong ? t("home.record-wrong", { file: file.name }) : error.message, "error");
  }
}

/** What a record is of, and what can be done with it: a game that is over is watched, another one played on. */
function Brought() {
  const now = brought.value;
  if (!now) return null;
  const { rules, options, round, score, winner, is_over: isOver } = now.told;
  // The dialog of an earlier record may tell of its end when this one is there.
  const close = () => {
    if (brought.value === now) brought.value = null;
  };
  const begin = (/** @type {any[]} */ seats, asked = "") =>
    leave(async () => {
      const id = await goTo({ record: now.text, seats }, asked);
      close();
      return id;
    });
  return html`
    <${Dialog} title=${t("home.record-title")} closes=${t("cancel")} onClose=${close}>
      <p><b>${rulesText({ rules, options })}</b> · ${t("bar.round", { n: round })} · ${t("team.axis")} <b>${score.axis}</b>, ${t("team.allies")} <b>${score.allies}</b>${winner && html` · <b>${t(`result.won.${winner}`)}</b>`}</p>
      <p>${isOver ? t("home.record-over") : t("home.record-goes-on", { level: bots.value.find(({ name }) => name === level())?.title ?? "" })}</p>
      <p class="row">${isOver ? html`<button class="main" onClick=${() => begin(seatsAgainstBots([], level()), "?step=0")}>${t("home.record-watch")}</button>` : TEAMS.map((team) => html`<button key=${team} class="main" onClick=${() => begin(seatsAgainstBots(countriesOf(team), level()))}>${t("home.record-play", { who: noun(`team.${team}`) })}</button>`)}</p>
    <//>`;
}

/** Games of one's own and tables that wait for someone; what was there last is shown until the server answers. */
const lists = signal(/** @type {{ mine: GameItem[], open: GameItem[] } | null} */ (null));

export function Home() {
  useEffect(() => {
    void loadBots();
    void loadLessons();
    const list = (/** @type {string} */ show) =>
      attempt(() => get(`/api/games?show=${show}`)).then((found) => found ?? []);
    Promise.all([list("mine"), list("open")]).then(([mine, open]) => (lists.value = { mine, open }));
  }, [me.value?.id]);
  useEffect(() => {
    const stay = () => void (isLeaving.value = false);
    stay();
    return stay;
  }, []);
  const seen = useRef(/** @type {Offer | null} */ (null));
  if (!isLeaving.value || !seen.current) seen.current = offer();
  const { mine, going, open, isNew, isUnsure } = seen.current;
  return html`
    <div class="home">
      <${Backdrop} />
      <section class=${cls("front", going.length > 0 && "returning", isUnsure && "unsure")} aria-busy=${isLeaving.value}>
        <h1>${t("home.title")}</h1>
        <p class="lead">${t("home.lead")}</p>
        ${isNew && html`<${FirstLesson} />`}
        ${
          going.length > 0 &&
          html`
          <section class="go-on" aria-label=${t("home.go-on")}>
            <h2>${t("home.go-on")}</h2>
            <${GameTiles} games=${going.slice(0, SHOWN)} act=${() => t("home.go-on-act")} />
            ${mine.length > SHOWN && html`<p><a href="/games">${t("home.all-mine", { n: mine.length })}</a></p>`}
          </section>`
        }
        <div class="sides">${TEAMS.map((team) => html`<${Side} key=${team} team=${team} isNew=${isNew} />`)}</div>
        <div class="below"><${Levels} />
        <p class="row ways">
          <a class="button" href="/new">${t("home.more")}</a>
          <a class="button" href="/games">${t("home.tables")}${open.length > 0 && html` <span class="tag now">${open.length}</span>`}</a>
          ${!isNew && html`<a class="button" href="/learn">${t("home.learn")}</a>`}
          <label class="button">${t("home.record")}<input class="hidden" type="file" accept=".txt,text/plain" onChange=${bring} /></label>
        </p></div>
      </section>
      <${Brought} />
      <footer class="notice-text">${t("home.notice")}</footer>
    </div>`;
}

/** What the start screen offers whom. @typedef {ReturnType<typeof offer>} Offer */
function offer() {
  const mine = (lists.value?.mine ?? []).filter(isWorthShowing);
  const going = mine.filter((game) => game.status !== "over").sort((a, b) => Number(b.your_turn) - Number(a.your_turn));
  const open = (lists.value?.open ?? []).filter((game) => !mine.some((own) => own.id === game.id));
  // Who has an account or a game has played before; who has not may want to be shown.
  const isNew = !progress.value.done.length && (me.value === null || (lists.value !== null && mine.length === 0));
  const isUnsure = me.value !== null && lists.value === null; // the server has yet to say whether there are games to go on with
  return { mine, going, open, isNew, isUnsure };
}

/** A side with its countries: all of them, or those that are ticked. For who is new the first lesson is what matters, until they choose.
 * @param {{ team: "axis" | "allies", isNew: boolean }} props */
function Side({ team, isNew }) {
  const chosen = useSignal(/** @type {string[]} */ ([]));
  const all = countriesOf(team);
  const own = chosen.value.length ? all.filter((c) => chosen.value.includes(c)) : all;
  const toggle = (/** @type {string} */ country) => () => {
    chosen.value = chosen.value.includes(country)
      ? chosen.value.filter((c) => c !== country)
      : [...chosen.value, country];
  };
  const label =
    own.length === all.length
      ? t("home.play-as", { who: noun(`team.${team}`) })
      : t("home.play-countries", { who: listed(own.map(countryName)) });
  return html`
    <div class=${cls("dossier", team)}>
      <h2>${t(`team.${team}`)}</h2>
      <p>${t(`home.about-${team}`)}</p>
      <div class="trio" role="group" aria-label=${t("home.countries", { team: noun(`team.${team}`) })}>
        ${all.map(
          (country) => html`
          <button key=${country} class=${cls("pick", country)} aria-pressed=${chosen.value.includes(country)} onClick=${toggle(country)}>
            <${Roundel} country=${country} size=${56} /><b>${countryName(country)}</b><span class="trait">${t(`home.trait-${country}`)}</span></button>`,
        )}
      </div>
      <button class=${cls("play", (!isNew || chosen.value.length > 0) && "main")} onClick=${() => play(own)}>${label}</button>
    </div>`;
}

/** Whom to play against: what the server has, with its own words. */
function Levels() {
  const now = level();
  return html`
    <fieldset class="levels">
      <legend>${t("home.against")}</legend>
      ${bots.value.map(
        ({ name, title, about }) => html`
        <label key=${name} class=${cls("level", name === now && "on")} title=${about}><input type="radio" name="level" class="hidden" value=${name} checked=${name === now}
          aria-describedby="level-about" onChange=${() => set({ level: name })} />${title}</label>`,
      )}
      <p id="level-about">${bots.value.find(({ name }) => name === now)?.about}</p>
    </fieldset>`;
}

function FirstLesson() {
  const begin = () =>
    leave(async () => {
      await loadLessons();
      const [first] = lessons.value ?? [];
      return first && startLesson(first);
    });
  return html`
    <div class="first-time">
      <${Icon} name="hint" /><span><b>${t("home.first-time")}</b> ${t("home.first-time-about")}</span>
      <button class="main" onClick=${begin}>${t("home.first-lesson")}</button>
    </div>`;
}
