// A table with everything that can be chosen.
import { cls, field, html, useEffect, useSignal } from "../base/html.js";
import { countryName, has, listed, spoken, t } from "../base/words.js";
import { get } from "../base/api.js";
import { CODES, COUNTRIES, TEAMS, countriesOf, teamOf } from "../base/countries.js";
import { attempt, isNamed } from "../state/session.js";
import { isMaking, level, makeTable } from "../state/making.js";
import { botName, bots, loadBots } from "../state/table.js";
import { go } from "../router.js";
import { Loading } from "../parts/backdrop.js";
import { Roundel } from "../parts/card.js";
import { Segments } from "../parts/segments.js";

/** @typedef {import("../api").RuleSetData} RuleSet */
/** @typedef {{ countries: string[], who: string, bot: string, name: string }} Wish */

const ALWAYS_WITH_AIR = ["reallocate", "lead-victory"]; // the expansion has these, whatever was chosen
const WHO = ["me", "open", "invite", "bot", "hot-seat"];

/** Ids of countries as their letters.
 * @param {string} text */
const readable = (text) => COUNTRIES.reduce((all, id) => all.replaceAll(id, CODES[id]), text);

/** People at one screen without a name are called by their team or countries: two of the same name are one person.
 * @param {Wish[]} seats */
const named = (seats) =>
  seats.map((seat) =>
    seat.who === "hot-seat" && !seat.name.trim() ? { ...seat, name: called(seat.countries) } : seat,
  );

/** @param {string[]} countries */
function called(countries) {
  const team = teamOf(countries[0]);
  if (countries.length === countriesOf(team).length) return t(`team.${team}`);
  return countries.map((c) => (countries.length > 1 ? CODES[c] : countryName(c))).join(" ");
}

