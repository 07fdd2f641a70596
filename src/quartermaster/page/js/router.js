// Which address is shown.
import { signal } from "./base/html.js";

export const place = signal(location.pathname);

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Change what is shown, one picture fading into the other where the browser can do that and motion is wanted.
 * @param {() => void} change */
export function fade(change) {
  if (!document.startViewTransition || calm.matches || document.hidden) return change();
  const { ready, finished } = document.startViewTransition(async () => {
    change();
    await new Promise((done) => setTimeout(done)); // until then it is drawn
  });
  // One that comes while another is on ends that one: nothing is lost by it.
  for (const one of [ready, finished]) one.catch(() => {});
}

/** @param {string} path */
export function go(path) {
  const change = () => {
    history.pushState(null, "", path);
    place.value = location.pathname;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  };
  if (new URL(path, location.href).pathname === location.pathname) change();
  else fade(change);
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
