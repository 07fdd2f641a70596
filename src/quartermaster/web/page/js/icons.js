// Small signs of our own: not every system's letters have ships and chains.
import { html } from "./lib.js";

const PATHS = {
  army: "M2 11h12l1-3H9V6H6v2H2zM3 13h10",
  navy: "M1 9h14l-2.5 4h-9zM7 8V2l4 4H7",
  plane: "M8 1l1.4 5L15 9v1.6L9.4 9l-.4 4 2 1.4V15l-3-.7-3 .7v-.6L7 13l-.4-4L1 10.600V9l5.600-3z",
  swords: "M2 2l8 8M14 2L6 10M4 12l2-2M12 12l-2-2M3 14l2-2M13 14l-2-2",
  anchor: "M8 3v11M5 6h6M2 9c0 3 3 5 6 5s6-2 6-5M8 1.500a1.500 1.500 0 1 0 .01 0",
  chain: "M6.500 9.500l3-3M7 4.500l1.500-1.500a2.800 2.800 0 0 1 4 4L11 8.500M9 11.500L7.500 13a2.800 2.800 0 0 1-4-4L5 7.500",
  event: "M8 1l1.800 4.700L15 8l-5.200 2.300L8 15l-1.800-4.700L1 8l5.200-2.300z",
  status: "M8 1l7 7-7 7-7-7zM8 5l3 3-3 3-3-3z",
  response: "M8 2a6 6 0 1 0 .01 0M8 2v12",
  bolster: "M8 2v12M2 8h12",
  rule: "M3 2h10v12H3zM5 5h6M5 8h6M5 11h4",
  hand: "M3 4l7-2 3 10-7 2zM1.500 6L4 14",
  deck: "M3 3h9v11H3zM5 1h9v11",
  pile: "M2 12h12M3 9h10M5 6h6M6 3h4",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  next: "M4 3l8 5-8 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  star: "M8 1l2 4.600 5 .5-3.800 3.300 1.200 5L8 11.800 3.600 14.400l1.200-5L1 6.100l5-.5z",
};
const OF_TYPE = {
  "build-army": "army", "build-navy": "navy", "land-battle": "swords", "sea-battle": "anchor",
  "economic-warfare": "chain", event: "event", status: "status", response: "response",
  "deploy-air-force": "plane", bolster: "bolster", rule: "rule",
};

/** A sign, by its name or by the type of a card. It says nothing that words do not say too. */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${PATHS[OF_TYPE[name] ?? name]} /></svg>`;
}
