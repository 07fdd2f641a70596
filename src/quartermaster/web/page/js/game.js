// The game: what is asked, of whom, and every way to answer.
import { html, cls, signal, CODES, useEffect, useSignal, duration } from "./lib.js";
import { countryName, t } from "./words.js";
import { attempt, get, say } from "./api.js";
import { Card, Dialog, OpenedCard, opened } from "./card.js";
import { Chat, Countries, Laid, Log, Passing, left } from "./panels.js";
import { Map, picked, shownSupply } from "./map.js";
import { anyCard, cardOf, game, isCovered, log, mine, send, spaceName, supply, table, uncovered } from "./table.js";
import { Result } from "./result.js";
import { Replay, replaying } from "./replay.js";
import { Guide, pointed } from "./guide.js";
import { FirstCards } from "./first-cards.js";

const led = signal([]); // spaces that a card under the pointer leads to
const asking = signal(null); // a choice that wants to be confirmed
const tab = signal("countries");
const hints = signal(null);

/** The decisions that wait for the viewer: the game's own, or the questions of a window. */
function pending() {
  const now = table.value;
  if (isCovered.value) return [];
  if (now.window) {
    return now.window.asks.map((ask) => ({ ...ask, ask: ask.number })).filter((ask) => ask.answer === null);
  }
  if (!now.decision) return [];
  // What can be played stands before what could be thrown away.
  const isLast = (action) => now.decision.kind === "play" && action.verb === "discard";
  const actions = [...now.actions.filter((a) => !isLast(a)), ...now.actions.filter(isLast)];
  return [{ decision: now.decision, actions }];
}

async function choose(action, ask) {
  const now = table.value;
  picked.value = null;
  led.value = [];
  ahead.value = "";
  hints.value = null;
  if (ask !== undefined) await send("/answers", { number: now.number, ask, text: action.text });
  else await send("/moves", { number: now.number, country: action.country, text: action.text });
}

const ahead = signal(""); // what a piece that one thinks of building would have

/** Someone looks at a choice: show on the map where it leads, and what supply a new piece had. */
async function consider(action) {
  led.value = action?.leads_to ?? (action?.space ? [action.space] : []);
  ahead.value = "";
  if (!action || !["build", "recruit"].includes(action.verb)) return;
  const owner = action.target ?? action.country;
  const found = await get(`${game()}/supply?having=${owner}:${action.space}`).catch(() => null);
  const state = found?.[owner]?.[action.space];
  if (!state || led.value[0] !== action.space) return;
  ahead.value = state.is_supplied
    ? t("ahead.supplied", { space: spaceName(action.space), path: state.path.map(spaceName).join(" – ") || "–" })
    : t("ahead.cut", { space: spaceName(action.space), reason: state.missing });
}

/** Some choices are seldom meant. */
function warning(action) {
  const now = table.value;
  if (now.window || !now.decision) return null;
  if (now.decision.kind === "play" && action.verb === "discard") {
    return t("warn.discard", { card: anyCard(action.card, action.country)?.name ?? action.card });
  }
  // What every choice would lose is no reason to hesitate.
  const lost = (action.loses ?? []).filter((space) => now.actions.some((other) => !(other.loses ?? []).includes(space)));
  if (lost.length) return t("warn.supply", { list: lost.map(spaceName).join(", ") });
  if (action.verb === "remove" && !now.actions.some((one) => one.text === action.text)) {
    return t("warn.remove", { space: spaceName(action.space) });
  }
  if (action.verb === "play" && action.leads_to?.length === 0) {
    const type = anyCard(action.card, action.country)?.type;
    if (["build-army", "build-navy", "land-battle", "sea-battle"].includes(type)) return t("warn.nothing");
  }
  return null;
}

function pick(action, ask) {
  const text = warning(action);
  if (text) asking.value = { action, ask, text };
  else choose(action, ask);
}

export function Game() {
  const now = table.value;
  if (replaying.value !== null) return html`<${Replay} /><${OpenedCard} />`;
  return html`
    <div class=${cls("table", `tab-${tab.value}`)}>
      <h1 class="hidden">${now.settings.title || t(`rules.${now.settings.rules}`)}</h1>
      <${Bar} />
      <${Board} />
      <aside class="side">
        <${Prompt} />
        <${Side} />
      </aside>
      <${Hand} />
      <${OpenedCard} />
      ${asking.value && html`<${Confirm} />`}
      ${now.status === "over" && html`<${Result} />`}
      <${Guide} />
    </div>`;
}

