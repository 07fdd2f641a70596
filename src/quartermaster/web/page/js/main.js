// The shell: which screen an address stands for.
import { html, render, signal, effect, cls } from "./lib.js";
import { loadWords, t } from "./words.js";
import { connection, loadMe, notice } from "./api.js";
import { Home } from "./home.js";
import { Setup } from "./setup.js";
import { Table } from "./table.js";
import { Browser } from "./browser.js";
import { Rules } from "./rules.js";
import { Learn } from "./learn.js";
import { Me } from "./me.js";

export const place = signal(location.pathname);

export function go(path) {
  history.pushState(null, "", path);
  place.value = location.pathname;
  window.scrollTo(0, 0);
  document.getElementById("main")?.focus();
}

addEventListener("popstate", () => (place.value = location.pathname));
// Links within the page do not load it anew.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey) return;
  if (link.hasAttribute("download") || link.getAttribute("href").startsWith("/api")) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

function Screen() {
  const path = place.value;
  const game = path.match(/^\/games\/([A-Za-z0-9]+)$/);
  if (game) return html`<${Table} key=${game[1]} id=${game[1]} />`;
  if (path === "/new") return html`<${Setup} />`;
  if (path === "/cards") return html`<${Browser} />`;
  if (path === "/rules") return html`<${Rules} />`;
  if (path === "/learn") return html`<${Learn} />`;
  if (path === "/me") return html`<${Me} />`;
  return html`<${Home} />`;
}

function Shell() {
  const links = [["/", "nav.play"], ["/learn", "nav.learn"], ["/rules", "nav.rules"],
    ["/cards", "nav.cards"], ["/me", "nav.me"]];
  const inGame = place.value.startsWith("/games/");
  return html`
    <a class="skip" href="#main">${t("nav.skip")}</a>
    <header class=${cls("top", inGame && "compact")}>
      <a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28" /> Quartermaster</a>
      <nav aria-label=${t("nav.label")}>
        ${links.map(([to, id]) => html`
          <a href=${to} aria-current=${place.value === to ? "page" : undefined}>${t(id)}</a>`)}
      </nav>
    </header>
    <main id="main" tabindex="-1" class=${inGame && "wide"}><${Screen} /></main>
    <div class="notices" role="status" aria-live="polite">
      ${connection.value === "lost" && html`<p class="notice warn">${t("error.reconnecting")}</p>`}
      ${notice.value && html`<p class=${cls("notice", notice.value.kind)}>${notice.value.text}</p>`}
    </div>`;
}

await Promise.all([loadWords(), loadMe()]);
document.getElementById("app").textContent = "";
render(html`<${Shell} />`, document.getElementById("app"));
effect(() => {
  if (!place.value.startsWith("/games/")) document.title = "Quartermaster";
});
