// Looking back: any moment, through one's own eyes or, once all is over, anyone's.
import { html, cls, signal, CODES, COUNTRIES, useEffect, useSignal } from "./lib.js";
import { Icon } from "./icons.js";
import { countryName, t } from "./words.js";
import { attempt, beSomeone, get, post, say } from "./api.js";
import { go } from "./main.js";
import { Countries } from "./panels.js";
import { Map } from "./map.js";
import { cardOf, game, table } from "./table.js";
import { seatsAgainstBots } from "./home.js";

export const replaying = signal(null); // the step that is looked at
/** The step that the address asks for. */
export function readStep() {
  const asked = new URLSearchParams(location.search).get("step");
  replaying.value = asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
}

export function Replay() {
  const now = table.value;
  const eyes = useSignal("");
  const moment = useSignal(null);
  const step = replaying.value;
  const isOver = now.status === "over";
  useEffect(() => {
    let late = false;
    const query = isOver && eyes.value ? `?as=${eyes.value}` : "";
    attempt(() => get(`${game()}/replay/${step}${query}`)).then((found) => {
      if (late) return;
      if (found) moment.value = found;
      else if (step > 0) replaying.value = 0;
    });
    return () => (late = true);
  }, [step, eyes.value, now.id]);
  const last = (moment.value?.steps ?? 1) - 1;
  const to = (n) => (replaying.value = Math.max(0, Math.min((moment.value?.steps ?? 1) - 1, n)));
  useEffect(() => {
    const onKey = (e) => {
      if (e.target.closest("select, input:not([type=range])")) return;
      const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[e.key];
      if (by) to(replaying.value + by); // not what was drawn last: keys may be faster
      else if (e.key === "Home") to(0);
      else if (e.key === "End") to(Infinity);
      else if (e.key === "Escape") replaying.value = null;
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  const share = async () => {
    const link = `${location.origin}/games/${now.id}?step=${step}`;
    try {
      await navigator.clipboard.writeText(link);
      say(t("lobby.copied"));
    } catch {
      say(link);
    }
  };
  const playOn = (country) => attempt(async () => {
    await beSomeone();
    const own = COUNTRIES.filter((_, i) => i % 2 === COUNTRIES.indexOf(country) % 2);
    const next = await post("/api/games", { game: now.id, step, seats: seatsAgainstBots(own, "veteran"), start: true });
    replaying.value = null;
    go(`/games/${next.id}`);
  });
  if (!moment.value) return html`<p class="loading">${t("loading")}</p>`;
  const { view, log, actions } = moment.value;
  return html`
    <div class="table replay">
      <h1 class="hidden">${t("tools.replay")}</h1>
      <div class="bar">
        <div class="score"><span class="axis">${t("team.axis")} <b>${view.score.axis}</b></span>
          <span class="allies">${t("team.allies")} <b>${view.score.allies}</b></span></div>
        <div>${t("bar.round", { n: view.round })} · ${t("bar.turn", { country: countryName(view.turn) })}</div>
        <button onClick=${() => (replaying.value = null)}>${t("replay.leave")}</button>
      </div>
      <div class="board"><${Map} view=${view} legal=${new globalThis.Map()} led=${new Set(actions.map((a) => a.space).filter(Boolean))} onSpace=${() => {}} /></div>
      <section class="prompt">
        <div class="row slider">
          <button onClick=${() => to(0)} aria-label=${t("replay.first")}><${Icon} name="first" /></button>
          <button onClick=${() => to(step - 1)} aria-label=${t("replay.back")}><${Icon} name="back" /></button>
          <input type="range" min="0" max=${last} value=${step} aria-label=${t("replay.step", { n: step, of: last })}
            onInput=${(e) => to(Number(e.target.value))} />
          <button onClick=${() => to(step + 1)} aria-label=${t("replay.next")}><${Icon} name="next" /></button>
          <button onClick=${() => to(last)} aria-label=${t("replay.last")}><${Icon} name="last" /></button>
          <span>${t("replay.step", { n: step, of: last })}</span>
        </div>
        <div class="row">
          ${isOver && html`<label>${t("replay.eyes")} <select value=${eyes.value} onChange=${(e) => (eyes.value = e.target.value)}>
            <option value="">${t("replay.all")}</option><option value="none">${t("replay.none")}</option>
            ${COUNTRIES.map((c) => html`<option value=${c}>${countryName(c)}</option>`)}</select></label>`}
          <button onClick=${share}>${t("replay.share")}</button>
          ${isOver && html`<button onClick=${() => playOn("germany")}>${t("replay.play-on", { team: t("team.axis") })}</button>
            <button onClick=${() => playOn("united-kingdom")}>${t("replay.play-on", { team: t("team.allies") })}</button>`}
        </div>
        <ul class="told" aria-live="polite" tabindex="0" aria-label=${t("log.title")}>${log.entries.map((entry, i) => html`<li key=${i}>${entry.text}</li>`)}</ul>
      </section>
      <aside class="side"><${Countries} view=${view} />
        ${view.seat.length > 0 && html`<div class="replay-hands">${view.seat.map((c) => html`
          <p class=${cls(c)}><span class=${cls("code", c)}>${CODES[c]}</span> ${(view.countries[c].hand ?? []).map((id) => cardOf(c, id)?.name ?? id).join(", ")}</p>`)}</div>`}
      </aside>
    </div>`;
}