function Bar() {
  const now = table.value;
  const { view } = now;
  const lead = view.score.axis - view.score.allies;
  const steps = ["play", "air", "supply", "victory", "discard", "draw"].filter((s) => s !== "air" || now.settings.options["air-marshal"]);
  return html`
    <div class="bar" role="region" aria-label=${t("bar.label")}>
      <div class="score">
        <span class="axis" title=${t("team.axis")}>${t("team.axis")} <b>${view.score.axis}</b></span>
        <span class="allies" title=${t("team.allies")}>${t("team.allies")} <b>${view.score.allies}</b></span>
        <span class="lead">${lead === 0 ? t("bar.even") : t("bar.lead", { team: t(`team.${lead > 0 ? "axis" : "allies"}`), n: Math.abs(lead) })}</span>
      </div>
      <div class="round" title=${t("bar.round", { n: view.round })}>
        <span>${t("bar.round", { n: view.round })}</span>
        <span class="track" aria-hidden="true">${Array.from({ length: 20 }, (_, i) => html`<i class=${cls(i + 1 < view.round && "past", i + 1 === view.round && "now")}></i>`)}</span>
      </div>
      <div class="turn">
        <span class=${cls("code", view.turn)} aria-hidden="true">${CODES[view.turn]}</span>
        <span>${now.status === "over" ? t("status.over") : t("bar.turn", { country: countryName(view.turn) })}</span>
        <ol class="steps" aria-label=${t("bar.steps")}>${steps.map((step) => html`
          <li class=${cls(view.step === step && "now")} aria-current=${view.step === step ? "step" : undefined}>${t(`step.${step}`)}</li>`)}</ol>
      </div>
    </div>`;
}

function Board() {
  const now = table.value;
  const bySpace = new globalThis.Map();
  for (const one of pending()) {
    for (const action of one.actions) {
      if (!action.space) continue;
      if (!bySpace.has(action.space)) bySpace.set(action.space, []);
      bySpace.get(action.space).push({ ...action, ask: one.ask });
    }
  }
  const onSpace = (id) => {
    const actions = bySpace.get(id) ?? [];
    if (actions.length === 1) pick(actions[0], actions[0].ask);
    else picked.value = picked.value === id ? null : id;
  };
  return html`
    <div class="board">
      <${Map} view=${now.view} legal=${bySpace} led=${new Set(led.value)} onSpace=${onSpace} />
      ${picked.value && html`<${SpaceInfo} id=${picked.value} actions=${bySpace.get(picked.value) ?? []} />`}
    </div>`;
}

function SpaceInfo({ id, actions }) {
  const now = table.value;
  const there = Object.values(now.view.countries).filter((side) => [...side.armies, ...side.navies].includes(id));
  const removable = now.removals.filter((one) => one.space === id);
  const whatIf = useSignal(null);
  useEffect(() => {
    whatIf.value = null;
  }, [id]);
  const fall = async (country) => {
    const after = await attempt(() => get(`${game()}/supply?without=${country}:${id}`));
    if (!after) return;
    const lost = Object.entries(after).flatMap(([who, pieces]) => Object.values(pieces)
      .filter((piece) => !piece.is_supplied && supply.value[who]?.[piece.space]?.is_supplied)
      .map((piece) => `${CODES[who]} ${spaceName(piece.space)}`));
    whatIf.value = lost.length ? t("space.would-starve", { list: lost.join(", ") }) : t("space.nobody-starves");
  };
  return html`
    <div class="space-info panel" role="region" aria-label=${spaceName(id)}>
      <h3>${spaceName(id)}</h3>
      ${there.map((side) => {
        const state = supply.value[side.country]?.[id];
        return html`<p><span class=${cls("code", side.country)}>${CODES[side.country]}</span>
          ${state && (state.is_supplied
            ? state.by_card ? t("space.by-card") : t("space.supplied", { path: state.path.map(spaceName).join(" – ") })
            : t("space.cut", { reason: state.missing }))}
          <button class="link" onClick=${() => fall(side.country)}>${t("space.what-if")}</button></p>`;
      })}
      ${there.length === 0 && html`<p class="dim">${t("space.empty")}</p>`}
      ${whatIf.value && html`<p>${whatIf.value}</p>`}
      <div class="choices">
        ${actions.map((action) => html`<button class="primary" onClick=${() => pick(action, action.ask)}>${action.phrase}</button>`)}
        ${removable.map((action) => html`<button onClick=${() => pick(action)}>${action.phrase}</button>`)}
        <button onClick=${() => (picked.value = null)}>${t("close")}</button>
      </div>
    </div>`;
}

