// A turn ends by itself where nothing is left but cards that could be discarded: after a moment, in which
// anything one does keeps it open. The first turns wait: whoever reads what has happened shall not be hurried.
import { computed, effect, signal } from "../base/html.js";
import { stage } from "./beats.js";
import { answer, asked, isBusy, ticked } from "./choices.js";
import { isLesson } from "./lessons.js";
import { note } from "./notes.js";
import { set, settings } from "./settings.js";
import { isMine, onTable, table } from "./table.js";

export const MOMENT = 8000; // milliseconds
const FIRST = 3; // turns that one ends oneself, while there are notes for a first game

const kept = signal(""); // the turn that one has kept open
const turnOf = (/** @type {import("./table.js").TableView} */ now) => `${now.id} ${now.view?.round} ${now.view?.turn}`;
const turn = computed(() => (table.value ? turnOf(table.value) : ""));

/** Whether turns wait to be ended because they are the first in this browser. */
export const isWaiting = computed(
  () => settings.value.ends === "moment" && settings.value.notes && settings.value.ended < FIRST,
);

/** The turn that is about to end by itself. */
export const ending = computed(() => {
  const q = asked.value;
  const isLast = q?.decision.kind === "discard-step" && q.pass !== undefined && !q.loose.length && !q.bySpace.size;
  const isAlone = isLast && settings.value.ends !== "asked" && !isWaiting.value && !isLesson(String(table.value?.id));
  return isAlone && !isBusy.value && !stage.value && !note.value && !ticked.value.length && kept.value !== turn.value
    ? turn.value
    : null;
});

/** The turn stays open until one ends it. */
export function keepOpen() {
  if (ending.value) kept.value = ending.value;
}

onTable((before, next) => {
  const turn = before?.view?.turn ?? null;
  const hasEnded = before?.id === next.id && next.steps > before.steps && next.view && next.view.turn !== turn;
  if (hasEnded && isMine(turn) && settings.value.ended < FIRST && !isLesson(next.id))
    set({ ended: settings.value.ended + 1 });
  // Whoever goes back wants to do something else.
  if (before?.id === next.id && next.steps < before.steps && next.view) kept.value = turnOf(next);
});

/** End the turn as it ends by itself. */
export function endTurn() {
  const q = asked.value;
  if (ending.value && q?.pass) answer(q, q.pass);
}

const isEnd = (/** @type {Event} */ event) =>
  event.target instanceof Element && event.target.closest(".confirm") !== null;

effect(() => {
  if (!ending.value) return;
  const timer = setTimeout(endTurn, settings.value.ends === "once" ? 0 : MOMENT);
  const onAny = (/** @type {Event} */ event) => {
    if (!isEnd(event)) keepOpen();
  };
  addEventListener("pointerdown", onAny);
  addEventListener("keydown", onAny);
  return () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", onAny);
    removeEventListener("keydown", onAny);
  };
});
