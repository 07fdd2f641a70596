// Pictures of war at sea.
import { SIL, placed } from "../art.js";
import { at, balls, cuts, edged, either, f, rays, waves } from "./strokes.js";

/** The sea, from `y` down. @param {import("./strokes.js").Chance} r @param {number} y */
const water = (r, y) =>
  `<path class="a-ink" d="M-5 ${y}H245V110H-5z"/><path class="a-cut" d="${waves(r, y + 2, 104, 5)}"/>`;
/** A sun and what it sends out. @param {import("./strokes.js").Chance} r @param {number} x @param {number} y @param {number} q */
const sun = (r, x, y, q) =>
  `<path class="a-mid" d="${rays(x, y, 28, q, 280, r())}"/><circle class="a-lit" cx="${f(x)}" cy="${y}" r="${q}"/>`;
/** Smoke that drifts away from a funnel. @param {import("./strokes.js").Chance} r @param {number} x @param {number} y @param {number} q @param {number} [to] */
const smoke = (r, x, y, q, to = -1) =>
  balls(
    Array.from({ length: 6 }, (_, i) => [
      x + (i * 1.3 - 1) * q * to,
      y - i * q * (0.4 + r() * 0.4),
      q * (0.6 + i * 0.16 + r() * 0.2),
    ]),
  );
const FREIGHTER =
  "M-22 0l1-3.500h6L-14 1H12l2-4h8L18.500 9h-37zM-4 1v-5.500h9V1zM-2.500-4v-2.500h6V-4zM-1-6v-6h3.500v6zM-12.500 1v-12h5.500V1h-1v-11h-3.500V1zM7 1v-11h5.500V1h-1v-10H8V1zM-11-5l-6.500-4 .5-.8 6.500 4zM12-4l6-4.500.5.8-6 4.500z";
const SPLASH = "M40 78q2-26-6-44 11 12 14 26-1-28 7-46 4 24 1 46 5-16 13-24-6 20-7 42z";
const PALM =
  "M-2 0Q0-20 7-36l2 1Q4-18 3 0zM8-36q-10-8-18 2 9-3 18-2zM8-36q-4-11-15-9 9 1 15 9zM8-36q2-12 13-11-9 3-13 11zM8-36q11-6 17 4-8-4-17-4zM8-36q-10 0-12 10 5-7 12-10zM8-36q8 3 9 12-4-8-9-12z";
const SOLDIER =
  "M-3.500-15q0-4 3.500-4 3.500 0 3.500 4l1 .8h-2q0 2-1 2.700l4 1.500 1.500 7-1.500 1-2-4v3.500l2.500 9.500h-3.500L0-4l-2.500 6h-3.500l2-9.500v-4l-1.500 4-1.800-.8 1.500-7L-1.500-11.500q-1-.7-1-2.700h-2zM-8-2L8-13l.6 1-16 11z";

