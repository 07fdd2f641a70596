// Which short note is worth reading now, in a first game: each once, when it first matters.
import { computed, signal } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { stage } from "./beats.js";
import { asked, lit } from "./choices.js";
import { isLesson } from "./lessons.js";
import { set, settings } from "./settings.js";
import { begun, cardOf, isCovered, supply, table, world } from "./table.js";

/** Whether a note is worth reading now, the most urgent first. @type {Record<string, (country: string) => boolean>} */
const WORTH = {
  responses: () => asked.value?.ask !== undefined,
  supply: (country) =>
    Object.values(supply.value[country] ?? {}).some((one) => !one.is_supplied) || begun().view.round >= 2,
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
  straits: () =>
    [...lit.value.keys()].some((id) =>
      world().map.straits.some((strait) => strait.land === id || strait.joins.includes(id)),
    ),
  laying: (country) =>
    asked.value?.decision.kind === "play" &&
    (begun().view.countries[country].hand ?? []).some((id) => cardOf(country, id)?.type === "response"),
};

const turn = computed(() => `${table.value?.id} ${table.value?.view?.round} ${table.value?.view?.turn}`);
const noted = signal(""); // the turn in which one was read: the next comes in another

/** Somebody has read a note.
 * @param {string} id */
export function read(id) {
  set({ seen: [...settings.value.seen, id] });
  noted.value = turn.value;
}

/** The note that is shown, if any: one in a turn, but about reactions when one is asked for. */
export const note = computed(() => {
  const country = asked.value?.decision.country;
  const isQuiet = !settings.value.notes || stage.value || isCovered.value || table.value?.status !== "playing";
  if (!country || isQuiet || isLesson(String(table.value?.id))) return null;
  const left = Object.keys(WORTH).filter((one) => noted.value !== turn.value || one === "responses");
  return left.find((one) => !settings.value.seen.includes(one) && WORTH[one](country)) ?? null;
});
