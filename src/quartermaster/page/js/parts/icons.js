// Small signs of our own: not every system's letters have ships and chains.
import { html } from "../base/html.js";

/** @type {Record<string, string>} */
const LINES = {
  undo: "M6 2L1.500 6.500 6 11V8h4a3 3 0 0 1 0 6H6v-1.800",
  hint: "M8 1a5 5 0 0 1 3 9v2H5v-2a5 5 0 0 1 3-9zM6 13.500h4M6.500 15h3",
  plus: "M8 2v12M2 8h12",
  minus: "M2 8h12",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  supply: "M3 13a2 2 0 1 0-.01 0M13 5a2 2 0 1 0-.01 0M4.500 11.500l7-7",
  log: "M3 3h10M3 8h10M3 13h6",
  sound: "M2 6h3l4-3v10L5 10H2zM11.500 5.500a3.500 3.500 0 0 1 0 5",
  mute: "M2 6h3l4-3v10L5 10H2zM11.500 6l3.500 4M15 6l-3.500 4",
  night: "M11.500 10.500A5.500 5.500 0 0 1 6 3a5.500 5.500 0 1 0 5.500 7.500z",
  day: "M8 5a3 3 0 1 0 .01 0M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.500 1.500M11.500 11.500L13 13M3 13l1.500-1.500M11.500 4.500L13 3",
  chat: "M2 3h12v8H7l-3 3v-3H2z",
  menu: "M2 4h12M2 8h12M2 12h12",
  keys: "M1.500 4h13v8h-13zM4 7h.01M6.500 7h.01M9 7h.01M11.500 7h.01M4.500 10h7",
  list: "M5 3h9M5 8h9M5 13h9M2 3h.01M2 8h.01M2 13h.01",
  close: "M3 3l10 10M13 3L3 13",
  cards: "M3 5l6-2 3 9-6 2zM11 3l3 1-2 8",
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  next: "M4 3l8 5-8 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  play: "M4 2.500l9 5.500-9 5.500z",
  pause: "M5 3v10M11 3v10",
  gear: "M2 4h7.500M13.500 4H14M2 8h1.500M7.500 8H14M2 12h5.500M11.500 12H14M11.500 2v4M5.500 6v4M9.500 10v4",
  globe: "M8 1.500a6.500 6.500 0 1 0 .01 0M1.500 8h13M8 1.500c-4 4-4 9 0 13M8 1.500c4 4 4 9 0 13",
  star: "M8 1l2 4.600 5 .5-3.800 3.300 1.200 5L8 11.800 3.600 14.400l1.200-5L1 6.100l5-.5z",
  read: "M8 7v5M8 4h.01",
  flag: "M4 15V2M4 3h8l-2 3 2 3H4",
};
/** @type {Record<string, string>} */
const SOLID = {
  hand: "M2 3l6-1.500 3 9.500-6 1.500z",
  deck: "M2 4h8v9H2zM4 2h8v9h-1V3H4z",
  status: "M7 1l6 6-6 6-6-6z",
  down: "M8.200 .5L2 8h3.800L4.700 13.500 12 5.500H8z",
  pile: "M1 11h12v2H1zM2 8h10v2H2zM3 5h8v2H3z",
};

/** A sign. It says nothing that words do not say too.
 * @param {{ name: string }} props */
export function Icon({ name }) {
  return LINES[name]
    ? html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${LINES[name]} /></svg>`
    : html`<svg class="icon solid" viewBox="0 0 14 14" aria-hidden="true" focusable="false"><path d=${SOLID[name]} /></svg>`;
}
