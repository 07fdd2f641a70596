// Games in lists: how each stands, and the way to its table.
import { cls, html } from "../base/html.js";
import { t } from "../base/words.js";
import { CODES, teamOf } from "../base/countries.js";
import { isLesson, lessonAt, titleOf } from "../state/lessons.js";
import { botName } from "../state/table.js";

/** @typedef {import("../api").GameItem} GameItem */

/** Lessons that are over are no games to come back to.
 * @param {GameItem} game */
export const isWorthShowing = (game) => !(isLesson(game.id) && game.status === "over");

/** "Round 7, Axis 51, Allies 60".
 * @param {GameItem} game */
function standing({ result }) {
  if (!result?.round) return null;
  return html`<span class="standing">${t("bar.round", { n: result.round })} <b class="axis">${result.score.axis}</b><i>:</i><b class="allies">${result.score.allies}</b></span>`;
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

/** @param {{ game: GameItem, act: string }} props */
export function GameTile({ game, act }) {
  const { table, your_turn: isYours } = game;
  return html`
    <li class=${cls("tile", isYours && "yours")}>
      <a href=${`/games/${game.id}`}>
        <span class="tile-text">
          <strong>${nameOf(game)}${table.settings.options["air-marshal"] ? html` <span class="tag">${t("air-marshal")}</span>` : null}</strong>
          <span class="tile-state">${standing(game)} ${isYours ? html`<span class="tag now">${t("home.your-turn")}</span>` : html`<span class="tag">${stateOf(game)}</span>`}</span>
          <span class="who">${table.seats.map((seat, i) => html`<span key=${i}>${seat.countries.map((c) => html`<span key=${c} class=${cls("pip", c, teamOf(c))}>${CODES[c]}</span>`)} ${seat.who === "person" ? seat.name || t("seat.gone") : seat.who === "bot" ? botName(seat.name) : t(`seat.${seat.who}`)}</span>`)}</span>
        </span>
        <span class="tile-act">${act}</span>
      </a>
    </li>`;
}

/** @param {{ games: GameItem[], act: (game: GameItem) => string }} props */
export const GameTiles = ({ games, act }) =>
  html`<ul class="games">${games.map((game) => html`<${GameTile} key=${game.id} game=${game} act=${act(game)} />`)}</ul>`;