/** One sentence that says what is asked of whom, and the choices as a list. */
function Prompt() {
  const now = table.value;
  const asks = pending();
  useKeys();
  if (now.status === "over") return null;
  return html`
    <section class=${cls("prompt", asks.length > 0 && "yours")} aria-label=${t("prompt.label")}>
      ${now.is_paused && html`<p class="sentence">${t("prompt.paused")}
        ${mine.value.length > 0 && html` <button class="primary" onClick=${() => send("/resume")}>${t("prompt.resume")}</button>`}</p>`}
      ${now.window && html`<${Window} />`}
      ${!now.window && asks.length === 0 && !now.is_paused && html`
        <p class="sentence" role="status">${isCovered.value ? t("prompt.covered") : now.waiting_for ? t("prompt.waiting", { country: countryName(now.waiting_for) }) : t("prompt.waiting-all")}</p>`}
      ${asks.map((one) => html`<${Question} key=${one.ask ?? "own"} one=${one} />`)}
      ${!now.window && html`<${FirstCards} />`}
      <${Proposal} />
      <${Tools} />
    </section>`;
}

function Question({ one }) {
  const now = table.value;
  const { decision, actions, ask } = one;
  // What can be played stands on the cards themselves; the list is for everything, all the same.
  const isLong = actions.length > 8;
  return html`
    <div class="question">
      <p class="sentence" role="status" aria-live="assertive">
        <span class=${cls("code", decision.country)} aria-hidden="true">${CODES[decision.country]}</span>
        <strong>${countryName(decision.country)}:</strong> <${Linked} text=${decision.prompt} card=${decision.source && anyCard(decision.source)} />
      </p>
      <ul class=${cls("choices", isLong && "long")} aria-label=${t("prompt.choices")}>
        ${actions.map((action, i) => html`
          <li key=${action.text}><button class=${cls(action.verb === "pass" ? "" : "primary", action.verb, pointed.value.actions.includes(action.text) && "pointed")} title=${i < 9 ? t("prompt.key", { n: i + 1 }) : undefined}
            onClick=${() => pick(action, ask)}
            onMouseEnter=${() => consider(action)} onFocus=${() => consider(action)}
            onMouseLeave=${() => consider(null)} onBlur=${() => consider(null)}>${action.phrase}</button></li>`)}
      </ul>
      ${now.settings.has_hints && html`<${Hints} />`}
      ${ahead.value && html`<p class="dim" role="status">${ahead.value}</p>`}
    </div>`;
}

/** A sentence in which a card's name shows the card. */
function Linked({ text, card }) {
  const at = card ? text.indexOf(card.name) : -1;
  if (at < 0) return text;
  return html`${text.slice(0, at)}<button class="link" onClick=${() => (opened.value = card)}>${card.name}</button>${text.slice(at + card.name.length)}`;
}

function Window() {
  const { window: open } = table.value;
  const seconds = left(open.seconds_left, true);
  const isAsked = open.asks.some((ask) => ask.answer === null);
  return html`
    <div class="window" role="status">
      <p class="sentence">
        <span class=${cls("code", open.action.country)} aria-hidden="true">${CODES[open.action.country]}</span>
        <strong>${countryName(open.action.country)}:</strong> ${open.action.phrase}.
        ${" "}${t("window.might", { countries: open.countries.map(countryName).join(", ") })}
        ${seconds > 0 && html` <span class="clock running">${duration(seconds)}</span>`}
      </p>
      ${open.is_yours && !open.has_gone_on && html`<div class="row">
        ${!isAsked && html`<button onClick=${() => send("/go-on", { number: table.value.number })}>${t("window.go-on")}</button>`}
        ${open.can_hold && seconds > 0 && html`<button onClick=${() => send("/hold", { number: table.value.number })}>${t("window.hold")}</button>`}</div>`}
    </div>`;
}

function Hints() {
  const busy = useSignal(false);
  const ask = async () => {
    busy.value = true;
    const found = await attempt(() => get(`${game()}/hints`));
    busy.value = false;
    if (found) hints.value = { number: table.value.number, found };
  };
  const current = hints.value?.number === table.value.number ? hints.value.found : null;
  return html`
    <div class="hints">
      ${!current && html`<button class="link" disabled=${busy.value} onClick=${ask}>${busy.value ? t("hints.thinking") : t("hints.ask")}</button>`}
      ${current && html`<ol>${current.map((hint) => html`
        <li><strong>${hint.action.phrase}</strong> <span class="tag">${Math.round(hint.chance * 100)} %</span> ${hint.reason}</li>`)}</ol>`}
    </div>`;
}

