// The game: the board with all that stands around it.
import { cls, computed, effect, html, signal, steady, useEffect, useMemo, useRef, useSteady } from "../base/html.js";
import { countryName, listed, many, noun, t } from "../base/words.js";
import { begun, botName, isCovered, kindAt, mine, send, shownSupply, supply, talk, world } from "../state/table.js";
import {
  answerCards,
  asked,
  doubt,
  held,
  hints,
  isBusy,
  lit,
  pick,
  pickCard,
  picked,
  pickSpace,
} from "../state/choices.js";
import { above, isShowing, stage, standing } from "../state/beats.js";
import { isLesson } from "../state/lessons.js";
import { set, settings, theme } from "../state/settings.js";
import { copy } from "../state/session.js";
import { since, turns } from "../state/turns.js";
import { Board } from "../parts/board.js";
import { OpenedCard, opened } from "../parts/card.js";
import { Chat, unread } from "../parts/chat.js";
import { Countries, Deck, Laid, Passing } from "../parts/countries.js";
import { Dialog } from "../parts/dialog.js";
import { give, isByKeys, leadThrough } from "../parts/focus.js";
import { Guide } from "../parts/guide.js";
import { Hand } from "../parts/hand.js";
import { Header } from "../parts/header.js";
import { Icon } from "../parts/icons.js";
import { KeysHelp, isHelpOpen, useKeys } from "../parts/keys.js";
import { Log } from "../parts/log.js";
import { Notes } from "../parts/notes.js";
import { Prompt, closeList, isListOpen } from "../parts/prompt.js";
import { Recap, recalled } from "../parts/recap.js";
import { areSettingsOpen } from "../parts/settings.js";
import { isSmall, pull } from "../parts/sheet.js";
import { SpaceInfo } from "../parts/space.js";
import { Points } from "../parts/points.js";
import { ReactionMarks, Rings, StageMarks, StagePanel } from "../parts/stage.js";
import { Result } from "./result.js";
import { Replay, replayFrom, replaying } from "./replay.js";

/** What lies open beside the board: "log", "chat", "countries", "menu", or a country. */
const drawer = signal(/** @type {string | null} */ (null));
const ROOMY = 1700; // pixels: the log has room beside the board and lies open

/** What had the focus when the drawer was opened, and whether it goes into what is open now.
 * @type {HTMLElement | SVGElement | null} */
let opener = null;
let isAskedFor = false;

/** @param {string} name */
function open(name) {
  const at = document.activeElement;
  if (!drawer.value) opener = at instanceof HTMLElement && at !== document.body ? at : null;
  isAskedFor = isByKeys;
  drawer.value = name;
}
const toggle = (/** @type {string} */ name) => (drawer.value === name ? (drawer.value = null) : open(name));

// On a small screen one thing lies over the map at a time: what is opened last.
let shown = {
  drawer: drawer.peek(),
  space: picked.peek(),
  hasList: isListOpen.peek(),
  hasHints: hints.peek() !== null,
};
effect(() => {
  const now = { drawer: drawer.value, space: picked.value, hasList: isListOpen.value, hasHints: hints.value !== null };
  const before = shown;
  shown = now;
  if (!isSmall.value) return;
  const isNew = /** @type {(keyof typeof now)[]} */ (["drawer", "space", "hasList", "hasHints"]).find(
    (one) => now[one] && now[one] !== before[one],
  );
  if (!isNew) return;
  if (isNew !== "drawer") drawer.value = null;
  if (isNew !== "space") picked.value = null;
  if (isNew !== "hasList") closeList();
  if (isNew !== "hasHints") hints.value = null;
});

/** A tap on the map beside a sheet puts it away, and does nothing else.
 * @param {MouseEvent} event */
function tapBeside(event) {
  if (!isSmall.value || !(event.target instanceof Element) || !event.target.closest(".map")) return;
  if (event.target.closest("button, .supply-of")) return;
  const isOther = event.target.closest("[data-space]") !== null;
  if (drawer.value || isListOpen.value || hints.value) event.stopPropagation();
  else if (isOther) return; // another space is told of
  drawer.value = picked.value = hints.value = null;
  closeList();
}

export function Game() {
  if (replaying.value !== null) return html`<${Replay} /><${OpenedCard} />`;
  return html`<${Playing} />`;
}

