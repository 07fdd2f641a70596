// What every part of the page is written with.
import { h, render } from "../../vendor/preact.js";
import { useMemo } from "../../vendor/hooks.js";
import { computed, effect, signal } from "../../vendor/signals.js";
import htm from "../../vendor/htm.js";

export { render };
export { signal, computed, effect, batch, untracked, useSignal, useComputed } from "../../vendor/signals.js";
export { useEffect, useLayoutEffect, useRef, useMemo } from "../../vendor/hooks.js";
export const html = htm.bind(h);

/** Class names, those that apply.
 * @param {...(string | false | null | undefined)} names */
export const cls = (...names) => names.filter(Boolean).join(" ");

/** Text of ours that is SVG already.
 * @param {string} text */
export const raw = (text) => ({ __html: text });

/** What an event came from.
 * @param {Event} event */
export const field = (event) => /** @type {HTMLInputElement} */ (event.target);

/** A computed value that stays the same object as long as it says the same, so that who looks at it is not drawn anew.
 * @template T
 * @param {() => T} make
 * @returns {import("../../vendor/signals.js").ReadonlySignal<T>} */
export function steady(make) {
  let text = "";
  /** @type {T} */
  let last;
  return computed(() => {
    const next = make();
    const now = JSON.stringify(next) ?? "";
    if (now !== text) [text, last] = [now, next];
    return last;
  });
}

/** Such a value for a part of the page. What it is made of must be the same for as long as the part is there.
 * @template T
 * @param {() => T} make */
export const useSteady = (make) => useMemo(() => steady(make), []).value;

/** What came anew, with every part that says the same as before taken from before: what has not changed is the same
 * object, so who looks at it alone is not asked again.
 * @template T
 * @param {any} before
 * @param {T} next nobody else has it yet
 * @returns {T} */
export function kept(before, next) {
  if (typeof before !== "object" || typeof next !== "object" || !before || !next) return next;
  const keys = /** @type {(keyof T)[]} */ (Object.keys(next));
  let isSame = keys.length === Object.keys(before).length && Array.isArray(before) === Array.isArray(next);
  for (const key of keys) {
    next[key] = kept(before[key], next[key]);
    isSame &&= next[key] === before[key];
  }
  return isSame ? before : next;
}

/** The same value some frames after the frame that shows it first, so that not all that shows it is drawn in one frame. What begins or ends begins or
 * ends for all: only from one value to the next there is time. Where values come faster than frames, the newest is shown once the frames are over.
 * @template T
 * @param {import("../../vendor/signals.js").ReadonlySignal<T>} source
 * @param {number} frames
 * @returns {import("../../vendor/signals.js").ReadonlySignal<T>} */
export function later(source, frames) {
  const copy = signal(source.peek());
  let asked = 0; // the next frame, while there is something to wait for
  /** @param {number} left */
  const wait = (left) => {
    cancelAnimationFrame(asked);
    asked = left && requestAnimationFrame(() => wait(left - 1));
    if (!left) copy.value = source.peek();
  };
  effect(() => {
    if (document.hidden || !source.value || !copy.peek()) wait(0);
    else if (!asked) wait(frames + 1);
  });
  return copy;
}

/** Do something when nothing else is to be done, some time from now at the latest.
 * @param {() => void} act
 * @param {number} [latest] milliseconds */
export const whenIdle = (act, latest = 1000) =>
  "requestIdleCallback" in window
    ? requestIdleCallback(() => act(), { timeout: latest })
    : setTimeout(act, Math.min(50, latest));

/** Minutes and seconds, hours, or days.
 * @param {number} seconds */
export function duration(seconds) {
  const s = Math.max(0, Math.ceil(seconds));
  if (s >= 172800)
    return new Intl.NumberFormat(document.documentElement.lang, {
      style: "unit",
      unit: "day",
      unitDisplay: "short",
    }).format(Math.floor(s / 86400));
  if (s >= 3600) return `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, "0")} h`;
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}
