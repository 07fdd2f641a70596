// What every part of the page is written with.
import { h, render } from "../../vendor/preact.js";
import htm from "../../vendor/htm.js";

export { render };
export { signal, computed, effect, batch, useSignal, useComputed } from "../../vendor/signals.js";
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
