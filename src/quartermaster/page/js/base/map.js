// The map as it is sent, every line once, and put together to paths (tools/fold_map.py takes it apart).

/** @typedef {[number, number]} Spot in tenths of a pixel */
/** @typedef {number[][]} Rings each a ring of lines, `~n` being line n the other way round */

const NEAR = 8; // tenths: corners of the coast that lie closer are one

/** @param {string} text where it begins, then steps
 * @returns {Spot[]} */
function spots(text) {
  const numbers = text.split(" ").map(Number);
  let x = 0;
  let y = 0;
  return Array.from({ length: numbers.length / 2 }, (_, i) => [(x += numbers[2 * i]), (y += numbers[2 * i + 1])]);
}

/** @param {Spot[]} ring */
function thinned(ring) {
  let last = ring[0];
  return ring.filter((spot, i) => {
    if (i && Math.hypot(spot[0] - last[0], spot[1] - last[1]) < NEAR) return false;
    last = spot;
    return true;
  });
}

/** @param {Spot[]} ring */
const pathOf = (ring) =>
  `M${ring.map(([x, y], i) => (i ? `${(x - ring[i - 1][0]) / 10} ${(y - ring[i - 1][1]) / 10}` : `${x / 10} ${y / 10}l`)).join(" ")}z`;

/** @param {any} sent
 * @returns {any} the map with a path for every space, the coast and the scenery */
export function unfold({ lines, ...map }) {
  /** @type {Spot[][]} */
  const all = lines.map(spots);
  const ring = (/** @type {number[]} */ numbers) =>
    numbers.flatMap((n) => (n < 0 ? [...all[~n]].reverse() : all[n]).slice(0, -1));
  const path = (/** @type {Rings} */ rings) => rings.map((one) => pathOf(ring(one))).join("");
  /** @type {[string, any][]} */
  const spaces = Object.entries(map.spaces);
  return {
    ...map,
    spaces: Object.fromEntries(
      spaces.map(([id, space]) => [
        id,
        {
          ...space,
          path: Array.isArray(space.path)
            ? path(space.path)
            : Object.fromEntries(
                Object.entries(space.path).map(([edition, rings]) => [edition, path(/** @type {Rings} */ (rings))]),
              ),
        },
      ]),
    ),
    scenery: path(map.scenery),
    coast: map.coast.map((/** @type {number[]} */ one) => pathOf(thinned(ring(one)))).join(""),
  };
}
