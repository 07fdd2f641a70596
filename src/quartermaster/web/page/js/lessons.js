// The lessons: lessons.json says what they are, this what its conditions mean and how far one is.
import { signal, COUNTRIES } from "./lib.js";
import { t } from "./words.js";
import { attempt, beSomeone, post } from "./api.js";
import { go } from "./main.js";

const KEY = "quartermaster.lessons";
const MOST_TABLES = 50; // more need not be remembered

export const lessons = signal(null);
// tables: game id -> {lesson, isFinished}; done: ids of lessons. Kept in this browser alone.
export const progress = signal(read());

function read() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEY));
  } catch {
    // Nothing can be kept, or what was kept is broken: begin anew.
  }
  return { tables: kept?.tables ?? {}, done: kept?.done ?? [] };
}

function keep(next) {
  progress.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage progress lasts as long as the page.
  }
}

let loading = null;
export function loadLessons() {
  loading ??= fetch("/static/lessons.json")
    .then((reply) => reply.json())
    .then((found) => (lessons.value = found))
    .catch(() => (loading = null));
  return loading;
}

/** The lesson that a table is, if any. */
export function lessonAt(game) {
  const id = progress.value.tables[game]?.lesson;
  return lessons.value?.find((lesson) => lesson.id === id);
}

export const isLesson = (game) => Object.hasOwn(progress.value.tables, game);
export const numberOf = (lesson) => lessons.value.indexOf(lesson) + 1;
export const titleOf = (lesson) => t(`lesson.${lesson.id}.title`);

/** A text that only some steps have. */
export function textOf(id) {
  const text = t(id);
  return text === id ? null : text;
}

/** A new table for a lesson; the one it was begun from is put away. */
export function startLesson(lesson, before) {
  return attempt(async () => {
    await beSomeone();
    const made = await post("/api/games", {
      record: `${lesson.record.join("\n")}\n`,
      seats: lesson.seats,
      title: t("guide.title", { n: numberOf(lesson), title: titleOf(lesson) }),
      has_spectators: false,
      has_hints: false,
      pause: 0.7, // bots as slow as one can follow
      start: true,
    });
    const tables = [...Object.entries(progress.value.tables), [made.id, { lesson: lesson.id, isFinished: false }]];
    keep({ ...progress.value, tables: Object.fromEntries(tables.slice(-MOST_TABLES)) });
    go(`/games/${made.id}`);
    if (before) await putAway(before);
  });
}

/** End a lesson's game, so that it does not wait for its learner among the games for ever. */
export async function putAway(game) {
  await post(`/api/games/${game}/proposals`, { what: "end" }).catch(() => {});
}

export function finish(game) {
  const { tables, done } = progress.value;
  const { lesson } = tables[game];
  keep({
    tables: { ...tables, [game]: { lesson, isFinished: true } },
    done: done.includes(lesson) ? done : [...done, lesson],
  });
}

// What may be asked of a table: `now` has its view, its log and the country whose lines are shown.
// tests/test_lessons.py knows the same conditions.
const CONDITIONS = {
  any: (list, now) => list.some((one) => holds(one, now)),
  log: (wanted, { log }) => log.some((entry) => Object.entries(wanted).every(([key, value]) => entry[key] === value)),
  army: ([country, space], { view }) => view.countries[country].armies.includes(space),
  "no-army": ([country, space], { view }) => !view.countries[country].armies.includes(space),
  navy: ([country, space], { view }) => view.countries[country].navies.includes(space),
  "no-navy": ([country, space], { view }) => !view.countries[country].navies.includes(space),
  table: ([country, card], { view }) => view.countries[country].table.includes(card),
  set: ([country, n], { view }) => view.countries[country].set_size === n,
  score: ([team, n], { view }) => view.score[team] >= n,
  shown: (country, { shown }) => shown === country,
};

export const holds = (condition, now) =>
  Object.entries(condition).every(([kind, value]) => CONDITIONS[kind](value, now));

/** The number of the step that is to be done next; all are done at their count. An undo makes the
 * log shorter, so the learner is back at the step before without further ado. */
export function stepAt(lesson, now) {
  const next = lesson.steps.findIndex((step) => !holds(step.done, now));
  return next < 0 ? lesson.steps.length : next;
}

/** Whether what was done leads away from a step. */
export function isAstray(step, now) {
  if (step.stray && holds(step.stray, now)) return true;
  return step.turn !== undefined && (isPast(step.turn, now.view) || hasPlayedOther(step.turn, now.log));
}

/** Whether the play step that a step belongs to is over. */
function isPast({ country, round }, view) {
  if (view.round !== round) return view.round > round;
  if (view.turn !== country) return COUNTRIES.indexOf(view.turn) > COUNTRIES.indexOf(country);
  return !["turn", "play"].includes(view.step);
}

/** Whether another card than the right one was played or thrown away in that turn. */
function hasPlayedOther({ country, round, card }, log) {
  const start = log.findLastIndex((entry) => entry.what === "turn" && entry.country === country && entry.n === round);
  if (start < 0 && round > 1) return false; // the turn is still to come; in round 1 the lesson may begin in it
  return log.slice(start + 1).some((entry) =>
    entry.country === country && ["play", "set", "discard"].includes(entry.what) && entry.card !== card);
}
