// The log by turns: who did what, and what came since one's own last turn.
import { computed } from "../base/html.js";
import { countryName, many, t } from "../base/words.js";
import { anyCard, cardName, log, own, table } from "./table.js";

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
  const all = turns.value;
  const isOwn = (/** @type {Turn} */ turn) => own.value.has(turn.country);
  const now = all.at(-1);
  if (!own.value.size || !now || table.value?.status !== "playing" || !isOwn(now)) return [];
  const last = all.slice(0, -1).findLastIndex(isOwn);
  return all.slice(last + 1, -1).filter((turn) => turn.country);
});

/** The card that a turn was played with.
 * @param {Turn} turn */
export const cardOfTurn = (turn) =>
  ["play", "set", "use"]
    .map((what) => turn.entries.find((entry) => entry.what === what && entry.country === turn.country))
    .find(Boolean);
/** The card that a country has played or used last in the turn at hand.
 * @param {string} country */
export const lastCardOf = (country) =>
  turns.value
    .at(-1)
    ?.entries.findLast((entry) => ["play", "use"].includes(entry.what) && entry.country === country && entry.card)
    ?.card;
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

/** Draws, discards and the like of one country in a row are one line.
 * @typedef {{ entry: LogEntry, n: number }} Line
 * @param {LogEntry[]} entries
 * @returns {Line[]} */
export function folded(entries) {
  /** @type {Line[]} */
  const lines = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (
      last &&
      ["draw", "mill", "discard"].includes(entry.what) &&
      last.entry.what === entry.what &&
      last.entry.country === entry.country &&
      (entry.what === "draw" || !entry.card)
    )
      last.n += 1;
    else lines.push({ entry, n: 1 });
  }
  return lines;
}

/** @param {Line} line */
export const lineOf = ({ entry, n }) =>
  n > 1 ? many(`log.${entry.what}s`, n, { country: countryName(entry.country ?? "") }) : entry.text;

const LOSSES = ["discard", "mill", "discard-status", "discard-response"];
const ASIDE = ["turn", "round", "draw", "score", "shuffle"]; // what says nothing of what a card did
/** What is said of a card by which nothing happened. */
const IDLE = /** @type {Record<string, string>} */ ({
  status: "recap.stays",
  response: "recap.hidden",
  "land-battle": "recap.struck-none",
  "sea-battle": "recap.struck-none",
  "build-army": "recap.built-none",
  "build-navy": "recap.built-none",
});

/** What a turn did, in one or two sentences: what its card did on the map, or to others' cards, or that it did
 * nothing; then what came of it.
 * @param {Turn} turn
 * @returns {string[]} */
export function storyOf(turn) {
  const deed = deedOfTurn(turn);
  const isByCard = deed && !(deed.what === "remove" && deed.country === turn.country);
  const undone = turn.entries.find((entry) => ["negate", "saved"].includes(entry.what));
  const sentences = [...(isByCard ? [deed.text] : workOf(turn)), undone?.text, deed?.text];
  return [...new Set(sentences.filter((text) => text !== undefined))].slice(0, 2);
}

/** What is told of a turn after the game: what it did to others' pieces or cards, or built, if it did any of that.
 * @param {Turn} turn */
export function featOf(turn) {
  const others = turn.entries.filter((entry) => entry.country !== turn.country);
  const struck = others.find((entry) => entry.what === "remove");
  if (struck) return struck.text;
  const loss = others.find((entry) => LOSSES.includes(entry.what));
  if (!loss) return turn.entries.find((entry) => ["build", "recruit"].includes(entry.what))?.text;
  const n = others.filter((entry) => entry.what === loss.what && entry.country === loss.country).length;
  return ["mill", "discard"].includes(loss.what) ? lineOf({ entry: loss, n }) : loss.text;
}

/** What a country's points of its turn came from.
 * @param {Turn} turn */
export const earningsOf = (turn) =>
  turn.entries
    .filter((entry) => entry.what === "score" && entry.country === turn.country)
    .map(({ n, card, country }) =>
      card
        ? t("earned.card", { n: signed(n), card: cardName(card, String(country)) })
        : t(n > 0 ? "earned.supply" : "earned.missing", { n: signed(n) }),
    );

/** @param {number} n */
const signed = (n) => `${n > 0 ? "+" : "−"}${Math.abs(n)}`;

/** What a turn did to nothing on the map.
 * @param {Turn} turn */
function workOf(turn) {
  const lines = folded(turn.entries);
  const losses = lines.filter(({ entry }) => LOSSES.includes(entry.what) && entry.country !== turn.country);
  if (losses.length) return losses.map(lineOf);
  const played = cardOfTurn(turn);
  const type = played?.card ? (anyCard(played.card, turn.country)?.type ?? "") : "response";
  const idle = played && played.what !== "use" && IDLE[type];
  if (idle) return [t(idle)];
  const other = lines.find(
    ({ entry }) =>
      entry !== played && !entry.space && !ASIDE.includes(entry.what) && (entry.what !== "discard" || !played),
  );
  return [other ? lineOf(other) : t("recap.no-effect")];
}
