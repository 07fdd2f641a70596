// Games in lists: how each stands, and the way to its table.
import { cls, html } from "../base/html.js";
import { many, spoken, t } from "../base/words.js";
import { CODES, teamOf } from "../base/countries.js";
import { isLesson, isNewest, lessonAt, titleOf } from "../state/lessons.js";
import { me } from "../state/session.js";
import { botName } from "../state/table.js";
import { Roundel } from "./card.js";

/** @typedef {import("../api").GameItem} GameItem */

/** Lessons that are over, or were begun anew since, are no games to come back to.
 * @param {GameItem} game */
export const isWorthShowing = (game) => !isLesson(game.id) || (game.status !== "over" && isNewest(game.id));

/** "Round 7, Axis 51, Allies 60".
 * @param {GameItem} game */
function standing({ result }) {
  if (!result?.round) return null;
  return html`<span class="standing">${t("bar.round", { n: result.round })} <b class="axis">${result.score.axis}</b><i>:</i><b class="allies">${result.score.allies}</b></span>`;
}

const FAR = 30; // points ahead: the end of the rope, and of most games

/** How the points pull, as on the table; the numbers beside it say the same. @param {{ game: GameItem }} props */
function Rope({ game: { result } }) {
  if (!result?.round) return null;
  const lead = result.score.allies - result.score.axis;
  const pull = { transform: `scaleX(${Math.min(1, Math.abs(lead) / FAR).toFixed(2)})` };
  return html`<span class="small-rope" aria-hidden="true"><i class=${lead < 0 ? "axis" : "allies"} style=${pull}></i></span>`;
}

/** The countries of who looks, else none. @param {GameItem} game */
const ownIn = ({ table: { seats } }) =>
  seats.filter(({ who, name }) => who === "person" && name === me.value?.name).flatMap(({ countries }) => countries);

/** What is played: "First edition · Air Marshal".
 * @param {{ rules: string, options: Record<string, boolean> }} settings */
export const rulesText = ({ rules, options }) =>
  t(`rules.${rules}`) + (options["air-marshal"] ? ` · ${t("air-marshal")}` : "");

/** What time there is, and how much of it.
 * @param {import("../api").GameSettings["clock"]} clock */
export function clockText(clock) {
  const said = (/** @type {number} */ n) => n.toLocaleString(spoken());
  const { kind = "none", minutes = 0, increment = 0, days = 0 } = clock ?? {};
  if (kind === "async") return many("clock.async-of", days, { n: said(days) });
  return kind === "live" ? t("clock.live-of", { minutes: said(minutes), increment: said(increment) }) : t("clock.none");
}

/** @param {GameItem} game */
function nameOf({ id, table: { settings } }) {
  const lesson = lessonAt(id);
  if (lesson) return titleOf(lesson);
  return settings.title || t(`rules.${settings.rules}`);
}

/** @param {GameItem} game */
const stateOf = (game) =>
  game.winner ? t("home.won-by", { who: t(`team.${game.winner}`) }) : t(`status.${game.status}`);

/** Who plays which countries; bots of one kind are named once.
 * @param {GameItem} game */
function sitters({ table: { seats } }) {
  /** @type {{ name: string, isBot: boolean, countries: string[] }[]} */
  const found = [];
  for (const { who, name: known, countries } of seats) {
    const isBot = who === "bot";
    const name = who === "person" ? known || t("seat.gone") : isBot ? botName(known) : t(`seat.${who}`);
    const same = found.find((one) => one.isBot && isBot && one.name === name);
    if (same) same.countries.push(...countries);
    else found.push({ name, isBot, countries: [...countries] });
  }
  return found;
}

/** @param {{ game: GameItem, act: string }} props */
export function GameTile({ game, act }) {
  const { table, your_turn: isYours } = game;
  const hasName = Boolean(table.settings.title || lessonAt(game.id) || !game.result?.round);
  return html`
    <li class=${cls("tile", isYours && "yours")}>
      <a href=${`/games/${game.id}`}>
        <span class="faces" aria-hidden="true">${ownIn(game).map((c) => html`<${Roundel} key=${c} country=${c} size=${40} />`)}</span>
        <span class="tile-text">
          <strong>${hasName ? nameOf(game) : standing(game)}${table.settings.options["air-marshal"] ? html` <span class="tag">${t("air-marshal")}</span>` : null}</strong>
          <span class="tile-state">${hasName ? standing(game) : nameOf(game)} ${isYours ? html`<span class="tag now">${t("home.your-turn")}</span>` : html`<span class="tag">${stateOf(game)}</span>`}</span>
          ${game.status === "lobby" && html`<span class="tile-terms">${[table.settings.title && t(`rules.${table.settings.rules}`), clockText(table.settings.clock)].filter(Boolean).join(" · ")}</span>`}
          <${Rope} game=${game} />
          <span class="who">${sitters(game).map(({ name, countries }) => html`<span key=${countries[0]}>${countries.map((c) => html`<span key=${c} class=${cls("pip", c, teamOf(c))}>${CODES[c]}</span>`)} ${name}</span>`)}</span>
        </span>
        <span class="tile-act">${act}</span>
      </a>
    </li>`;
}

/** @param {{ games: GameItem[], act: (game: GameItem) => string }} props */
export const GameTiles = ({ games, act }) =>
  html`<ul class="games">${games.map((game) => html`<${GameTile} key=${game.id} game=${game} act=${act(game)} />`)}</ul>`;
