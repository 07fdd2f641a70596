// A turn ends by itself where nothing is left but cards that could be discarded: after a moment, in which
// anything one does keeps it open.
import { computed, effect, signal } from "../base/html.js";
import { stage } from "./beats.js";
import { answer, asked, isBusy, ticked } from "./choices.js";
import { isLesson } from "./lessons.js";
import { note } from "./notes.js";
import { settings } from "./settings.js";
import { onTable, table } from "./table.js";

export const MOMENT = 4000; // milliseconds

const kept = signal(""); // the turn that one has kept open
const turnOf = (/** @type {import("./table.js").TableView} */ now) => `${now.id} ${now.view?.round} ${now.view?.turn}`;
const turn = computed(() => (table.value ? turnOf(table.value) : ""));

/** The turn that is about to end by itself. */
export const ending = computed(() => {
  const q = asked.value;
  const isLast = q?.decision.kind === "discard-step" && q.pass !== undefined && !q.loose.length && !q.bySpace.size;
  const isAlone = isLast && settings.value.ends !== "asked" && !isLesson(String(table.value?.id));
  return isAlone && !isBusy.value && !stage.value && !note.value && !ticked.value.length && kept.value !== turn.value
    ? turn.value
    : null;
});

/** The turn stays open until one ends it. */
export function keepOpen() {
  if (ending.value) kept.value = ending.value;
}

// Whoever goes back wants to do something else.
onTable((before, next) => {
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
