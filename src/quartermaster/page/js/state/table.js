// The table at hand: what the server last said of it, and what all parts look at.
import { batch, computed, kept, signal, whenIdle } from "../base/html.js";
import { countryName, listed, t } from "../base/words.js";
import { file, get, post, put } from "../base/api.js";
import { CODES, teamOf } from "../base/countries.js";
import { unfold } from "../base/map.js";
import { attempt, connection, say } from "./session.js";

/** @typedef {import("../api").TableView} TableView */
/** @typedef {import("../api").View} View */
/** @typedef {import("../api").Choice} Choice */
/** @typedef {import("../api").LogEntry} LogEntry */
/** @typedef {import("../api").ServedCard} Card */
/** @typedef {TableView & { view: View }} Begun a table whose game has begun */
/** @typedef {{ kind: string, path: string | Record<string, string>, slots: [number, number][], label: [number, number],
 *   shelf?: string }} Space */
/** @typedef {{ box: [number, number], spaces: Record<string, Space>, stars: Record<string, [number, number]>, coast: string,
 *   shore: string, scenery: string, graticule: string, peaks: [number, number, number][],
 *   straits: { land: string, joins: string[], at: [number, number], arrows: [number, number][][] }[],
 *   pointers: { from: string, to: string, side: string, at: [number, number] }[] }} Drawing the world, as it is drawn */
/** @typedef {Record<string, Record<string, import("../api").Supply>>} Supplies by country and space */
/** @template T @typedef {import("../../vendor/signals.js").Signal<T>} Signal */

/** @type {Signal<TableView | null>} */
export const table = signal(/** @type {any} */ (null));
/** @type {Signal<LogEntry[]>} */
export const log = signal(/** @type {any[]} */ ([])); // all entries
/** @type {Signal<import("../api").Said[]>} */
export const talk = signal(/** @type {any[]} */ ([]));
/** @type {Signal<Supplies>} */
export const supply = signal({});
export const heardAt = signal(0); // when the table last came, for the clocks

/** What never changes during a game: cards, board, map.
 * @type {Signal<{ cards: Record<string, Record<string, Card>>, board: Record<string, import("../api").SpaceData>,
 *   borders: string[][], map: Drawing, edition: string } | null>} */
export const catalogue = signal(/** @type {any} */ (null));

/** The table of a game that has begun. */
export const begun = () => /** @type {Begun} */ (table.value);
export const world = () => /** @type {NonNullable<typeof catalogue.value>} */ (catalogue.value);
export const game = () => `/api/games/${table.value?.id}`;

// Which of the screen's people is before it.
export const mine = computed(() => (table.value?.seats ?? []).filter((seat) => seat.is_yours));
/** Whether someone before this screen plays a country.
 * @param {string | null} country */
export const isMine = (country) => mine.value.some((seat) => !seat.bot && seat.countries.includes(country ?? ""));
export const uncovered = signal(""); // whose cards may be seen, of several people at one screen
export const isShared = computed(
  () =>
    new Set(mine.value.map((seat) => seat.name)).size > 1 ||
    new Set(mine.value.map((seat) => teamOf(seat.countries[0]))).size > 1,
);
/** The countries of the person who is before the screen. */
export const own = computed(
  () =>
    new Set(
      isShared.value
        ? (table.value?.view?.seat ?? [])
        : mine.value.filter((seat) => !seat.bot).flatMap((seat) => seat.countries),
    ),
);
/** Cards are covered until the right person is there. */
export const isCovered = computed(
  () =>
    isShared.value &&
    table.value?.status === "playing" &&
    (table.value.view?.seat.length ?? 0) > 0 &&
    uncovered.value !== table.value.view?.seat.join(" "),
);
/** Whether something waits for this person, now or ahead of time. */
export const isWanted = computed(() =>
  Boolean(table.value?.your_turn || table.value?.first_cards.some((one) => !one.discards.length)),
);

/** @type {((before: TableView | null, next: TableView, entries: LogEntry[]) => void)[]} */
const listeners = [];
/** Hear of every new table, with what the log has more than before.
 * @param {(typeof listeners)[number]} listener */
export function onTable(listener) {
  listeners.push(listener);
}

/** Whether a table is older than what is known of it.
 * @param {TableView} next
 * @param {TableView | null} now */
function isOld(next, now) {
  if (now?.id !== next.id) return false;
  const [a, b] = now.version.split(".").map(Number);
  const [c, d] = next.version.split(".").map(Number);
  return c < a || (c === a && d < b);
}

/** @type {TableView[]} */
let arrived = []; // tables that have come by the stream and are not taken in yet

/** Take in a table, from the stream or from an answer; an older one is not taken.
 * @param {TableView} next */
export function take(next) {
  arrived.push(next);
  takeArrived();
}

