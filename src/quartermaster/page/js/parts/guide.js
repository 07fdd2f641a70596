// Who guides a learner through a lesson: a step at a time, beside the map.
import { cls, html, useEffect, useRef } from "../base/html.js";
import { t } from "../base/words.js";
import { begun, log, send, shownSupply } from "../state/table.js";
import {
  finish,
  isAstray,
  isLesson,
  lessonAt,
  lessons,
  loadLessons,
  makeLesson,
  numberOf,
  point,
  pointed,
  progress,
  putAway,
  stepAt,
  textOf,
  titleOf,
} from "../state/lessons.js";
import { go } from "../router.js";
import { middle } from "./board.js";
import { Prose } from "./prose.js";
import { covers } from "./zoom.js";

/** @typedef {import("../state/lessons.js").Lesson} LessonData */

const WEST = 640; // on the board: Western and Central Europe, and all that lies west of it

/** Begin a lesson; the table it was begun from is put away. Its id, if it could be made.
 * @param {LessonData} lesson
 * @param {string} [before] */
export async function startLesson(lesson, before) {
  const id = await makeLesson(lesson);
  if (id) go(`/games/${id}`);
  if (before) await putAway(before);
  return id;
}

export function Guide() {
  const now = begun();
  if (!isLesson(now.id) || now.status !== "playing") return null;
  return html`<${Lesson} key=${now.id} />`;
}

function Lesson() {
  const now = begun();
  const lesson = lessonAt(now.id);
  const seen = { view: now.view, log: log.value, shown: shownSupply.value };
  // A finished lesson stays so, whatever the bots do next.
  const isFinished = progress.value.tables[now.id].isFinished;
  const number = !lesson ? 0 : isFinished ? lesson.steps.length : stepAt(lesson, seen);
  const step = lesson?.steps[number];
  useEffect(() => {
    loadLessons();
    shownSupply.value = null; // a lesson may ask for it, so it begins without
    return () => void point();
  }, []);
  useEffect(() => {
    point(step?.point);
    if (lesson && !step && !isFinished) finish(now.id);
    covers.value += 1;
  }, [lesson, number]);
  // It lies at the side away from what it points at, and stays there until it points somewhere else.
  const isEast = useRef(false);
  const places = pointed.value.spaces.map((space) => middle(space)[0]);
  if (places.length) isEast.current = Math.min(...places) < WEST;
  if (!lesson) return null;
  const title = t("guide.title", { n: numberOf(lesson), title: titleOf(lesson) });
  return html`
    <section class=${cls("guide", isEast.current && "east")} aria-label=${title}>
      <div class="guide-head">
        <h2>${title}</h2>
        <${Steps} count=${lesson.steps.length} at=${number} />
      </div>
      <div aria-live="polite" aria-atomic="true">
        ${step ? html`<${Step} id=${`lesson.${lesson.id}.${step.id}`} isAstray=${isAstray(step, seen)} />` : html`<${Praise} lesson=${lesson} />`}
      </div>
      ${step ? html`<${Ways} lesson=${lesson} isAstray=${isAstray(step, seen)} />` : html`<${Onward} lesson=${lesson} />`}
    </section>`;
}

/** How far one is: a bar for the eye, a sentence for the ear.
 * @param {{ count: number, at: number }} props */
function Steps({ count, at }) {
  const label = t("guide.step", { n: Math.min(at + 1, count), of: count });
  return html`
    <span class="guide-steps" role="img" aria-label=${label} title=${label}>
      ${Array.from({ length: count }, (_, i) => html`<i class=${i < at ? "past" : i === at ? "now" : ""}></i>`)}
    </span>`;
}

/** @param {{ id: string, isAstray: boolean }} props */
function Step({ id, isAstray: isOff }) {
  if (isOff) return html`<p class="stray"><${Prose} text=${textOf(`${id}.stray`) ?? t("guide.stray")} /></p>`;
  return html`<p><${Prose} text=${t(id)} /></p>`;
}

/** @param {{ lesson: LessonData, isAstray: boolean }} props */
function Ways({ lesson, isAstray: isOff }) {
  return html`
    <p class="row">
      ${isOff && html`<button class="primary" onClick=${() => send("/undo", {})}>${t("guide.undo")}</button>`}
      <button class="link" onClick=${() => startLesson(lesson, begun().id)}>${t("guide.again")}</button>
      <a href="/learn">${t("guide.all")}</a>
    </p>`;
}

/** @param {{ lesson: LessonData }} props */
function Praise({ lesson }) {
  return html`<p><strong>${t("guide.well-done")}</strong> <${Prose} text=${t(`lesson.${lesson.id}.done`)} /></p>`;
}

/** @param {{ lesson: LessonData }} props */
function Onward({ lesson }) {
  const next = lessons.value?.[numberOf(lesson)];
  const leave = () => putAway(begun().id);
  return html`
    <p class="row">
      ${
        next
          ? html`<button class="primary" onClick=${() => startLesson(next, begun().id)}>${t("guide.next", { title: titleOf(next) })}</button>`
          : html`<a class="button" href="/" onClick=${leave}>${t("guide.play")}</a>`
      }
      <a href=${`/rules#${lesson.rules}`} onClick=${leave}>${t("guide.rules")}</a>
      <a href="/learn" onClick=${leave}>${t("guide.all")}</a>
    </p>`;
}
