// Looking back: any moment, through one's own eyes or, once all is over, anyone's.
import { cls, field, html, signal, useEffect, useSignal } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { get, post } from "../base/api.js";
import { CODES, COUNTRIES, countriesOf, seatsAgainstBots, teamOf } from "../base/countries.js";
import { attempt, beSomeone, copy } from "../state/session.js";
import { begun, cardOf, game, piecesOf, shownSupply } from "../state/table.js";
import { considered } from "../state/choices.js";
import { go } from "../router.js";
import { Board } from "../parts/board.js";
import { Countries } from "../parts/countries.js";
import { Header } from "../parts/header.js";
import { Icon } from "../parts/icons.js";
import { Sentence } from "../parts/log.js";

export const replaying = signal(/** @type {number | null} */ (null)); // the step that is looked at
/** The step that the address asks for. */
export function readStep() {
  const asked = new URLSearchParams(location.search).get("step");
  replaying.value = asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
}

export function Replay() {
  const now = begun();
  const eyes = useSignal("");
  const moment = useSignal(/** @type {import("../api").ReplayView | null} */ (null));
  const step = replaying.value ?? 0;
  const isOver = now.status === "over";
  useEffect(() => {
    shownSupply.value = null;
    return () => void (considered.value = []);
  }, []);
  useEffect(() => {
    let late = false;
    const query = isOver && eyes.value ? `?as=${eyes.value}` : "";
    attempt(() => get(`${game()}/replay/${step}${query}`)).then((found) => {
      if (late) return;
      if (found) {
        moment.value = found;
        considered.value = found.actions.flatMap((/** @type {any} */ action) => action.space ?? []);
      }
      else if (step > 0) replaying.value = 0;
    });
    return () => (late = true);
  }, [step, eyes.value, now.id]);
  const last = (moment.value?.steps ?? 1) - 1;
  const to = (/** @type {number} */ n) => (replaying.value = Math.max(0, Math.min((moment.value?.steps ?? 1) - 1, n)));
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ e) => {
      if (!(e.target instanceof Element) || e.target.closest("select, input:not([type=range])")) return;
      const by = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 })[e.key];
      if (by) to((replaying.value ?? 0) + by); // not what was drawn last: keys may be faster
      else if (e.key === "Home") to(0);
      else if (e.key === "End") to(Infinity);
      else if (e.key === "Escape") replaying.value = null;
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const share = () => copy(`${location.origin}/games/${now.id}?step=${step}`);
  const playOn = (/** @type {string} */ team) => attempt(async () => {
    await beSomeone();
    const next = await post("/api/games", { game: now.id, step, seats: seatsAgainstBots(countriesOf(team), "veteran"), start: true });
    replaying.value = null;
    go(`/games/${next.id}`);
  });
  if (!moment.value) return html`<p class="loading">${t("loading")}</p>`;
  const { view, log } = moment.value;
  return html`
    <div class="app table replay">
      <h1 class="sr">${t("tools.replay")}</h1>
      <${Header} view=${view} table=${{ ...now, status: "playing", waiting_for: null }} turn=${view.turn} score=${view.score} onCountry=${() => {}} />
      <div class="board"><${Board} view=${view} pieces=${piecesOf(view)} supplies=${{}} onSpace=${() => {}} />
        <aside class="drawer drawer-countries"><${Countries} view=${view} />
          ${view.seat.length > 0 && html`<div class="replay-hands">${view.seat.map((c) => html`
            <p class=${cls(c)}><span class=${cls("pip", c, teamOf(c))}>${CODES[c]}</span> ${(view.countries[c].hand ?? []).map((id) => cardOf(c, id)?.name ?? id).join(", ")}</p>`)}</div>`}
        </aside>
      </div>
      <section class="prompt-panel">
        <div class="row slider">
          <button onClick=${() => to(0)} aria-label=${t("replay.first")}><${Icon} name="first" /></button>
          <button onClick=${() => to(step - 1)} aria-label=${t("replay.back")}><${Icon} name="back" /></button>
          <input type="range" min="0" max=${last} value=${step} aria-label=${t("replay.step", { n: step, of: last })}
            onInput=${(/** @type {Event} */ e) => to(Number(field(e).value))} />
          <button onClick=${() => to(step + 1)} aria-label=${t("replay.next")}><${Icon} name="next" /></button>
          <button onClick=${() => to(last)} aria-label=${t("replay.last")}><${Icon} name="last" /></button>
          <span>${t("replay.step", { n: step, of: last })}</span>
          <button class="main" onClick=${() => (replaying.value = null)}>${t("replay.leave")}</button>
        </div>
        <div class="row">
          ${isOver && html`<label>${t("replay.eyes")} <select value=${eyes.value} onChange=${(/** @type {Event} */ e) => (eyes.value = field(e).value)}>
            <option value="">${t("replay.all")}</option><option value="none">${t("replay.none")}</option>
            ${COUNTRIES.map((c) => html`<option value=${c}>${countryName(c)}</option>`)}</select></label>`}
          <button onClick=${share}>${t("replay.share")}</button>
          ${isOver && html`<button onClick=${() => playOn("axis")}>${t("replay.play-on", { team: t("team.axis") })}</button>
            <button onClick=${() => playOn("allies")}>${t("replay.play-on", { team: t("team.allies") })}</button>`}
        </div>
        <ul class="told" aria-live="polite" tabindex="0" aria-label=${t("log.title")}>${log.entries.map((entry, i) => html`<li key=${i}><${Sentence} entry=${entry} /></li>`)}</ul>
      </section>
    </div>`;
}
