// What others do, shown one beat after the other: card, battle, piece, points. The log says what happened;
// the table behind is always the true one, and whoever decides something ends the show.
import { computed, kept, later, signal, steady, whenIdle } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { pace } from "./settings.js";
import { kindAt, onTable, piecesOf, table } from "./table.js";

/** @typedef {import("./table.js").LogEntry} LogEntry */
/** @typedef {import("./table.js").Piece} Piece */
/** `isOwn`: the viewer did it, and is not told, but for what came of it: points, and what was lost.
 * @typedef {{ kind: "turn" | "card" | "battle" | "piece" | "lost" | "points", entry: LogEntry, country: string, isOwn?: boolean }} Beat */
/** The board as far as it has been shown: a piece that comes is on its way, and stands there with the next beat.
 * @typedef {{ beat: Beat, card: LogEntry | null, who: string, left: number, at: string | null, pieces: Record<string, Piece[]>,
 *   mover: Mover | null, score: Record<string, number>, turn: string, round: number }} Stage */
/** A piece that comes or goes, and which place of its space it has. @typedef {{ piece: Piece, place: number }} Mover */

/** @type {import("./table.js").Signal<Stage | null>} */
export const stage = signal(/** @type {any} */ (null));
export const isShowing = computed(() => stage.value !== null);
/** What others do. What came of one's own choices is shown on the map and in the header, while one goes on. */
export const foreign = computed(() => (stage.value?.beat.isOwn ? null : stage.value));
// What other places than the map show of it, one a frame after the other: all at once would take longer than a frame.
/** The panel beside the map. */
export const beside = later(
  steady(() => foreign.value && { card: foreign.value.card, who: foreign.value.who, at: foreign.value.at }),
  1,
);
/** The bar. */
export const below = later(foreign, 2);
/** The header. */
export const above = later(
  steady(() => stage.value && { turn: stage.value.turn, round: stage.value.round, score: stage.value.score }),
  3,
);

/** @type {Record<string, Piece[]>} */
let known = {};
const truth = computed(() => (known = kept(known, table.value?.view ? piecesOf(table.value.view) : {})));
/** Where the pieces stand, as far as it has been shown. */
export const standing = computed(() => stage.value?.pieces ?? truth.value);
/** The next card that will be shown.
 * @type {import("./table.js").Signal<Pick<Stage, "card" | "who" | "at"> | null>} */
export const coming = signal(/** @type {any} */ (null));
/** The space and the country of the piece that was shown last on its way. */
export const landed = signal("");

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
  name: "piece", // it stands there already, and is looked at
  remove: "lost",
  "remove-air": "lost",
  score: "points",
});
export const OWN = 0.75; // of these times
const CAME_OF_IT = new Set(["points", "lost"]);
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
/** The card of the turn at hand. @type {LogEntry | null} */
let card = null;
/** Where that card does something first: its picture stands at the other side, and stays there.
 * @type {string | null} */
let at = null;
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
          kind: kindAt(space) === "sea" ? /** @type {const} */ ("navy") : /** @type {const} */ ("army"),
        },
      ],
    };
  }
  return pieces;
}

/** The piece that a beat brings or takes.
 * @param {Record<string, Piece[]>} before
 * @param {Record<string, Piece[]>} then
 * @param {Beat} beat
 * @returns {Mover | null} */
function moverOf(before, then, { kind, entry }) {
  const space = entry.space ?? "";
  const [has, had] = kind === "lost" ? [before, then] : [then, before];
  const place = (has[space] ?? []).findIndex((piece) => !(had[space] ?? []).includes(piece));
  if (place < 0) return null;
  const piece = has[space][place];
  return { piece: entry.what === "remove-air" ? { country: piece.country, kind: "air" } : piece, place };
}

/** The space of the first beat that belongs to a card, or to a turn.
 * @param {string} kind
 * @param {Beat[]} beats */
function firstSpace(kind, beats) {
  const end = beats.findIndex((beat) => beat.kind === "turn" || beat.kind === kind);
  return (end < 0 ? beats : beats.slice(0, end)).find((beat) => beat.entry.space)?.entry.space;
}

/** Find out which card is shown next, while there is time: once the panel shows the present one. */
function foresee() {
  const [now, seen] = [stage.peek(), beside.peek()];
  if (now && (seen?.who !== now.who || seen.card?.card !== now.card?.card)) return void whenIdle(foresee);
  const next = stage.value ? queue.findIndex((beat) => beat.kind === "card") : -1;
  const entry = queue[next]?.entry;
  if (entry && coming.peek()?.card === entry) return;
  coming.value = entry
    ? {
        card: entry,
        who: String(entry.country),
        at: firstSpace("card", queue.slice(next + 1)) ?? stage.peek()?.at ?? null,
      }
    : null;
}

