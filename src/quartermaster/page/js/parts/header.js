// Above the board: who has what, whose turn it is, and how the points pull.
import { cls, duration, html } from "../base/html.js";
import { countryName, many, noun, t } from "../base/words.js";
import { CODES, COUNTRIES, countriesOf, teamOf } from "../base/countries.js";
import { left, sitter } from "../state/table.js";
import { Roundel } from "./card.js";
import { Icon } from "./icons.js";
import { isNarrow } from "./sheet.js";

/** @typedef {import("../state/table.js").View} View */

const WIDE = 30; // points at the ends of the rope, where no lead wins

/** @param {{ view: View, table: import("../api").TableView, turn: string, round: number, score: Record<string, number>, onCountry: (country: string) => void }} props */
export function Header({ view, table, turn, round, score, onCountry }) {
  // Only plain facts: a plaque is drawn anew when one of them changes, not with every table that comes.
  const plaque = (/** @type {string} */ country) => {
    const side = view.countries[country];
    const seat = table.seats.find((one) => one.countries.includes(country));
    const clock = seat?.is_running && seat.seconds_left !== null ? seat.seconds_left : null;
    return html`<${Plaque} key=${country} country=${country} hand=${side.hand_size} deck=${side.deck_size} status=${side.table.length} set=${side.set_size}
      who=${seat ? sitter(seat) : ""} clock=${clock} isOn=${table.status === "playing" && turn === country} decides=${table.waiting_for === country} onPick=${onCountry} />`;
  };
  return html`
    <div class="top bar" role="region" aria-label=${t("bar.label")}>
      <div class="side axis">${countriesOf("axis").map(plaque)}</div>
      <div class="mid">
        <${Rope} score=${score} goal=${table.lead_to_win} />
        <div class="track">
          <span class="rd"><span>${t("bar.round", { n: round })}</span><${Steps} view=${view} table=${table} /></span>
          <span class="order" role="list" aria-label=${t("bar.order")}>${COUNTRIES.map((c) => {
            const kind = cls("pip", c, teamOf(c), c === turn && "on");
            const label = c === turn ? t("bar.turn", { country: noun(`country.${c}`) }) : countryName(c);
            // Where there is no room for plaques, these lead to the countries.
            return html`
            <span key=${c} role="listitem" class=${cls(!isNarrow.value && kind)} aria-current=${c === turn ? "step" : undefined} aria-label=${isNarrow.value ? undefined : label}>${
              isNarrow.value
                ? html`<button class=${kind} title=${label} onClick=${() => onCountry(c)}><span aria-hidden="true">${CODES[c]}</span><span class="sr">${label}</span></button>`
                : CODES[c]
            }</span>`;
          })}</span>
          <${Need} score=${score} table=${table} />
        </div>
      </div>
      <div class="side allies">${countriesOf("allies").map(plaque)}</div>
    </div>`;
}

/** @param {{ view: View, table: import("../api").TableView }} props */
function Steps({ view, table }) {
  const steps = ["play", "air", "supply", "victory", "discard", "draw"].filter(
    (s) => s !== "air" || table.settings.options["air-marshal"],
  );
  if (table.status === "over") return null;
  return html`<ol class="steps" aria-label=${t("bar.steps")}>${steps.map(
    (step) => html`
    <li key=${step} class=${cls(view.step === step && "now")} aria-current=${view.step === step ? "step" : undefined} title=${t(`step.${step}`)}>${t(`step.${step}`)}</li>`,
  )}</ol>`;
}

/** How far it is to the lead that wins, if one does.
 * @param {{ score: Record<string, number>, table: import("../api").TableView }} props */
function Need({ score, table }) {
  const far = table.lead_to_win - Math.abs(score.allies - score.axis);
  const text =
    table.status === "over"
      ? t("status.over")
      : !table.lead_to_win
        ? ""
        : far > 0
          ? many("bar.need", far)
          : t("bar.enough");
  return html`<span class=${cls("need", table.lead_to_win > 0 && far <= 10 && "soon")}>${text}</span>`;
}

/** @param {number} percent of its own width */
const slid = (percent) => ({ transform: `translateX(${percent.toFixed(2)}%)` });

/** The tug of war. @param {{ score: Record<string, number>, goal: number }} props goal: the lead that wins, or 0 */
function Rope({ score, goal }) {
  const lead = score.allies - score.axis;
  const end = goal || Math.max(WIDE, Math.ceil(Math.abs(lead) / 10) * 10);
  const at = 50 + (Math.max(-end, Math.min(end, lead)) / end) * 50;
  const team = lead < 0 ? "axis" : "allies";
  const told =
    lead === 0 ? t("bar.even") : t(goal ? `bar.leads.${team}` : `bar.ahead.${team}`, { n: Math.abs(lead), goal });
  const total = (/** @type {string} */ side) =>
    html`<span class=${cls("score", side)}><i>${t(`team.${side}`)}</i> <b>${score[side]}</b></span>`;
  return html`
    <div class="tug" role="group" aria-label=${t("bar.score", { axis: score.axis, allies: score.allies, told })} title=${told}>
      ${total("axis")}
      <div class="rope" aria-hidden="true">${
        goal > 0 &&
        html`<span class="goal l"><b>${goal}</b></span><span class="goal r"><b>${goal}</b></span>
        <span class="zone l"></span><span class="zone r"></span>`
      }
        <span class="half l"><i class="pull axis" style=${slid(Math.min(100, at * 2))}></i></span><span class="half r"><i class="pull allies" style=${slid(Math.max(-100, at * 2 - 200))}></i></span>
        ${[-20, -10, 0, 10, 20].map((v) => html`<span class=${cls("tick", !v && "zero")} style=${{ left: `${50 + (v / end) * 50}%` }}></span>`)}
        <span class="slide" style=${slid(at)}><span class="knot"><b>${lead === 0 ? "0" : `+${Math.abs(lead)}`}</b></span></span></div>
      ${total("allies")}
    </div>`;
}

/** @param {{ country: string, hand: number, deck: number, status: number, set: number, who: string, clock: number | null, isOn: boolean,
 *   decides: boolean, onPick: (country: string) => void }} props clock: seconds that were left when the table came */
function Plaque({ country, hand, deck, status, set, who, clock, isOn, decides, onPick }) {
  const fact = (/** @type {string} */ icon, /** @type {number} */ n, /** @type {string} */ what) =>
    html`<span class="n" title=${`${t("label", { text: t(`facts.${what}`) })} ${n}`}><${Icon} name=${icon} />${n}</span>`;
  const label = t("bar.plaque", { country: countryName(country), hand, deck, status, set });
  return html`
    <button class=${cls("plaque", country, isOn && "on", decides && "decides")} title=${who} onClick=${() => onPick(country)}>
      <${Roundel} country=${country} size=${32} />
      <span class="sr">${label}</span>
      <span class="who" aria-hidden="true"><b>${countryName(country)}</b>
        <span class="ns">${
          clock !== null
            ? html`<span class="clock running">${duration(left(clock, true))}</span>`
            : html`
          ${fact("hand", hand, "hand")}${fact("deck", deck, "deck")}${fact("status", status, "status")}${fact("down", set, "set")}`
        }</span></span>
    </button>`;
}