export function Setup() {
  const sets = useSignal(/** @type {RuleSet[] | null} */ (null));
  const rules = useSignal("second");
  const options = useSignal(/** @type {Record<string, boolean>} */ ({}));
  const seats = useSignal(/** @type {Wish[]} */ ([]));
  const players = useSignal(2);
  const name = useSignal("");
  const more = useSignal({ title: "", is_public: false, has_spectators: true, has_hints: "auto" });
  const clock = useSignal(/** @type {Record<string, any>} */ ({ kind: "none", minutes: 45, increment: 20, days: 2 }));
  const changes = useSignal(/** @type {any} */ (null));
  const preset = (/** @type {number} */ number, /** @type {RuleSet} */ set) => {
    players.value = number;
    seats.value = set.seats[number].map((countries, i) => ({
      countries,
      who: i === 0 ? "me" : "open",
      bot: "", // the level chosen last, until another is
      name: "",
    }));
  };
  useEffect(() => {
    loadBots();
    attempt(() => get("/api/rules")).then((/** @type {RuleSet[]} */ found) => {
      sets.value = found;
      preset(2, found.find((set) => set.name === rules.value) ?? found[0]);
    });
  }, []);
  useEffect(() => {
    changes.value = null;
    if (rules.value !== "second") {
      attempt(() => get(`/api/rules/second/compare/${rules.value}`)).then((data) => (changes.value = data));
    }
  }, [rules.value, spoken()]);
  if (sets.value === null) return html`<${Loading} />`;
  const set = sets.value.find((one) => one.name === rules.value) ?? sets.value[0];
  const isForced = (/** @type {RuleSet["options"][number]} */ { name: option }) =>
    Boolean(options.value["air-marshal"]) && ALWAYS_WITH_AIR.includes(option);
  const isOn = (/** @type {RuleSet["options"][number]} */ option) =>
    isForced(option) || (options.value[option.name] ?? option.default);
  const change = (/** @type {number} */ i, /** @type {Partial<Wish>} */ what) => {
    seats.value = seats.value.map((seat, n) => (n === i ? { ...seat, ...what } : seat));
  };
  const begin = async (/** @type {boolean} */ begins) => {
    // The browser says what a number may be.
    if (
      ![...document.querySelectorAll(".setup-time input")].every((one) =>
        /** @type {HTMLInputElement} */ (one).reportValidity(),
      )
    )
      return;
    /** @type {Record<string, any>} */
    const wish = {
      rules: rules.value,
      options: Object.fromEntries(set.options.map((o) => [o.name, isOn(o)])),
      seats: named(seats.value).map((seat) => ({ ...seat, bot: seat.bot || level() })),
      clock: clock.value,
      title: more.value.title,
      is_public: more.value.is_public && hasOpen,
      has_spectators: more.value.has_spectators,
    };
    if (more.value.has_hints !== "auto") wish.has_hints = more.value.has_hints === "yes";
    const id = await makeTable(wish, begins, isAsked ? name.value : "");
    if (id) go(`/games/${id}`);
  };
  // Who is one guest among others is asked how the others may call them.
  const isAsked =
    !isNamed() && seats.value.some(({ who }) => who === "me") && seats.value.some(({ who }) => !/me|bot/.test(who));
  const hasOpen = seats.value.some((seat) => seat.who === "open");
  const alone = seats.value.every((seat) => ["me", "bot", "hot-seat"].includes(seat.who));
  const number = (/** @type {string} */ label, /** @type {string} */ key, /** @type {any} */ props) => html`
    <label>${label}<input type="number" required value=${clock.value[key]} ...${props}
      onInput=${(/** @type {Event} */ e) => (clock.value = { ...clock.value, [key]: Number(field(e).value) })} /></label>`;
  return html`
    <div class="narrow setup">
      <h1>${t("setup.title")}</h1>
      <fieldset class="panel">
        <legend>${t("setup.rules")}</legend>
        <div class="editions">${sets.value.map(
          (one) => html`
          <label key=${one.name} class=${cls("edition", rules.value === one.name && "on")}><input type="radio" name="rules" checked=${rules.value === one.name}
            onChange=${() => {
              rules.value = one.name;
              options.value = {}; // each edition has its own defaults
              preset(players.value, one);
            }} />
            <span><b>${t(`rules.${one.name}`)}</b> <span class="dim">${aboutRules(one)}</span></span></label>`,
        )}</div>
        <div class="setup-options">${set.options.map(
          (option) => html`
          <label key=${option.name} class="choice"><input type="checkbox" checked=${isOn(option)} disabled=${isForced(option)}
            onChange=${(/** @type {Event} */ e) => (options.value = { ...options.value, [option.name]: field(e).checked })} />
            <span>${option.text}</span></label>`,
        )}</div>
        ${
          changes.value &&
          html`<details><summary>${t("setup.differences")}</summary>
          <table class="compare"><thead><tr><td></td><th>${t("rules.second")}</th><th>${t(`rules.${rules.value}`)}</th></tr></thead>
          <tbody>${changes.value.rules.map(
            (/** @type {Record<string, string>} */ row) => html`
            <tr><th scope="row">${row.rule}</th><td>${readable(row.second)}</td><td>${readable(row[rules.value])}</td></tr>`,
          )}
          </tbody></table></details>`
        }
      </fieldset>
      <div class="setup-people"><${Segments} name="players" label=${t("setup.players")} now=${players.value} values=${Object.keys(set.seats).map(Number)} word=${String} onPick=${(/** @type {number} */ n) => preset(n, set)} />
        <button onClick=${() => (seats.value = seats.value.map((seat) => ({ ...seat, who: "hot-seat" })))}>${t("setup.all-here")}</button>
        ${
          isAsked &&
          html`<label class="as-whom">${t("me.name")}<input value=${name.value} maxlength="24" autocomplete="nickname" placeholder=${t("me.name-hint")}
          onInput=${(/** @type {Event} */ e) => (name.value = field(e).value)} /></label>`
        }</div>
      <div class="sides">${TEAMS.map(
        (team) => html`
        <section key=${team} class=${cls("dossier", team)}>
          <h2>${t(`team.${team}`)}</h2>
          ${seats.value.map((seat, i) => teamOf(seat.countries[0]) === team && html`<${Seat} key=${seat.countries.join()} seat=${seat} onChange=${(/** @type {Partial<Wish>} */ what) => change(i, what)} />`)}
        </section>`,
      )}</div>
      <div class="setup-last"><div class="panel setup-time">
        <${Segments} name="clock" label=${t("setup.time")} now=${clock.value.kind} values=${["none", "live", "async"]} word=${(/** @type {string} */ kind) => t(`clock.${kind}`)} onPick=${(/** @type {string} */ kind) => (clock.value = { ...clock.value, kind })} />
        ${
          clock.value.kind === "live" &&
          html`<div class="row">
          ${number(t("clock.minutes"), "minutes", { min: 1, max: 600 })}
          ${number(t("clock.increment"), "increment", { min: 0, max: 600 })}</div>`
        }
        ${
          clock.value.kind === "async" &&
          html`<div class="row">
          ${number(t("clock.days"), "days", { min: 0.25, max: 60, step: 0.25 })}</div>`
        }
      </div>
      <details class="panel">
        <summary>${t("setup.more")}</summary>
        <label>${t("setup.name")}<input maxlength="60" value=${more.value.title}
          onInput=${(/** @type {Event} */ e) => (more.value = { ...more.value, title: field(e).value })} /></label>
        ${
          hasOpen &&
          html`<label class="choice"><input type="checkbox" checked=${more.value.is_public}
          onChange=${(/** @type {Event} */ e) => (more.value = { ...more.value, is_public: field(e).checked })} />
          <span>${t("setup.public")}<span class="dim">${t(more.value.is_public ? "setup.public-on" : "setup.public-off")}</span></span></label>`
        }
        <label class="choice"><input type="checkbox" checked=${more.value.has_spectators}
          onChange=${(/** @type {Event} */ e) => (more.value = { ...more.value, has_spectators: field(e).checked })} /><span>${t("setup.spectators")}</span></label>
        <${Segments} name="hints" label=${t("setup.hints")} now=${more.value.has_hints} values=${["auto", "yes", "no"]} word=${(/** @type {string} */ one) => t(`hints.${one}`)} onPick=${(/** @type {string} */ one) => (more.value = { ...more.value, has_hints: one })} />
      </details></div>
      <div class="setup-foot">
        <button class="big main" disabled=${isMaking.value} onClick=${() => begin(alone)}>${t(alone ? "setup.start" : "setup.open-table")}</button>
        ${!alone && html`<p>${t("setup.then-links")}</p>`}
      </div>
    </div>`;
}

