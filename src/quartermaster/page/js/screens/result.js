// The end: who has won and why, how it went, and what decided it.
import { cls, html, raw, signal, useEffect, useLayoutEffect, useMemo, useRef, useSignal } from "../base/html.js";
import { countryName, many, t } from "../base/words.js";
import { get } from "../base/api.js";
import { COUNTRIES, teamOf } from "../base/countries.js";
import { starPath } from "../base/art.js";
import { attempt, say } from "../state/session.js";
import { standing } from "../state/beats.js";
import { begun, cardName, game, log, mine } from "../state/table.js";
import { cardOfTurn, earningsOf, featOf, pointsOfTurn, turns } from "../state/turns.js";
import { isMaking, makeRematch } from "../state/making.js";
import { go } from "../router.js";
import { BoardPart, fullest } from "../parts/board.js";
import { Chart } from "../parts/chart.js";
import { Roundel } from "../parts/card.js";
import { give } from "../parts/focus.js";
import { DealCheck } from "../parts/fairness.js";
import { replayFrom } from "./replay.js";

/** @typedef {import("../state/table.js").LogEntry} LogEntry */
/** @typedef {import("../state/turns.js").Turn} Turn */
/** @typedef {import("../api").RoundEstimate} Estimate */

const LEAD = 30; // points at the ends of the chart

/** By how much the Allies led at the end of each round, from the log.
 * @param {LogEntry[]} entries
 * @param {Record<string, number>} final the score, which a game that went on from a record did not begin at zero
 * @param {number} round the last */
export function leadByRound(entries, final, round) {
  /** @type {Map<number, number>} */
  const change = new Map();
  // What comes before the first turn of the log belongs to it: a record may begin within one.
  const first = entries.find((entry) => entry.what === "turn" && entry.n)?.n ?? round;
  let now = first;
  for (const entry of entries) {
    if (entry.what === "turn" && entry.n) now = entry.n;
    if (entry.what === "score" && entry.country)
      change.set(now, (change.get(now) ?? 0) + (teamOf(entry.country) === "allies" ? entry.n : -entry.n));
  }
  const whole = [...change.values()].reduce((sum, n) => sum + n, 0);
  let value = final.allies - final.axis - whole;
  const points = [{ round: Math.max(0, first - 1), value }];
  for (let n = first; n <= round; n++) points.push({ round: n, value: (value += change.get(n) ?? 0) });
  return points;
}

/** Why it ended, in a sentence. */
function reason() {
  const { view, winner, ending, lead_to_win: goal } = begun();
  if (!winner) return t("result.why-abandoned", { n: view.round });
  const by = Math.abs(view.score.axis - view.score.allies);
  const values = { n: by, round: view.round, goal };
  if (ending === "rounds") return by ? many(`result.why-rounds.${winner}`, by) : t("result.why-even");
  if (ending === "homes") return t(`result.why-homes.${winner}`, values);
  if (ending === "points") return t("result.why-points", { ...values, n: view.score[winner] });
  return t("result.why-lead", values);
}

/** The country that a swap of sides gives for another. @param {string} country */
const opposite = (country) => COUNTRIES[COUNTRIES.indexOf(country) ^ 1];

/** Who has opened the rematch, and how. */
function rematchText() {
  const { rematch_by: name, is_rematch_swapped: isSwapped } = begun();
  if (!name) return t("result.rematch-open");
  if (isSwapped) return t("result.rematch-by-swapped", { name });
  return mine.value.some((seat) => seat.name === name) ? t("result.rematch-yours") : t("result.rematch-by", { name });
}