function Playing() {
  const now = begun();
  useKeys({ drawer });
  useEffect(() => {
    picked.value = null;
  }, [now.number]);
  // The log lies open where it has room and something to tell; lessons tell themselves, and the end is told by its result.
  const tells = useSteady(() => turns.value.some((turn) => turn.country && turn.entries.length > 0));
  const isOver = now.status === "over";
  useEffect(() => {
    drawer.value = null;
  }, [now.id, isOver]);
  useEffect(() => {
    if (tells && !isOver && innerWidth > ROOMY && !isLesson(now.id)) drawer.value ??= "log";
  }, [now.id, tells, isOver]);
  // What looks at the table for itself is not asked again with everything else.
  const top = useMemo(() => html`<${Top} />`, []);
  const around = useMemo(() => html`<${Hand} onDeck=${open} />`, []);
  const over = useMemo(
    () => [html`<${StagePanel} />`, html`<${Points} />`, html`<${Tools} />`, html`<${Recap} />`, html`<${Prompt} />`],
    [],
  );
  const [marks, rings, tools] = useMemo(
    () => [html`<${Marks} />`, html`<${RingsHere} />`, html`<${SupplyButton} />`],
    [],
  );
  return html`
    <div class=${cls("app table", isOver && "over", (asked.value?.ask !== undefined || answers.value > 0) && "reacting", answers.value > 0 && "answerable", answers.value > 1 && "several-ways", !now.view.seat.length && "unseated", held.value !== null && "holding")}>
      <h1 class="sr">${now.settings.title || t(`rules.${now.settings.rules}`)}</h1>
      ${top}
      <div class="board" onClickCapture=${tapBeside}>
        <${Board} scene=${scene} onSpace=${pickSpace} marks=${marks} rings=${rings} focus=${focus} tools=${tools} />
        ${over}
        ${picked.value && html`<${SpaceInfo} key=${picked.value} />`}
      </div>
      ${around}
      ${drawer.value && html`<${Drawer} key=${drawer.value} />`}
      <${OpenedCard} acts=${html`<${PlayOpened} />`} /><${KeysHelp} />
      ${doubt.value && html`<${Doubt} />`}
      ${isOver && html`<${Result} />`}
      <${Guide} /><${Notes} />
    </div>`;
}

// What follows changes with every beat, and each part looks at it for itself.

function Top() {
  const now = begun();
  return html`<${Header} view=${now.view} table=${now} turn=${above.value?.turn ?? deciding()} round=${above.value?.round ?? now.view.round} score=${above.value?.score ?? now.view.score} onCountry=${toggle} />`;
}

/** With how many cards one can answer what others did. */
const answers = computed(() => answerCards(asked.value).length);

/** What others do on the map, or what a reaction is about. */
function Marks() {
  if (isShowing.value) return html`<${StageMarks} />`;
  const event = asked.value?.decision.event;
  const { window: open } = begun();
  if (!open && !event?.space) return null;
  return html`<${ReactionMarks} action=${open?.action ?? null} event=${event} pieces=${standing.value} />`;
}

/** The space that a reaction is about. */
const atStake = () => asked.value?.decision.event?.space ?? begun().window?.action.space;

function RingsHere() {
  const now = stage.value;
  const at = now ? now.beat.kind !== "points" && now.beat.entry.space : (atStake() ?? recalled.value);
  return at ? html`<${Rings} key=${at} space=${at} place=${now?.mover?.place} />` : null;
}

/** Where something is to be seen or chosen; else the home of who decides. */
const focus = steady(() => {
  const now = stage.value;
  // While others act one looks there, also where a beat is of no space: their points come for what stands there.
  if (now) return [now.beat.entry.space ?? now.at].flatMap((space) => space ?? []);
  const space = atStake() ?? recalled.value;
  return space ? [space] : lit.value.size ? [...lit.value.keys()] : home();
});

/** The home of the country that is asked. */
function home() {
  const country = asked.value?.decision.country;
  return Object.values(world().board)
    .filter((space) => country && space.home_of === country)
    .map((space) => space.id);
}

/** Whose turn the header shows: while first cards are chosen, who chooses. */
function deciding() {
  const { view, waiting_for: who } = begun();
  return who && !turns.value.some((turn) => turn.country) ? who : view.turn;
}

// What has changed since the viewer's last turn: pieces that came, and those that are gone.
const recent = computed(() => since.value.flatMap((turn) => turn.entries));
const moved = steady(() =>
  recent.value
    .filter((entry) => ["build", "recruit"].includes(entry.what))
    .map((entry) => `${entry.space} ${entry.target ?? entry.country}`),
);
/** @type {{ space: string, piece: import("../state/table.js").Piece }[]} */
const NONE = [];
const ghosts = computed(() => {
  if (isShowing.value) return NONE;
  const pieces = standing.value;
  const all = recent.value
    .filter((entry) => entry.what === "remove" && entry.space && entry.country && !pieces[entry.space]?.length)
    .map((entry) => ({
      space: String(entry.space),
      piece: {
        country: String(entry.country),
        kind: /** @type {"army" | "navy"} */ (kindAt(entry.space) === "sea" ? "navy" : "army"),
      },
    }));
  return all.filter((one, i) => all.findIndex((other) => other.space === one.space) === i);
});

