// A table: before the game, in it, after it. Holds what all its parts look at.
import { html, useEffect, useSignal, signal, computed, teamOf } from "./lib.js";
import { countryName, t } from "./words.js";
import { attempt, follow, get, me, post, put, say } from "./api.js";
import { Lobby } from "./lobby.js";
import { Game } from "./game.js";
import { readStep } from "./replay.js";
import { picked, shownSupply } from "./map.js";

export const table = signal(null); // the TableView
export const log = signal([]); // all entries
export const talk = signal([]);
export const catalogue = signal({ cards: {}, board: null, map: null });
export const supply = signal({});
export const heardAt = signal(0); // when the table last came, for the clocks

export const mine = computed(() => (table.value?.seats ?? []).filter((seat) => seat.is_yours));
export const uncovered = signal(""); // whose cards may be seen, of several people at one screen
export const isShared = computed(() => new Set(mine.value.map((seat) => seat.name)).size > 1
  || new Set(mine.value.map((seat) => teamOf(seat.countries[0]))).size > 1);
/** Cards are covered until the right person is there. */
export const isCovered = computed(() => isShared.value && table.value.status === "playing"
  && table.value.view?.seat.length > 0 && uncovered.value !== table.value.view.seat.join(" "));
/** Whether something waits for this person, now or ahead of time. */
const isWanted = computed(() => table.value?.your_turn || table.value?.first_cards.some((one) => !one.discards.length));
export const game = () => `/api/games/${table.value.id}`;

/** Take in a table, from the stream or from an answer; an older one is not taken. */
export function take(next) {
  const now = table.value;
  if (now && now.id === next.id) {
    const [a, b] = now.version.split(".").map(Number);
    const [c, d] = next.version.split(".").map(Number);
    if (c < a || (c === a && d < b)) return;
  }
  const seat = next.view?.seat.join(" ");
  if (seat !== now?.view?.seat.join(" ")) uncovered.value = "";
  log.value = [...log.value.slice(0, next.log.start), ...next.log.entries];
  heardAt.value = performance.now();
  table.value = next;
}

/** Send something about this table; the answer is the new table. */
export async function send(path, body, method = post) {
  const reply = await attempt(() => method(`${game()}${path}`, body));
  if (reply?.id === table.value.id) take(reply);
  return reply;
}

export const order = (body) => send("/orders", body, put);

async function loadCatalogue(settings) {
  const query = settings.options["air-marshal"] ? "?air-marshal=true" : "";
  const [cards, board, map] = await Promise.all([
    get(`/api/rules/${settings.rules}/cards${query}`),
    get(`/api/rules/${settings.rules}/board`),
    fetch("/static/map.json").then((reply) => reply.json()),
  ]);
  const byCountry = {};
  for (const card of cards) (byCountry[card.country] ??= {})[card.id] = card;
  catalogue.value = {
    cards: byCountry, map,
    board: Object.fromEntries(board.spaces.map((space) => [space.id, space])),
    straits: board.straits, edition: settings.rules === "second" ? "second" : "first",
  };
}

export const spaceName = (id) => catalogue.value.board?.[id]?.name ?? id;
export const cardOf = (country, id) => catalogue.value.cards[country]?.[id];

/** A card by its id alone: ids repeat only for the basic cards. */
export function anyCard(id, country) {
  const own = country && cardOf(country, id);
  if (own) return own;
  for (const deck of Object.values(catalogue.value.cards)) if (deck[id]) return deck[id];
  return undefined;
}

export function Table({ id }) {
  const failed = useSignal(null);
  useEffect(() => {
    table.value = null;
    log.value = [];
    talk.value = [];
    supply.value = {};
    shownSupply.value = picked.value = null;
    readStep();
    let gone = false;
    get(`/api/games/${id}`)
      .then(async (first) => {
        await loadCatalogue(first.settings);
        if (gone) return;
        take(first);
      })
      .catch((error) => (failed.value = error.message));
    return () => (gone = true);
  }, [id]);
  // Who sits down becomes someone: the stream must know who listens.
  const isHere = table.value?.id === id;
  useEffect(() => (isHere ? follow(id, null, onTable, onChat) : undefined), [id, isHere, me.value?.id]);
  // Who waits elsewhere wants to know when it is their turn.
  useEffect(() => {
    if (!table.value) return;
    const turn = isWanted.value;
    document.title = `${turn ? "● " : ""}${table.value.settings.title || "Quartermaster"}`;
    if (turn && document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification(t("game.your-turn"), { tag: id, icon: "/static/icon-192.png" });
    }
  }, [isWanted.value, table.value?.number]);
  useEffect(() => {
    if (!table.value?.view) return;
    let late = false;
    get(`/api/games/${id}/supply`).then((found) => late || (supply.value = found)).catch(() => {});
    return () => (late = true);
  }, [table.value?.number]);
  if (failed.value) {
    return html`<div class="narrow panel"><h1>${t("table.missing")}</h1><p>${failed.value}</p>
      <p><a class="button" href="/">${t("nav.play")}</a></p></div>`;
  }
  if (table.value === null || table.value.id !== id) return html`<p class="loading">${t("loading")}</p>`;
  return table.value.status === "lobby" ? html`<${Lobby} />` : html`<${Game} />`;
}

function onTable(next) {
  const before = table.value;
  take(next);
  const away = next.seats.find((seat) => seat.is_yours && seat.is_away);
  if (away && !before?.seats.some((seat) => seat.is_yours && seat.is_away)) {
    say(t("game.away", { country: away.countries.map(countryName).join(", ") }), "warn");
  }
}

function onChat(message) {
  if (!talk.value.some((one) => one.id === message.id)) talk.value = [...talk.value, message];
}
