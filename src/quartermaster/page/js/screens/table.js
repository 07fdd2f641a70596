// A table: before the game, in it, after it.
import { html, useEffect, useSignal } from "../base/html.js";
import { spoken, t } from "../base/words.js";
import { fileAt, get } from "../base/api.js";
import { me } from "../state/session.js";
import {
  follow,
  isWanted,
  loadBots,
  loadCatalogue,
  loadSupply,
  log,
  shownSupply,
  supply,
  table,
  take,
  talk,
} from "../state/table.js";
import { skip } from "../state/beats.js";
import { picked } from "../state/choices.js";
import { Lobby } from "./lobby.js";
import { Game } from "./game.js";
import { fade } from "../router.js";
import { Backdrop, Loading } from "../parts/backdrop.js";
import { Invited } from "../parts/invited.js";
import { Lost } from "../parts/lost.js";
import { readStep } from "./replay.js";

const PAUSE = 100; // milliseconds

/** @param {{ id: string }} props */
export function Table({ id }) {
  const failed = useSignal(/** @type {string | null} */ (null));
  // Until the table has come that this screen has asked for, there may still be the one that was left: also the same one.
  const hasCome = useSignal(false);
  useEffect(() => {
    skip();
    table.value = null;
    log.value = [];
    talk.value = [];
    supply.value = {};
    shownSupply.value = picked.value = null;
    readStep();
    void loadBots();
    let gone = false;
    get(`/api/games/${id}`)
      .then(async (first) => {
        await loadCatalogue(first.settings);
        if (gone) return;
        fade(() => {
          if (gone) return;
          take(first);
          hasCome.value = true;
        });
      })
      .catch((error) => {
        if (!gone)
          failed.value =
            error.status === 404 || error.status === 400 || error.status === 422
              ? t("table.missing-about")
              : error.message;
      });
    return () => {
      gone = true;
      skip();
    };
  }, [id]);
  // Who sits down becomes someone: the stream must know who listens, and in which language.
  const isHere = hasCome.value && table.value?.id === id;
  useEffect(() => (isHere ? follow(id) : undefined), [id, isHere, me.value?.id, spoken()]);
  // Who waits elsewhere wants to know when it is their turn.
  useEffect(() => {
    if (!table.value) return;
    const turn = isWanted.value;
    document.title = `${turn ? "● " : ""}${table.value.settings.title || "Quartermaster"}`;
    if (turn && document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification(t("game.your-turn"), { tag: id, icon: fileAt("icon-192.png") });
    }
  }, [isWanted.value, table.value?.number]);
  // While bots move, one table follows the other: supply is asked for when they are done.
  useEffect(() => {
    if (!table.value?.view) return undefined;
    const timer = setTimeout(() => void loadSupply(), PAUSE);
    return () => clearTimeout(timer);
  }, [table.value?.number]);
  if (failed.value) return html`<${Lost} title=${t("table.missing")} text=${failed.value} />`;
  if (!isHere || !table.value) return html`<div class="home"><${Backdrop} /><${Loading} /></div>`;
  return table.value.status === "lobby" ? html`<${Backdrop} isFaint /><${Lobby} />` : html`<${Game} /><${Invited} />`;
}
