// How much of the board is seen: drag, pinch, wheel, keys, and the automatic look at what can be chosen.
import { effect, signal, untracked, useEffect, useMemo } from "../base/html.js";
import { world } from "../state/table.js";

const NEAREST = 4; // times the size of the whole board
const ROOM = 70; // pixels around what is looked at
const EDGE = 40; // pixels from the edge of the free part at which a piece is well in sight
const OVER = ".tools, .prompt, .guide, .note, .recap, .answered"; // what may lie over the map
const STILL = 10; // pixels that a finger may move and still tap
const MOMENT = 1200; // milliseconds for which one still sees where on the board the view has come to

/** Counts whenever something comes to lie over the map, or changes its size there. */
export const covers = signal(0);

/** How much a turn of the wheel enlarges: a notch by a sixth, and no more the many small steps of a touchpad that come to
 * the same way. Two fingers that part on a touchpad are told as a wheel with Ctrl, in smaller numbers.
 * @param {WheelEvent} event */
function factorOf({ deltaY, deltaMode, ctrlKey }) {
  const [rate, most] = ctrlKey ? [0.01, 25] : [0.0017, 100];
  const pixels = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * 40;
  return Math.exp(-Math.max(-most, Math.min(most, pixels)) * rate);
}

/** @param {{ current: HTMLElement | null }} frame
 * @param {[number, number]} box the board's own size
 * @param {import("../../vendor/signals.js").ReadonlySignal<string[]>} [focus] spaces to look at
 * @param {boolean} [startsWhole] also on a small screen */
export function useView(frame, [w, h], focus, startsWhole = false) {
  const view = useMemo(() => makeView(frame, w, h, () => focus?.peek() ?? [], startsWhole), []);
  useEffect(() => view.listen(), []);
  useEffect(
    () =>
      effect(() => {
        const spaces = focus?.value ?? [];
        untracked(() => view.look(spaces));
      }),
    [focus],
  );
  useEffect(() => effect(() => void (covers.value && untracked(() => view.lookAgain()))), []);
  return view;
}

/** @param {{ current: HTMLElement | null }} frame
 * @param {number} w
 * @param {number} h
 * @param {() => string[]} focus
 * @param {boolean} startsWhole */
