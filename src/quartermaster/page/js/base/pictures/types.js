// The pictures of the types of cards: of cards that are not about anything of their own.
import { SIL } from "../art.js";
import { at, burst, cuts, f, hill, pines, puff, rays, skyline, waves } from "./strokes.js";

/** @typedef {import("./strokes.js").Chance} Chance */

/** @type {Record<string, (r: Chance) => string>} */
export const TYPES = {
  "build-army": (r) =>
    `<path class="a-mid" d="${rays(60 + r() * 100, 58, 26, 16, 260, r())}"/><circle class="a-lit" cx="${f(60 + r() * 90)}" cy="52" r="17"/><path class="a-mid2" d="${pines(r, 74, 12)}"/><path class="a-ink" d="${hill(r, 78, 12)}"/><path class="a-cut" d="${cuts(r, 80, 100, 4.4)}"/>${at(94, 55, 2.7, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>`)}${at(164, 63, 1.5, `<g class="a-ink">${SIL.army}</g>`)}`,
  "build-navy": (r) =>
    `<path class="a-mid" d="${rays(150 + r() * 60, 60, 24, 18, 280, r())}"/><circle class="a-lit" cx="${f(150 + r() * 50)}" cy="52" r="18"/><path class="a-ink" d="M176 96V12l-4-2v-3h28v4h-18v85zM172 14l-66 3v3l66-2zM116 19v22h-1.500V19z"/>${at(94, 52, 3.1, `<g class="a-halo">${SIL.navy}</g><g class="a-ink">${SIL.navy}</g>`)}<path class="a-ink" d="M-5 78H245V110H-5z"/><path class="a-cut" d="${waves(r, 80, 104, 5)}"/>`,
  "land-battle": (r) =>
    `<path class="a-mid" d="${rays(156, 46, 30, 10, 280, r())}"/><path class="a-lit" d="${burst(r, 156, 46, 42)}"/><path class="a-mid2" d="${burst(r, 156, 46, 24)}"/><g class="a-ink">${puff(r, 150, 74, 12, 7)}</g><path class="a-ink" d="${hill(r, 82, 8)}"/><path class="a-cut" d="${cuts(r, 84, 102, 4.2)}"/>${at(78, 57, 2.8, `<g class="a-halo">${SIL.army}</g><g class="a-ink">${SIL.army}</g>`, "rotate(-4)")}<path class="a-lit" d="M117 42l16-5-6 6 9 1-10 4z"/>`,
  "sea-battle": (r) =>
    `<path class="a-mid" d="${rays(68, 40, 28, 8, 280, r())}"/><path class="a-lit" d="${burst(r, 68, 40, 32)}"/>${at(144, 50, 3, `<g class="a-halo">${SIL.navy}</g><g class="a-ink">${SIL.navy}</g>`, "scale(-1 1)")}${at(66, 60, 1.7, `<g class="a-ink">${SIL.navy}</g>`, "rotate(10)")}<g class="a-lit"><path d="M98 80q-3-24-8-34 8 8 11 18 2-16 6-22-1 20-2 38z"/><path d="M204 82q-2-16-6-24 6 6 8 13 2-11 5-15-1 14-2 26z"/></g><path class="a-ink" d="M-5 76H245V110H-5z"/><path class="a-cut" d="${waves(r, 78, 104, 5)}"/>`,
  "economic-warfare": (r) =>
    `<path class="a-ink" d="M-5-5H245V110H-5z"/><circle class="a-mid" cx="114" cy="48" r="44"/><circle class="a-paper" cx="114" cy="48" r="41"/><path class="a-mid" d="M74 58H154A41 41 0 0 1 74 58z"/><g class="a-ink">${at(114, 46, 2.3, `<path d="M-14 3H14l-3 6H-11zM-9 2v-5h4v5zM-2 2v-8h3v8zM5 2v-4h5v4zM-4-7h0z"/>`, "rotate(-9)")}${puff(r, 116, 30, 5, 5)}</g><path class="a-cut2" d="M114 5V91M71 48H157" /><g class="a-cut2"><path d="M94 44v8M104 45v6M124 45v6M134 44v8M110 28h8M110 68h8"/></g><path class="a-cut" d="${waves(r, 62, 86, 5)}" />`,
  event: (r) => {
    const y = 78;
    return `<path class="a-ink" d="M-5-5H245V110H-5z"/>${[38 + r() * 20, 112, 180 + r() * 20].map((x, i) => `<path class="a-beam${i}" d="M${f(x)} 84L${f(x + (r() - 0.5) * 150 - 20)} -10h${f(34 + r() * 20)}z"/>`).join("")}${at(96 + r() * 50, 26, 1.5, `<g class="a-ink">${SIL.air}</g>`, `rotate(${f(r() * 70 - 35)})`)}<path class="a-mid2" d="${skyline(r, y)}"/><path class="a-ink" d="${skyline(r, y + 12)}"/><path class="a-cut" d="${cuts(r, 90, 104, 4.5)}"/>`;
  },
  status: (r) =>
    `<path class="a-mid" d="${rays(112, 84, 34, 30, 260, r())}"/><g transform="translate(112 84)"><path class="a-lit" d="${Array.from(
      { length: 14 },
      (_, i) => {
        const a = (i * 2 * Math.PI) / 14,
          c = Math.cos,
          s = Math.sin;
        return `${i ? "L" : "M"}${f(58 * c(a - 0.1))} ${f(58 * s(a - 0.1))}L${f(58 * c(a + 0.1))} ${f(58 * s(a + 0.1))}L${f(47 * c(a + 0.14))} ${f(47 * s(a + 0.14))}L${f(47 * c(a + 0.31))} ${f(47 * s(a + 0.31))}`;
      },
    ).join(
      "",
    )}z"/><circle class="a-mid2" r="36"/></g><g class="a-ink">${[62, 92, 150].map((x, i) => `<path d="M${x - 5} 96l2-${48 + i * 7}h8l2 ${48 + i * 7}z"/>${puff(r, x + 6, 42 - i * 7, 6, 5)}`).join("")}<path d="M20 96V74l18-9v9l18-9v9l18-9v9l18-9v9h86v22z"/></g><path class="a-cut" d="${cuts(r, 78, 98, 6, 190)}"/>`,
  response: (r) =>
    `<path class="a-ink" d="M-5-5H245V110H-5z"/><g class="a-ring">${[14, 24, 34, 46, 60, 76, 96].map((q) => `<circle cx="112" cy="52" r="${q}"/>`).join("")}</g><path class="a-mid2" d="${rays(112, 52, 18, 60, 220, r())}"/><path class="a-lit" d="M126-4L86 56h22L94 104l46-62h-24z"/><path class="a-cut" d="${cuts(r, 92, 106, 4.5)}"/>`,
  bolster: (r) =>
    `<path class="a-mid" d="${rays(40 + r() * 40, 70, 26, 12, 280, r())}"/><g class="a-ink"><path d="M60 60h46v34H60zM112 60h46v34h-46zM86 24h46v33H86z"/></g><path class="a-cut2" d="M60 60l46 34M106 60L60 94M112 60l46 34M158 60l-46 34M86 24l46 33M132 24L86 57"/><path class="a-ink" d="M-5 92H245V110H-5z"/>`,
  "deploy-air-force": (r) =>
    `<path class="a-mid" d="${rays(112, 120, 30, 30, 280, r())}"/><g class="a-lit">${puff(r, 40, 70, 14, 6)}${puff(r, 190, 60, 12, 6)}</g>${at(116, 44, 3.3, `<g class="a-halo">${SIL.air}</g><g class="a-ink">${SIL.air}</g>`, "rotate(62)")}${at(186, 26, 1.4, `<g class="a-ink">${SIL.air}</g>`, "rotate(62)")}<path class="a-ink" d="${hill(r, 90, 6)}"/>`,
};