/** @type {import("../parts/board.js").Scene} */
const scene = {
  view: computed(() => begun().view),
  pieces: standing,
  lines: supply,
  legal: lit,
  moved: computed(() => new Set(moved.value)),
  ghosts,
};

function SupplyButton() {
  const isOn = shownSupply.value !== null;
  const { view } = begun();
  return html`<button class=${cls("wide", isOn && "on")} aria-pressed=${isOn} aria-label=${t("map.supply")}
    onClick=${() => (shownSupply.value = isOn ? null : view.seat.includes(view.turn) ? view.turn : (view.seat[0] ?? view.turn))}><${Icon} name="supply" /><span>${t("map.supply")}</span></button>`;
}

/** Whether there is anybody to talk to. */
const hasCompany = () =>
  talk.value.length > 0 || begun().seats.some((seat) => seat.who === "person" && !seat.is_yours) || !mine.value.length;

function Tools() {
  const isAlone = useSteady(() => !hasCompany());
  const news = unread.value;
  const button = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {string} */ kind = "", n = 0) => {
    const label = n ? many(`tab.${name}-unread`, n) : t(`tab.${name}`);
    return html`<button class=${kind} aria-label=${label} title=${label} aria-expanded=${drawer.value === name} onClick=${() => toggle(name)}><${Icon} name=${icon} />${n > 0 && html`<b class="unread">${n}</b>`}</button>`;
  };
  return html`
    <div class="tools r" role="toolbar" aria-label=${t("side.label")}>
      ${button("log", "log")}${button("chat", "chat", isAlone ? "lonely" : "", news.length)}${button("countries", "cards", "roomy")}
      <button class="night sound" aria-label=${t("settings.sound")} title=${t("settings.sound")} aria-pressed=${settings.value.sound} onClick=${() => set({ sound: !settings.value.sound })}><${Icon} name=${settings.value.sound ? "sound" : "mute"} /></button>
      <button class="night" aria-label=${t("settings.night")} title=${t("settings.night")} aria-pressed=${theme() === "dark"} onClick=${() => set({ theme: theme() === "dark" ? "light" : "dark" })}><${Icon} name=${theme() === "dark" ? "day" : "night"} /></button>
      ${button("menu", "menu")}
      <span class="sr" role="status">${news.length > 0 && many("chat.news", news.length, { name: news[news.length - 1].name })}</span>
    </div>`;
}

function Drawer() {
  const name = String(drawer.value);
  const { view, income } = begun();
  const isCountry = name in view.countries;
  const close = () => (drawer.value = null);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  // Who opens it by keys goes on in it, and comes back to where they were.
  useEffect(() => {
    const part = /** @type {HTMLElement} */ (box.current);
    const first = part.querySelector(name === "chat" ? "form input" : "h2");
    if (isAskedFor && first instanceof HTMLElement) give(first);
    isAskedFor = false;
    const onTab = (/** @type {KeyboardEvent} */ event) =>
      leadThrough(event, part, opener ?? document.querySelector(".tools [aria-expanded=true]"));
    addEventListener("keydown", onTab);
    return () => removeEventListener("keydown", onTab);
  }, []);
  return html`
    <aside ref=${box} class=${cls("drawer", `drawer-${isCountry ? "country" : name}`)} aria-label=${isCountry ? countryName(name) : t(`tab.${name}`)}>
      <header onPointerDown=${(/** @type {PointerEvent} */ event) => pull(event, ".drawer", close)}><h2>${isCountry ? countryName(name) : t(`tab.${name}`)}</h2><button class="quiet" aria-label=${t("close")} onClick=${close}><${Icon} name="close" /></button></header>
      ${name === "log" && !isCovered.value && html`<${Log} />`}
      ${name === "chat" && html`<${Chat} />`}
      ${name === "countries" && html`<${Countries} view=${view} income=${income} onPick=${open} />`}
      ${name === "menu" && html`<${Menu} />`}
      ${isCountry && html`<${CountryCards} country=${name} />`}
    </aside>`;
}

/** @param {{ country: string }} props */
function CountryCards({ country }) {
  const { view, income } = begun();
  const side = view.countries[country];
  const isOwn = side.hand !== null && !isCovered.value && begun().status !== "over";
  return html`
    <div class="scroll" tabindex="0">
      <${Countries} view=${view} income=${income} only=${country} />
      ${isOwn && html`<${Passing} view=${view} country=${country} />`}
      <h3>${t("laid.title")}</h3>
      <${Laid} view=${isCovered.value ? { ...view, countries: { ...view.countries, [country]: { ...side, set: null } } } : view} country=${country} />
      ${isOwn && side.deck && html`<h3>${t("deck.title", { country: noun(`country.${country}`) })}</h3><${Deck} side=${side} />`}
    </div>`;
}

