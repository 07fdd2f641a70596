// What others do, shown one beat after the other: card, battle, piece, points. The log says what happened;
// the table behind is always the true one, and whoever decides something ends the show.
import { signal } from "../base/html.js";
import { countriesOf } from "../base/countries.js";
import { pace } from "./settings.js";
import { onTable, piecesOf } from "./table.js";

/** @typedef {import("./table.js").LogEntry} LogEntry */
/** @typedef {import("./table.js").Piece} Piece */
/** @typedef {{ kind: "turn" | "card" | "battle" | "piece" | "lost" | "points", entry: LogEntry, country: string }} Beat */
/** The board as far as it has been shown.
 * @typedef {{ beat: Beat, card: LogEntry | null, who: string, left: number, at: string | null, pieces: Record<string, Piece[]>,
 *   score: Record<string, number>, turn: string }} Stage */

/** @type {import("./table.js").Signal<Stage | null>} */
export const stage = signal(/** @type {any} */ (null));

const TIMES = { turn: 350, card: 1120, battle: 850, piece: 700, lost: 700, points: 900 }; // milliseconds at normal speed
const KINDS = /** @type {Record<string, Beat["kind"]>} */ ({
  turn: "turn",
  play: "card",
  use: "card",
  set: "card",
  battle: "battle",
  eliminate: "battle",
  build: "piece",
  recruit: "piece",
  deploy: "piece",
  remove: "lost",
  "remove-air": "lost",
  score: "points",
});
const MOST = 60; // who has been away so long wants to see the recap, not a film

/** @param {LogEntry[]} entries
 * @returns {Beat[]} */
export const beatsOf = (entries) =>
  entries
    .filter((entry) => KINDS[entry.what] && entry.country && (entry.what !== "score" || entry.n !== 0))
    .map((entry) => ({ kind: KINDS[entry.what], entry, country: String(entry.country) }));

/** @type {Beat[]} */
let queue = [];
let isPlaying = false;
/** @type {() => void} */
let wake = () => {};

/** End the show: the true state is there at once. */
export function skip() {
  queue = [];
  stage.value = null;
  wake();
}

/** @param {number} time */
const wait = (time) =>
  new Promise((done) => {
    const timer = setTimeout(() => done(undefined), time);
    wake = () => {
      clearTimeout(timer);
      done(undefined);
    };
  });

/** @param {Record<string, Piece[]>} pieces
 * @param {Beat} beat */
function after(pieces, { kind, entry }) {
  const space = entry.space ?? "";
  const there = pieces[space] ?? [];
  const owner = entry.what === "recruit" || entry.what === "build" ? (entry.target ?? entry.country) : entry.country;
  if (kind === "lost") {
    const rest =
      entry.what === "remove-air"
        ? there
            .map((piece) => (piece.country === owner ? { ...piece, air: false } : piece))
            .filter((piece) => piece.kind !== "air" || piece.country !== owner)
        : there.filter((piece) => piece.country !== owner);
    return { ...pieces, [space]: rest };
  }
  if (kind === "piece" && entry.what === "deploy")
    return { ...pieces, [space]: there.map((piece) => (piece.country === owner ? { ...piece, air: true } : piece)) };
  if (kind === "piece" && !there.some((piece) => piece.country === owner)) {
    return {
      ...pieces,
      [space]: [
        ...there,
        {
          country: String(owner),
          kind: SEAS.has(space) ? /** @type {const} */ ("navy") : /** @type {const} */ ("army"),
        },
      ],
    };
  }
  return pieces;
}

/** Which spaces are seas; the catalogue says so. */
const SEAS = new Set();
/** @param {Record<string, { kind: string }>} board */
export function learnBoard(board) {
  SEAS.clear();
  for (const [id, space] of Object.entries(board)) if (space.kind === "sea") SEAS.add(id);
}

/** The space of the first beat that belongs to a card, or to a turn.
 * @param {string} kind
 * @param {Beat[]} beats */
function firstSpace(kind, beats) {
  const end = beats.findIndex((beat) => beat.kind === "turn" || beat.kind === kind);
  return (end < 0 ? beats : beats.slice(0, end)).find((beat) => beat.entry.space)?.entry.space;
}

/** @param {Beat[]} beats
 * @param {import("./table.js").View} from the view they begin at */
async function play(beats, from) {
  queue.push(...beats);
  if (isPlaying) return;
  isPlaying = true;
  let now = { pieces: piecesOf(from), score: from.score, turn: from.turn };
  /** @type {LogEntry | null} */
  let card = null;
  /** @type {string | null} */
  let at = null; // where the card at hand does something first: its picture stands at the other side, and stays there
  while (queue.length) {
    const beat = /** @type {Beat} */ (queue.shift());
    if (pace() === 0 || document.hidden) break;
    if (beat.kind === "turn") card = null;
    if (beat.kind === "card") card = beat.entry;
    if (beat.kind === "turn" || beat.kind === "card") at = firstSpace(beat.kind, queue) ?? at;
    const team = countriesOf("axis").includes(beat.country) ? "axis" : "allies";
    now = {
      pieces: after(now.pieces, beat),
      turn: beat.kind === "turn" ? beat.country : now.turn,
      score: beat.kind === "points" ? { ...now.score, [team]: now.score[team] + beat.entry.n } : now.score,
    };
    stage.value = {
      beat,
      card,
      who: card?.country ?? now.turn,
      left: queue.length,
      at: at ?? beat.entry.space ?? null,
      ...now,
    };
    await wait(TIMES[beat.kind] * pace());
    if (stage.value === null) break;
  }
  queue = [];
  stage.value = null;
  isPlaying = false;
}

onTable((before, next, entries) => {
  if (!before?.view || !next.view || next.status === "lobby") return;
  if (!entries.length && next.log.start === 0) return;
  const own = new Set(next.seats.filter((seat) => seat.is_yours && !seat.bot).flatMap((seat) => seat.countries));
  let turn = before.view.turn;
  /** @type {LogEntry[]} */
  const foreign = [];
  for (const entry of entries) {
    if (entry.what === "turn" && entry.country) turn = entry.country;
    // What one does oneself one has just seen.
    if (!own.has(turn) || (entry.country && !own.has(entry.country))) foreign.push(entry);
  }
  const beats = beatsOf(foreign).filter((beat) => !(beat.kind === "turn" && own.has(beat.country)));
  if (beats.length && beats.length <= MOST) void play(beats, before.view);
  else if (beats.length) skip();
});

/** Show a turn of the past again, on the map as it is.
 * @param {LogEntry[]} entries
 * @param {import("./table.js").View} view */
export function replayTurn(entries, view) {
  skip();
  setTimeout(
    () =>
      void play(
        beatsOf(entries).filter((beat) => beat.kind !== "turn"),
        { ...view },
      ),
    0,
  );
}
