// How much of the board is seen: drag, pinch, wheel, keys, and the automatic look at what can be chosen.
import { effect, signal, untracked, useEffect, useMemo } from "../base/html.js";
import { world } from "../state/table.js";

const NEAREST = 4; // times the size of the whole board
const ROOM = 70; // pixels around what is looked at
const STILL = 10; // pixels that a finger may move and still tap

/** @param {{ current: HTMLElement | null }} frame
 * @param {[number, number]} box the board's own size
 * @param {import("../../vendor/signals.js").ReadonlySignal<string[]>} [focus] spaces to look at */
export function useView(frame, [w, h], focus) {
  const view = useMemo(() => makeView(frame, w, h, () => focus?.peek() ?? []), []);
  useEffect(() => view.listen(), []);
  useEffect(
    () =>
      effect(() => {
        const spaces = focus?.value ?? [];
        untracked(() => view.look(spaces));
      }),
    [focus],
  );
  return view;
}

/** @param {{ current: HTMLElement | null }} frame
 * @param {number} w
 * @param {number} h
 * @param {() => string[]} focus */
function makeView(frame, w, h, focus) {
  const size = signal({ w: 1440, h: 640 }); // of the window on the board, in pixels
  const at = signal({ x: 0, y: 0, k: 1 }); // its upper left corner on the board and the scale
  const isGliding = signal(false); // it moves by itself, so one should see where to
  const least = () => Math.min(size.value.w / w, size.value.h / h);

  /** @param {{ x: number, y: number, k: number }} next */
  function put(next) {
    const k = Math.min(Math.max(least(), Math.max(1, least()) * NEAREST), Math.max(least(), next.k));
    const seen = { w: size.value.w / k, h: size.value.h / k };
    const within = (/** @type {number} */ v, /** @type {number} */ whole, /** @type {number} */ part) =>
      part >= whole ? (whole - part) / 2 : Math.min(whole - part, Math.max(0, v));
    const [x, y] = [within(next.x, w, seen.w), within(next.y, h, seen.h)];
    if (k !== at.value.k || x !== at.value.x || y !== at.value.y) at.value = { k, x, y };
  }

  /** @param {number} factor
   * @param {number} [px] the place that stays, in pixels of the window
   * @param {number} [py] */
  function by(factor, px = size.value.w / 2, py = size.value.h / 2) {
    const { x, y, k } = at.value;
    const next = Math.min(Math.max(1, least()) * NEAREST, Math.max(least(), k * factor));
    put({ k: next, x: x + px / k - px / next, y: y + py / k - py / next });
  }

  const whole = () => put({ x: 0, y: 0, k: least() });

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
    const finger = size.value.w < 700 || size.value.h < 400 ? 1 : least();
    const most = spaces.length > 1 ? 1.6 : 1.2; // of one space also what lies around it
    const k = Math.max(finger, Math.min(most, size.value.w / span.w, size.value.h / span.h));
    if (span.w * k > size.value.w * 1.05 && spaces.length > 1)
      return show(spaces.slice(0, Math.ceil(spaces.length / 2)));
    isGliding.value = k === at.value.k; // what changes its size is painted anew: that does not glide
    put({ k, x: span.x + span.w / 2 - size.value.w / k / 2, y: span.y + span.h / 2 - size.value.h / k / 2 });
  }

  /** @param {string[]} spaces */
  function look(spaces) {
    if (at.value.k <= least() * 1.02 && size.value.w >= 700 && size.value.h >= 400) return; // all is seen
    if (!spaces.length || (spaces.length === 1 && isNear(spaces[0]))) return;
    show(spaces);
  }

  /** Whether a space is well in sight, as large as it would be shown.
   * @param {string} space */
  function isNear(space) {
    const { x, y, k } = at.value;
    return (
      k >= Math.min(1, NEAREST * least()) &&
      world().map.spaces[space].slots.every(
        ([a, b]) =>
          (a - x) * k > ROOM &&
          (b - y) * k > ROOM &&
          (a - x) * k < size.value.w - ROOM &&
          (b - y) * k < size.value.h - ROOM,
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
    const watch = new ResizeObserver(([entry]) => {
      const isWhole = at.value.k <= least() * 1.02;
      size.value = { w: entry.contentRect.width || 1, h: entry.contentRect.height || 1 };
      if (isFirst && (size.value.w < 700 || size.value.h < 400)) {
        put({ k: 1, x: 670 - size.value.w / 2, y: 215 - size.value.h / 2 }); // Europe, where most happens, Moscow beside the tools
        look(focus());
      } else if (isWhole || isFirst) whole();
      else put(at.value);
      isFirst = false;
    });
    watch.observe(box);
    /** @param {WheelEvent} e */
    const onWheel = (e) => {
      e.preventDefault();
      isGliding.value = false;
      const r = box.getBoundingClientRect();
      by(e.deltaY > 0 ? 0.85 : 1.18, e.clientX - r.left, e.clientY - r.top);
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
      const r = box.getBoundingClientRect();
      if (fingers.size === 2) {
        const other = /** @type {PointerEvent} */ ([...fingers.values()].find((one) => one.pointerId !== e.pointerId));
        const old = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
        const now = Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
        // What is between the fingers stays between them.
        if (old > 0 && now > 0)
          by(now / old, (e.clientX + other.clientX) / 2 - r.left, (e.clientY + other.clientY) / 2 - r.top);
      }
      const share = fingers.size === 2 ? 0.5 : 1;
      put({
        ...at.value,
        x: at.value.x - ((e.clientX - before.clientX) / at.value.k) * share,
        y: at.value.y - ((e.clientY - before.clientY) / at.value.k) * share,
      });
      fingers.set(e.pointerId, e);
    };
    /** @param {PointerEvent} e */
    const onUp = (e) => void fingers.delete(e.pointerId);
    // What was a drag is no click.
    /** @param {MouseEvent} e */
    const onClick = (e) => {
      if (!isDrag) return;
      e.stopPropagation();
      e.preventDefault();
      isDrag = false;
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    box.addEventListener("pointerdown", onDown);
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    addEventListener("pointercancel", onUp);
    box.addEventListener("click", onClick, true);
    return () => {
      watch.disconnect();
      box.removeEventListener("wheel", onWheel);
      box.removeEventListener("pointerdown", onDown);
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      removeEventListener("pointercancel", onUp);
      box.removeEventListener("click", onClick, true);
    };
  }

  return {
    by,
    whole,
    show,
    look,
    listen,
    isGliding,
    get style() {
      const { x, y, k } = at.value;
      return { width: `${w * k}px`, height: `${h * k}px`, transform: `translate(${-x * k}px, ${-y * k}px)` };
    },
    /** Whether only a part of the board is seen. */
    isPart: {
      get value() {
        return at.value.k > least() * 1.02;
      },
    },
    window: {
      get value() {
        return { x: at.value.x, y: at.value.y, w: size.value.w / at.value.k, h: size.value.h / at.value.k };
      },
    },
  };
}
