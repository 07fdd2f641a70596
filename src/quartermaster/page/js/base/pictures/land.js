// Pictures of war on land.
import { SIL, placed } from "../art.js";
import { at, burst, cuts, edged, either, f, hill, pines, rays, skyline, waves } from "./strokes.js";

/** @typedef {import("./strokes.js").Chance} Chance */

/** @param {string} tone @param {string} d */
const path = (tone, d) => `<path class="a-${tone}" d="${d}"/>`;
/** @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0 ${r} ${r} 0 1 1 ${-2 * r} 0z`;
/** @param {Chance} r @param {number} y @param {number} a */
const ground = (r, y, a) => path("ink", hill(r, y, a)) + path("cut", cuts(r, y + 1, 102, 4.2));

const GUN =
  "M-12.3-2.7l8.5-3.1.3.9 30.2-10.4-.3-1.1 4.7-1.7 1.7 4.9-4.7 1.7-.3-1-13.1 5.1.9 2.5-16.9 6.2-.5-1.5-8.5 3.1zM3-17h3l5 20-3 1zM-4-4l8 2-1 6-27 7-5-2 1-2h3z" +
  disc(0, 0, 9);
const SPOKES = rays(0, 0, 8, 2.6, 6.6, 0.2);
const CAMEL =
  "M-14-20q-1-6 5-8 6-6 12-1 5 1 7 5 3 2 4-3l2-9q1-3 4-3l6 2q1 2-1 3l-5-.5-2 9.5q-2 8-8 9-12 2-20 0zM6-18h4.5l-1 9 2.5 8 1.5 1h-4l-2.5-9zM4-17h4l-1.8 8.5-.6 7.5 1.4 1h-3.8l.8-9zM-14-20l6 3-2 7 1 9 1.5 1h-3.5l-1.5-9zM-14-20l7 2-4.5 7.5-3.5 9.5 1 1h-3.5l3.5-10-1-6zM-12-20l-2.5 6-.5 3-1.5-3 3-9zM-7-27l2-11 3-3h4l2 4 2 8-3 3zM0-30l5 1 3 9-3 1zM3-38l6 7-1 1.5-7-3.5zM-3-43a3.2 3.2 0 1 1 6 0l-1 3h-4zM-3-44l-1 4-6 4 1-4zM-2-32l-7-18 1-.6 8 17.6z";
/** Tongues of fire, higher in the middle. @param {Chance} r @param {number} y @param {number} w @param {number} k */
const flames = (r, y, w, k) => {
  let d = `M${-w} ${y}`;
  for (let x = -w; x < 230; x += w) {
    const h = k * (0.4 + 0.6 * Math.sin((Math.PI * Math.max(0, x + w / 2)) / 240)) * (0.7 + r() * 0.5);
    d += `c${f(-w * 0.5)} ${f(-h * 0.45)} ${f(w * 0.55)} ${f(-h * 0.6)} ${f(w * 0.15)} ${f(-h)} ${f(w * 1.1)} ${f(h * 0.35)} ${f(w * 0.3)} ${f(h * 0.65)} ${f(w * 0.85)} ${f(h)}`;
  }
  return d + "V110H-30z";
};
const MARCH =
  "M-4-35.5q.2-5.5 5-5.5 4.6 0 5 4.6l1 .9zM-2-36h6.4l.6 2-.6.4-.2 1.8-2.2.8.5 2h-5.5zM-4-30h7l2.5 4-.5 11-10.5 1 .5-8zM-9-29l5-1v10h-5zM0-17l5 1 3.5 8 2 5.5 2.5 1v1.5h-5.5l-2.5-7-6-7zM-5-16l6 1-.5 7-7 5 1 3h-2.5l-3-4.5 1.5-1.5 5.5-3.5zM-2-28h4v6l6 1.5v2.5l-8-1-3-3zM-8.6-32l-.8-11.4-.3-7.6 1.7 7.4 1.4 10.6 3.2 16-3 1z";
const KNEEL =
  "M-4-17l3-2 4 2v5l-3 7-8 1 1-7zM-1-21.5q0-3.5 3.5-3.5 3.5 0 4 2.5l2 .8-2 .5-.5 4-4.5 1.2-2.5-1zM-8-7l6-1 5 6v2h-17v-2l8-.4zM-5-9l11-2 2.5 2-.5 7 3 1v1h-6.5l.5-7-9 3zM0-17h3l3 4 5-4 1.5 1.5-6 5.9-6.5-3.4zM-4-16.5v-2.3l7-.2 9 .4h10v.9l-10 .7-8 .2-3 .8z";
