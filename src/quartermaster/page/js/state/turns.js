// The log by turns: who did what, and what came since one's own last turn.
import { computed } from "../base/html.js";
import { log, mine, table } from "./table.js";

/** @typedef {import("./table.js").LogEntry} LogEntry */
/** @typedef {{ country: string, round: number, start: number, entries: LogEntry[] }} Turn */

/** @param {LogEntry[]} entries
 * @returns {Turn[]} */
export function turnsOf(entries) {
  /** @type {Turn[]} */
  const turns = [];
  let round = 1;
  entries.forEach((entry, start) => {
    if (entry.what === "round") round = entry.n;
    if (entry.what === "turn" && entry.country) {
      round = entry.n || round;
      turns.push({ country: entry.country, round, start, entries: [] });
    } else {
      if (!turns.length) turns.push({ country: "", round: 0, start, entries: [] });
      turns[turns.length - 1].entries.push(entry);
    }
  });
  return turns;
}

export const turns = computed(() => turnsOf(log.value));

/** The turns of others since the viewer's last. */
export const since = computed(() => {
  const own = new Set(mine.value.filter((seat) => !seat.bot).flatMap((seat) => seat.countries));
  const all = turns.value;
  const isOwn = (/** @type {Turn} */ turn) => own.has(turn.country);
  const now = all.at(-1);
  if (!own.size || !now || table.value?.status !== "playing" || !isOwn(now)) return [];
  const last = all.slice(0, -1).findLastIndex(isOwn);
  return all.slice(last + 1, -1).filter((turn) => turn.country);
});

/** The card that a turn was played with.
 * @param {Turn} turn */
export const cardOfTurn = (turn) =>
  ["play", "set", "use"]
    .map((what) => turn.entries.find((entry) => entry.what === what && entry.country === turn.country))
    .find(Boolean);
/** What it did on the map, the weightiest first.
 * @param {Turn} turn */
export const deedOfTurn = (turn) =>
  turn.entries.find((entry) => entry.what === "remove" && entry.country !== turn.country) ??
  turn.entries.find((entry) => ["battle", "build", "recruit"].includes(entry.what) && entry.space) ??
  turn.entries.find((entry) => entry.space);
/** Points of the turn by team.
 * @param {Turn} turn */
export const pointsOfTurn = (turn) =>
  turn.entries.filter((entry) => entry.what === "score").reduce((sum, entry) => sum + entry.n, 0);