/** Take in all tables that have come, as one: only the last is drawn. */
function takeArrived() {
  const first = table.value;
  let last = first;
  let all = log.value;
  let known = all.length; // entries that are not new; what was taken back meanwhile never was
  for (const next of arrived) {
    if (isOld(next, last)) continue;
    if (next.view?.seat.join(" ") !== last?.view?.seat.join(" ")) uncovered.value = "";
    const hasGap = next.log.start > all.length;
    all = [...all.slice(0, next.log.start), ...next.log.entries];
    known = first?.id !== next.id || hasGap ? all.length : Math.min(known, all.length);
    last = next;
  }
  arrived = [];
  if (!last || last === first) return;
  const before = first?.id === last.id ? first : null;
  const next = kept(before, last);
  const entries = all.slice(known); // what the log has more than before
  batch(() => {
    log.value = all;
    heardAt.value = performance.now();
    table.value = next;
    for (const listener of listeners) listener(before, next, entries);
  });
}

/** Send something about this table; the answer is the new table.
 * @param {string} path
 * @param {unknown} [body]
 * @param {(path: string, body: any) => Promise<any>} [method]
 * @returns {Promise<TableView | undefined>} */
export async function send(path, body, method = post) {
  const reply = await attempt(() => method(`${game()}${path}`, body));
  if (reply?.id === table.value?.id) take(reply);
  return reply;
}

/** @param {unknown} body */
export const order = (body) => send("/orders", body, put);

/** @type {Map<string, any>} */
const fetched = new Map();
/** What never changes is asked for once.
 * @param {string} path
 * @param {(path: string) => Promise<any>} [how] */
async function once(path, how = get) {
  if (!fetched.has(path)) fetched.set(path, await how(path));
  return fetched.get(path);
}

export const loadMap = () => once("map.json", (path) => file(path).then(unfold));

/** @param {import("../api").GameSettings} settings */
export async function loadCatalogue(settings) {
  const query = settings.options["air-marshal"] ? "?air-marshal=true" : "";
  const [cards, board, map] = await Promise.all([
    once(`/api/rules/${settings.rules}/cards${query}`),
    once(`/api/rules/${settings.rules}/board`),
    loadMap(),
  ]);
  /** @type {Record<string, Record<string, Card>>} */
  const byCountry = {};
  for (const card of cards) (byCountry[card.country] ??= {})[card.id] = card;
  catalogue.value = {
    cards: byCountry,
    map,
    borders: board.borders,
    board: Object.fromEntries(board.spaces.map((/** @type {any} */ space) => [space.id, space])),
    edition: settings.rules === "second" ? "second" : "first",
  };
}

export const bots = signal(/** @type {import("../api").BotData[]} */ ([]));
export async function loadBots() {
  if (!bots.value.length) bots.value = (await attempt(() => get("/api/bots"))) ?? [];
}

/** What was read in another language comes anew; what one was doing stays. */
export async function readAnew() {
  for (const path of fetched.keys()) if (path.startsWith("/api/")) fetched.delete(path);
  if (bots.value.length) bots.value = (await attempt(() => get("/api/bots"))) ?? bots.value;
  const now = table.value;
  const next = now && (await attempt(() => get(`/api/games/${now.id}`)));
  if (!next || table.value?.id !== now.id) return;
  await loadCatalogue(next.settings);
  take(next);
  if (next.view) await loadSupply();
}

/** The title of a bot's level, as the server has it.
 * @param {string | null} bot */
export const botName = (bot) => t("bot.title", { title: bots.value.find(({ name }) => name === bot)?.title ?? bot });

/** @param {string} id */
export const spaceName = (id) => catalogue.value?.board[id]?.name ?? id;
/** A space in whatever form a sentence needs its name.
 * @param {string} id */
export const spaceNoun = (id) => ({ noun: `space.${id}`, toString: () => spaceName(id) });
/** Whether a space is land or sea.
 * @param {string | null | undefined} id */
export const kindAt = (id) => catalogue.value?.board[id ?? ""]?.kind;
/** @param {string} country
 * @param {string} id
 * @returns {Card | undefined} */
export const cardOf = (country, id) => catalogue.value?.cards[country]?.[id];

/** A card by its id alone: ids repeat only for the basic cards.
 * @param {string} id
 * @param {string | null} [country]
 * @returns {Card | undefined} */
export function anyCard(id, country) {
  const own = country && cardOf(country, id);
  if (own) return own;
  for (const deck of Object.values(catalogue.value?.cards ?? {})) if (deck[id]) return deck[id];
  return undefined;
}

/** @param {string} id */
export const cardName = (id, country = "") => anyCard(id, country)?.name ?? ruleName(id);
/** What the rules let everyone do has a name of ours.
 * @param {string} id */
