// What others' turns mean for the viewer: what was lost, what lost its supply, who stands next to it now.
import { effect, signal } from "../base/html.js";
import { many, noun, t } from "../base/words.js";
import { get } from "../base/api.js";
import { teamOf } from "../base/countries.js";
import { begun, game, kindAt, own, spaceNoun, supply, table, world } from "./table.js";
import { since } from "./turns.js";

/** @typedef {import("./turns.js").Turn} Turn */
/** @typedef {{ text: string, kind: "harm" | "threat" | "none" }} Meaning */

const kindOf = (/** @type {string} */ space) => (kindAt(space) === "sea" ? "navy" : "army");

/** Own pieces that are out of supply now. */
const cutNow = () =>
  [...own.value].flatMap((country) =>
    Object.values(supply.value[country] ?? {})
      .filter((one) => !one.is_supplied)
      .map((one) => ({ country, space: one.space })),
  );

/** By the log entry that a turn begins with: the spaces where it took the supply of own pieces.
 * @type {import("./table.js").Signal<{ key: string, cuts: Record<number, string[]> }>} */
const found = signal({ key: "", cuts: /** @type {Record<number, string[]>} */ ({}) });

/** Find the turns in which own pieces lost the supply they now lack, by looking back from the last one.
 * @param {string} key
 * @param {Turn[]} turns */
async function seek(key, turns) {
  /** @type {Record<number, string[]>} */
  const cuts = {};
  let open = cutNow();
  const now = begun();
  const past = (/** @type {number} */ step) =>
    /** @type {Promise<import("../api").ReplayView>} */ (get(`${game()}/replay/${step}`));
  const { turns: starts } = await past(now.steps);
  for (let i = turns.length - 1; i >= 0 && open.length; i--) {
    const step = starts.at(i - turns.length - 1);
    if (step === undefined) break;
    const { supply: lines } = await past(step);
    const wasSupplied = (/** @type {{ country: string, space: string }} */ one) =>
      lines[one.country]?.[one.space]?.is_supplied === true;
    cuts[turns[i].start] = open.filter(wasSupplied).map((one) => one.space);
    open = open.filter((one) => !wasSupplied(one));
  }
  if (found.peek().key === key) found.value = { key, cuts };
}

effect(() => {
  const turns = since.value;
  if (!turns.length || !table.value?.view) return;
  const cut = cutNow();
  const key = `${table.value.id} ${turns[0].start} ${cut.map((one) => `${one.country} ${one.space}`).join(", ")}`;
  if (!cut.length || found.peek().key === key) return;
  found.value = { key, cuts: {} };
  seek(key, turns).catch(() => {}); // what cannot be found out is not said
});

/** Own pieces next to a piece that came, and where that stands, if none of its country stood next to them before.
 * @param {Turn} turn */
function neighbours(turn) {
  const { countries } = begun().view;
  const standing = (/** @type {string} */ country) => [...countries[country].armies, ...countries[country].navies];
  const next = (/** @type {string} */ space) =>
    world().borders.flatMap(([a, b]) => (a === space ? [b] : b === space ? [a] : []));
  const came = turn.entries.filter(
    (entry) => ["build", "recruit"].includes(entry.what) && entry.space && entry.country,
  );
  const near = came.flatMap((entry) => {
    const owner = String(entry.target ?? entry.country);
    if (own.value.has(owner) || !standing(owner).includes(String(entry.space))) return [];
    const others = standing(owner).filter((space) => !came.some((one) => one.space === space));
    return [...own.value]
      .filter((country) => teamOf(country) !== teamOf(owner))
      .flatMap(standing)
      .filter((space) => next(String(entry.space)).includes(space))
      .filter((space) => !others.some((other) => next(other).includes(space)))
      .map((space) => ({ space, from: String(entry.space) }));
  });
  return near.filter(({ space }, i) => near.findIndex((one) => one.space === space) === i);
}

/** Own countries in whose home an enemy army came to stand, and stands.
 * @param {Turn} turn */
const homesTaken = (turn) =>
  turn.entries.flatMap((entry) => {
    const country = ["build", "recruit"].includes(entry.what) && world().board[entry.space ?? ""]?.home_of;
    const by = String(entry.target ?? entry.country);
    const isTaken =
      country &&
      own.value.has(country) &&
      teamOf(by) !== teamOf(country) &&
      begun().view.countries[by].armies.includes(String(entry.space));
    return isTaken ? [country] : [];
  });

/** What a turn means for the viewer, the worst first.
 * @param {Turn} turn
 * @returns {Meaning[]} */
export function meaningOf(turn) {
  const mineIn = turn.entries.filter((entry) => entry.country && own.value.has(entry.country));
  const cards = mineIn.filter((entry) =>
    ["mill", "discard", "discard-status", "discard-response"].includes(entry.what),
  ).length;
  const points = -mineIn.reduce((sum, entry) => sum + (entry.what === "score" ? Math.min(0, entry.n) : 0), 0);
  const cut = found.value.cuts[turn.start] ?? [];
  const at = (/** @type {string} */ what, /** @type {string} */ space, kind = kindOf(space)) =>
    t(`recap.${what}.${kind}`, { space: spaceNoun(space) });
  const harm = [
    ...homesTaken(turn).map((country) => t("recap.home", { country: noun(`country.${country}`) })),
    ...mineIn.filter((entry) => entry.what === "remove" && entry.space).map((entry) => at("lost", String(entry.space))),
    ...mineIn
      .filter((entry) => entry.what === "remove-air" && entry.space)
      .map((entry) => at("lost", String(entry.space), "air")),
    ...cut.map((space) => at("cut", space)),
    ...(cards ? [many("recap.cards", cards)] : []),
    ...(points ? [many("recap.points", points)] : []),
  ];
  const threats = neighbours(turn).map(({ space, from }) =>
    t(`recap.near.${kindOf(space)}`, { space: spaceNoun(space), from: spaceNoun(from) }),
  );
  const all = [
    ...harm.map((text) => ({ text, kind: /** @type {const} */ ("harm") })),
    ...threats.map((text) => ({ text, kind: /** @type {const} */ ("threat") })),
  ];
  return all.length ? all : [{ text: t("recap.untouched"), kind: "none" }];
}
