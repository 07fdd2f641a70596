// The shell: which screen an address stands for.
import { cls, effect, html, render, signal } from "./base/html.js";
import { loadWords, t } from "./base/words.js";
import { connection, loadMe, notice, say } from "./state/session.js";
import { settle, takeFromLink } from "./state/language.js";
import "./state/sound.js";
import "./parts/focus.js";
import { place } from "./router.js";
import { Backdrop } from "./parts/backdrop.js";
import { LanguagePicker } from "./parts/language-picker.js";
import { SettingsButton, SettingsDialog } from "./parts/settings.js";
import { Home } from "./screens/home.js";
import { Table } from "./screens/table.js";
import { Lost } from "./parts/lost.js";

const LINKS = [
  ["/", "nav.play"],
  ["/learn", "nav.learn"],
  ["/rules", "nav.rules"],
  ["/cards", "nav.cards"],
  ["/me", "nav.me"],
];
/** Screens that are seldom the first one: each is fetched when somebody wants it.
 * @type {Record<string, () => Promise<any>>} */
const LATER = {
  "/games": async () => (await import("./screens/tables.js")).Tables,
  "/new": async () => (await import("./screens/setup.js")).Setup,
  "/cards": async () => (await import("./screens/cards.js")).Cards,
  "/rules": async () => (await import("./screens/rules.js")).Rules,
  "/learn": async () => (await import("./screens/learn.js")).Learn,
  "/me": async () => (await import("./screens/me.js")).Me,
};
/** Screens by their addresses, as far as they are here. */
const screens = signal(/** @type {Record<string, any>} */ ({ "/": Home }));

/** @param {string} path */
async function fetchScreen(path) {
  try {
    const screen = await LATER[path]();
    screens.value = { ...screens.value, [path]: screen };
  } catch {
    say(t("error.offline"), "error");
  }
}
effect(() => {
  const path = place.value;
  if (LATER[path] && !screens.peek()[path]) void fetchScreen(path);
});

function Screen() {
  const path = place.value;
  const game = path.match(/^\/games\/([^/]+)$/);
  if (game) return html`<${Table} key=${game[1]} id=${game[1]} />`;
  if (screens.value[path]) return html`<${screens.value[path]} />`;
  return LATER[path] ? null : html`<${Missing} />`;
}

function Missing() {
  return html`<${Lost} title=${t("missing.title")} text=${t("missing.text")} />`;
}

/** The sign of the icon, without the plate that it has among other icons: a depot, its line, and the star it feeds. */
function Mark() {
  return html`<svg class="brand-mark" viewBox="5 12 56 40" aria-hidden="true" focusable="false"><path d="M12 44h40" /><circle cx="14" cy="44" r="6" />
    <path class="mark-star" d="M44 16l4.100 8.900 9.700 1.100-7.200 6.600 2 9.600-8.600-4.800-8.600 4.800 2-9.600-7.200-6.600 9.700-1.100z" /></svg>`;
}

function Shell() {
  const inGame = place.value.startsWith("/games/");
  return html`
    <a class="skip" href="#main">${t("nav.skip")}</a>
    <header class=${cls("nav", inGame && "in-game")}>
      <a class="brand" href="/"><${Mark} /> Quartermaster</a>
      <nav aria-label=${t("nav.label")}>
        ${LINKS.map(([to, id]) => html`<a href=${to} aria-current=${place.value === to ? "page" : undefined}>${t(id)}</a>`)}
      </nav>
      <${LanguagePicker} />
      <${SettingsButton} />
    </header>
    ${LATER[place.value] && html`<${Backdrop} isFaint />`}
    <main id="main" tabindex="-1" class=${cls(inGame && "wide")}><${Screen} /></main>
    <${SettingsDialog} />
    <div class="notices" role="status" aria-live="polite">
      ${connection.value === "lost" && html`<p class="notice warn">${t("error.reconnecting")}</p>`}
      ${notice.value && html`<p class=${cls("notice", notice.value.kind)}>${notice.value.text}</p>`}
    </div>`;
}

/** Letters take their room once: with their font, unless it is late. */
function loadFonts() {
  const late = new Promise((done) => setTimeout(done, 1000));
  const fonts = ["500 1em 'Barlow Condensed'", "700 1em 'Barlow Condensed'", "1em Vollkorn", "italic 500 1em Vollkorn"];
  return Promise.race([late, Promise.allSettled(fonts.map((font) => document.fonts.load(font)))]);
}

const asked = takeFromLink();
await Promise.all([loadWords(), loadMe(), loadFonts()]);
await settle(asked);
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.textContent = "";
render(html`<${Shell} />`, root);
effect(() => {
  if (!place.value.startsWith("/games/")) document.title = "Quartermaster";
});