const ruleName = (id) => (t(`rule.${id}`) === `rule.${id}` ? id : t(`rule.${id}`));

/** Who sits for a country, in words.
 * @param {import("../api").SeatView} seat */
export const sitter = (seat) =>
  seat.bot ? (seat.is_away ? t("seat.away", { name: seat.name }) : botName(seat.bot)) : seat.name;

export async function loadSupply() {
  const id = table.value?.id;
  const found = await get(`${game()}/supply`).catch(() => null);
  if (found && table.value?.id === id) supply.value = kept(supply.value, found);
}

const SILENCE = 40000; // milliseconds

/** Follow a table's stream; the answer ends it.
 * @param {string} id */
export function follow(id) {
  /** @type {EventSource} */
  let source;
  let closed = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let retry;
  let heard = performance.now();
  const open = () => {
    source?.close();
    heard = performance.now();
    source = new EventSource(`/api/games/${id}/stream`);
    source.addEventListener("open", () => (connection.value = "online"));
    for (const kind of ["table", "chat", "beat"]) source.addEventListener(kind, () => (heard = performance.now()));
    source.addEventListener("table", (event) => {
      connection.value = "online";
      hear(JSON.parse(event.data));
    });
    source.addEventListener("chat", (event) => {
      const message = JSON.parse(event.data);
      if (!talk.value.some((one) => one.id === message.id)) talk.value = [...talk.value, message];
    });
    source.addEventListener("unsaid", (event) => {
      const { id: gone } = JSON.parse(event.data);
      talk.value = talk.value.filter((one) => one.id !== gone);
    });
    source.addEventListener("error", () => {
      if (closed) return;
      connection.value = "lost";
      // A browser gives up when the answer was no stream, as from a proxy of a stopped server.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(retry);
        retry = setTimeout(open, 1500);
      }
    });
  };
  // A browser that is off the net may take minutes to find out about its streams.
  const onOffline = () => {
    clearTimeout(retry);
    source.close();
    connection.value = "lost";
  };
  // After a sleep a stream can be dead without knowing: the server beats every 15 seconds.
  const watch = setInterval(() => {
    if (performance.now() - heard > SILENCE && navigator.onLine) open();
  }, 5000);
  addEventListener("offline", onOffline);
  addEventListener("online", open);
  open();
  return () => {
    closed = true;
    arrived = [];
    removeEventListener("offline", onOffline);
    removeEventListener("online", open);
    clearTimeout(retry);
    clearInterval(watch);
    source.close();
    connection.value = "online";
  };
}

const LATEST = 100; // milliseconds

/** A table has come by the stream. Bots that move one after the other send many at once: they are taken in together, when
 * nothing else is to be done.
 * @param {TableView} next */
function hear(next) {
  const before = arrived.at(-1) ?? table.value;
  arrived.push(next);
  if (document.hidden) takeArrived();
  else whenIdle(takeArrived, LATEST);
  const away = next.seats.find((seat) => seat.is_yours && seat.is_away);
  if (away && !before?.seats.some((seat) => seat.is_yours && seat.is_away)) {
    say(t("game.away", { country: listed(away.countries.map(countryName)) }), "warn");
  }
}

// Clocks.
const ticks = signal(0);
setInterval(() => (ticks.value += 1), 500);

/** Seconds that are left now of what was left when the table came.
 * @param {number} seconds
 * @param {boolean} isRunning */
export function left(seconds, isRunning) {
  ticks.value;
  return isRunning ? seconds - (performance.now() - heardAt.value) / 1000 : seconds;
}

/** Everything that stands in each space.
 * @typedef {{ country: string, kind: "army" | "navy" | "air", air?: boolean }} Piece
 * @param {View} view
 * @returns {Record<string, Piece[]>} */
export function piecesOf(view) {
  /** @type {Record<string, Piece[]>} */
  const found = {};
  for (const country of Object.keys(CODES)) {
    const side = view.countries[country];
    for (const space of side.armies) (found[space] ??= []).push({ country, kind: "army" });
    for (const space of side.navies) (found[space] ??= []).push({ country, kind: "navy" });
    for (const space of side.air_forces) {
      const carrier = found[space]?.find((piece) => piece.country === country);
      if (carrier) carrier.air = true;
      else (found[space] ??= []).push({ country, kind: "air" });
    }
  }
  return found;
}

/** To whom a strait is open: to the Axis while an Axis army holds its land, else to the Allies.
 * @param {View} view
 * @param {string} land */
export function straitTeam(view, land) {
  const isHeld = Object.keys(CODES).some(
    (country) => teamOf(country) === "axis" && view.countries[country].armies.includes(land),
  );
  return isHeld ? "axis" : "allies";
}

/** The country whose lines of supply are drawn. */
export const shownSupply = signal(/** @type {string | null} */ (null));
