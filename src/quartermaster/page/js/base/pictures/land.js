// Pictures of war on land.
import { SIL, placed } from "../art.js";
import { at, burst, cuts, f, hill, pines, puff, rays, skyline, waves } from "./strokes.js";

/** @typedef {import("./strokes.js").Chance} Chance */

/** @param {string} tone @param {string} d */
const path = (tone, d) => `<path class="a-${tone}" d="${d}"/>`;
/** Black with a light edge. @param {string} d */
const edged = (d) => path("halo", d) + path("ink", d);
/** @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0 ${r} ${r} 0 1 1 ${-2 * r} 0z`;
/** @param {Chance} r @param {number} y @param {number} a */
const ground = (r, y, a) => path("ink", hill(r, y, a)) + path("cut", cuts(r, y + 1, 102, 4.2));
/** The same from the other side, or not. @param {Chance} r @param {string} scene */
const either = (r, scene) => (r() < 0.5 ? scene : `<g transform="matrix(-1 0 0 1 224 0)">${scene}</g>`);

const GUN =
  "M-12.300-2.700l8.500-3.100.3.900 30.200-10.400-.3-1.100 4.700-1.700 1.700 4.900-4.700 1.700-.3-1-13.100 5.100.9 2.500-16.900 6.200-.5-1.500-8.500 3.100zM3-17h3l5 20-3 1zM-4-4l8 2-1 6-27 7-5-2 1-2h3z";
const WHEEL = rays(0, 0, 8, 3, 6.8, 0.2);
const gun = edged(GUN) + edged(disc(0, 0, 9)) + path("lit", WHEEL);
const CAMEL =
  "M-14-20q-1-6 5-8 6-6 12-1 5 1 7 5 3 2 4-3l2-9q1-3 4-3l6 2q1 2-1 3l-5-.5-2 9.500q-2 8-8 9-12 2-20 0zM6-18h4.500l-1 9 2.500 8 1.500 1h-4l-2.500-9zM4-17h4l-1.800 8.500-.6 7.500 1.400 1h-3.800l.8-9zM-14-20l6 3-2 7 1 9 1.500 1h-3.500l-1.500-9zM-14-20l7 2-4.500 7.500-3.500 9.500 1 1h-3.500l3.500-10-1-6zM-12-20l-2.500 6-.5 3-1.500-3 3-9zM-7-27l2-11 3-3h4l2 4 2 8-3 3zM0-30l5 1 3 9-3 1zM3-38l6 7-1 1.500-7-3.500zM-3-43a3.200 3.200 0 1 1 6 0l-1 3h-4zM-3-44l-1 4-6 4 1-4zM-2-32l-7-18 1-.6 8 17.600z";
/** Tongues of fire, higher in the middle. @param {Chance} r @param {number} y @param {number} w @param {number} k */
const flames = (r, y, w, k) => {
  let d = `M${-w} ${y}`;
  for (let x = -w; x < 224; x += w) {
    const h = k * (0.35 + 0.65 * Math.sin((Math.PI * Math.max(0, x + w / 2)) / 224)) * (0.7 + r() * 0.5);
    d += `c${f(-w * 0.3)} ${f(-h * 0.4)} ${f(w * 0.6)} ${f(-h * 0.6)} ${f(w * 0.2)} ${f(-h)} ${f(w * 0.9)} ${f(h * 0.3)} ${f(w * 0.3)} ${f(h * 0.6)} ${f(w * 0.8)} ${f(h)}`;
  }
  return d + "V110H-30z";
};
const MARCH =
  "M-4-35.500q.2-5.500 5-5.500 4.600 0 5 4.600l1 .9zM-2-36h6.400l.6 2-.6.4-.2 1.800-2.200.8.5 2h-5.500zM-4-30h7l2.500 4-.5 11-10.500 1 .5-8zM-9-29l5-1v10h-5zM0-17l5 1 3.500 8 2 5.500 2.500 1v1.500h-5.500l-2.500-7-6-7zM-5-16l6 1-.5 7-7 5 1 3h-2.500l-3-4.500 1.500-1.500 5.500-3.500zM-2-28h4v6l6 1.500v2.500l-8-1-3-3zM-8.600-32l-.8-11.400-.3-7.600 1.700 7.400 1.400 10.600 3.200 16-3 1z";
