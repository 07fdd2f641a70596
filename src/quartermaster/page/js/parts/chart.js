// A line over the rounds: who led, and by how much.
import { cls, html, useLayoutEffect, useRef, useSignal } from "../base/html.js";
import { t } from "../base/words.js";

/** @typedef {{ round: number, value: number }} Point */

const LABEL = 28; // pixels that the number of a round needs

/** A curve around a middle: up for the Allies, down for the Axis. Points that matter can be chosen. It is drawn as wide as
 * it is shown, so that its letters keep their size.
 * @param {{ label: string, points: Point[], top: number, middle?: string, end?: string, marks?: number[], told: string, onPick?: (round: number) => void }} props */
export function Chart({ label, points, top, middle = "0", end = String(top), marks = [], told, onPick }) {
  const width = useSignal(600);
  const figure = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const seen = /** @type {HTMLElement} */ (figure.current);
    const watch = new ResizeObserver(() => (width.value = seen.clientWidth || width.value));
    watch.observe(seen);
    return () => watch.disconnect();
  }, []);
  const [w, h, left, right] = [width.value, 168, 42, 12];
  const first = points[0]?.round ?? 1;
  const last = Math.max(first + 1, points.at(-1)?.round ?? 2);
  const x = (/** @type {number} */ round) => left + ((round - first) / (last - first)) * (w - left - right);
  const y = (/** @type {number} */ value) => 78 - (Math.max(-top, Math.min(top, value)) / top) * 66;
  const line = points.map(({ round, value }) => `${x(round).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const area = `M${x(first)} ${y(0)}L${line}L${x(points.at(-1)?.round ?? first)} ${y(0)}z`;
  const step = Math.ceil(((last - first) * LABEL) / (w - left - right));
  const rounds = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(
    (n, i) => n === last || (i % step === 0 && n <= last - step),
  );
  // What each half says stands where the curve is nearer to the middle: at its beginning, mostly.
  const isLate = Math.abs(points[0]?.value ?? 0) > Math.abs(points.at(-1)?.value ?? 0);
  const half = isLate ? { x: w - right - 8, "text-anchor": "end" } : { x: left + 8 };
  const id = `chart-${label.replace(/\W/g, "")}`;
  return html`
    <figure class="chart" ref=${figure}><figcaption>${label}</figcaption>
      <svg viewBox=${`0 0 ${w} ${h}`} height=${h} role=${onPick ? "group" : "img"} aria-label=${`${label}. ${told}`}>
        <defs><clipPath id=${`${id}-up`}><rect x="0" y="0" width=${w} height=${y(0)} /></clipPath><clipPath id=${`${id}-down`}><rect x="0" y=${y(0)} width=${w} height=${h} /></clipPath></defs>
        ${[-top, 0, top].map((v) => html`<line class=${cls("grid", v === 0 && "zero")} x1=${left} x2=${w - right} y1=${y(v)} y2=${y(v)} /><text class="axis-text" x=${left - 6} y=${y(v) + 4} text-anchor="end">${v === 0 ? middle : end}</text>`)}
        <path class="area allies" d=${area} clip-path=${`url(#${id}-up)`} /><path class="area axis" d=${area} clip-path=${`url(#${id}-down)`} />
        <path class="curve" d=${`M${line}`} />
        <text class="half" ...${half} y=${y(top) + 16}>${t("result.allies-ahead")}</text><text class="half" ...${half} y=${y(-top) - 8}>${t("result.axis-ahead")}</text>
        ${rounds.map((n) => html`<text key=${n} class="axis-text" x=${x(n)} y=${h - 4} text-anchor="middle">${n}</text>`)}
        ${points
          .filter(({ round }) => marks.includes(round))
          .map(
            ({
              round,
              value,
            }) => html`<circle key=${round} class="mark" cx=${x(round)} cy=${y(value)} r="6" role="button" tabindex="0" aria-label=${t("bar.round", { n: round })}
          onClick=${() => onPick?.(round)} onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Enter" && onPick?.(round)} />`,
          )}
      </svg></figure>`;
}
