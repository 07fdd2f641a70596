// Pictures of war in the air.
import { SIL, placed } from "../art.js";
import { at, balls, cuts, edged, either, f, hill, rays, skyline, waves } from "./strokes.js";

/** Their shaded sides. @param {number[][]} all */
const curls = (all) =>
  all
    .map(
      ([x, y, q]) =>
        `M${f(x + q * 0.9)} ${f(y)}a${f(q)} ${f(q)} 0 0 1 ${f(-q)} ${f(q * 0.9)} ${f(q * 1.3)} ${f(q * 1.3)} 0 0 0 ${f(q)} ${f(-q * 0.9)}z`,
    )
    .join("");
/** A heap of cloud, in circles. @param {import("./strokes.js").Chance} r @param {number} x @param {number} y @param {number} w @param {number} h */
const cumulus = (r, x, y, w, h) =>
  Array.from({ length: 16 }, (_, i) => {
    if (i > 14) return [x, y - h * 0.3, w * 0.3];
    const t = (i % 5) / 4 - 0.5,
      u = Math.floor(i / 5) / 2;
    return [x + t * w * (1 - u * 0.6) + (r() - 0.5) * 6, y - u * h * (1 - Math.abs(t)), w * (0.13 + r() * 0.06)];
  });
/** The same several times, each at its place and in its size. @param {string} d @param {number[][]} all @param {number} edge @param {string} [extra] */
const many = (d, all, edge, extra) =>
  at(0, 0, edge, edged(all.map(([x, y, q]) => placed(d, q / edge, x / edge, y / edge)).join("")), extra);
const FIGHTER =
  "M0-12l1.400 1.500.6 6q8 .5 12 3.500 1.500 1.500 0 2.500-4 1-12 1L1.200 8q4 .5 4.800 2v1h-12v-1q.8-1.500 4.800-2L-2 2.500q-8 0-12-1-1.500-1 0-2.500 4-3 12-3.500l.6-6zM-5-12.500H5v.8H-5z";
const BOMBER =
  "M0-13q2 1.500 2 6v2l3.500.6V-7h2.500v3l4 .7V-5.500h2.500v2.700l6 1.300v2.500L2 2.500 1.300 10l5.700 1.500v2H-7v-2l5.700-1.500L-2 2.500l-18.500-1.500v-2.500l6-1.300V-5.500h2.500v2.200l4-.7V-7h2.500v2.600L-2-5v-2q0-4.500 2-6z";
const CHUTE =
  "M-10 0Q-10-11 0-11 10-11 10 0 7.500-2 5 0 2.500-2 0 0-2.500-2-5 0-7.500-2-10 0zM-10 0L-1.500 9-.5 9-4.600 0H-5L-1.500 8zM10 0L1.500 9 .5 9 4.600 0H5L1.500 8zM-1.500 8.500q0-2 1.500-2 1.500 0 1.500 2l2 1-1 4.500L3.500 19H1.500L0 15l-1.500 4H-3.500l1-5-1-4.500z";

