// Which short note is worth reading now, in a first game: each once, when it first matters.
import { computed } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { stage } from "./beats.js";
import { asked, lit } from "./choices.js";
import { isLesson } from "./lessons.js";
import { set, settings } from "./settings.js";
import { begun, cardOf, isCovered, log, mine, supply, table, world } from "./table.js";
import { turns } from "./turns.js";

const ENOUGH = 4; // pieces, of which one should know how they are supplied

/** @param {string} country */
function standing(country) {
  const side = begun().view.countries[country];
  return [...side.armies, ...side.navies];
}

/** Whether a note is worth reading now, the most urgent first. @type {Record<string, (country: string) => boolean>} */
export const WORTH = {
  responses: () => asked.value?.ask !== undefined,
  supply: (country) =>
    Object.values(supply.value[country] ?? {}).some((one) => !one.is_supplied) || standing(country).length >= ENOUGH,
  home: (country) => {
    const home = Object.values(world().board).find((space) => space.home_of === country)?.id;
    const { countries } = begun().view;
    return (
      Boolean(home) &&
      (!countries[country].armies.includes(String(home)) ||
        world().borders.some(
          (pair) =>
            pair.includes(String(home)) &&
            pair.some((space) =>
              Object.entries(countries).some(
                ([other, side]) =>
                  teamOf(other) !== teamOf(country) && [...side.armies, ...side.navies].includes(space),
              ),
            ),
        ))
    );
  },
  // One stands on one side of a strait and may go to its other side, or to the land that opens it.
  straits: (country) =>
    world().map.straits.some(({ land, joins }) => {
      const own = standing(country);
      return (
        joins.some((one) => own.includes(one)) && [land, ...joins].some((id) => lit.value.has(id) && !own.includes(id))
      );
    }),
  points: (country) => log.value.some((entry) => entry.what === "score" && entry.country === country),
  laying: (country) =>
    asked.value?.decision.kind === "play" &&
    (begun().view.countries[country].hand ?? []).some((id) => cardOf(country, id)?.type === "response"),
};

/** How many turns the viewer has had at this table, with the one at hand. */
const ownTurns = computed(() => {
  const own = new Set(mine.value.filter((seat) => !seat.bot).flatMap((seat) => seat.countries));
  return turns.value.filter((turn) => own.has(turn.country)).length;
});
/** @param {number} n */
const mark = (n) => `${table.value?.id} ${n}`;

/** Whether a note may come in a turn: one in a turn, and after two turns in a row with one a turn without.
 * @param {string[]} noted the turns in which notes were read
 * @param {(n: number) => string} name of a turn
 * @param {number} n */
export const hasRoom = (noted, name, n) =>
  !noted.includes(name(n)) && !(noted.includes(name(n - 1)) && noted.includes(name(n - 2)));

/** Somebody has read a note.
 * @param {string} id */
export function read(id) {
  const { seen, noted } = settings.value;
  set({ seen: [...seen, id], noted: [...noted.slice(-8), mark(ownTurns.value)] });
}

/** The note that is shown, if any. What concerns a reaction comes when one is asked for. */
export const note = computed(() => {
  const country = asked.value?.decision.country;
  const isQuiet = !settings.value.notes || stage.value || isCovered.value || table.value?.status !== "playing";
  if (!country || isQuiet || isLesson(String(table.value?.id))) return null;
  if (asked.value?.decision.kind === "discard-step") return null; // the turn may end while one reads
  const left = Object.keys(WORTH).filter((one) => !settings.value.seen.includes(one));
  if (!left.length) return null;
  const may = hasRoom(settings.value.noted, mark, ownTurns.value);
  return left.find((one) => (may || one === "responses") && WORTH[one](country)) ?? null;
});
