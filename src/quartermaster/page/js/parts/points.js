// Points on their way to the score: from the supply spaces that are held, or from the card that brings them.
import { cls, html, useLayoutEffect, useRef } from "../base/html.js";
import { teamOf } from "../base/countries.js";
import { starPath } from "../base/art.js";
import { OWN, stage } from "../state/beats.js";
import { pace } from "../state/settings.js";
import { world } from "../state/table.js";
import { middle } from "./board.js";
import { starsOf } from "./stage.js";

/** @typedef {import("../state/beats.js").Stage} Stage */

const WAY = 600; // milliseconds of one star's flight
const ALL = 240; // milliseconds from the first star to the last

export function Points() {
  const now = stage.value;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isScored = now?.beat.kind === "points";
  useLayoutEffect(() => (isScored && box.current ? takeOff(box.current, now) : undefined), [now]);
  if (!isScored) return null;
  const { entry, country } = now.beat;
  return html`
    <div key=${now.left} ref=${box} class=${cls("flight", teamOf(country))} aria-hidden="true">
      ${sources(now).map((space) => html`<svg key=${space} class="vp-star" viewBox="-12 -12 24 24"><path d=${starPath(11)} /></svg>`)}
      <span class="vp-fly">${entry.n > 0 ? "+" : "−"}${Math.abs(entry.n)}</span>
    </div>`;
}

/** Where the points come from: in a victory step the stars that are held, else the space of the card, if it has one.
 * @param {Stage} now
 * @returns {string[]} */
const sources = ({ beat: { entry, country }, pieces }) =>
  entry.card ? (entry.space ? [entry.space] : []) : starsOf(country, pieces);

/** Learn where all is from an observer, which tells it once the browser has laid out the frame by itself.
 * @param {HTMLElement} box
 * @param {Stage} now */
function takeOff(box, now) {
  const score = document.querySelector(`.score.${teamOf(now.beat.country)} b`);
  const places = [box, score, document.querySelector(".board .sheet"), document.querySelector(".board")];
  const watch = new IntersectionObserver((found) => {
    watch.disconnect();
    if (found.length === places.length)
      fly(
        box,
        now,
        score,
        found.map((one) => one.boundingClientRect),
      );
  });
  for (const one of places) if (one) watch.observe(one);
  return () => watch.disconnect();
}

/** @param {HTMLElement} box
 * @param {Stage} now
 * @param {Element | null} score
 * @param {DOMRectReadOnly[]} places of the box, the score, the map and its window */
function fly(box, now, score, [own, goal, map, seen]) {
  const scale = own.width / box.offsetWidth || 1; // very large screens enlarge everything
  const time = pace() * (now.beat.isOwn ? OWN : 1);
  const place = (/** @type {number} */ x, /** @type {number} */ y) =>
    `translate(${((x - own.left) / scale).toFixed(1)}px, ${((y - own.top) / scale).toFixed(1)}px)`;
  const end = place(goal.left + goal.width / 2, goal.top + goal.height / 2);
  const [width] = world().map.box;
  const from = sources(now);
  box.querySelectorAll(".vp-star").forEach((star, i) => {
    const [x, y] = (world().map.stars[from[i]] ?? middle(from[i])).map((at) => (at / width) * map.width);
    // Where a phone does not show the space, its star comes from the edge on that side.
    const start = place(
      Math.min(seen.right - 12, Math.max(seen.left + 12, map.left + x)),
      Math.min(seen.bottom - 12, Math.max(seen.top + 12, map.top + y)),
    );
    star.animate(
      [
        { transform: `${start} scale(0.4)`, opacity: 0 },
        { transform: `${start} scale(1.35)`, opacity: 1, offset: 0.3, easing: "cubic-bezier(0.5, 0, 0.7, 1)" },
        { transform: `${end} scale(0.6)`, opacity: 0.9, offset: 0.96 },
        { transform: `${end} scale(0.5)`, opacity: 0 },
      ],
      { duration: WAY * time, delay: (ALL / from.length) * i * time, fill: "both" },
    );
  });
  const under = place(goal.left + goal.width / 2, goal.bottom + 16 * scale);
  const sum = /** @type {HTMLElement} */ (box.querySelector(".vp-fly"));
  sum.animate(
    [
      { transform: `${under} scale(0.5)`, opacity: 0 },
      { transform: `${under} scale(1.2)`, opacity: 1, offset: 0.4 },
      { transform: `${under} scale(1)`, opacity: 1 },
    ],
    { duration: 380 * time, delay: (from.length ? 360 : 120) * time, fill: "both", easing: "ease-out" },
  );
  score?.animate([{ transform: "scale(1)" }, { transform: "scale(1.22)" }, { transform: "scale(1)" }], {
    duration: 320 * time,
    delay: (from.length ? 480 : 200) * time,
  });
}
