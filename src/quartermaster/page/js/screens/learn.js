// Learning by playing: the lessons, and which of them are done.
import { cls, html, useEffect, useSignal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { CODES, teamOf } from "../base/countries.js";
import { lessons, loadLessons, numberOf, progress, titleOf } from "../state/lessons.js";
import { Loading } from "../parts/backdrop.js";
import { startLesson } from "../parts/guide.js";

export function Learn() {
  useEffect(() => {
    loadLessons();
  }, []);
  if (lessons.value === null) return html`<${Loading} />`;
  const { done } = progress.value;
  const next = lessons.value.find((lesson) => !done.includes(lesson.id));
  return html`
    <div class="narrow learn">
      <h1>${t("learn.title")}</h1>
      <p class="lead">${t("learn.lead")}</p>
      <p><progress max=${lessons.value.length} value=${lessons.value.length - left(done)} aria-hidden="true"></progress>
        ${" "}${t("learn.progress", { n: lessons.value.length - left(done), of: lessons.value.length })}</p>
      <ol class="lessons">
        ${lessons.value.map(
          (lesson) => html`
          <${Lesson} key=${lesson.id} lesson=${lesson} isDone=${done.includes(lesson.id)} isNext=${lesson === next} />`,
        )}
      </ol>
      <p><a href="/rules">${t("learn.rules")}</a></p>
    </div>`;
}

/** @param {string[]} done */
const left = (done) => (lessons.value ?? []).filter((lesson) => !done.includes(lesson.id)).length;

/** @param {{ lesson: import("../state/lessons.js").Lesson, isDone: boolean, isNext: boolean }} props */
function Lesson({ lesson, isDone, isNext }) {
  const isBusy = useSignal(false);
  const values = { n: numberOf(lesson), title: titleOf(lesson) };
  const countries = lesson.seats.find((seat) => seat.who === "me")?.countries ?? [];
  const start = async () => {
    isBusy.value = true; // a second click would make a second table
    await startLesson(lesson);
    isBusy.value = false;
  };
  return html`
    <li class=${cls("panel", isDone && "done")}>
      <div>
        <h2>${t("learn.lesson", values)}${isDone && html` <span class="tag">✓ ${t("learn.done")}</span>`}</h2>
        <p>${t(`lesson.${lesson.id}.teaches`)}</p>
        <p class="names">${countries.map(
          (country) => html`
          <span class="chip"><span class=${cls("pip", country, teamOf(country))} aria-hidden="true">${CODES[country]}</span> ${countryName(country)}</span>`,
        )}</p>
      </div>
      <button class=${cls("big", isNext && "main")} disabled=${isBusy.value} onClick=${start}
        aria-label=${t(isDone ? "learn.again-label" : "learn.start-label", values)}>${t(isDone ? "learn.again" : "learn.start")}</button>
    </li>`;
}
