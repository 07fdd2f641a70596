// Above the board: who has what, whose turn it is, and how the points pull.
import { cls, duration, html } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { CODES, COUNTRIES, countriesOf, teamOf } from "../base/countries.js";
import { left, sitter } from "../state/table.js";
import { Roundel } from "./card.js";
import { Icon } from "./icons.js";

/** @typedef {import("../state/table.js").View} View */

const GOAL = 30; // points ahead that end the game at once

/** @param {{ view: View, table: import("../api").TableView, turn: string, score: Record<string, number>, onCountry: (country: string) => void }} props */
export function Header({ view, table, turn, score, onCountry }) {
  const plaque = (/** @type {string} */ country) =>
    html`<${Plaque} key=${country} country=${country} view=${view} table=${table} isOn=${table.status === "playing" && turn === country} onPick=${onCountry} />`;
  return html`
    <header class="top bar" role="region" aria-label=${t("bar.label")}>
      <div class="side axis">${countriesOf("axis").map(plaque)}</div>
      <div class="mid">
        <${Rope} score=${score} />
        <div class="track">
          <span class="rd">${t("bar.round", { n: view.round })}</span>
          <span class="order" role="list" aria-label=${t("bar.order")}>${COUNTRIES.map(
            (c) => html`
            <span key=${c} role="listitem" class=${cls("pip", c, teamOf(c), c === turn && "on")} aria-current=${c === turn ? "step" : undefined}
              aria-label=${c === turn ? t("bar.turn", { country: countryName(c) }) : countryName(c)}>${CODES[c]}</span>`,
          )}</span>
          <${Steps} view=${view} table=${table} />
        </div>
      </div>
      <div class="side allies">${countriesOf("allies").map(plaque)}</div>
    </header>`;
}

/** @param {{ view: View, table: import("../api").TableView }} props */
function Steps({ view, table }) {
  const steps = ["play", "air", "supply", "victory", "discard", "draw"].filter(
    (s) => s !== "air" || table.settings.options["air-marshal"],
  );
  if (table.status === "over") return html`<span class="need">${t("status.over")}</span>`;
  return html`<ol class="steps" aria-label=${t("bar.steps")}>${steps.map(
    (step) => html`
    <li key=${step} class=${cls(view.step === step && "now")} aria-current=${view.step === step ? "step" : undefined} title=${t(`step.${step}`)}>${t(`step.${step}`)}</li>`,
  )}</ol>`;
}

/** The tug of war: at thirty points ahead it is won. @param {{ score: Record<string, number> }} props */
export function Rope({ score }) {
  const lead = score.allies - score.axis;
  const at = 50 + (Math.max(-GOAL, Math.min(GOAL, lead)) / GOAL) * 50;
  const team = lead < 0 ? "axis" : "allies";
  const told = lead === 0 ? t("bar.even") : t("bar.leads", { team: t(`team.${team}`), n: Math.abs(lead), goal: GOAL });
  const total = (/** @type {string} */ side) =>
    html`<span class=${cls("score", side)}><i>${t(`team.${side}`)}</i> <b>${score[side]}</b></span>`;
  return html`
    <div class="tug" role="group" aria-label=${t("bar.score", { axis: score.axis, allies: score.allies, told })} title=${told}>
      ${total("axis")}
      <div class="rope" aria-hidden="true"><span class="goal l"><b>${GOAL}</b></span><span class="goal r"><b>${GOAL}</b></span>
        <span class="zone l"></span><span class="zone r"></span>
        <span class=${cls("pull", team)} style=${{ left: `${Math.min(50, at)}%`, width: `${Math.abs(at - 50)}%` }}></span>
        ${[-20, -10, 0, 10, 20].map((v) => html`<span class=${cls("tick", !v && "zero")} style=${{ left: `${50 + (v / GOAL) * 50}%` }}></span>`)}
        <span class="knot" style=${{ left: `${at}%` }}><b>${lead === 0 ? "0" : `+${Math.abs(lead)}`}</b></span></div>
      ${total("allies")}
    </div>`;
}

/** @param {{ country: string, view: View, table: import("../api").TableView, isOn: boolean, onPick: (country: string) => void }} props */
function Plaque({ country, view, table, isOn, onPick }) {
  const side = view.countries[country];
  const seat = table.seats.find((one) => one.countries.includes(country));
  const fact = (/** @type {string} */ icon, /** @type {number} */ n, /** @type {string} */ what) =>
    html`<span class="n" title=${`${t(`facts.${what}`)}: ${n}`}><${Icon} name=${icon} />${n}</span>`;
  const label = t("bar.plaque", {
    country: countryName(country),
    hand: side.hand_size,
    deck: side.deck_size,
    status: side.table.length,
    set: side.set_size,
  });
  const clock = seat && seat.seconds_left !== null && seat.is_running;
  return html`
    <button class=${cls("plaque", country, isOn && "on", table.waiting_for === country && "decides")} title=${seat ? sitter(seat) : ""} onClick=${() => onPick(country)}>
      <${Roundel} country=${country} size=${32} />
      <span class="sr">${label}</span>
      <span class="who" aria-hidden="true"><b>${countryName(country)}</b>
        <span class="ns">${
          clock
            ? html`<span class="clock running">${duration(left(seat.seconds_left ?? 0, true))}</span>`
            : html`
          ${fact("hand", side.hand_size, "hand")}${fact("deck", side.deck_size, "deck")}${fact("status", side.table.length, "status")}${fact("down", side.set_size, "set")}`
        }</span></span>
    </button>`;
}
