// Pictures of what is made, said and thought at home.
import { SIL } from "../art.js";
import { at, cuts, f, hill, pines, rays } from "./strokes.js";

/** An ear of wheat, upright, bent by `lean`.
 * @param {number} x
 * @param {number} lean */
const ear = (x, lean) =>
  `M${x} 92q${lean} -30 ${lean * 2} -52l2 0q${-lean} 26 ${-lean * 1.2} 52z` +
  [0, 1, 2, 3]
    .map((i) => {
      const [cx, cy] = [x + lean * (1.15 + i * 0.25), 62 - i * 10];
      return `M${f(cx)} ${cy}q-9 -2 -8 -12q8 2 8 12q1 -11 9 -12q1 10 -9 12z`;
    })
    .join("") +
  `M${f(x + lean * 2.1)} 22q-5 -6 0 -14q5 8 0 14z`;

/** A ring of teeth. @param {number} x @param {number} y @param {number} r @param {number} n @param {number} long @param {number} turn */
const teeth = (x, y, r, n, long, turn) =>
  Array.from({ length: n }, (_, i) => {
    const a = turn + (i * 2 * Math.PI) / n;
    const [c, s] = [Math.cos(a), Math.sin(a)];
    return `M${f(x + r * c)} ${f(y + r * s)}l${f(long * c)} ${f(long * s)}`;
  }).join("");