const CREEP =
  "M-9-13l7-7 6-2 3 3-2 4-7 6-5 1zM4-24.5q0-3.5 3.8-3.5 3 0 3.7 2.5l2.5.8-2.5.8-.5 3.5-4 1.5-3-1.2zM-9-13l7 1 6 5-1 4 4 2v1h-7l-.5-5-6.5-3zM-9-12l5 3-4 4-6 3v2l-4-2 2-2 4-3zM2-20h3l1 7 7-1v2l-9 1.5zM-4-9.5l1-2.5 7-2 16-4 .3 1-11.3 4-6 1.5z";
const TRUCK = "M-10-2v-9q6-2.5 12 0v3h4l3 3.5v4.5z" + disc(-6, -2, 2.4) + disc(5.5, -2, 2.4);
const ONION = "M-4 0c-4-3-3-7.5 1-10.5 1.6-1.2 2.6-2.8 3-5.5.4 2.7 1.4 4.3 3 5.5 4 3 5 7.5 1 10.5z";
/** @param {number} x @param {number} y @param {number} k */
const tower = (x, y, k) => `${placed(ONION, k, x, y)}M${x - 3 * k} 0V${y}h${6 * k}V0z`;

const TREE =
  "M-2.5 0l1.5-13-11-15 3 2-1.5-8 3 10 6 8 .5-13-6-10 6 7 .7-10 .8 12 5-7-5 11v8l5-7 1-6 .5 4 6-3-5 5-7 12 .5 4 6-6-5.5 11 1.5 4z";
const HEDGEHOG = "M-11 6L5-11l3 2L-7 8zM-8-9l3-2L11 6 7 8zM-2-12l3-1 4 20-3.5 1z";
const RIBS =
  "M-.5-1q-1.5-6 .2-11h.6q1.7 5 .2 11zM-3-1.5q-2-4 1-8l.6.5Q-3-5.5-2.2-1.5zM3-1.5q2-4-1-8l-.6.5Q3-5.5 2.2-1.5z";