/** @type {Record<string, (r: import("./strokes.js").Chance) => string>} */
export const SEA = {
  sea: (r) =>
    `<path class="a-mid" d="${rays(112, 60, 30, 24, 280, r())}"/><circle class="a-lit" cx="112" cy="58" r="24"/>${[
      [60, 56, 1.8],
      [164, 56, 1.8],
      [112, 50, 2.7],
    ]
      .map(([x, y, q]) => at(x, y, q, `<g class="a-halo">${SIL.navy}</g><g class="a-ink">${SIL.navy}</g>`))
      .join("")}<path class="a-ink" d="M-5 74H245V110H-5z"/><path class="a-cut" d="${waves(r, 76, 104, 5)}"/>`,
  carrier: (r) =>
    either(
      r,
      `${sun(r, 70 + r() * 24, 54, 20)}${water(r, 58)}<path class="a-lit" d="M62 84Q120 74 172 72q-44 12-94 16-18 1-30-2 12 0 16-7z"/>${at(115, 54, 1.7, `${edged("M-33-2L5-5.500V-11h2v-4h2v-5h1v5h3v3h4v5.500L29-7.500l6 2-.8 2.500L31 8.500q-27 2-47 5.500-6-4-8-9.500l-2-1z")}<path class="a-lit" d="M-30.500-1.700L28.500-6.600l4.500 1.300L-25.500 2z"/><path class="a-ink" d="M-26-.2l8-.8v.8l-6 .6zM-14-1.400l8-.8v.7l-8 .8zM-2-2.600l7-.7v.6l-7 .7zM9-3.700l6-.6v.5l-6 .6z"/><path class="a-cut" d="M-23 5L30-1.300l-.3 1L-22.500 6zM6 3.800l6-.8v2.200l-6 .8zM15 2.700l6-.8v2.200l-6 .8z"/>`)}${at(78, 30, 1, edged("M0-12l1.400 1.500.6 5.500 13 2v3L2 2l-.8 6 5 1.500v1.600h-12.400V9.500l5-1.500L-2 2l-13-2v-3l13-2 .6-5.500zM-5-12.500H5v.8H-5z"), "rotate(-58) skewX(28) scale(.85 1)")}`,
    ),
  convoy: (r) =>
    either(
      r,
      `${sun(r, 160 + r() * 30, 50, 22)}<path class="a-mid2" d="${smoke(r, 86, 31, 5)}${smoke(r, 141, 41, 3.5)}${smoke(r, 174, 46, 2.5)}"/>${at(173, 60, 1, `<path class="a-ink" d="${FREIGHTER}"/>`)}${at(143, 58.5, 1.25, edged(FREIGHTER))}${at(87, 54, 1.8, edged(FREIGHTER))}${water(r, 67)}${at(142, 77, 1.2, `<g class="a-halo">${SIL.navy}</g><g class="a-ink">${SIL.navy}</g>`)}`,
    ),
  destroyer: (r) =>
    either(
      r,
      `${sun(r, 84 + r() * 40, 40, 20)}<path class="a-mid2" d="${placed(SPLASH, 1, -4)}"/><path class="a-lit" d="${SPLASH}"/>${at(110, 58, 1.9, edged("M-31 1.500H2V-1.500q18-.5 31-5L27 9H-29q-2-4-2-7.500zM6-1.500v-5h2v-4h2.500v-8h1v8h3.500v4H18v5zM-8 1.500l-2-9h5l2 9zM-17 1.500l-1.800-7.500h5l1.800 7.500zM20-2v-3.500h3.500l5-2 .4.800-4.400 2V-3zM-23 1.500v-2l-5.500-1.500.3-.8 5.700.9h3.700v3.400zM0-1v-2h5v2z"), "rotate(-5)")}${water(r, 73)}<path class="a-lit" d="M84 77q44-1 60-9 13-7 14-20 7 10 2 18 9-2 12-12 6 10 0 16 7 0 11-6 3 14-13 15-12 1-16-2-22 5-70 0z"/>`,
    ),
  island: (r) =>
    `${sun(r, 112, 46, 34)}<path class="a-mid2" d="${smoke(r, 112, 22, 5, r() < 0.5 ? -1 : 1)}M62 74Q94 62 105 30l4 2 3-2 4 3 3-3Q130 62 166 74z"/><path class="a-lit" d="M108 32l-3 16 5-10 2 24 3-26 6 14-3-17z"/>${water(r, 71)}${at(74, 84, 1.3, edged(PALM), "rotate(-6)")}${at(152, 86, 1.3, edged(PALM), "scale(-1 1)")}<path class="a-lit" d="M-5 88q26-2 50-7 30-4 62 2 30 2 52-4 40-2 90 9v12H-5z"/><path class="a-ink" d="M-5 110V92q26 0 50-8 30-4 62 2 30 2 52-4 40-2 90 9v20z"/>`,
  landing: (r) =>
    `${sun(r, 112, 32, 20)}${[36, 188].map((x) => at(x, 41, 1.1, `<g class="a-ink">${SIL.navy}</g>`)).join("")}${water(r, 48)}<path class="a-lit" d="M-5 77q20-6 40 0t40-1h76q20 6 36 0t50 2v30H-5z"/>${edged("M60 22l11-5h82l11 5-7 56H67z")}<path class="a-cut2" d="M64 26l6 46M160 26l-6 46"/><path class="a-mid" d="M78 25h68l-5 40H83z"/>${edged("M80 61h64l18 40H62z")}<path class="a-lit" d="M84 62h56l14 36H70z"/><path class="a-mid2" d="M82 67h60l2 3H80zM79 75h66l2 4H77zM75 85h74l3 5H72z"/><path class="a-ink" d="M82 62V49a6 6 0 0 1 12 0 6 6 0 0 1 12 0 6 6 0 0 1 12 0 6 6 0 0 1 12 0 6 6 0 0 1 12 0v13z"/>${at(
      0,
      0,
      1.5,
      edged(
        [
          [59, 51],
          [90, 52],
          [75, 54],
        ]
          .map(([x, y]) => placed(SOLDIER, 1, x, y))
          .join(""),
      ),
    )}`,
  shipyard: (r) =>
    `<path class="a-mid" d="${rays(112, 90, 32, 10, 280, r())}"/><path class="a-mid2" d="M38 96V18H22v-5h14l5-8 5 8h46v5H86v8h-1v-8H46v78zM186 96V18h16v-5h-14l-5-8-5 8h-46v5h6v8h1v-8h39v78z"/><path class="a-ink" d="M54 34h3v60h-3zM66 34h3v60h-3zM155 34h3v60h-3zM167 34h3v60h-3zM50 44h34v2H50zM50 60h40v2H50zM50 76h48v2H50zM140 44h34v2h-34zM134 60h40v2h-40zM126 76h48v2h-48z"/>${edged("M112 12Q98 24 76 26 77 60 106 88h12Q147 60 148 26 126 24 112 12z")}<path class="a-mid2" d="M112 62Q98 56 84.500 60 92 74 106 87h12q14-13 21.500-27-13.500-4-27.500 2z"/><path class="a-lit" d="M111 16h2v71h-2zM93 40l8-4v4l-8 4zM131 40l-8-4v4l8 4z"/><path class="a-cut2" d="M77 34q20-1 35-12 15 11 35 12"/><path class="a-ink" d="M-5 88H245V110H-5z"/>`,
  submarine: (r) =>
    either(
      r,
      `<path class="a-ink" d="M-5-5H245V40H-5z"/><circle class="a-lit" cx="${f(70 + r() * 90)}" cy="17" r="11"/><path class="a-mid2" d="M-5 35H245V110H-5z"/><path class="a-cut" d="${waves(r, 37, 56, 7)}${cuts(r, 60, 100, 8)}"/>${at(109, 60, 1.8, `${edged("M-29 1q3-5 13-5H-16v-2.500l-5-.5v-1l6 .3h3V-4h7l1-7h2.500v-9h-2v-1.500h4V-11h1v-5h1v5h3l1 7H18l9 3.500 2-4h2V7h-2l-2-3.500Q10 8-12 7-27 6-29 1zM-25-4l4-4 .5.500-4 4z")}<path class="a-cut" d="M-24 1.500q24-2 46 0-24-.5-46 0zM-12 4q14 1.500 26 0-12 3-26 0z"/>`)}${at(80, 84, 1, edged("M-14 0q2-3 6-3H10l4-3v12l-4-3H-8q-4 0-6-3z"))}<path class="a-lit" d="${balls(
        [
          [98, 83, 2],
          [105, 86, 1.5],
          [112, 82, 2.4],
          [121, 85, 1.6],
          [130, 82, 1.2],
        ],
      )}"/>`,
    ),
};
