// Lines of supply as one sees them across the room.
import { html } from "../base/html.js";
import { t } from "../base/words.js";
import { world } from "../state/table.js";

/** @typedef {[number, number]} Spot */

const BEND = 0.12; // of a line's length

/** @typedef {{ country: string, lines: Record<string, import("../api").Supply>, pieces: Record<string, import("../state/table.js").Piece[]> }} Drawing */

/** Where a country's piece stands in a space.
 * @param {Drawing} drawing
 * @returns {(space: string) => Spot} */
const spots =
  ({ country, pieces }) =>
  (space) => {
    const place = (pieces[space] ?? []).findIndex((piece) => piece.country === country);
    return world().map.spaces[space].slots[Math.max(0, place) % 3];
  };

/** What holds: the lines from their sources outward. @param {Drawing} drawing */
export function Supplies(drawing) {
  const { country, lines } = drawing;
  const { map } = world();
  const spot = spots(drawing);
  const ways = new Map();
  for (const { path, is_supplied: isSupplied } of Object.values(lines)) {
    if (!isSupplied) continue;
    const outward = [...path].reverse();
    outward
      .slice(1)
      .forEach((to, i) => ways.set(`${outward[i]} ${to}`, wayBetween(spot(outward[i]), spot(to), map.box[0])));
  }
  const sources = new Set(
    Object.values(lines)
      .filter((one) => one.is_supplied && one.source)
      .map((one) => String(one.source)),
  );
  return html`<g class=${`supply ${country}`}>
    ${[...ways].map(([key, d]) => html`<g key=${key}><path class="sup-case" d=${d} /><path class="sup-line" d=${d} /><path class="sup-flow" d=${d} /></g>`)}
    ${[...sources].map((space) => {
      const [x, y] = spot(space);
      return html`<g key=${space}><circle class="sup-glow" cx=${x} cy=${y} r="30" /><circle class="sup-ring" cx=${x} cy=${y} r="24" /></g>`;
    })}</g>`;
}

/** What is cut off, and why. @param {Drawing} drawing */
export function Cuts(drawing) {
  const { map } = world();
  const spot = spots(drawing);
  const cut = Object.values(drawing.lines).filter((one) => !one.is_supplied);
  return html`<g class="supply">
    ${cut.map((one) => {
      const [x, y] = spot(one.space);
      return html`<g key=${one.space} class="sup-out"><circle class="cut-ring" cx=${x} cy=${y} r="25" />
        <foreignObject x=${Math.min(map.box[0] - 190, Math.max(4, x - 90))} y=${y > 560 ? y - 96 : y + 26} width="184" height="76"><div class="cut-why"><b>${t("supply.out")}</b><span>${one.missing}</span></div></foreignObject></g>`;
    })}</g>`;
}

/** A line from place to place, a little bent, so that two of them do not lie on each other; over the edge of the map where that is nearer.
 * @param {Spot} from
 * @param {Spot} to
 * @param {number} width */
function wayBetween([ax, ay], [bx, by], width) {
  if (Math.abs(ax - bx) < width / 2)
    return `M${ax} ${ay}Q${(ax + bx) / 2 + (ay - by) * BEND} ${(ay + by) / 2 + (bx - ax) * BEND} ${bx} ${by}`;
  const edge = ax > bx ? width : 0;
  const my = (ay + by) / 2;
  return `M${ax} ${ay}L${edge} ${my}M${width - edge} ${my}L${bx} ${by}`;
}
