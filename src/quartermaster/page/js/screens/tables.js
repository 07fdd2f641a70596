// Tables: one's own games, those that wait for people, and those that can be watched.
import { html, useEffect, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { get } from "../base/api.js";
import { attempt, me } from "../state/session.js";
import { loadBots } from "../state/table.js";
import { loadLessons } from "../state/lessons.js";
import { GameTiles, isWorthShowing } from "../parts/games.js";

/** @typedef {import("../api").GameItem} GameItem */

const LISTS = /** @type {const} */ (["mine", "open", "watch"]);

export function Tables() {
  const lists = useSignal(/** @type {Record<string, GameItem[]>} */ ({}));
  useEffect(() => {
    void loadBots();
    void loadLessons();
    for (const show of LISTS) {
      attempt(() => get(`/api/games?show=${show}`)).then(
        (found) => (lists.value = { ...lists.value, [show]: (found ?? []).filter(isWorthShowing) }),
      );
    }
  }, [me.value?.id]);
  const act = (/** @type {GameItem} */ game) => t(game.status === "over" ? "home.look" : "home.go-on-act");
  const acts = { mine: act, open: () => t("lobby.sit"), watch: () => t("home.watch-act") };
  return html`
    <div class="narrow tables">
      <h1>${t("home.tables")}</h1>
      <p class="row"><a class="button main" href="/new">${t("setup.title")}</a></p>
      ${LISTS.map(
        (show) => html`
        <section key=${show} class="panel">
          <h2>${t(`home.${show}`)}</h2>
          ${!lists.value[show] ? html`<p class="dim">${t("loading")}</p>` : lists.value[show].length ? html`<${GameTiles} games=${lists.value[show]} act=${acts[show]} />` : html`<p class="dim">${show === "mine" ? html`${t("tables.mine-empty")} <a href="/">${t("tables.begin")}</a>` : t(`home.${show}-empty`)}</p>`}
        </section>`,
      )}
    </div>`;
}