/** @type {Record<string, (r: import("./strokes.js").Chance) => string>} */
export const HOME = {
  bread: (r) =>
    `<path class="a-mid" d="${rays(112, 62, 30, 26, 280, r())}"/><path class="a-mid2" d="${ear(44, -7)}${ear(58, -2)}${ear(166, 2)}${ear(180, 7)}"/><path class="a-halo" d="M66 78q-8-30 12-38 34-12 68 0 20 8 12 38z"/><path class="a-ink" d="M66 78q-8-30 12-38 34-12 68 0 20 8 12 38z"/><path class="a-lit" d="M83 46q9-5 12-4 3 8-2 22-10 2-12-1 6-8 2-17zM105 40q9-2 13 0 2 10-3 24-9 2-12-1 6-10 2-23zM128 41q8 0 12 4 0 9-5 20-9 1-11-2 6-9 4-22z"/><path class="a-ink" d="M-5 78H245V110H-5z"/><path class="a-cut" d="${cuts(r, 82, 100, 4.4)}"/>`,
  cipher: (r) =>
    `<path class="a-ink" d="M-5-5H245V110H-5z"/><path class="a-mid2" d="M36 8h152l10 84H26z"/><path class="a-ink" d="M48 14h128v34H48zM38 54h148l4 34H34z"/>${[76, 112, 148].map((x) => `<circle class="a-lit" cx="${x}" cy="31" r="14"/><path class="a-ring" d="${teeth(x, 31, 9, 13, 4.5, r() * 6)}"/><circle class="a-ink" cx="${x}" cy="31" r="4.500"/>`).join("")}<path class="a-paper" d="${[
      62, 78,
    ]
      .map((y, row) =>
        Array.from({ length: 8 - row }, (_, i) => `M${56 + row * 8 + i * 16} ${y - 5.5}a5.500 5.500 0 1 1-.1 0z`).join(
          "",
        ),
      )
      .join("")}"/>`,
  factory: (r) =>
    `<path class="a-mid" d="${rays(112, 96, 34, 24, 280, r())}"/><path class="a-ink" d="M-5-5H245V10L203 24V10L161 24V10L119 24V10L77 24V10L35 24V10L-5 24z"/><path class="a-ink" d="M110 20h4v12h8v6h-4v-2h-12v2h-4v-6h8z"/>${[
      [46, 1.7],
      [178, 1.7],
      [112, 2.4],
    ]
      .map(([x, k]) => at(x, 74 - k * 8, k, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>`))
      .join(
        "",
      )}<path class="a-ink" d="M-5 75H245V110H-5z"/><path class="a-mid" d="${Array.from({ length: 11 }, (_, i) => `M${f(8 + i * 22 - r() * 2)} 79a5 5 0 1 1-.1 0z`).join("")}"/><path class="a-mid2" d="M-5 90h250v3H-5z"/>`,
  flag: (r) => {
    const heads = Array.from({ length: 15 }, (_, i) => {
      const [x, y] = [i * 16 + r() * 6, 82 + (i % 2) * 5 + r() * 3];
      const arm = i % 4 === 1 ? `M${f(x + 4)} ${f(y + 12)}l7-27 4 1-4 26z` : "";
      return `M${f(x)} ${f(y - 6)}a6.500 7 0 1 1-.1 0zM${f(x - 11)} 110q0-19 11-19t11 19z${arm}`;
    }).join("");
    return `<path class="a-mid" d="${rays(60, 20, 30, 8, 300, r())}"/><path class="a-halo" d="M84 12q20-12 42 0t42 0v42q-20 12-42 0t-42 0z"/><path class="a-mid2" d="M84 12q20-12 42 0t42 0v42q-20 12-42 0t-42 0z"/><path class="a-lit" d="M84 26q20-12 42 0t42 0v14q-20 12-42 0t-42 0z"/><path class="a-ink" d="M79 6h5v90h-5zM81.500 0a4 4 0 1 1-.1 0z"/><path class="a-ink" d="${heads}"/>`;
  },
  mine: (r) =>
    `<path class="a-mid" d="${rays(40 + r() * 30, 60, 26, 14, 280, r())}"/><path class="a-mid2" d="M60 96L120 18l22 26 16-14 50 66z"/><path class="a-lit" d="M120 18l-17 22 9-3 8 8 8-7 12 4zM158 30l-9 9 8 1 6 6 8-3z"/><path class="a-ink" d="M34 90L54 26h6l20 64h-6l-4-14H44l-4 14zM46 70h22l-4-14H50zM51 50h11l-5-16zM50 22a7 7 0 1 1 14 0 7 7 0 1 1-14 0z"/><path class="a-ink" d="${pines(r, 90, 11)}"/><path class="a-ink" d="${hill(r, 90, 5)}"/><path class="a-cut" d="${cuts(r, 90, 104, 4.2)}"/>`,
  plan: (r) =>
    `<path class="a-ink" d="M-5-5H245V110H-5z"/><path class="a-paper" d="M30 12L188 4l14 84-184 6z"/><path class="a-mid" d="M30 12l62-3q-8 18 6 28t-6 26q-14 10-6 30l-68 2zM188 4l-34 2q-4 14 8 20t4 24 34 22z"/><path class="a-mid2" d="M96 78q6-24 32-34l-4-9 24 3-11 21-4-9q-20 8-26 29zM${f(46 + r() * 6)} 34l12-4 2 12-12 4zM${f(58 + r() * 6)} 56l12-4 2 12-12 4zM${f(166 + r() * 6)} 58l12-4 2 12-12 4z"/><path class="a-halo" d="M106 12h12l0 8 26 60-8 2-24-52-22 54-8-4 24-60z"/><path class="a-ink" d="M112 4a8 8 0 1 1-.1 0zM106 14h12l1 8 25 58 0 10-6-8-26-52-22 50-7 9 0-12 22-55z"/>`,
  radar: (r) =>
    `<path class="a-ink" d="M-5-5H245V110H-5z"/><path class="a-ring" d="M150 10q26 22 20 56M164 4q32 28 24 72M178-2q38 34 28 88M136 17q20 16 16 40"/><path class="a-lit" d="M96 4q-38 40 4 70l6-6-9-12 22-12 2 4 6-3-5-9-5 2 1 4-23 12q-6-18 10-43z"/><path class="a-mid2" d="M93 10q-26 34 5 60l3-4q-20-20-6-52z"/><path class="a-mid" d="M76 96l24-36 8 3 22 33h-7l-8-13H92l-8 13zM97 78h12l-6-10z"/>${at(196, 22 + r() * 8, 0.9, `<g class="a-lit">${SIL.air}</g>`, "rotate(-80)")}${at(206, 52 + r() * 8, 0.7, `<g class="a-lit">${SIL.air}</g>`, "rotate(-80)")}<path class="a-mid2" d="${hill(r, 96, 8)}"/>`,
  treaty: (r) =>
    `<path class="a-mid" d="${rays(112, 50, 28, 30, 260, r())}"/><path class="a-ink" d="M70 12l78-5 9 83-78 6z"/><path class="a-lit" d="M66 8l78-5 9 83-78 6z"/><path class="a-mid2" d="M78 20l50-3 .3 3-50 3zM79 30l56-4 .3 3-56 4zM80 40l52-3.500.3 3-52 3.500zM81 50l40-2.500.3 3-40 2.500zM104 77q6-9 10-2t7-6 8 2l5-4" /><path class="a-ink" d="M92 64a10 10 0 1 1-.1 0zM86 80l-4 18 9-5 6 7 2-19z"/><path class="a-halo" d="M124 72l48-54 12 8-46 54-16 6z"/><path class="a-ink" d="M124 72l48-54q9-1 12 8l-46 54-16 6z"/><path class="a-mid" d="M132 68l38-44 3 2-38 44z"/>`,
};