function makeView(frame, w, h, focus, startsWhole) {
  const size = signal({ w: 1440, h: 640 }); // of the window on the board, in pixels
  const at = signal({ x: 0, y: 0, k: 1 }); // its upper left corner on the board and the scale
  const isGliding = signal(false); // it moves by itself, so one should see where to
  const isMoving = signal(false); // it moves, or has just moved
  let isOwn = false; // somebody moved it
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  const least = () => Math.min(size.value.w / w, size.value.h / h);

  /** @param {{ x: number, y: number, k: number }} next */
  function put(next) {
    const k = Math.min(Math.max(least(), Math.max(1, least()) * NEAREST), Math.max(least(), next.k));
    const seen = { w: size.value.w / k, h: size.value.h / k };
    const within = (/** @type {number} */ v, /** @type {number} */ whole, /** @type {number} */ part) =>
      part >= whole ? (whole - part) / 2 : Math.min(whole - part, Math.max(0, v));
    const [x, y] = [within(next.x, w, seen.w), within(next.y, h, seen.h)];
    if (k === at.value.k && x === at.value.x && y === at.value.y) return;
    at.value = { k, x, y };
    isMoving.value = true;
    clearTimeout(rest);
    rest = setTimeout(() => (isMoving.value = false), MOMENT);
  }

  /** @param {number} factor
   * @param {number} [px] the place that stays, in pixels of the window
   * @param {number} [py] */
  function by(factor, px = size.value.w / 2, py = size.value.h / 2) {
    isOwn = true;
    const { x, y, k } = at.value;
    const next = Math.min(Math.max(1, least()) * NEAREST, Math.max(least(), k * factor));
    put({ k: next, x: x + px / k - px / next, y: y + py / k - py / next });
  }

  const isSmall = () => size.value.w < 700 || size.value.h < 400;
  const isWhole = () => at.value.k <= least() * 1.02;
  const whole = () => put({ x: 0, y: 0, k: least() });
  /** Europe, where most happens, Moscow beside the tools. */
  const heart = () => put({ k: 1, x: 670 - size.value.w / 2, y: 215 - size.value.h / 2 });

  /** The whole map; where that is small, and seen already, what one is to look at. */
  function wholeOrBack() {
    if (!isWhole() || !isSmall()) return whole();
    heart();
    if (focus().length) show(focus());
  }

  /** The part of the window on which nothing lies, in its pixels: of what lies over it, it is cut off at the side where most is left. */
  function free() {
    const box = frame.current?.getBoundingClientRect();
    let part = { left: 0, top: 0, right: size.value.w, bottom: size.value.h };
    const scale = box?.width ? box.width / size.value.w : 1; // very large screens enlarge everything
    const area = (/** @type {typeof part} */ { left, top, right, bottom }) =>
      Math.max(0, right - left) * Math.max(0, bottom - top);
    for (const one of box ? document.querySelectorAll(OVER) : []) {
      const r = one.getBoundingClientRect();
      const [left, right] = [r.left, r.right].map((x) => (x - Number(box?.left)) / scale);
      const [top, bottom] = [r.top, r.bottom].map((y) => (y - Number(box?.top)) / scale);
      if (left >= part.right || right <= part.left || top >= part.bottom || bottom <= part.top) continue;
      const cuts = [
        { ...part, left: right },
        { ...part, right: left },
        { ...part, top: bottom },
        { ...part, bottom: top },
      ];
      part = cuts.reduce((best, cut) => (area(cut) > area(best) ? cut : best));
    }
    return part;
  }

  /** Bring some spaces into sight; of many that lie far apart, the first.
   * @param {string[]} spaces */
  function show(spaces) {
    const spots = spaces.flatMap((id) => world().map.spaces[id]?.slots ?? []);
    if (!spots.length) return;
    const xs = spots.map(([x]) => x),
      ys = spots.map(([, y]) => y);
    const span = {
      x: Math.min(...xs) - ROOM,
      y: Math.min(...ys) - ROOM,
      w: Math.max(...xs) - Math.min(...xs) + 2 * ROOM,
      h: Math.max(...ys) - Math.min(...ys) + 2 * ROOM,
    };
    // On a small screen a piece is never smaller than a finger.
    const finger = isSmall() ? 1 : least();
    const most = spaces.length > 1 ? 1.6 : 1.2; // of one space also what lies around it
    const { left, top, right, bottom } = free();
    const k = Math.max(finger, Math.min(most, (right - left) / span.w, (bottom - top) / span.h));
    if (span.w * k > size.value.w * 1.05 && spaces.length > 1)
      return show(spaces.slice(0, Math.ceil(spaces.length / 2)));
    isGliding.value = k === at.value.k; // what changes its size is painted anew: that does not glide
    isOwn = false;
    // What is too large for the free part stands in the middle of all.
    const [x, y] = [
      span.w * k > right - left ? size.value.w : left + right,
      span.h * k > bottom - top ? size.value.h : top + bottom,
    ];
    put({ k, x: span.x + span.w / 2 - x / 2 / k, y: span.y + span.h / 2 - y / 2 / k });
  }

  /** @param {string[]} spaces */
  function look(spaces) {
    if (isWhole() && !isSmall()) return; // all is seen
    if (!spaces.length || (spaces.length === 1 && isNear(spaces[0]))) return;
    show(spaces);
  }

  /** What is looked at stays in sight where the free part changes, unless somebody moved the map. */
  const lookAgain = () => void (isOwn || look(focus()));

  /** Whether a space is well in sight, as large as it would be shown.
   * @param {string} space */
  function isNear(space) {
    const { x, y, k } = at.value;
    const { left, top, right, bottom } = free();
    return (
      k >= Math.min(1, NEAREST * least()) &&
      world().map.spaces[space].slots.every(
        ([a, b]) =>
          (a - x) * k > left + EDGE &&
          (b - y) * k > top + EDGE &&
          (a - x) * k < right - EDGE &&
          (b - y) * k < bottom - EDGE,
      )
    );
  }

  function listen() {
    const box = /** @type {HTMLElement} */ (frame.current);
    /** @type {Map<number, PointerEvent>} */
    const fingers = new Map();
    let start = { x: 0, y: 0 }; // where the first finger came down
    let isDrag = false;
    let isFirst = true;
    /** Where two fingers began: how far apart, and the place of the board between them.
     * @type {{ apart: number, k: number, x: number, y: number } | null} */
    let pinch = null;
    const watch = new ResizeObserver(([entry]) => {
      const wasWhole = isWhole();
      size.value = { w: entry.contentRect.width || 1, h: entry.contentRect.height || 1 };
      if (isFirst && !startsWhole && isSmall()) {
        heart();
        look(focus());
      } else if (wasWhole || isFirst) whole();
      else {
        put(at.value);
        lookAgain();
      }
      isFirst = false;
    });
    watch.observe(box);
    /** @param {WheelEvent} e */
    const onWheel = (e) => {
      e.preventDefault();
      isGliding.value = false;
      const r = box.getBoundingClientRect();
      by(factorOf(e), e.clientX - r.left, e.clientY - r.top);
    };
    /** Whoever goes through the spaces by keys sees the one they are at.
     * @param {FocusEvent} e */
    const onFocus = (e) => {
      const space =
        e.target instanceof Element && e.target.matches(":focus-visible") && e.target.closest("[data-space]");
      if (space) look([space.getAttribute("data-space") ?? ""]);
    };
    /** @param {PointerEvent} e */
    const onDown = (e) => {
      if (!fingers.size) {
        isDrag = false; // also where the last drag ended without a click
        start = { x: e.clientX, y: e.clientY };
      }
      if (e.target instanceof Element && e.target.closest("button")) return;
      fingers.set(e.pointerId, e);
    };
    /** @param {PointerEvent} e */
    const onMove = (e) => {
      const before = fingers.get(e.pointerId);
      if (!before) return;
      // A finger never lies still: what stays near where it came down is a tap.
      isDrag ||= fingers.size > 1 || Math.hypot(e.clientX - start.x, e.clientY - start.y) > STILL;
      if (!isDrag) return;
      isGliding.value = false;
      isOwn = true;
      const r = box.getBoundingClientRect();
      fingers.set(e.pointerId, e);
      const [one, other] = fingers.values();
      if (fingers.size === 2) {
        // What was between the fingers when they came down stays between them, also where the map had no room for it meanwhile.
        const apart = Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
        const [x, y] = [(one.clientX + other.clientX) / 2 - r.left, (one.clientY + other.clientY) / 2 - r.top];
        const { k } = at.value;
        pinch ??= { apart, k, x: at.value.x + x / k, y: at.value.y + y / k };
        const next = Math.min(Math.max(1, least()) * NEAREST, Math.max(least(), (pinch.k * apart) / pinch.apart));
        return put({ k: next, x: pinch.x - x / next, y: pinch.y - y / next });
      }
      put({
        ...at.value,
        x: at.value.x - (e.clientX - before.clientX) / at.value.k,
        y: at.value.y - (e.clientY - before.clientY) / at.value.k,
      });
    };
    /** @param {PointerEvent} e */
    const onUp = (e) => {
      fingers.delete(e.pointerId);
      pinch = null;
    };
    // What was a drag is no click.
    /** @param {MouseEvent} e */
    const onClick = (e) => {
      if (!isDrag) return;
      e.stopPropagation();
      e.preventDefault();
      isDrag = false;
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    box.addEventListener("focusin", onFocus);
    box.addEventListener("pointerdown", onDown);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    addEventListener("pointercancel", onUp);
    box.addEventListener("click", onClick, true);
    return () => {
      clearTimeout(rest);
      watch.disconnect();
      box.removeEventListener("wheel", onWheel);
      box.removeEventListener("focusin", onFocus);
      box.removeEventListener("pointerdown", onDown);
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      removeEventListener("pointercancel", onUp);
      box.removeEventListener("click", onClick, true);
    };
  }

  return {
    by,
    wholeOrBack,
    show,
    look,
    lookAgain,
    listen,
    isGliding,
    isMoving,
    get style() {
      const { x, y, k } = at.value;
      return { width: `${w * k}px`, height: `${h * k}px`, transform: `translate(${-x * k}px, ${-y * k}px)` };
    },
    /** Whether only a part of the board is seen. */
    isPart: {
      get value() {
        return !isWhole();
      },
    },
    window: {
      get value() {
        return { x: at.value.x, y: at.value.y, w: size.value.w / at.value.k, h: size.value.h / at.value.k };
      },
    },
  };
}
