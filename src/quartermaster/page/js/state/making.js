// Making tables: each click makes one, and its deal has chance of this browser in it.
import { signal } from "../base/html.js";
import { post } from "../base/api.js";
import { addChance } from "./deal.js";
import { attempt, beNamed } from "./session.js";
import { settings } from "./settings.js";
import { bots } from "./table.js";

const FIRST_LEVEL = "rookie"; // for who has chosen none yet

/** The level to play against: as chosen last, of those that the server has. */
export const level = () =>
  (bots.value.find(({ name }) => name === (settings.value.level || FIRST_LEVEL)) ?? bots.value[0])?.name ?? FIRST_LEVEL;

/** Whether a table is being made: a second click would make a second one. */
export const isMaking = signal(false);

/** @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} */
async function once(work) {
  if (isMaking.value) return undefined;
  isMaking.value = true;
  try {
    return await attempt(work);
  } finally {
    isMaking.value = false;
  }
}

/** Make a table; with `begins` its game begins, after this browser has added to the deal.
 * @param {Record<string, any>} wish
 * @param {boolean} begins
 * @param {string} [name] of who makes it
 * @returns {Promise<string | undefined>} its id */
export const makeTable = (wish, begins, name = "") =>
  once(async () => {
    await beNamed(name);
    const made = await post("/api/games", { ...wish, start: false });
    await addChance(made);
    if (begins && made.status === "lobby") await post(`/api/games/${made.id}/start`);
    return made.id;
  });

/** The same people again; who plays alone begins at once.
 * @param {string} id
 * @param {boolean} swap
 * @returns {Promise<import("../api").TableView | undefined>} its table */
export const makeRematch = (id, swap) =>
  once(async () => {
    /** @type {import("../api").TableView} */
    const next = await post(`/api/games/${id}/rematch`, { swap, start: false });
    await addChance(next);
    const isAlone = next.is_host && next.seats.every((seat) => seat.is_yours || seat.who === "bot");
    if (isAlone && next.status === "lobby") await post(`/api/games/${next.id}/start`);
    return next;
  });
