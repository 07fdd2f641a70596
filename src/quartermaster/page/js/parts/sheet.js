// What lies over the map of a small screen: one thing at a time, put away by a tap beside it or by pulling it down.
import { signal } from "../base/html.js";

/** Whether the screen is of a kind, as it changes.
 * @param {string} kind */
function watched(kind) {
  const query = matchMedia(kind);
  const found = signal(query.matches);
  query.addEventListener("change", () => (found.value = query.matches));
  return found;
}

/** Whether there is room for one thing alone. */
export const isSmall = watched("(max-width: 700px), (max-height: 480px)");
/** Whether the header has no room for what a country has. */
export const isNarrow = watched("(max-width: 700px)");

const FAR = 60; // pixels

/** Whoever pulls a sheet down by its head puts it away.
 * @param {PointerEvent} event
 * @param {string} sheet what it is the head of
 * @param {() => void} close */
export function pull(event, sheet, close) {
  const head = /** @type {Element} */ (event.currentTarget);
  const one = /** @type {HTMLElement | null} */ (head.closest(sheet));
  if (!isSmall.value || !one || (event.target instanceof Element && event.target.closest("button"))) return;
  let by = 0;
  const onMove = (/** @type {PointerEvent} */ now) => {
    by = Math.max(0, now.clientY - event.clientY);
    one.style.translate = `0 ${by}px`;
  };
  const onUp = () => {
    removeEventListener("pointermove", onMove);
    removeEventListener("pointerup", onUp);
    removeEventListener("pointercancel", onUp);
    one.style.translate = "";
    if (by > FAR) close();
  };
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", onUp);
}
