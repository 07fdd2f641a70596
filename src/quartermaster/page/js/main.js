// The shell: which screen an address stands for.
import { fileAt } from "./base/api.js";
import { cls, effect, html, render } from "./base/html.js";
import { loadWords, t } from "./base/words.js";
import { connection, loadMe, notice } from "./state/session.js";
import { settle, takeFromLink } from "./state/language.js";
import "./state/sound.js";
import "./parts/focus.js";
import { place } from "./router.js";
import { LanguagePicker } from "./parts/language-picker.js";
import { SettingsButton, SettingsDialog } from "./parts/settings.js";
import { Home } from "./screens/home.js";
import { Setup } from "./screens/setup.js";
import { Tables } from "./screens/tables.js";
import { Table } from "./screens/table.js";
import { Cards } from "./screens/cards.js";
import { Rules } from "./screens/rules.js";
import { Learn } from "./screens/learn.js";
import { Me } from "./screens/me.js";
import { Lost } from "./parts/lost.js";

const LINKS = [
  ["/", "nav.play"],
  ["/learn", "nav.learn"],
  ["/rules", "nav.rules"],
  ["/cards", "nav.cards"],
  ["/me", "nav.me"],
];
/** @type {Record<string, any>} */
const SCREENS = {
  "/": Home,
  "/games": Tables,
  "/new": Setup,
  "/cards": Cards,
  "/rules": Rules,
  "/learn": Learn,
  "/me": Me,
};

function Screen() {
  const path = place.value;
  const game = path.match(/^\/games\/([^/]+)$/);
  if (game) return html`<${Table} key=${game[1]} id=${game[1]} />`;
  return SCREENS[path] ? html`<${SCREENS[path]} />` : html`<${Missing} />`;
}

function Missing() {
  return html`<${Lost} title=${t("missing.title")} text=${t("missing.text")} />`;
}

function Shell() {
  const inGame = place.value.startsWith("/games/");
  return html`
    <a class="skip" href="#main">${t("nav.skip")}</a>
    <header class=${cls("nav", inGame && "in-game")}>
      <a class="brand" href="/"><img src=${fileAt("icon.svg")} alt="" width="28" height="28" /> Quartermaster</a>
      <nav aria-label=${t("nav.label")}>
        ${LINKS.map(([to, id]) => html`<a href=${to} aria-current=${place.value === to ? "page" : undefined}>${t(id)}</a>`)}
      </nav>
      <${LanguagePicker} />
      <${SettingsButton} />
    </header>
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