export function Result() {
  const now = begun();
  const chances = useSignal(/** @type {Estimate[] | null} */ (null));
  const isOpen = useSignal(true);
  const isDrawing = useSignal(false);
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  const { score, round } = now.view;
  const desk = useRef(/** @type {HTMLElement | null} */ (null));
  // It lies over all the rest, which cannot be reached meanwhile.
  useLayoutEffect(() => {
    const box = desk.current;
    const title = box?.querySelector("h1");
    if (!box || !title) return undefined;
    const beneath = [...(box.parentElement?.children ?? [])].filter((one) => one !== box && !one.matches("dialog"));
    for (const one of beneath) one.toggleAttribute("inert", true);
    if (!document.querySelector("dialog[open]")) give(title);
    return () => beneath.forEach((one) => one.toggleAttribute("inert", false));
  }, [isOpen.value]);
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("dialog");
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) isOpen.value = false;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (!now.is_abandoned) attempt(() => get(`${game()}/estimates`)).then((found) => (chances.value = found ?? []));
  }, [now.id]);
  const teams = new Set(mine.value.map((seat) => teamOf(seat.countries[0])));
  const outcome = now.winner && teams.size === 1 && ([...teams][0] === now.winner ? "won" : "lost");
  // Sides are swapped where each seat has one opposite it.
  const groups = now.seats.map((seat) => seat.countries.join());
  const canSwap = now.seats.every((seat) => groups.includes(seat.countries.map(opposite).join()));
  const points = leadByRound(log.value, score, round);
  const decisive = turningPoints(points, chances.value ?? []);
  const stepOf = (/** @type {number} */ n) => chances.value?.find((one) => one.round >= n)?.step ?? 0;
  const again = (/** @type {boolean} */ swap) => async () => {
    const next = await makeRematch(now.id, swap);
    if (!next) return;
    const held = next.seats.filter((seat) => seat.is_yours);
    // Someone else may have opened one just before.
    if (swap && held.some((seat) => mine.value.some((own) => own.countries[0] === seat.countries[0])))
      say(t("result.not-swapped", { name: next.host }));
    go(`/games/${next.id}`);
  };
  // What draws the picture is fetched when somebody wants one.
  const share = async () => {
    isDrawing.value = true;
    try {
      const { sharePostcard } = await import("../parts/postcard.js");
      const found = deeds(log.value);
      const earned = Object.fromEntries(COUNTRIES.map((country) => [country, found[country].points]));
      await sharePostcard({ sheet: /** @type {HTMLElement} */ (sheet.current), points, earned });
    } catch {
      say(t("result.unshared"), "error");
    }
    isDrawing.value = false;
  };
  if (!isOpen.value)
    return html`<button class="main result-back" onClick=${() => (isOpen.value = true)}>${t("result.label")}</button>`;
  const led = points.at(-1)?.value ?? 0;
  return html`
    <div class="result-desk" ref=${desk}>
    <section class="result panel" role="dialog" aria-modal="true" aria-labelledby="result-title" ref=${sheet}>
      <${Band} />
      <header class="result-head">
        ${now.winner && html`<${Wreath} team=${now.winner} />`}
        <div class="result-title">
          <p class="kicker">${t("bar.round", { n: round })}${now.settings.title ? ` · ${now.settings.title}` : ""}${outcome && html` <span class=${cls("outcome", outcome)}>${t(`result.you-${outcome}`)}</span>`}</p>
          <h1 id="result-title" class=${now.winner}>${now.winner ? t(`result.won.${now.winner}`) : t("result.abandoned")}</h1>
          <p class="final"><span class="axis">${t("team.axis")} <b>${score.axis}</b></span> <span class="allies">${t("team.allies")} <b>${score.allies}</b></span></p>
          <p class="why">${reason()}</p>
        </div>
        <div class="result-acts">
          <p>${now.steps > 0 && html`<button class="main" onClick=${() => replayFrom(0, true)}>${t("result.replay")}</button>`}
            ${!now.rematch && mine.value.length > 0 && html`<button disabled=${isMaking.value} onClick=${again(false)}>${t("result.rematch")}</button>`}
            <button class="share" disabled=${isDrawing.value} onClick=${share}>${t("result.share")}</button></p>
          ${now.rematch && html`<p class="rematch" role="status"><span>${rematchText()}</span> <a class="button main" href=${`/games/${now.rematch}`}>${t(mine.value.length ? "result.rematch-join" : "result.rematch-watch")}</a></p>`}
          <p class="result-more">${!now.rematch && mine.value.length > 0 && canSwap && html`<button class="link" disabled=${isMaking.value} onClick=${again(true)}>${t("result.swap")}</button>`}
            <a href=${`${game()}/record`} download>${t("result.record")}</a>
            <button class="link" onClick=${() => (isOpen.value = false)}>${t("result.board")}</button>
            <a href="/">${t("nav.home")}</a></p>
        </div>
      </header>
      <div class="result-story">
          ${points.length > 1 && html`<${Chart} label=${t("result.points")} points=${points} top=${LEAD} marks=${decisive.map((one) => one.round)} told=${led === 0 ? t("bar.even") : many(`result.led.${led < 0 ? "axis" : "allies"}`, Math.abs(led))} onPick=${(/** @type {number} */ n) => replayFrom(stepOf(n))} />`}
          ${chances.value === null && !now.is_abandoned && html`<p class="dim">${t("result.judging")}</p>`}
          ${chances.value && chances.value.length > 1 && html`<${Chart} label=${t("result.chances")} top=${50} middle=${t("result.even")} end="100%" points=${chances.value.map((one) => ({ round: one.round - 1, value: (one.allies - one.axis) * 50 }))} told="" />`}
        ${
          decisive.length > 0 &&
          html`<div class="decided"><h2>${t("result.turning")}</h2>
          <ol>${decisive.map((one) => html`<li key=${one.round}><${Moment} round=${one.round} change=${one.change} onPick=${() => replayFrom(stepOf(one.round))} /></li>`)}</ol></div>`
        }
        <${Deeds} />
      </div>
      <${DealCheck} />
    </section></div>`;
}

