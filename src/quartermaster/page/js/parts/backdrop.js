// The map behind the start screen: drawn once, never touched.
import { html, raw, useEffect, useSignal } from "../base/html.js";
import { EMBLEM, starPath, token } from "../base/art.js";
import { teamOf } from "../base/countries.js";
import { loadMap } from "../state/table.js";

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

/** @param {Drawing} map */
function drawn(map) {
  const path = (/** @type {string} */ id) => {
    const { path: d } = map.spaces[id];
    return typeof d === "string" ? d : d.second;
  };
  const ids = Object.keys(map.spaces);
  const lands = ids.filter((id) => map.spaces[id].kind === "land");
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
    ${STAND.filter(([, space]) => map.spaces[space])
      .map(([c, space, kind]) => {
        const [x, y] = map.spaces[space].slots[0];
        return `<g transform="translate(${x} ${y})">${token(c, kind)}</g>`;
      })
      .join("")}`;
}

export function Backdrop() {
  const text = useSignal("");
  useEffect(() => {
    loadMap()
      .then((/** @type {Drawing} */ map) => (text.value = drawn(map)))
      .catch(() => {}); // a desk without a map will do
  }, []);
  return html`<div class="backdrop" aria-hidden="true">${text.value && html`<svg class="board-like" viewBox="0 0 1440 640" preserveAspectRatio="xMidYMid slice" dangerouslySetInnerHTML=${raw(text.value)}></svg>`}</div>`;
}