/** What has been shown so far. @typedef {Pick<Stage, "pieces" | "score" | "turn" | "round">} Shown */

/** @param {Beat[]} beats
 * @param {Shown} from how it is when they begin */
async function play(beats, from) {
  queue.push(...beats);
  if (isPlaying) return;
  isPlaying = true;
  let now = from;
  while (queue.length) {
    const beat = /** @type {Beat} */ (queue.shift());
    if (pace() === 0 || document.hidden) break;
    if (beat.kind === "turn") card = null;
    if (beat.kind === "card") card = beat.entry;
    if (beat.kind === "turn" || beat.kind === "card") at = firstSpace(beat.kind, queue) ?? at;
    const team = teamOf(beat.country);
    const before = now.pieces;
    now = {
      pieces: after(before, beat),
      turn: beat.kind === "turn" ? beat.country : now.turn,
      round: beat.kind === "turn" ? beat.entry.n : now.round,
      score: beat.kind === "points" ? { ...now.score, [team]: now.score[team] + beat.entry.n } : now.score,
    };
    if (beat.isOwn && !CAME_OF_IT.has(beat.kind)) continue;
    const mover = moverOf(before, now.pieces, beat);
    if (mover) landed.value = `${beat.entry.space} ${mover.piece.country}`;
    stage.value = {
      beat,
      card: beat.isOwn ? null : card,
      who: (beat.isOwn ? null : card?.country) ?? now.turn,
      left: queue.length,
      at: (beat.isOwn ? null : at) ?? beat.entry.space ?? null,
      ...now,
      ...(beat.kind === "piece" && { pieces: before }),
      mover,
    };
    whenIdle(foresee);
    await wait(TIMES[beat.kind] * pace() * (beat.isOwn ? OWN : 1));
    if (stage.value === null) break;
  }
  queue = [];
  stage.value = null;
  isPlaying = false;
}

onTable((before, next, entries) => {
  if (!before?.view || !next.view || next.status === "lobby") return;
  if (next.steps < before.steps) skip(); // what was taken back is not shown any longer
  if (!entries.length && next.log.start === 0) return;
  const own = new Set(next.seats.filter((seat) => seat.is_yours && !seat.bot).flatMap((seat) => seat.countries));
  let turn = before.view.turn;
  let isAnswered = false; // by a card of others: what is lost then may be lost by it
  const beats = beatsOf(entries).map((beat) => {
    if (beat.kind === "turn") turn = beat.country;
    const isOwn = own.has(turn) && (own.has(beat.country) || (beat.kind === "lost" && !isAnswered));
    isAnswered = beat.kind !== "turn" && (isAnswered || (beat.kind === "card" && !own.has(beat.country)));
    return { ...beat, isOwn };
  });
  const unseen = beats.filter((beat) => !beat.isOwn || CAME_OF_IT.has(beat.kind)).length;
  const { score } = before.view;
  if (unseen && unseen <= MOST)
    void play(beats, {
      pieces: kept(known, piecesOf(before.view)),
      score,
      turn: before.view.turn,
      round: before.view.round,
    });
  else if (unseen) skip();
});

/** Show a part of the log again.
 * @param {LogEntry[]} entries
 * @param {import("./table.js").View} view how it is now
 * @param {LogEntry[]} [later] what came after them */
export function replayTurns(entries, view, later = []) {
  skip();
  const now = { pieces: kept(known, piecesOf(view)), score: view.score, turn: view.turn, round: view.round };
  const before = rewound(beatsOf([...entries, ...later]), now);
  setTimeout(() => void play(beatsOf(entries), before), 0);
}

/** How it was before some beats. Pieces that were there already and that only lost their place are as good as new.
 * @param {Beat[]} beats
 * @param {Shown} then
 * @returns {Shown} */
function rewound(beats, then) {
  return beats.reduceRight(({ pieces, score, turn, round }, beat) => {
    const { kind, entry, country } = beat;
    if (kind === "points") score = { ...score, [teamOf(country)]: score[teamOf(country)] - entry.n };
    const back = {
      lost: { ...entry, what: "build", target: null },
      piece: { ...entry, country: entry.target ?? country, what: "remove" },
    };
    if (kind === "lost" && entry.what === "remove")
      pieces = after(pieces, { ...beat, kind: "piece", entry: back.lost });
    if (kind === "piece" && entry.what !== "deploy")
      pieces = after(pieces, { ...beat, kind: "lost", entry: back.piece });
    return { pieces, score, turn, round };
  }, then);
}
