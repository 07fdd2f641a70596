// The language people read: as they have chosen, as a link asks for (?lang=), or as the browser is set.
import { effect } from "../base/html.js";
import { loadWords, spoken } from "../base/words.js";
import { patch } from "../base/api.js";
import { attempt, me } from "./session.js";
import { readAnew } from "./table.js";

const YEAR = 31536000;

/** Keep a language in this browser. @param {string} language */
function keep(language) {
  document.cookie = `language=${encodeURIComponent(language)}; path=/; max-age=${YEAR}; samesite=lax`;
}

/** Read everything in another language, here and wherever this person signs in.
 * @param {string} language */
export async function choose(language) {
  if (me.value !== null) me.value = (await attempt(() => patch("/api/me", { language }))) ?? me.value;
  else await change(language);
}

/** What the page says changes where it stands; what the server says comes anew, and one goes on where one was.
 * @param {string} language */
async function change(language) {
  keep(language);
  await loadWords();
  await readAnew();
}

/** The language that the address asks for, if any: it is kept, and the address is again that of the place. */
export function takeFromLink() {
  const url = new URL(location.href);
  const asked = url.searchParams.get("lang") ?? url.searchParams.get("language");
  if (!asked) return null;
  keep(asked);
  for (const name of ["lang", "language"]) url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
  return asked;
}

/** Once words and person are there: what a link asked for is theirs from now on; else theirs is read here, now
 * and when somebody signs in.
 * @param {string | null} asked */
export async function settle(asked) {
  if (asked && me.value && me.value.language !== spoken()) {
    me.value = (await attempt(() => patch("/api/me", { language: spoken() }))) ?? me.value;
  }
  let last = spoken();
  effect(() => {
    const own = me.value?.language;
    if (!own || own === last) return;
    last = own;
    void change(own);
  });
}