const KNEEL =
  "M-4-17l3-2 4 2v5l-3 7-8 1 1-7zM-1-21.500q0-3.500 3.500-3.500t4 2.500l2 .8-2 .5-.5 4-4.500 1.200-2.500-1zM-8-7l6-1 5 6v2h-17v-2l8-.4zM-5-9l11-2 2.500 2-.5 7 3 1v1h-6.500l.5-7-9 3zM0-17h3l3 4 5-4 1.500 1.500-6 5.900-6.500-3.400zM-4-16.500v-2.300l7-.2 9 .4h10v.9l-10 .7-8 .2-3 .8z";
const CREEP =
  "M-9-13l7-7 6-2 3 3-2 4-7 6-5 1zM4-24.500q0-3.500 3.800-3.500 3 0 3.700 2.500l2.500.8-2.500.8-.5 3.500-4 1.500-3-1.200zM-9-13l7 1 6 5-1 4 4 2v1h-7l-.5-5-6.500-3zM-9-12l5 3-4 4-6 3v2l-4-2 2-2 4-3zM2-20h3l1 7 7-1v2l-9 1.500zM-4-9.500l1-2.500 7-2 16-4 .3 1-11.300 4-6 1.500z";
const TRUCK = "M-10-2v-9q6-2.500 12 0v3h4l3 3.500v4.500zM" + disc(-6, -2, 2.4).slice(1) + disc(5.5, -2, 2.4);
const ONION = "M-4 0c-4-3-3-7.500 1-10.500 1.600-1.200 2.600-2.800 3-5.500.4 2.700 1.400 4.300 3 5.500 4 3 5 7.500 1 10.500z";
/** @param {number} x @param {number} y @param {number} k */
const tower = (x, y, k) => `${placed(ONION, k, x, y)}M${x - 3 * k} 0V${y}h${6 * k}V0z`;

