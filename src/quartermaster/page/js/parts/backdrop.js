// The map behind all screens but the table: drawn once, never touched.
import { cls, html, raw, signal, useEffect, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { EMBLEM, starPath, token } from "../base/art.js";
import { teamOf } from "../base/countries.js";
import { loadMap } from "../state/table.js";
import { arrow } from "./board.js";

/** @typedef {import("../state/table.js").Drawing} Drawing */

/** A moment of some war: who stands where. @type {[string, string, "army" | "navy"][]} */
const STAND = [
  ["germany", "germany", "army"],
  ["germany", "western-europe", "army"],
  ["germany", "eastern-europe", "army"],
  ["germany", "scandinavia", "army"],
  ["germany", "baltic-sea", "navy"],
  ["united-kingdom", "united-kingdom", "army"],
  ["united-kingdom", "north-sea", "navy"],
  ["united-kingdom", "india", "army"],
  ["united-kingdom", "australia", "army"],
  ["united-kingdom", "canada", "army"],
  ["soviet-union", "moscow", "army"],
  ["soviet-union", "ukraine", "army"],
  ["soviet-union", "russia", "army"],
  ["soviet-union", "szechuan", "army"],
  ["italy", "italy", "army"],
  ["italy", "balkans", "army"],
  ["italy", "mediterranean-sea", "navy"],
  ["italy", "north-africa", "army"],
  ["japan", "japan", "army"],
  ["japan", "china", "army"],
  ["japan", "south-china-sea", "navy"],
  ["japan", "iwo-jima", "army"],
  ["japan", "central-pacific", "navy"],
  ["united-states", "eastern-united-states", "army"],
  ["united-states", "western-united-states", "army"],
  ["united-states", "north-atlantic", "navy"],
  ["united-states", "hawaii", "army"],
];
const HOMES = {
  germany: "germany",
  "united-kingdom": "united-kingdom",
  moscow: "soviet-union",
  italy: "italy",
  "eastern-united-states": "united-states",
};

/** What feeds the attack, and the attack. @type {[string, string][]} */
const SUPPLIED = [
  ["germany", "western-europe"],
  ["germany", "eastern-europe"],
];
const ATTACK = ["eastern-europe", "ukraine"];

/** @param {Drawing} map */
function drawn(map) {
  const path = (/** @type {string} */ id) => {
    const { path: d } = map.spaces[id];
    return typeof d === "string" ? d : d.second;
  };
  const ids = Object.keys(map.spaces);
  const lands = ids.filter((id) => map.spaces[id].kind === "land");
  const at = (/** @type {string} */ id) => map.spaces[id].slots[0];
  const held = STAND.filter(([, space, kind]) => kind === "army" && map.spaces[space]);
  return `<defs><pattern id="bd-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" class="hatch"/></pattern></defs>
    <rect class="deep" width="1440" height="640"/>
    ${ids
      .filter((id) => map.spaces[id].kind === "sea")
      .map((id) => `<path class="sea-edge" d="${path(id)}"/>`)
      .join("")}
    <path class="grat" d="${map.graticule}"/>
    ${[17, 10, 5].map((w) => `<path class="wl" d="${map.shore}" stroke-width="${w * 2}" opacity=".4"/><path class="wf" d="${map.shore}" stroke-width="${w * 2 - 1.7}"/>`).join("")}
    <path class="scenery" d="${map.scenery}" fill-rule="evenodd"/>
    ${lands.map((id) => `<path class="land" d="${path(id)}" fill-rule="evenodd"/>`).join("")}
    ${held.map(([c, s]) => `<path class="${c} bd-tint" d="${path(s)}" fill-rule="evenodd"/>${teamOf(c) === "axis" ? `<path d="${path(s)}" fill="url(#bd-hatch)" fill-rule="evenodd"/>` : ""}`).join("")}
    ${lands.map((id) => `<path class="edge" d="${path(id)}"/>`).join("")}
    <path class="coastline" d="${map.coast}"/>
    ${Object.entries(HOMES)
      .map(([s, c]) => {
        const slots = map.spaces[s].slots;
        const [x, y] = [0, 1].map((k) => slots.reduce((sum, slot) => sum + slot[k], 0) / slots.length);
        return `<g class="homeland ${c}" transform="translate(${x} ${y}) scale(2.400)"><circle r="15" class="home-plate"/><circle r="13.200" class="home-ring"/><g class="home-ink">${EMBLEM[c]}</g></g>`;
      })
      .join("")}
    ${Object.values(map.stars)
      .map(
        ([x, y]) =>
          `<g class="source" transform="translate(${x} ${y})"><path class="source-base" d="${starPath(11, 0.8, 8)}"/><path class="source-star" d="${starPath(8.6, 0.44)}"/></g>`,
      )
      .join("")}
    ${SUPPLIED.map(([from, to]) => `M${at(from)}L${at(to)}`)
      .map((d) => `<path class="bd-case" d="${d}"/><path class="bd-line" d="${d}"/>`)
      .join("")}
    <path class="arrow" d="${arrow(at(ATTACK[0]), at(ATTACK[1]))}"/>
    ${STAND.filter(([, space]) => map.spaces[space])
      .map(([c, space, kind]) => `<g transform="translate(${at(space)})">${token(c, kind)}</g>`)
      .join("")}`;
}

/** The drawing, for every screen that has it: from one to the next it does not blink. */
const picture = signal("");

/** @param {{ isFaint?: boolean }} props faint: behind paper that is read */
export function Backdrop({ isFaint = false }) {
  useEffect(() => {
    if (picture.value) return;
    loadMap()
      .then((/** @type {Drawing} */ map) => (picture.value = drawn(map)))
      .catch(() => {}); // a desk without a map will do
  }, []);
  return html`<div class=${cls("backdrop", isFaint && "faint")} aria-hidden="true">${picture.value && html`<svg class="board-like" viewBox="0 0 1440 640" preserveAspectRatio="xMidYMid slice" dangerouslySetInnerHTML=${raw(picture.value)}></svg>`}</div>`;
}

const PATIENCE = 600; // milliseconds

/** While a screen loads: words only if that takes long. */
export function Loading() {
  const isLate = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isLate.value = true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`<p class="loading" role="status">${isLate.value && t("loading")}</p>`;
}
