// Which address is shown.
import { signal } from "./base/html.js";

export const place = signal(location.pathname);

/** @param {string} path */
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
  const to = link.getAttribute("href") ?? "/";
  if (link.hasAttribute("download") || to.startsWith("/api")) return;
  event.preventDefault();
  go(to);
});
