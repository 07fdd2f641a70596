// The focus never falls back to the page: where what had it is gone, it goes to what one wants next. This is for whoever
// goes by keys or by ear; where a mouse or a finger was last, nothing is moved.
import { whenIdle } from "../base/html.js";

/** @typedef {HTMLElement | SVGElement} Place */

const CONTROLS =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex='0']";
/** Where one only waits for what comes: it is left as soon as there is something better. */
const WAITS = "body, #main, .prompt";
/** What is too large for its first control to be near anything. */
const WIDE = "html, body, #app, #main, .app, .board";
const BACK = ".drawer > header, .hints > header, .space-info > .close"; // a press here puts away what it is in
const KEPT = 6;

export let isByKeys = false; // what was done last
let isAway = false; // what was done last puts something away
/** @type {Element[]} */
let around = []; // what had the focus, and all that it was in, from the inside out
/** @type {Place[]} */
let trail = []; // what had it before, the last at the end

/** @param {Element} one */
const isSeen = (one) => one.isConnected && one.getClientRects().length > 0 && !one.closest("[inert]");

/** The first thing in a part of the page that takes the focus.
 * @param {Element} part
 * @returns {Place | undefined} */
const firstIn = (part) =>
  /** @type {Place[]} */ (part.matches(CONTROLS) ? [part] : [...part.querySelectorAll(CONTROLS)]).find(isSeen);

/** @param {string} selector
 * @param {ParentNode} [part]
 * @returns {Place | undefined} */
const seen = (selector, part = document) => /** @type {Place[]} */ ([...part.querySelectorAll(selector)]).find(isSeen);

/** Give something the focus, also what Tab does not lead to, and leave the page where it is.
 * @param {Place} place */
export function give(place) {
  if (!place.matches(CONTROLS) && !place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  place.focus({ preventScroll: true });
}

/** What one wants once what had the focus is gone. */
function next() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) return around.includes(dialog) ? firstIn(dialog) : undefined;
  const first = seen(".result h1") ?? seen(".result-back") ?? seen(".hand.covered .main");
  if (first) return first;
  const drawer = around.find((one) => one.matches(".drawer") && isSeen(one));
  if (drawer) return seen("h2", drawer);
  // What was put away leads back to what opened it.
  const before = isAway ? trail.findLast(isSeen) : undefined;
  if (before) return before;
  const game = seen(".replay .play-pause") ?? seen(".prompt");
  if (game) return game;
  for (const one of around)
    if (isSeen(one) && !one.matches(WIDE)) {
      const found = seen("h1, h2, h3", one) ?? firstIn(one);
      if (found) return found;
    }
  return seen("main h1");
}

/** Tab leads from a button into what it has opened, and from the end of that on to what comes after the button.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} part
 * @param {Place | null} button */
export function leadThrough(event, part, button) {
  if (event.key !== "Tab" || !button || !isSeen(button)) return;
  const at = document.activeElement;
  const all = /** @type {Place[]} */ ([...part.querySelectorAll(CONTROLS)].filter(isSeen));
  if (at === button && !event.shiftKey) {
    all[0]?.focus();
    event.preventDefault();
  } else if (at === all.at(-1) && !event.shiftKey)
    button.focus({ preventScroll: true }); // and on from there
  else if (event.shiftKey && part.contains(at) && (at === all[0] || !at?.matches(CONTROLS))) {
    button.focus();
    event.preventDefault();
  }
}

/** Whether what had the focus is gone, or only waits. Who goes on from the last thing of the page to the browser's own bar
 * has lost nothing. */
function isLost() {
  const [one] = around;
  const now = document.activeElement ?? document.body;
  if (!isByKeys || !one || !now.matches(WAITS)) return false;
  return (
    now !== document.body ||
    !isSeen(one) ||
    one.matches(":disabled, :not(a, button, input, select, textarea, summary, [tabindex])")
  );
}

let isAsked = false;
/** Look where the focus is, once the page has come to rest. */
function look() {
  if (isAsked || !isLost()) return;
  isAsked = true;
  // A browser takes the focus from what is switched off only after the frame that shows it.
  requestAnimationFrame(() =>
    setTimeout(() => {
      isAsked = false;
      const to = isLost() ? next() : undefined;
      if (to && to !== document.activeElement) give(to);
    }),
  );
}

/** @param {Element | null} one */
function remember(one) {
  if (!one || one.matches("html, body")) return;
  around = [];
  for (let at = /** @type {Element | null} */ (one); at; at = at.parentElement) around.push(at);
  const place = /** @type {Place} */ (one);
  if (!one.matches(WAITS))
    trail = [...trail.filter((other) => other !== place && other.isConnected), place].slice(-KEPT);
}

addEventListener("pointerdown", () => (isByKeys = false), true);
addEventListener(
  "keydown",
  (event) => {
    isByKeys = true;
    isAway = event.key === "Escape";
    remember(document.activeElement);
  },
  true,
);
// A screen reader presses buttons without any pointer.
addEventListener(
  "click",
  (event) => {
    if (!event.isTrusted || event.detail) return;
    const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    isByKeys = true;
    isAway = control?.closest(BACK) !== null;
    remember(control);
  },
  true,
);
addEventListener("focusin", (event) => {
  if (isByKeys && event.target instanceof Element) remember(event.target);
});
addEventListener("focusout", look);
whenIdle(() =>
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "inert", "hidden", "open", "tabindex"],
  }),
);