/** Ways out of the table, and what is seldom done. */
function Menu() {
  const now = begun();
  const seat = now.seats.findIndex((one) => one.is_yours && !one.bot);
  const isPlaying = mine.value.length > 0 && now.status === "playing";
  // Nobody else has a seat or could take one: nothing has to be proposed to anyone.
  const isAlone =
    isPlaying &&
    now.seats.every((one) => (one.who === "person" ? one.is_yours : !["open", "invited"].includes(one.who)));
  const links = [
    ["/", "nav.home"],
    ["/learn", "nav.learn"],
    ["/rules", "nav.rules"],
    ["/cards", "nav.cards"],
    ["/me", "nav.me"],
  ];
  const countries = () => listed(now.seats[seat].countries.map(countryName));
  const giveAway = async () => {
    const after = await send(`/seats/${seat}/hand-over`, { to: "person" });
    const code = after?.seats[seat].invitation;
    if (code)
      copy(
        `${location.origin}/games/${now.id}?seat=${seat}&code=${code}`,
        t("tools.invitation", { countries: countries() }),
      );
  };
  /** Ask before something that cannot, or not easily, be taken back.
   * @param {string} what
   * @param {() => void} act
   * @param {Record<string, any>} [values] */
  const ask = (what, act, values) => () =>
    (doubt.value = {
      title: t(`tools.${what}-title`),
      text: t(`tools.${what}-text`, values),
      label: t(`tools.${what}`),
      act,
      isGrave: true,
    });
  const toBot = () => send(`/seats/${seat}/hand-over`, { to: "bot" });
  return html`
    <div class="scroll menu-all" tabindex="0">
    <div class="menu">
      <span class="menu-small">
        <button onClick=${() => open("countries")}>${t("tab.countries")}</button>
        ${!hasCompany() && !isAlone && html`<button onClick=${() => open("chat")}>${t("tab.chat")}</button>`}</span>
      ${now.steps > 0 && html`<button onClick=${() => replayFrom(now.steps)}>${t("tools.replay")}</button>`}
      <button onClick=${() => (areSettingsOpen.value = true)}>${t("settings.title")}</button>
      ${(isByKeys || matchMedia("(any-hover: hover)").matches) && html`<button onClick=${() => (isHelpOpen.value = true)}>${t("keys.title")}</button>`}
      ${
        isPlaying &&
        !isAlone &&
        html`
        <button onClick=${() => send("/proposals", { what: "pause" })}>${t("tools.pause")}</button>
        <button onClick=${() => send("/proposals", { what: "end" })}>${t("tools.end")}</button>`
      }
      ${isPlaying && seat >= 0 && html`<button onClick=${ask("to-bot", toBot, { countries: countries() })}>${t("tools.to-bot")}</button>`}
      ${
        isPlaying &&
        seat >= 0 &&
        !isAlone &&
        html`
        <button onClick=${giveAway}>${t("tools.to-person")}</button>
        <button onClick=${ask("leave", () => send(`/seats/${seat}/leave`), { countries: countries(), bot: botName(now.settings.stand_in ?? "veteran") })}>${t("tools.leave")}</button>`
      }
      ${
        isAlone &&
        html`
        <a href="/new">${t("tools.new")}</a>
        <button onClick=${ask("give-up", () => send("/proposals", { what: "end" }))}>${t("tools.give-up")}</button>`
      }
    </div>
    <nav class="menu" aria-label=${t("nav.label")}>${links.map(([to, id]) => html`<a href=${to}>${t(id)}</a>`)}</nav></div>`;
}

/** Plays the card that is read, or takes it up where it wants a space. */
function PlayOpened() {
  const q = asked.value;
  const card = opened.value;
  if (!q || !card || q.ticks || isBusy.value || card.country !== q.decision.country) return null;
  const play = q.byCard.get(card.id)?.find((action) => action.verb !== "discard");
  if (!play) return null;
  const take = () => {
    opened.value = null;
    if (!play.leads_to?.length) pick(q, play);
    else if (held.value !== card.id)
      pickCard(q, card.id, (begun().view.countries[card.country].hand ?? []).indexOf(card.id));
  };
  return html`<button class="main" onClick=${take}>${t("verb.play")}</button>`;
}

function Doubt() {
  const { title, text, label, act, isGrave } = /** @type {NonNullable<typeof doubt.value>} */ (doubt.value);
  const done = () => (doubt.value = null);
  const sure = () => {
    done();
    act();
  };
  return html`
    <${Dialog} title=${title ?? t("warn.title")} onClose=${done} closes=${t("cancel")} isSafe=${isGrave} acts=${html`<button class=${isGrave ? "grave" : "main primary"} onClick=${sure}>${label}</button>`}>
      <p>${text}</p>
    <//>`;
}