const NEAR = 1.05; // how large the map is in the picture of the war
const SUPPLIED = signal({}); // whose supply is cut is no matter any more

/** Across the head: the part of the map where most pieces stand at the end. */
function Band() {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const size = useSignal([1180, 200]);
  useLayoutEffect(() => {
    const seen = /** @type {HTMLElement} */ (frame.current);
    const watch = new ResizeObserver(() => (size.value = [seen.clientWidth || 1180, seen.clientHeight || 200]));
    watch.observe(seen);
    return () => watch.disconnect();
  }, []);
  const [w, h] = size.value;
  const near = w < 700 ? NEAR * 0.7 : NEAR;
  const box = useMemo(() => fullest(standing.value, w / near, h / near), [standing.value, w, h]);
  return html`<div class="result-band" ref=${frame}><${BoardPart} scene=${{ pieces: standing, lines: SUPPLIED }} box=${box} /></div>`;
}

const LEAVES = 8; // pairs on a branch
const PLATE = {
  axis: "M-14-22H14L22-14V14L14 22H-14L-22 14V-14z",
  allies: "M0-22A22 22 0 1 1 0 22 22 22 0 1 1 0-22z",
};

/** A laurel, open at the top, round the star of who has won: on an angular plate for the Axis, a round one for the Allies.
 * @param {{ team: "axis" | "allies" }} props */
function Wreath({ team }) {
  const pair = (/** @type {number} */ i) => {
    const at = -74 + i * 17.5; // degrees, from the side up
    const [x, y] = [32 * Math.cos((at * Math.PI) / 180), -32 * Math.sin((at * Math.PI) / 180)];
    const size = 0.82 + 0.28 * Math.sin((Math.PI * (i + 1.2)) / (LEAVES + 1));
    const leaf = (/** @type {number} */ turn, /** @type {string} */ side) =>
      `<path class="leaf ${side}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(turn - 90 - at).toFixed(0)}) scale(${size.toFixed(2)})" d="M0 0Q5-5 15-1.500Q8 4.500 0 0z"/>`;
    return leaf(-28, "in") + leaf(30, "out") + (i === LEAVES - 1 ? leaf(0, "out") : "");
  };
  const branch = `<path class="stem" d="M-3 33.500A32 32 0 0 0 20-25"/>${Array.from({ length: LEAVES }, (_, i) => pair(i)).join("")}`;
  return html`<svg class=${cls("wreath", team)} viewBox="-46 -43 92 86" aria-hidden="true" dangerouslySetInnerHTML=${raw(
    `<g>${branch}</g><g transform="scale(-1 1)">${branch}</g><path class="knot" d="M0 31.500L4.500 34 0 36.500-4.500 34z"/><path class="disc" d="${PLATE[team]}"/><path class="disc-rim" transform="scale(.86)" d="${PLATE[team]}"/><path class="star" d="${starPath(14.5, 0.4)}"/>`,
  )}></svg>`;
}

