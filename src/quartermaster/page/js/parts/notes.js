// Short notes in a first game, each once: what matters at the moment it first matters.
import { html } from "../base/html.js";
import { t } from "../base/words.js";
import { teamOf } from "../base/countries.js";
import { stage } from "../state/beats.js";
import { asked, lit } from "../state/choices.js";
import { isLesson } from "../state/lessons.js";
import { set, settings } from "../state/settings.js";
import { begun, cardOf, isCovered, supply, world } from "../state/table.js";

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

export function Notes() {
  const now = begun();
  const country = asked.value?.decision.country;
  if (
    !settings.value.notes ||
    !country ||
    stage.value ||
    isCovered.value ||
    isLesson(now.id) ||
    now.status !== "playing"
  )
    return null;
  const seen = settings.value.seen;
  const id = Object.keys(WORTH).find((one) => !seen.includes(one) && WORTH[one](country));
  if (!id) return null;
  return html`
    <aside class="note" aria-label=${t("notes.label")}>
      <h2>${t(`notes.${id}.title`)}</h2>
      <p>${t(`notes.${id}.text`)}</p>
      <p class="row"><button class="main" onClick=${() => set({ seen: [...seen, id] })}>${t("notes.ok")}</button>
        <button class="link" onClick=${() => set({ notes: false })}>${t("notes.off")}</button></p>
    </aside>`;
}