function Proposal() {
  const { proposal } = table.value;
  if (!proposal) return null;
  const may = mine.value.length > 0 && !proposal.has_your_vote;
  return html`
    <div class="proposal" role="status">
      <span>${t(`proposal.${proposal.what}`, { name: proposal.by })} (${proposal.votes}/${proposal.needed})</span>
      ${may && html`<button class="primary" onClick=${() => send("/votes", { is_for: true })}>${t("proposal.yes")}</button>`}
      ${mine.value.length > 0 && html`<button onClick=${() => send("/votes", { is_for: false })}>${may ? t("proposal.no") : t("proposal.withdraw")}</button>`}
    </div>`;
}

function Tools() {
  const now = table.value;
  if (!mine.value.length || now.status !== "playing") return null;
  const isFree = now.undo.length > 0;
  const others = now.seats.some((seat) => seat.who === "person" && !seat.is_yours);
  const seatNumber = now.seats.findIndex((seat) => seat.is_yours && !seat.bot);
  return html`
    <div class="tools row">
      <button disabled=${!isFree && now.steps === 0} onClick=${() => send("/undo", {})} title=${t("tools.undo-key")}>${isFree || !others ? t("tools.undo") : t("tools.ask-undo")}</button>
      <details class="menu"><summary>${t("tools.more")}</summary>
        <div class="panel">
          ${now.steps > 0 && html`<button onClick=${() => (replaying.value = now.steps)}>${t("tools.replay")}</button>`}
          <button onClick=${() => send("/proposals", { what: "pause" })}>${t("tools.pause")}</button>
          <button onClick=${() => send("/proposals", { what: "end" })}>${t("tools.end")}</button>
          ${seatNumber >= 0 && html`
            <button onClick=${() => send(`/seats/${seatNumber}/hand-over`, { to: "bot" })}>${t("tools.to-bot")}</button>
            <button onClick=${async () => {
              const after = await send(`/seats/${seatNumber}/hand-over`, { to: "person" });
              const code = after?.seats[seatNumber].invitation;
              if (code) say(`${location.origin}/games/${now.id}?seat=${seatNumber}&code=${code}`);
            }}>${t("tools.to-person")}</button>
            <button onClick=${() => send(`/seats/${seatNumber}/leave`)}>${t("tools.leave")}</button>`}
        </div>
      </details>
    </div>`;
}

/** The own cards. At one screen they are covered until the right person is there. */
const handOf = signal(null); // another own country's hand that is looked at

function Hand() {
  const now = table.value;
  const { view } = now;
  if (!view.seat.length || now.status === "over") return null;
  const key = view.seat.join(" ");
  if (isCovered.value) {
    const seat = now.seats.find((one) => one.countries.includes(view.seat[0]));
    return html`<section class="hand covered"><p>${t("hand.covered", { name: seat.name, countries: view.seat.map(countryName).join(", ") })}</p>
      <button class="big primary" onClick=${() => (uncovered.value = key)}>${t("hand.uncover", { name: seat.name })}</button></section>`;
  }
  const asks = pending();
  const byCard = new globalThis.Map();
  for (const one of asks) for (const action of one.actions) {
    if (!action.card) continue;
    if (!byCard.has(action.card)) byCard.set(action.card, []);
    byCard.get(action.card).push({ ...action, ask: one.ask });
  }
  const active = asks[0]?.decision.country ?? (view.seat.includes(view.turn) ? view.turn : view.seat[0]);
  const looked = view.seat.includes(handOf.value?.country) && handOf.value.number === now.number ? handOf.value.country : active;
  const shown = view.seat.includes(looked) ? looked : view.seat[0];
  return html`
    <section class="hand" aria-label=${t("hand.label")}>
      ${view.seat.length > 1 && html`<div class="hand-tabs" role="group" aria-label=${t("hand.whose")}>
        ${view.seat.map((country) => html`<button aria-pressed=${country === shown} onClick=${() => (handOf.value = { country, number: now.number })}>
          <span class=${cls("code", country)} aria-hidden="true">${CODES[country]}</span> <span class="long-name">${countryName(country)}</span></button>`)}</div>`}
      ${[shown].map((country) => {
        const cards = view.countries[country].hand ?? [];
        const counts = new globalThis.Map();
        for (const id of cards) counts.set(id, (counts.get(id) ?? 0) + 1);
        return html`
          <div class=${cls("hand-of", country)} key=${country}>
            <h2><span class=${cls("code", country)} aria-hidden="true">${CODES[country]}</span> ${t(cards.length === 1 ? "hand.of-one" : "hand.of", { country: countryName(country), n: cards.length })} · ${" "}
              <${Deck} side=${view.countries[country]} />
              <${Passing} view=${view} country=${country} /></h2>
            <div class="cards">
              ${[...counts].map(([id, n]) => {
                const card = cardOf(country, id);
                const actions = country === active || asks.some((one) => one.decision.country === country) ? (byCard.get(id) ?? []).filter((a) => a.country === country) : [];
                const leads = actions.flatMap((action) => action.leads_to ?? []);
                const light = () => (led.value = leads);
                const dark = () => (led.value = []);
                return html`<div class=${cls("slot", actions.length > 0 && pointed.value.cards.includes(id) && "pointed")} key=${id} onMouseEnter=${light} onFocusIn=${light} onMouseLeave=${dark} onFocusOut=${dark}>
                  <${Card} card=${card} isLit=${actions.length > 0} marks=${n > 1 ? `×${n}` : ""} onPick=${() => (opened.value = card)}>
                    ${actions.length > 0 && actions.map((action) => html`
                      <button class=${cls(action.verb !== "discard" && "primary", action.verb)} onClick=${() => pick(action, action.ask)}>${t(`verb.${action.verb}`)}</button>`)}
                  <//></div>`;
              })}
              ${cards.length === 0 && html`<p class="dim">${t("hand.empty")}</p>`}
              <${Laid} view=${view} country=${country} />
            </div>
          </div>`;
      })}
    </section>`;
}