const TREE = "M-2.500 0l1.500-13-11-15 3 2-1.500-8 3 10 6 8 .5-13-6-10 6 7 .7-10 .8 12 5-7-5 11v8l5-7 1-6 .5 4 6-3-5 5-8 12 .5 4 6-6-6 11 1 13z";
const HEDGEHOG = "M-8 5L6-8l2 2L-6 7zM-6-7l2-2 13 14-2 2zM-2.500-11l3 0 2 18h-3z";
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
    `${path("mid", rays(152, 32, 30, 10, 280, r()))}${path("lit", burst(r, 156, 30, 27))}${path("mid2", burst(r, 153, 31, 14))}${path("mid2", hill(r, 70, 10))}${ground(r, 78, 4)}${at(38, 66, 1.1, gun)}${at(84, 60, 2, gun)}${at(132, 82, 2, edged("M0 0v-8q0-5 2.500-8 2.500 3 2.500 8v8zM9 0v-8q0-5 2.500-8 2.500 3 2.500 8v8zM18 0v-8q0-5 2.500-8 2.500 3 2.500 8v8z") + path("cut", "M.5-8h4v1.500h-4zM9.500-8h4v1.500h-4zM18.500-8h4v1.500h-4z"))}`,
  capital: (r) => {
    const wall = `M-5 72${"v-7l3 2.500 3-2.500v7h5".repeat(22)}V110H-5z`;
    return `${path("mid", rays(112, 78, 36, 20, 280, r()))}${path("mid2", skyline(r, 72))}${either(r, at(112, 72, 2, edged(tower(-4, -13, 1.1)) + edged(tower(-15, -8, 0.8) + tower(7, -9, 0.8)) + edged(tower(-24, -4, 0.6) + "M15 0v-18h1.500v-5h1.500v-3l3-10 3 10v3h1.500v5h1.500v18z") + path("lit", disc(21, -14, 2.4)) + path("cut", "M-5-5h2v5h-2zM-16-4h2v4h-2zM6-4h2v4h-2z")))}${edged(wall)}${path("cut", cuts(r, 78, 102, 4.6))}`;
  },
  desert: (r) => {
    const x = 100 + r() * 24;
    return `${path("mid", rays(x, 48, 34, 36, 280, r()))}<circle class="a-lit" cx="${f(x)}" cy="48" r="34"/>${path("mid2", hill(r, 72, 16))}${path("ink", "M-5 84Q40 84 84 74T150 75Q190 84 245 66V110H-5z")}${path("cut", cuts(r, 82, 102, 4.4))}${either(r, at(112, 74, 0.95, edged(CAMEL)) + at(66, 77, 0.7, edged(CAMEL)) + at(158, 77, 0.7, edged(CAMEL)))}`;
  },
  fire: (r) => `${path("mid2", "M-5-5H245V110H-5z")}${path("ink",[...Array(9)].map((_, i) => disc(i * 28, Math.round(2 + r() * 10), Math.round(14 + r() * 9))).join(""))}${path("mid", flames(r, 84, 26, 66))}${path("lit", flames(r, 86, 20, 44))}${either(r, path("ink", "M-5 110V70h14v-6h12v12h8V62l8-6 8 6v14h10V58h16v-6h4v6h4v22h8V66l5-22 5 22v14h8V68l9-3v-5l9 4v16h8V56h6v-8h5v8h7v18h8v-8h14v10h9V60l9 5v13h9V66h14v44z") + path("mid", "M63 62h3v4h-3zM70 62h3v4h-3zM63 70h3v4h-3zM31 66h4v5h-4zM133 61h3v4h-3zM140 61h3v4h-3zM140 69h3v4h-3zM108 72h3v4h-3z"))}${path("cut", cuts(r, 88, 104, 4.500))}`,
  fortress: (r) => `${path("mid", rays(188, 66, 34, 18, 300, r()))}<circle class="a-lit" cx="188" cy="64" r="18"/>${path("ink", "M110 70H245V110H90z")}${path("cut", waves(r, 74, 90, 5))}${at(0, 0, 2, edged("M10 46V24l3-5h50l6 5 5 22z") + edged("M28 12v-3q6-4 12 0v3z") + edged("M10 19v-3l7-5h42l8 5v3z") + path("cut", "M36 22.500h26l-3 11H38z") + path("ink", "M40 25h18l-1.500 6H41.500z") + path("cut", "M16 25h11v1.800h-11zM16 36h14v.7h-14zM22 39h24v.7h-24zM14 42h16v.7h-16z") + edged("M46 26l5-1.300 25-6.300-.3-1.200 5-1.300.9 3.600-5 1.300-.3-1-25 6.600-4 1.600z"))}${ground(r, 86, 4)}${[[34, 84, 1.2], [150, 80, 1.4], [178, 86, 1.600]].map(([x, y, k]) => at(x + r() * 6, y, k, edged(HEDGEHOG))).join("")}`,
  monastery: (r) => `${path("mid", rays(112, 40, 34, 10, 280, r()))}${path("mid2", "M-5 84L30 62l20 12 16-12 20 34H-5zM245 80L200 58l-24 14-20-4 4 30h90z")}${at(112, 0, 2, edged("M-50 50l8-6 3-6 6-3 3-6 5-2 2-5h2V14h3V9.500l2.500-3 2.500 3V14h13v-2q0-4.500 3.500-5.500V4.500h1v2q3.500 1 3.500 5.500v2h12v8h2l3 6 5 2 3 7 6 3 4 7 6 2z") + path("lit", [-18, -9, -5, -1, 5, 9, 13, 17].map((x) => `M${x} 16h1.400v2h-1.400z`).join("") + "M-16.200 10.500h1.400v2h-1.400z") + path("cut", "M22 24l4 8-1 9-5-9zM30 32l5 8 1 9-5-8zM12 27l3 9-2 12-3-11zM-27 30l1 4-5 6-7 3 7-6z") + path("lit", "M-14 50l2-4 16-4 2-2-2-2-14-3-1-2 1-1.500 10-3 1-1.500-3-3.200h1.200l4 3-1 2.500-9 3.500 13 3 3 3-2 3.500-15 4.500-1 1.500z"))}${path("lit", "M20 76h26q5-7 12 0h20a3 3 0 0 1 0 6H20a3 3 0 0 1 0-6zM150 84h14q5-7 12 0h30a3 3 0 0 1 0 6H150a3 3 0 0 1 0-6z")}`,
  partisans: (r) => `${path("mid2", "M-5-5H245V110H-5z")}<circle class="a-lit" cx="${f(104 + r() * 20)}" cy="48" r="33"/>${path("mid", "M18-5h5l2 100H15zM146-5h4l2 100h-8zM76-5h3l2 90h-6z")}${ground(r, 80, 3)}${path("ink", "M36-5h9l-1 30 12-16 2 2-14 22v40l6 26H30l6-30zM182-5h10l-1 40 7 60h-20l4-50-13-22 2-1 11 14z")}${at(72, 82, 1.5, edged(CREEP))}${at(110, 82, 1.7, edged(CREEP))}${at(140, 82, 1.600, edged(KNEEL))}`,
  ranks: (r) => `${path("mid", rays(112, 96, 36, 20, 280, r()))}${ground(r, 86, 1)}${[-4, 35, 74, 113, 152, 191, 230].map((x) => at(x, 88, 1.55, edged(MARCH))).join("")}`,
  road: (r) => {
    const edge = [1, -1].map((side) => Array.from({ length: 81 }, (_, i) => {
        const t = (side * (i - 40)) / 80 + 0.5, q = 1 - t, w = side * (6 * q * q + 0.8), a = 5 * Math.PI * t + 0.5, v = Math.sin(a);
        return `${f(112 + (72 * q + 4) * v + w * v * Math.abs(v))} ${f(26 + 74 * q * q - w * Math.cos(a) * 0.7)}`;
      }).join("L"));
    return `${path("mid", rays(112, 26, 34, 10, 280, r()))}${path("mid2", "M-5 74L34 30l18 18L84 14l24 24 34-26 30 34 22-16 50 40v40H-5z")}${path("lit", "M84 14l-13 14 7-1 6 6 5-6 6 3zM142 12l-14 11 8 0 6 6 7-8 8 4z")}${path("ink", "M-5 80Q70 66 112 24Q154 64 245 78V110H-5z")}${path("lit", `M${edge.join("L")}z`)}${at(112, 80, 1.4, edged(TRUCK))}`;
  },
  ruins: (r) => `${path("mid", rays(112, 84, 34, 20, 280, r()))}<g class="a-mid2">${puff(r, 140, 38, 13, 8)}</g>${path("mid2", skyline(r, 76))}${either(r, edged("M56 96V26l5-6 4 6 7-10 8 4 4 12 8 3v13l7 5v12l6 6 4 20zM62 32v10h8v-10zM77 28v14h7v-14zM62 50v11h8v-11zM77 50v11h7v-11zM90 54v7h6v-7zM62 70v16h8v-16zM77 70v11h7v-11z") + edged("M116 96V62l5-5 4 5 7-8 6 5v37zM121 68v9h6v-9z") + edged("M140 96L148 34l6-4 4 5 7-2-1 20 5 6-3 16 4 22zM154 42l-1 10 6 1 1-10zM151 62l-1 10 6 1 1-10z"))}${path("ink", "M84 96l12-14 8 4 9-10 10 8 9-5 12 9 8-4 10 12z")}${ground(r, 86, 4)}`,
  train: (r) => `${path("mid", rays(40, 80, 34, 20, 300, r()))}${path("mid2", "M190 18h2v70h-2zM182 24h18v2h-18zM214 40h1v46h-1zM209 44h11v1h-11zM40 18h2v70h-2zM32 24h18v2h-18z")}${ground(r, 82, 1)}${edged([[143, 22, 5], [135, 16, 8], [121, 12, 10], [102, 9, 12], [78, 7, 15], [48, 5, 17], [12, 4, 21]].map(([x, y, k]) => disc(x, Math.round(y + r() * 3), k)).join(""))}${at(104, 82, 2, edged("M-60-20h35v13h-35zM-22-25h-3v-2h20v2h-3v5h8v-2.500q3-3 6 0v2.500h6v-2.500q2.500-2 5 0v2.500h3l-1-7h6l-1 7h4l2 2v8l-2 2h4l3 7h-7l-2-4h-90v-3h20z") + path("lit", "M-20-22h8v7h-8z") + path("cut", "M-56-17h27v1h-27zM-56-12h27v1h-27zM2-20h1v8h-1zM12-20h1v8h-1z") + edged(disc(-15, -5, 5) + disc(-3.500, -5, 5) + disc(8, -5, 5) + disc(18, -3, 3)) + path("lit", [-15, -3.500, 8].map((x) => rays(x, -5, 6, 1.500, 3.800, 0)).join("") + disc(18, -3, 1)))}`,
  winter: (r) => `${path("mid2", "M-5-5H245V110H-5z")}<circle class="a-lit" cx="${f(84 + r() * 40)}" cy="30" r="15"/>${path("lit", hill(r, 76, 8))}${path("ink", placed(TREE, 1.7, 48, 84) + placed(TREE, 1.2, 182, 76) + placed(TREE, 0.8, 160, 74))}${at(112, 60, 2.600, `<g class="a-ink">${SIL.army}</g>`, "rotate(-5)")}${path("lit", "M62 78q14-10 30-5 16 4 30 0 16-4 36 6v14H62zM98 38q8-5 18 0v3q-10-2-18 1zM120 41h24v2h-24z")}${path("cut", cuts(r, 84, 104, 5))}${path("lit", Array.from({ length: 44 }, () => disc(Math.round(r() * 224), Math.round(r() * 80), 1 + Math.round(r() * 4) / 10)).join(""))}`,
};