/** @type {Record<string, (r: import("./strokes.js").Chance) => string>} */
export const AIR = {
  bombers: (r) =>
    `<path class="a-mid2" d="M-5-5H245V110H-5z"/><path class="a-mid" d="${cuts(r, 4, 80, 9)}${skyline(r, 84)}"/><path class="a-beam0" d="M66 96L${f(90 + r() * 60)}-5h34zM160 96L${f(40 + r() * 50)}-5h34z"/><path class="a-ink" d="${skyline(r, 94)}"/>${many(
      BOMBER,
      [
        [32, 30, 0.7],
        [192, 30, 0.7],
        [69, 58, 1.1],
        [155, 58, 1.1],
        [112, 40, 1.75],
      ],
      1.5,
      `rotate(${f(r() * 16 - 8)} 75 30)`,
    )}`,
  clouds: (r) => {
    const far = cumulus(r, 56, 86, 80, 44),
      near = cumulus(r, 136, 86, 100, 62);
    return either(
      r,
      `<path class="a-mid2" d="M-5-5H245V110H-5z"/><path class="a-mid" d="${cuts(r, 4, 90, 7)}${balls(far)}"/><path class="a-lit" d="${balls(near)}"/><path class="a-mid" d="${curls(near)}"/>${many(
        FIGHTER,
        [
          [68, -61, 1],
          [56, -40, 0.7],
          [85, -44, 0.7],
          [118, -93, 0.8],
        ],
        1,
        "rotate(60)",
      )}<path class="a-ink" d="${balls(cumulus(r, 30, 100, 110, 10))}${balls(cumulus(r, 190, 102, 100, 14))}"/>`,
    );
  },
  dive: (r) =>
    either(
      r,
      `<path class="a-mid" d="${rays(146, 76, 32, 10, 280, r())}"/><path class="a-mid2" d="M62 50L36-5h4zM70 44L48-5h3zM128 18L118-5h3zM136 15L128-5h4z"/>${at(149, 71, 1.3, `<g class="a-ink">${SIL.navy}</g>`)}${at(100, 40, 1.75, `${edged("M-4 5Q-4 0-1.200-12h2.400Q4 0 4 5 4 10 0 10-4 10-4 5zM-8-14H8v3H-8zM-.6-18H.6v6H-.6zM-3 7.500L-10 11-25 1.500l1.500-3.500L-10 6l7-4.500zM3 1.500L10 6l13.500-8 1.500 3.500L10 11 3 7.500zM-12 7h4v6.500q-2 2.500-4 0zM8 7h4v6.500q-2 2.500-4 0z")}<path class="a-cut" d="M-1.300-5h2.600l.9 5h-4.400zM-1.500 6a1.500 1.500 0 1 1 0 .1z"/>`, "rotate(-24)")}${at(113, 68, 0.9, edged("M-2-4q0-3 2-3 2 0 2 3v4q0 4-2 6-2-2-2-6zM-3-9h6v4h-6z"), "rotate(-24)")}<path class="a-ink" d="M-5 80H245V110H-5z"/><path class="a-cut" d="${waves(r, 82, 104, 5)}"/>`,
    ),
  fighters: (r) =>
    either(
      r,
      `<path class="a-mid" d="M-5-5H245V110H-5z"/><path class="a-mid2" d="${rays(170, 20, 30, 15, 280, r())}"/><circle class="a-lit" cx="170" cy="20" r="15"/><path class="a-lit" d="M132 54Q120 104 40 104 108 98 128 50zM94 22Q50 26 10-5 46 30 92 26zM90 70Q66 92 14 88 62 98 93 74zM62 55Q30 60-5 40 26 66 60 58zM146 78q-22 20-46 22 32 2 48-18z"/>${at(112, 38, 1.9, edged(FIGHTER), "rotate(40) skewX(-16)")}${at(76, 64, 1.3, edged(FIGHTER), "rotate(34) skewX(-20)")}${at(150, 70, 1, edged(FIGHTER), "rotate(52) skewX(-10)")}`,
    ),
  parachutes: (r) => {
    const all = [
      [34, 38, 0.9],
      [192, 44, 1],
      [66, 30, 0.9],
      [150, 50, 1.3],
      [124, 38, 0.7],
      [64, 64, 0.6],
      [124, 70, 0.5],
      [92, 44, 1.8],
    ].map(([x, y, q]) => [x, y + r() * 5, q]);
    return either(
      r,
      `<path class="a-mid" d="${rays(112, 0, 30, 16, 280, r())}"/>${at(150 - r() * 20, 15, 1.3, edged("M-20-1l3-.5L-18-7h4l3 5q14-2.500 22-1.500 6 1 7 3.500-2 2-10 2.500H6v1.500H4.500L0 7h-6l4-4.500H-10zM6 0h1v7H6z"))}${many(CHUTE, all, 2)}<path class="a-cut" d="${all.map(([x, y, q]) => placed("M-6-1.500Q-6-8-2-10.500-4-6-3.800-1.500zM6-1.500Q6-8 2-10.500 4-6 3.800-1.500zM-.6-2L0-10.500.6-2z", q, x, y)).join("")}"/><path class="a-ink" d="${hill(r, 90, 8)}"/>`,
    );
  },
  rocket: (r) => {
    const fume = Array.from({ length: 11 }, (_, i) => [
      104 - i * 12 + r() * 8,
      94 - (i % 3) * 5 + r() * 4,
      8 + i * 1.2 + r() * 3,
    ]);
    return either(
      r,
      `<path class="a-ink" d="M-5-5H245V110H-5z"/><path class="a-mid2" d="${rays(98, 74, 18, 44, 260, r())}"/><path class="a-lit" d="${Array.from({ length: 10 }, () => `M${f(r() * 224)} ${f(r() * 70)}l1 2 2 1-2 1-1 2-1-2-2-1 2-1z`).join("")}"/>${at(122, 46, 1.6, `<path class="a-mid" d="M-5 15q-3 10 0 16l2-4 3 12 3-12 2 4q3-6 0-16z"/><path class="a-lit" d="M0-24q6 8 6 18T4 14H-4Q-6 4-6-6T0-24zM-5 6l-6 8v6l6-4zM5 6l6 8v6l-6-4zM-3 15.500h6q2 8-3 14-5-6-3-14z"/><path class="a-mid" d="M0-24q6 8 6 18T4 14H0z"/><path class="a-ink" d="M-5.700-10H5.700l.2 2H-5.900zM-5.500 4h11l-.2 1.500H-5.300zM-2-3a2 2 0 1 1 0 .1z"/>`, "rotate(40)")}<path class="a-mid" d="${balls(fume)}"/><path class="a-lit" d="${curls(fume)}"/>`,
    );
  },
};