/** What is left in the own deck, by kind. */
function Deck({ side }) {
  const isOpen = useSignal(false);
  const kinds = {};
  for (const id of side.deck ?? []) {
    const card = cardOf(side.country, id);
    if (card) (kinds[card.type] ??= []).push(card);
  }
  return html`
    <button class="link" onClick=${() => (isOpen.value = true)}>${t("deck.left", { n: side.deck_size })}</button>
    ${isOpen.value && html`<${Dialog} title=${t("deck.title", { country: countryName(side.country) })} onClose=${() => (isOpen.value = false)}>
      ${Object.entries(kinds).map(([kind, cards]) => html`
        <h3>${t(`type.${kind}`)} (${cards.length})</h3>
        <p class="laid">${cards.map((card) => html`<button class="chip-card" onClick=${() => (opened.value = card)}>${card.name}</button>`)}</p>`)}
      ${side.deck_size === 0 && html`<p class="dim">${t("deck.empty")}</p>`}<//>`}`;
}

function Side() {
  const tabs = ["countries", "log", "chat"];
  return html`
    <div class="tabbed">
      <div class="tabs" role="tablist" aria-label=${t("side.label")}>
        ${tabs.map((name) => html`<button role="tab" id=${`tab-${name}`} aria-controls="side-panel" aria-selected=${tab.value === name} onClick=${() => (tab.value = name)}>${t(`tab.${name}`)}</button>`)}
      </div>
      <div class="tab-panel" role="tabpanel" id="side-panel" aria-labelledby=${`tab-${tab.value}`} tabindex="0">
        ${tab.value === "countries" && html`<${Countries} view=${table.value.view} />`}
        ${tab.value === "log" && !isCovered.value && html`<${Log} />`}
        ${tab.value === "chat" && html`<${Chat} />`}
      </div>
    </div>`;
}

function Confirm() {
  const { action, ask, text } = asking.value;
  const done = () => (asking.value = null);
  return html`
    <${Dialog} title=${t("warn.title")} onClose=${done} closes=${t("cancel")}>
      <p>${text}</p>
      <p class="row"><button class="primary" onClick=${() => { done(); choose(action, ask); }}>${action.phrase}</button></p>
    <//>`;
}

/** Keys: 1 to 9 choose, p passes, u takes back, s shows supply. */
function useKeys() {
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input, select, textarea, dialog")) return;
      const all = pending().flatMap((one) => one.actions.map((action) => ({ ...action, ask: one.ask })));
      const n = Number(event.key);
      if (n >= 1 && n <= 9 && all[n - 1]) pick(all[n - 1], all[n - 1].ask);
      else if (event.key === "p" && all.some((a) => a.verb === "pass")) {
        const pass = all.find((a) => a.verb === "pass");
        pick(pass, pass.ask);
      } else if (event.key === "u" && mine.value.length) send("/undo", {});
      else if (event.key === "s") {
        const own = table.value.view.seat[0] ?? table.value.view.turn;
        shownSupply.value = shownSupply.value ? null : own;
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