/** What decided a round: the turn that moved most. @param {{ round: number, change: number, onPick: () => void }} props */
function Moment({ round, change, onPick }) {
  const team = change > 0 ? "allies" : "axis";
  const of = turns.value.filter((turn) => turn.round === round && turn.country);
  const weight = (/** @type {Turn} */ turn) =>
    pointsOfTurn(turn) + turn.entries.filter((entry) => entry.what === "remove").length * 2;
  const best = of.filter((turn) => teamOf(turn.country) === team).sort((a, b) => weight(b) - weight(a))[0] ?? of[0];
  if (!best) return html`<button class="moment" onClick=${onPick}><b>${t("bar.round", { n: round })}</b></button>`;
  const card = cardOfTurn(best)?.card;
  return html`
    <button class=${cls("moment", best.country)} onClick=${onPick} title=${t("result.replay-round", { n: round })}>
      <${Roundel} country=${best.country} size=${34} />
      <span class="moment-text"><b>${t("result.moment", { n: round, what: [countryName(best.country), card && cardName(card, best.country)].filter(Boolean).join(", ") })}</b>
        <span class="what">${[featOf(best), ...earningsOf(best)].filter(Boolean).join(" · ")}</span></span>
      ${Math.round(change) !== 0 && html`<i class=${team}>${t("result.gain", { team: t(`team.${team}`), n: Math.round(Math.abs(change)) })}</i>`}
    </button>`;
}

const DEEDS = ["points", "cards", "built", "battles", "lost"];

/** What each country did, from the log.
 * @param {LogEntry[]} entries */
function deeds(entries) {
  /** @type {Record<string, Record<string, number>>} */
  const found = Object.fromEntries(
    COUNTRIES.map((country) => [country, Object.fromEntries(DEEDS.map((deed) => [deed, 0]))]),
  );
  /** @type {Record<string, string>} */
  const kinds = {
    play: "cards",
    set: "cards",
    use: "cards",
    build: "built",
    recruit: "built",
    battle: "battles",
    remove: "lost",
  };
  for (const entry of entries) {
    if (!entry.country) continue;
    if (entry.what === "score") found[entry.country].points += entry.n;
    else if (kinds[entry.what]) found[entry.country][kinds[entry.what]] += 1;
  }
  return found;
}

function Deeds() {
  const found = deeds(log.value);
  const most = Math.max(1, ...COUNTRIES.map((country) => found[country].points));
  // Where several people played, their names stand with their countries.
  const people = begun().seats.filter((seat) => seat.who === "person" && seat.name);
  const isShown = new Set(people.map((seat) => seat.name)).size > 1;
  const nameOf = (/** @type {string} */ country) =>
    isShown && people.find((seat) => seat.countries.includes(country))?.name;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("deeds.title")}><table class="compare deeds"><caption class="sr">${t("deeds.title")}</caption>
      <thead><tr><td></td>${DEEDS.map((deed) => html`<th key=${deed} scope="col">${t(`deeds.${deed}`)}</th>`)}</tr></thead>
      <tbody>${COUNTRIES.map(
        (
          country,
        ) => html`<tr key=${country} class=${country}><th scope="row"><${Roundel} country=${country} size=${22} /> ${countryName(country)}${nameOf(country) && html` <span class="player">· ${nameOf(country)}</span>`}</th>
        ${DEEDS.map((deed) => html`<td key=${deed} class=${deed}>${deed === "points" && html`<span class="bar-of"><i style=${{ width: `${Math.max(0, (found[country].points / most) * 100)}%` }}></i></span>`}${found[country][deed]}</td>`)}</tr>`,
      )}</tbody></table></div>`;
}

/** The rounds that decided it: where the chances moved most, or, until they are judged, the lead.
 * @param {{ round: number, value: number }[]} points
 * @param {Estimate[]} chances */
function turningPoints(points, chances) {
  const lead = new Map(points.slice(1).map(({ round, value }, i) => [round, value - points[i].value]));
  const moves = [...lead].map(([round, change]) => {
    const at = chances.findIndex((one) => one.round === round);
    const next = chances[at + 1];
    const swing = at >= 0 && next ? (next.allies - chances[at].allies) * 60 : 0;
    return { round, change: change || swing, weight: Math.abs(change) / 2 + Math.abs(swing) };
  });
  moves.sort((a, b) => b.weight - a.weight);
  return moves.filter((one, i) => i === 0 || (i < 3 && one.weight >= 2)).sort((a, b) => a.round - b.round);
}
