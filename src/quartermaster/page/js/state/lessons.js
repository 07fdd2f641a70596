// The lessons: lessons.json says what they are, this what its conditions mean and how far one is.
import { signal } from "../base/html.js";
import { t } from "../base/words.js";
import { file, post } from "../base/api.js";
import { COUNTRIES } from "../base/countries.js";
import { attempt, beSomeone } from "./session.js";

/** @typedef {import("./table.js").View} View */
/** @typedef {import("./table.js").LogEntry} LogEntry */
/** @typedef {{ country: string, round: number, card?: string }} When */
/** @typedef {{ id: string, done: any, stray?: any, turn?: When, point?: { spaces?: string[], cards?: string[], actions?: string[] } }} Step */
/** @typedef {{ id: string, rules: string, record: string[], seats: { countries: string[], who: string }[], steps: Step[] }} Lesson */
/** @typedef {{ view: View, log: LogEntry[], shown: string | null }} Seen */

const NOTHING = {
  spaces: /** @type {string[]} */ ([]),
  cards: /** @type {string[]} */ ([]),
  actions: /** @type {string[]} */ ([]),
};
/** What the step at hand is about, for the map and the hand to show. */
export const pointed = signal(NOTHING);
/** @param {Step["point"]} [what] */
export const point = (what = {}) => (pointed.value = { ...NOTHING, ...what });

const KEY = "quartermaster.lessons";
const MOST_TABLES = 50; // more need not be remembered

export const lessons = signal(/** @type {Lesson[] | null} */ (null));
// tables: game id -> {lesson, isFinished}; done: ids of lessons. Kept in this browser alone.
export const progress = signal(read());

/** @returns {{ tables: Record<string, { lesson: string, isFinished: boolean }>, done: string[] }} */
function read() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    // Nothing can be kept, or what was kept is broken: begin anew.
  }
  return { tables: kept?.tables ?? {}, done: kept?.done ?? [] };
}

/** @param {ReturnType<typeof read>} next */
function keep(next) {
  progress.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage progress lasts as long as the page.
  }
}

/** @type {Promise<any> | null} */
let loading = null;
export function loadLessons() {
  loading ??= file("lessons.json")
    .then((found) => (lessons.value = found))
    .catch(() => (loading = null));
  return loading;
}

/** The lesson that a table is, if any.
 * @param {string} game */
export function lessonAt(game) {
  const id = progress.value.tables[game]?.lesson;
  return lessons.value?.find((lesson) => lesson.id === id);
}

/** @param {string} game */
export const isLesson = (game) => Object.hasOwn(progress.value.tables, game);
/** Whether a table of a lesson is the one that was begun last: new ones are noted after the old.
 * @param {string} game */
export function isNewest(game) {
  const { tables } = progress.value;
  return Object.keys(tables).findLast((id) => tables[id].lesson === tables[game].lesson) === game;
}
/** @param {Lesson} lesson */
export const numberOf = (lesson) => (lessons.value ?? []).indexOf(lesson) + 1;
/** @param {Lesson} lesson */
export const titleOf = (lesson) => t(`lesson.${lesson.id}.title`);

/** A text that only some steps have.
 * @param {string} id */
export function textOf(id) {
  const text = t(id);
  return text === id ? null : text;
}

/** A new table for a lesson: its id, if it could be made.
 * @param {Lesson} lesson */
export function makeLesson(lesson) {
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
    return /** @type {string} */ (made.id);
  });
}

/** End a lesson's game, so that it does not wait for its learner among the games for ever.
 * @param {string} game */
export async function putAway(game) {
  await post(`/api/games/${game}/proposals`, { what: "end" }).catch(() => {});
}

/** @param {string} game */
export function finish(game) {
  const { tables, done } = progress.value;
  const { lesson } = tables[game];
  keep({
    tables: { ...tables, [game]: { lesson, isFinished: true } },
    done: done.includes(lesson) ? done : [...done, lesson],
  });
}

// What may be asked of a table: `now` has its view, its log and the country whose lines are shown.
/** @type {Record<string, (value: any, now: Seen) => boolean>} */
const CONDITIONS = {
  any: (list, now) => list.some((/** @type {any} */ one) => holds(one, now)),
  log: (wanted, { log }) =>
    log.some((entry) => Object.entries(wanted).every(([key, value]) => /** @type {any} */ (entry)[key] === value)),
  army: ([country, space], { view }) => view.countries[country].armies.includes(space),
  "no-army": ([country, space], { view }) => !view.countries[country].armies.includes(space),
  navy: ([country, space], { view }) => view.countries[country].navies.includes(space),
  "no-navy": ([country, space], { view }) => !view.countries[country].navies.includes(space),
  table: ([country, card], { view }) => view.countries[country].table.includes(card),
  set: ([country, n], { view }) => view.countries[country].set_size === n,
  score: ([team, n], { view }) => view.score[team] >= n,
  shown: (country, { shown }) => shown === country,
};

/** @param {Record<string, any>} condition
 * @param {Seen} now
 * @returns {boolean} */
export const holds = (condition, now) =>
  Object.entries(condition).every(([kind, value]) => CONDITIONS[kind](value, now));

/** The number of the step that is to be done next; all are done at their count. An undo makes the
 * log shorter, so the learner is back at the step before without further ado.
 * @param {Lesson} lesson
 * @param {Seen} now */
export function stepAt(lesson, now) {
  const next = lesson.steps.findIndex((step) => !holds(step.done, now));
  return next < 0 ? lesson.steps.length : next;
}

/** Whether what was done leads away from a step.
 * @param {Step} step
 * @param {Seen} now */
export function isAstray(step, now) {
  if (step.stray && holds(step.stray, now)) return true;
  return step.turn !== undefined && (isPast(step.turn, now.view) || hasPlayedOther(step.turn, now.log));
}

/** Whether the play step that a step belongs to is over.
 * @param {When} when
 * @param {View} view */
function isPast({ country, round }, view) {
  if (view.round !== round) return view.round > round;
  if (view.turn !== country) return COUNTRIES.indexOf(view.turn) > COUNTRIES.indexOf(country);
  return !["turn", "play"].includes(view.step);
}

/** Whether another card than the right one was played or thrown away in that turn.
 * @param {When} when
 * @param {LogEntry[]} log */
function hasPlayedOther({ country, round, card }, log) {
  const start = log.findLastIndex((entry) => entry.what === "turn" && entry.country === country && entry.n === round);
  if (start < 0 && round > 1) return false; // the turn is still to come; in round 1 the lesson may begin in it
  return log
    .slice(start + 1)
    .some(
      (entry) => entry.country === country && ["play", "set", "discard"].includes(entry.what) && entry.card !== card,
    );
}