/** What a rule set is, after its name.
 * @param {RuleSet} set */
const aboutRules = ({ name, text }) => (has(`rules.${name}-about`) ? t(`rules.${name}-about`) : text);

/** The countries of a seat and who plays them.
 * @param {{ seat: Wish, onChange: (what: Partial<Wish>) => void }} props */
function Seat({ seat, onChange }) {
  const names = listed(seat.countries.map(countryName));
  return html`
    <div class=${cls("seat-row", seat.countries[0], seat.who === "me" && "yours")} role="group" aria-label=${names}>
      <span class="seat-of"><span class="faces">${seat.countries.map((country) => html`<${Roundel} key=${country} country=${country} size=${40} />`)}</span>
        <b>${names}</b></span>
      <span class="seat-who">
        <select aria-label=${t("setup.who")} value=${seat.who} onChange=${(/** @type {Event} */ e) => onChange({ who: field(e).value })}>
          ${WHO.map((who) => html`<option key=${who} value=${who}>${t(`who.${who}`)}</option>`)}
        </select>
        ${
          seat.who === "bot" &&
          html`<select aria-label=${t("setup.level")} value=${seat.bot || level()} onChange=${(/** @type {Event} */ e) => onChange({ bot: field(e).value })}>
          ${bots.value.map(({ name }) => html`<option key=${name} value=${name}>${botName(name)}</option>`)}
        </select>`
        }
        ${
          seat.who === "hot-seat" &&
          html`<label>${t("me.name")}<input placeholder=${called(seat.countries)} maxlength="24" value=${seat.name}
          onInput=${(/** @type {Event} */ e) => onChange({ name: field(e).value })} /></label>`
        }
      </span>
    </div>`;
}
