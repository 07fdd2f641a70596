// The end: who has won, and how it went.
import { cls, html, useEffect, useSignal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { get } from "../base/api.js";
import { COUNTRIES, teamOf } from "../base/countries.js";
import { attempt } from "../state/session.js";
import { begun, game, log, mine, send } from "../state/table.js";
import { go } from "../router.js";
import { replaying } from "./replay.js";

/** @typedef {import("../state/table.js").LogEntry} LogEntry */
/** @typedef {import("../api").RoundEstimate} Estimate */

/** Points of both teams at the end of each round, from the log.
 * @param {LogEntry[]} entries */
export function pointsByRound(entries) {
  /** @type {Record<string, number>[]} */
  const rounds = [];
  /** @type {Record<string, number>} */
  const now = { axis: 0, allies: 0 };
  let round = 1;
  for (const entry of entries) {
    if (entry.what === "turn") round = entry.n || round;
    if (entry.what === "score" && entry.country) {
      now[teamOf(entry.country)] += entry.n;
    }
    rounds[round - 1] = { ...now };
  }
  return rounds;
}

/** Lines over the rounds.
 * @param {{ lines: { team: string, name: string, values: number[] }[], label: string, max?: number, percent?: boolean }} props */
export function Chart({ lines, label, max, percent }) {
  const [w, h, pad] = [560, 190, 42];
  const count = Math.max(2, ...lines.map((line) => line.values.length));
  const top = max ?? Math.max(10, ...lines.flatMap((line) => line.values));
  const x = (/** @type {number} */ i) => pad + (i * (w - pad - 10)) / (count - 1);
  const y = (/** @type {number} */ v) => h - 22 - (v * (h - 36)) / top;
  const told = lines.map((line) => `${line.name}: ${Math.round(line.values.at(-1) ?? 0)}${percent ? " %" : ""}`).join(", ");
  return html`
    <figure class="chart"><figcaption>${label}</figcaption>
      <svg viewBox=${`0 0 ${w} ${h}`} role="img" aria-label=${`${label}. ${told}`}>
        ${[0, 0.5, 1].map((part) => html`<line class="grid" x1=${pad} x2=${w - 10} y1=${y(top * part)} y2=${y(top * part)} />
          <text class="axis-text" x=${pad - 6} y=${y(top * part) + 4} text-anchor="end">${Math.round(top * part)}${percent ? "%" : ""}</text>`)}
        ${lines.map((line) => html`
          <polyline class=${cls("line", line.team)} points=${line.values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" ")} />
          ${line.values.length > 0 && html`<text class=${cls("line-name", line.team)} x=${x(line.values.length - 1)} y=${y(line.values.at(-1) ?? 0) + ((line.values.at(-1) ?? 0) < Math.max(...lines.map((l) => l.values.at(-1) ?? 0)) ? 15 : -6)} text-anchor="end">${line.name}</text>`}`)}
        <text class="axis-text" x=${pad} y=${h - 4}>1</text>
        <text class="axis-text" x=${w - 10} y=${h - 4} text-anchor="end">${count}</text>
      </svg></figure>`;
}

export function Result() {
  const now = begun();
  const chances = useSignal(/** @type {Estimate[] | null} */ (null));
  const isOpen = useSignal(true);
  useEffect(() => {
    if (!now.is_abandoned) attempt(() => get(`${game()}/estimates`)).then((found) => (chances.value = found ?? []));
  }, [now.id]);
  const rounds = pointsByRound(log.value);
  const turning = turningPoints(chances.value ?? []);
  const rematch = (/** @type {boolean} */ swap) => attempt(async () => {
    const next = await send("/rematch", { swap });
    if (next) go(`/games/${next.id}`);
  });
  return html`
    <section class="result panel" aria-label=${t("result.label")}>
      <h1 class=${now.winner}>${now.winner ? t("result.won", { team: t(`team.${now.winner}`) }) : t("result.abandoned")}</h1>
      <p class="final">${t("team.axis")} <b>${now.view.score.axis}</b> : <b>${now.view.score.allies}</b> ${t("team.allies")} · ${t("bar.round", { n: now.view.round })}</p>
      <div class="row">
        ${now.steps > 0 && html`<button class="main" onClick=${() => (replaying.value = 0)}>${t("result.replay")}</button>`}
        ${mine.value.length > 0 && html`<button onClick=${() => rematch(false)}>${t("result.rematch")}</button>
          <button onClick=${() => rematch(true)}>${t("result.swap")}</button>`}
        <a class="button" href=${`${game()}/record`} download>${t("result.record")}</a>
        <button onClick=${() => (isOpen.value = !isOpen.value)}>${isOpen.value ? t("result.less") : t("result.more")}</button>
      </div>
      ${isOpen.value && html`
        ${rounds.length > 1 && html`<${Chart} label=${t("result.points")} lines=${["axis", "allies"].map((team) => ({ team, name: t(`team.${team}`), values: rounds.map((r) => r?.[team] ?? 0) }))} />`}
        ${chances.value === null && !now.is_abandoned && html`<p class="dim">${t("result.judging")}</p>`}
        ${chances.value && chances.value.length > 1 && html`<${Chart} label=${t("result.chances")} max=${100} percent lines=${[{ team: "axis", name: t("team.axis"), values: chances.value.map((c) => c.axis * 100) }]} />`}
        <${Deeds} />
        ${turning.length > 0 && html`<h2>${t("result.turning")}</h2><ul>${turning.map((point) => html`
          <li><button class="link" onClick=${() => (replaying.value = point.step)}>${t("bar.round", { n: point.round })}</button>
            ${" "}${t("result.swing", { team: t(`team.${point.team}`), n: Math.round(point.by * 100) })}</li>`)}</ul>`}`}
    </section>`;
}

const DEEDS = ["points", "cards", "built", "battles", "lost"];

/** What each country did, from the log.
 * @param {LogEntry[]} entries */
function deeds(entries) {
  /** @type {Record<string, Record<string, number>>} */
  const found = Object.fromEntries(COUNTRIES.map((country) => [country, Object.fromEntries(DEEDS.map((deed) => [deed, 0]))]));
  /** @type {Record<string, string>} */
  const kinds = { play: "cards", set: "cards", use: "cards", build: "built", recruit: "built", battle: "battles", remove: "lost" };
  for (const entry of entries) {
    if (!entry.country) continue;
    if (entry.what === "score") found[entry.country].points += entry.n;
    else if (kinds[entry.what]) found[entry.country][kinds[entry.what]] += 1;
  }
  return found;
}

function Deeds() {
  const found = deeds(log.value);
  return html`
    <table class="compare deeds"><caption>${t("deeds.title")}</caption>
      <thead><tr><th></th>${DEEDS.map((deed) => html`<th scope="col">${t(`deeds.${deed}`)}</th>`)}</tr></thead>
      <tbody>${COUNTRIES.map((country) => html`<tr key=${country}><th scope="row">${countryName(country)}</th>
        ${DEEDS.map((deed) => html`<td>${found[country][deed]}</td>`)}</tr>`)}</tbody></table>`;
}

/** The rounds in which the chances moved most.
 * @param {Estimate[]} chances */
function turningPoints(chances) {
  const moves = [];
  for (let i = 1; i < chances.length; i++) {
    const by = chances[i].axis - chances[i - 1].axis;
    if (Math.abs(by) >= 0.12) moves.push({ round: chances[i - 1].round, step: chances[i - 1].step, by: Math.abs(by), team: by > 0 ? "axis" : "allies" });
  }
  return moves.sort((a, b) => b.by - a.by).slice(0, 3).sort((a, b) => a.round - b.round);
}