/** @type {Record<string, (r: Chance) => string>} */
export const LAND = {
  front: (r) =>
    `<path class="a-mid" d="${cuts(r, 4, 96, 5)}"/><path class="a-mid2" d="${pines(r, 34, 9)}${pines(r, 62, 9)}"/>${[
      [8, 84, 0.95],
      [66, 92, 1.15],
      [140, 86, 0.9],
    ]
      .map(
        ([x, y, q]) =>
          `<g transform="translate(${x} ${y}) scale(${q})"><path class="a-halo" d="M-6 6Q18-14 24-46l-13 4 20-34 14 36-12-3Q30-2 16 12z"/><path class="a-ink" d="M-6 6Q18-14 24-46l-13 4 20-34 14 36-12-3Q30-2 16 12z"/></g>`,
      )
      .join("")}`,
  armour: (r) =>
    `<path class="a-mid" d="${rays(224, 70, 34, 20, 300, r())}"/><circle class="a-lit" cx="206" cy="54" r="20"/><path class="a-ink" d="${hill(r, 84, 7)}"/><path class="a-cut" d="${cuts(r, 84, 102, 4.2)}"/>${at(40, 62, 1.5, `<g class="a-ink">${SIL.army}</g>`)}${at(84, 58, 2, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>`)}${at(146, 50, 2.9, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>`)}<path class="a-lit" d="M0 40h60l-60 2zM10 28h70l-70 2zM0 52h20l-20 2z"/>`,
  artillery: (r) =>
    `${path("mid", rays(155, 29, 32, 10, 280, r()))}${path("lit", burst(r, 157, 27, 32))}${path("mid2", burst(r, 157, 27, 21))}${path("lit", burst(r, 156, 27, 11))}${path("mid2", hill(r, 72, 12))}${ground(r, 78, 4)}${at(86, 60, 2, edged(placed(GUN, 0.55, -27, 2)) + edged(GUN + "M24 11V3q0-5 2.5-8 2.5 3 2.5 8v8zM32 11V3q0-5 2.5-8 2.5 3 2.5 8v8zM40 11V3q0-5 2.5-8 2.5 3 2.5 8v8z") + path("lit", SPOKES + placed(SPOKES, 0.55, -27, 2)) + path("cut", "M24.5 3h4v1.5h-4zM32.5 3h4v1.5h-4zM40.5 3h4v1.5h-4z"))}`,
  capital: (r) => {
    const bricks = [79, 85, 91].map((y, i) => `M${i % 2 ? -5 : -12} ${y}` + "h11v1.5h-11zm16 0".repeat(15)).join("");
    return `${path("mid", rays(112, 78, 36, 20, 280, r()))}${path("mid2", skyline(r, 72))}${either(r, at(112, 72, 2, edged(tower(-4, -13, 1.1)) + edged(tower(-15, -8, 0.8) + tower(7, -9, 0.8)) + edged(tower(-24, -4, 0.6) + "M15 0v-18h1.5v-5h1.5v-3l3-10 3 10v3h1.5v5h1.5v18z") + path("lit", disc(21, -14, 2.4)) + path("cut", placed(RIBS, 1.1, -4, -13) + placed(RIBS, 0.8, -15, -8) + placed(RIBS, 0.8, 7, -9) + placed(RIBS, 0.6, -24, -4) + "M-4.6-9h1.2v4h-1.2zM-15.5-5h1v3h-1zM6.5-5h1v3h-1zM20-8h2v4h-2z")))}${edged("M-5 72" + "v-7l3 2.5 3-2.5v7h5".repeat(22) + "V110H-5z")}${path("cut", bricks)}`;
  },
  desert: (r) => {
    const x = 98 + r() * 28;
    return `${path("mid", rays(x, 48, 34, 36, 280, r()))}<circle class="a-lit" cx="${f(x)}" cy="48" r="34"/>${path("mid2", hill(r, 72, 16))}${either(r, path("ink", "M-5 84Q40 84 84 74T150 75Q190 84 245 66V110H-5z") + path("cut", "M-5 89Q50 88 92 78 60 93-5 93zM-5 97Q70 96 120 79 90 99-5 101zM70 97Q120 92 140 79q-6 12-20 20zM130 96q20-10 20-17 4 12-4 20zM154 79q50 10 90-8-40 20-90 8zM156 84q40 13 90 0-50 17-90 0zM160 91q40 9 90 1-50 11-90-1z") + at(112, 74, 0.95, edged(CAMEL + placed(CAMEL, 0.74, -51, 6) + placed(CAMEL, 0.74, 48, 4))))}`;
  },
  fire: (r) =>
    `${path("mid2", "M-5-5H245V110H-5z")}${path("ink", "M-5-5H245V6H-5z" + [...Array(9)].map((_, i) => disc(i * 28, Math.round(2 + r() * 10), Math.round(14 + r() * 9))).join(""))}${path("mid", flames(r, 74, 24, 56))}${path("lit", flames(r, 76, 18, 36))}${either(r, path("ink", "M-5 110V70h14v-6h12v12h8V62l8-6 8 6v14h10V58h16v-6h4v6h4v22h8V66l5-22 5 22v14h8V68l9-3v-5l9 4v16h8V56h6v-8h5v8h7v18h8v-8h14v10h9V60l9 5v13h9V66h40v44z") + path("mid", "M63 62h3v4h-3zM70 62h3v4h-3zM63 70h3v4h-3zM31 66h4v5h-4zM133 61h3v4h-3zM140 61h3v4h-3zM140 69h3v4h-3zM108 72h3v4h-3z"))}${path("cut", cuts(r, 88, 104, 4.5))}`,
  fortress: (r) =>
    `${path("mid", rays(184, 66, 34, 18, 300, r()))}<circle class="a-lit" cx="184" cy="64" r="18"/>${path("mid2", "M110 68H245V110H90z")}${path("lit", waves(r, 73, 90, 5))}${ground(r, 84, 3)}${at(-10, 0, 2, edged("M7 46l3-28h52l4 6 5 22z") + edged("M8 20v-4l7-5h11V9q6-4 12 0v2h21l8 5v4z") + path("lit", "M14 25h11v2h-11z") + path("cut", "M32 22h29l3 14H31zM13 31h14v.8h-14zM17 35h11v.8h-11zM12 39h17v.8h-17zM34 39h22v.8h-22zM28 42h20v.8h-20z") + path("lit", "M36 24h23l2 10H35z") + edged("M43 34q-1-9 6-9l28-6.5-.2-1.1 5-1 .9 4.4-5 1-.2-1-24 6q2 3 1.5 7.2z") + edged(placed(HEDGEHOG, 0.75, 79 + r() * 3, 41) + placed(HEDGEHOG, 0.75, 97, 41)))}`,
  monastery: (r) =>
    `${path("mid", rays(112, 40, 34, 10, 280, r()))}${path("mid2", "M-5 84L30 62l20 12 16-12 20 34H-5zM245 80L200 58l-24 14-20-4 4 30h90z")}${at(112, 0, 2, edged("M-50 50l8-7 3-6 6-3 3-6 5-2 3-6h44l3 5 5 2 3 7 6 3 4 7 6 2 1 4z") + edged("M-20 22V13.5h2V9.5l2.5-3.5 2.5 3.5v4h13v-2q0-4 3.5-5V4h1v2.5q3.5 1 3.5 5v2h12V22z") + path("cut", "M21 23l5 6-1 3 6 7-1 3 4 8h-4l-5-9 1-3-5-7 1-3zM12 25l3 8-1 2 4 8v7h-2l-3-7-3-9 2-2zM-21 23l-4 4v3l-6 5-1 4-8 7 6-9 2-5 6-4z") + path("lit", [-18, -9, -5, -1, 4, 8, 12, 16].map((x) => `M${x} 16h1.6v2.5h-1.6z`).join("") + "M-16.3 10h1.6v2h-1.6zM-14 50l2-4 16-4 2-2-2-2-14-3-1-2 1-1.5 10-3 1-1.5-3-4h1.5l4 4-1 2.5-9 3.5 13 3 3 3-2 3.5-15 4.5-1 1.5z"))}${path("lit", "M14 80a4 4 0 0 1 3-7q3-9 12-4 6-9 15-2 9-2 10 6h14a3.5 3.5 0 0 1 0 7zM146 86a3.5 3.5 0 0 1 0-7h10q3-8 11-4 7-9 15-1 9-2 10 5h12a3.5 3.5 0 0 1 0 7z")}`,
  partisans: (r) =>
    `${path("mid2", "M-5-5H245V110H-5z")}<circle class="a-lit" cx="${f(100 + r() * 20)}" cy="48" r="33"/>${path("mid", "M14-5h5l2 100H11zM156-5h4l2 100h-8zM70-5h3l2 90h-6z")}${ground(r, 80, 3)}${path("ink", pines(r, 81, 7) + "M34-5h9l-1 30 12-16 2 2-14 22-1 10v30l6 26H28l6-30v-24L20 24l2-2 12 18zM184-5h10l-1 40 14-18 2 2-16 24 6 56h-20l4-50-13-22 2-1 11 14z")}${at(98, 82, 1.6, edged(placed(CREEP, 0.92, -25)) + edged(CREEP) + edged(placed(KNEEL, 1, 25)))}`,
  ranks: (r) => {
    /** @param {string} d @param {number} x @param {number} step */
    const row = (d, x, step) => [...Array(7)].map((_, i) => placed(d, 1, x + i * step)).join("");
    return `${path("mid", rays(112, 96, 36, 20, 280, r()))}${at(0, 86, 1.3, path("mid2", row(MARCH, 12, 29.6)))}${ground(r, 86, 1)}${at(0, 88, 1.55, edged(row(MARCH, -3, 24.8)) + path("cut", row("M-5-20.5l10.3-1 .1 1.4-10.4 1zM-8.5-25h4v.9h-4zM-3.5-29l2-.5 4 7.5-1.5.2z", -3, 24.8)))}`;
  },
  road: (r) => {
    /** @param {number} t @returns {[number, number]} */
    const way = (t) => [112 + (84 - 76 * t) * Math.sin(15.5 * t + 2.87), 98 - 116 * t + 46 * t * t];
    const sides = [1, -1].map((side) =>
      [...Array(121)]
        .map((_, i) => {
          const t = (side > 0 ? i : 120 - i) / 116 - 0.03,
            [x, y] = way(t),
            [u, v] = way(t + 0.01),
            q = (side * (6.5 - 5.5 * t)) / Math.hypot(u - x, 2 * (v - y));
          return `${f(x - 2 * (v - y) * q)} ${f(y + (u - x) * q * 0.7)}`;
        })
        .join("L"),
    );
    return either(
      r,
      `${path("mid", rays(112, 26, 34, 10, 280, r()))}${path("mid2", "M-5 74L34 30l18 18L84 14l24 24 34-26 30 34 22-16 50 40v40H-5z")}${path("lit", "M84 14l-13 14 7-1 6 6 5-6 6 3zM142 12l-14 11 8 0 6 6 7-8 8 4z")}${path("ink", "M-5 80Q70 66 112 24Q154 64 245 78V110H-5z")}${path("lit", `M${sides.join("L")}z`)}${edged([0.185, 0.245, 0.605, 0.655].map((t) => placed(TRUCK, 1.5 - 1.5 * t, ...way(t))).join(""))}`,
    );
  },
  ruins: (r) =>
    `${path("mid", rays(112, 84, 34, 20, 280, r()))}${path("mid2", skyline(r, 76))}${either(r, path("mid2", [...Array(9)].map((_, i) => disc(Math.round(92 + r() * 18), 54 - i * 7, Math.round(8 + r() * 5))).join("")) + edged("M54 98V26l5-6 4 6 7-10 8 4 4 12 8 3v13l7 5v12l6 6 4 27zM60 32v10h8v-10zM75 28v14h7v-14zM60 50v11h8v-11zM75 50v11h7v-11zM88 54v7h6v-7zM60 70v16h8v-16zM75 70v11h7v-11z") + edged("M118 98V44h-1v-4h9v4h-1v20l5 4v30z") + edged("M140 98L146 30l6-4 4 5 8-2 1 20 5 6-3 16 6 27zM152 38l-1 11 7 1 1-11zM149 60l-1 11 7 1 1-11z") + edged("M86 98l9-14 7 4 8-10 8 7 9-5 7 6 6-8 8 12 10 8z") + path("ink", "M98 90l20-26 2 2-17 24z"))}${ground(r, 88, 3)}`,
  train: (r) =>
    `${path("mid", rays(40, 80, 34, 20, 300, r()))}${path("mid2", "M190 18h2v70h-2zM182 24h18v2h-18zM214 40h1v46h-1zM209 44h11v1h-11z")}${edged(
      [
        [143, 22, 5],
        [135, 16, 8],
        [121, 12, 10],
        [102, 9, 12],
        [78, 7, 15],
        [48, 5, 17],
        [12, 4, 21],
      ]
        .map(([x, y, k]) => disc(x, Math.round(y + r() * 3), k))
        .join(""),
    )}${path("cut", "M130 20q-4-6 4-10-5 6-4 10zM114 17q-6-8 4-13-5 7-4 13zM93 16q-7-10 5-16-6 8-5 16zM67 16q-8-11 6-19-7 9-6 19zM35 16q-8-11 6-20-7 9-6 20z")}${ground(r, 82, 1)}${at(104, 82, 2, edged("M-60-20h35v13h-35zM-22-25h-3v-2h20v2h-3v5h8v-2.5q3-3 6 0v2.5h6v-2.5q2.5-2 5 0v2.5h3l-1-7h6l-1 7h4l2 2v8l-2 2h4l3 7h-7l-2-4h-90v-3h20z") + path("lit", "M-20-22h8v7h-8z") + path("cut", "M-56-17h27v1h-27zM-56-12h27v1h-27zM2-20h1v8h-1zM12-20h1v8h-1z") + edged(disc(-15, -5, 5) + disc(-3.5, -5, 5) + disc(8, -5, 5) + disc(18, -3, 3) + disc(-31, -3.5, 3.5) + disc(-41, -3.5, 3.5)) + path("lit", [-15, -3.5, 8].map((x) => rays(x, -5, 6, 1.5, 3.8, 0)).join("") + disc(18, -3, 1) + disc(-31, -3.5, 1.2) + disc(-41, -3.5, 1.2)) + edged("M-15-4.2h23v-1.6h-23z"))}`,
  winter: (r) =>
    `${path("mid2", "M-5-5H245V110H-5z")}<circle class="a-lit" cx="${f(84 + r() * 40)}" cy="30" r="15"/>${path("lit", hill(r, 76, 8))}${path("ink", placed(TREE, 1.6, 56, 84) + placed(TREE, 1.3, 170, 80) + placed(TREE, 0.9, 196, 76) + placed(TREE, 0.8, 24, 77))}${at(112, 60, 2.5, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>` + path("lit", "M-5-7q1-2.6 5-2.4 3-.2 4.5 2.4-2.5-.8-4.5.1-3-.6-5-.1zM4.5-6.5h8q.5-1.3-1-1.3h-6q-1 0-1 1.3zM5.3-1.8q2-1.5 4.6-.8l1.4 2.3q-2-1.2-3.4-.8-1.4.4-2.6-.7zM-11-1.5q1.5-2.3 4.5-1.7l-.3 1.9q-2 .6-4.2-.2z"), "rotate(-5)")}${path("lit", "M62 82q12-14 28-9 16 5 32-1 20-6 38 10v14H62z")}${path("mid", cuts(r, 84, 104, 5))}${path("lit", Array.from({ length: 50 }, () => disc(Math.round(r() * 224), Math.round(r() * 80), 1 + Math.round(r() * 8) / 10)).join(""))}`,
};
