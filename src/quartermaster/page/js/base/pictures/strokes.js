// What woodcuts are made of: rays, cuts, waves, smoke, hills, trees. A picture is 224 wide and 96 high. What it is about stands in its
// middle, between 60 and 165 and between 20 and 76, for small cards show little more. Its tones are classes, in the country's colour:
// `a-paper` and `a-lit` are light, `a-mid` and `a-mid2` darker, `a-ink` black; `a-cut` are the cuts in what is black, `a-cut2` lines
// of them, `a-halo` is a light edge around what stands before something dark.
/** @param {string} text */
export const hash = (text) => [...text].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 16777619) >>> 0, 2166136261);
/** @param {number} seed */
export const random = (seed) => () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296;
/** @param {number} n */
export const f = (n) => n.toFixed(1);

/** @typedef {() => number} Chance */
/** @param {number} cx @param {number} cy @param {number} n @param {number} from @param {number} to @param {number} twist */
export const rays = (cx, cy, n, from, to, twist) => {
  let d = "";
  for (let i = 0; i < n; i++) {
    const a = twist + (i * 2 * Math.PI) / n,
      b = a + (Math.PI / n) * 0.9;
    d += `M${f(cx + from * Math.cos(a))} ${f(cy + from * Math.sin(a))}L${f(cx + to * Math.cos(a))} ${f(cy + to * Math.sin(a))}L${f(cx + to * Math.cos(b))} ${f(cy + to * Math.sin(b))}L${f(cx + from * Math.cos(b))} ${f(cy + from * Math.sin(b))}z`;
  }
  return d;
};
/** @param {Chance} rnd @param {number} y0 @param {number} y1 @param {number} step @param {number} [w] */
export const cuts = (rnd, y0, y1, step, w = 240) => {
  let d = "";
  for (let y = y0; y < y1; y += step) {
    let x = -rnd() * 40;
    while (x < w) {
      const l = 16 + rnd() * 46,
        t = step * (0.22 + 0.26 * ((y - y0) / (y1 - y0)));
      d += `M${f(x)} ${f(y)}Q${f(x + l / 2)} ${f(y - t)} ${f(x + l)} ${f(y)}Q${f(x + l / 2)} ${f(y + t)} ${f(x)} ${f(y)}z`;
      x += l + 4 + rnd() * 9;
    }
  }
  return d;
};
/** @param {Chance} rnd @param {number} y0 @param {number} y1 @param {number} step @param {number} [w] */
export const waves = (rnd, y0, y1, step, w = 240) => {
  let d = "";
  for (let y = y0, k = 0; y < y1; y += step, k++) {
    const l = 15 + k * 3;
    for (let x = -rnd() * l - l; x < w; x += l)
      d += `M${f(x)} ${f(y)}q${f(l / 2)} ${f(-step * 0.75)} ${f(l)} 0q${f(-l / 2)} ${f(-step * 0.2)} ${f(-l)} 0z`;
  }
  return d;
};
/** @param {Chance} rnd @param {number} x @param {number} y @param {number} r @param {number} [n] */
export const puff = (rnd, x, y, r, n = 6) =>
  Array.from(
    { length: n },
    (_, i) =>
      `<circle cx="${f(x + (rnd() - 0.5) * r * 2)}" cy="${f(y - i * r * 0.35 + (rnd() - 0.5) * r)}" r="${f(r * (0.55 + rnd() * 0.5))}"/>`,
  ).join("");
/** @param {Chance} rnd @param {number} x @param {number} y @param {number} r @param {number} [n] */
export const burst = (rnd, x, y, r, n = 13) =>
  "M" +
  Array.from({ length: n * 2 }, (_, i) => {
    const a = (Math.PI * i) / n,
      d = i % 2 ? r * (0.34 + rnd() * 0.12) : r * (0.75 + rnd() * 0.4);
    return `${f(x + d * Math.cos(a))} ${f(y + d * Math.sin(a))}`;
  }).join("L") +
  "z";
/** @param {Chance} rnd @param {number} y @param {number} a */
export const hill = (rnd, y, a) =>
  `M-5 ${y}Q${f(40 + rnd() * 30)} ${f(y - a)} ${f(110 + rnd() * 20)} ${f(y - a * 0.2)}T245 ${f(y - a * 0.5)}V110H-5z`;
/** @param {number} x @param {number} y @param {number} s @param {string} body @param {string} [extra] */
export const at = (x, y, s, body, extra = "") =>
  `<g transform="translate(${f(x)} ${f(y)}) scale(${s}) ${extra}">${body}</g>`;
/** @param {Chance} rnd @param {number} y @param {number} n */
export const pines = (rnd, y, n) => {
  let d = "";
  for (let i = 0; i < n; i++) {
    const x = rnd() * 230,
      h = 9 + rnd() * 12;
    d += `M${f(x)} ${f(y - h)}l${f(h * 0.3)} ${f(h * 0.5)}h${f(-h * 0.12)}l${f(h * 0.24)} ${f(h * 0.5)}h${f(-h * 0.84)}l${f(h * 0.24)} ${f(-h * 0.5)}h${f(-h * 0.12)}z`;
  }
  return d;
};
/** @param {Chance} rnd @param {number} y */
export const skyline = (rnd, y) => {
  let d = `M-5 ${y}`;
  for (let x = -5; x < 240; ) {
    const w = 8 + rnd() * 13,
      h = 5 + rnd() * 20;
    d += `V${f(y - h)}h${f(w * 0.35)}v${f(-rnd() * 5)}h${f(w * 0.3)}v${f(rnd() * 5)}h${f(w * 0.35)}`;
    x += w;
  }
  return d + `V110H-5z`;
};

/** In black, with a light edge. @param {string} d */
export const edged = (d) => `<path class="a-halo" d="${d}"/><path class="a-ink" d="${d}"/>`;
/** Circles, each by its middle and its radius. @param {number[][]} all */
export const balls = (all) => all.map(([x, y, q]) => `M${f(x - q)} ${f(y)}a${f(q)} ${f(q)} 0 1 1 0 .1z`).join("");
/** As drawn, or the other way round. @param {Chance} r @param {string} drawing */
export const either = (r, drawing) => (r() < 0.5 ? drawing : at(224, 0, 1, drawing, "scale(-1 1)"));
