// Who sits before the screen, what is told to them in a line, and whether the server is there.
import { signal } from "../base/html.js";
import { t } from "../base/words.js";
import { ApiError, get, patch, post } from "../base/api.js";

/** @type {import("../../vendor/signals.js").Signal<import("../api").Me | null>} */
export const me = signal(/** @type {any} */ (null));
/** One line at the foot of the page.
 * @type {import("../../vendor/signals.js").Signal<{ text: string, kind: string } | null>} */
export const notice = signal(/** @type {any} */ (null));
export const connection = signal("online"); // "online", "lost"

const LETTER = 70; // milliseconds to read it

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @param {string} text
 * @param {string} [kind] */
export function say(text, kind = "info") {
  notice.value = { text, kind };
  clearTimeout(timer);
  timer = setTimeout(() => (notice.value = null), kind === "error" ? 7000 : Math.max(4000, text.length * LETTER));
}

/** Do something, and tell people if it failed; nothing is returned then.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message, "error");
    return undefined;
  }
}

/** A text for others, by the clipboard if that may be.
 * @param {string} text
 * @param {string} [done] what is said then */
export async function copy(text, done = t("lobby.copied")) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(text);
  }
}

/** Whether this browser was ever someone: who never was need not be asked for. */
const known = {
  get: () => document.cookie.includes("known=1"),
  set: () => (document.cookie = "known=1; path=/; max-age=31536000; samesite=lax"),
};

export async function loadMe() {
  if (!known.get()) return;
  try {
    me.value = await get("/api/me");
  } catch {
    me.value = null;
  }
}

/** Somebody must be someone to sit at a table: a guest, if nobody yet.
 * @param {string} [name] */
export async function beSomeone(name) {
  if (me.value === null) me.value = (await post("/api/me", { name: name || t("me.guest") })).me;
  known.set();
  return /** @type {import("../api").Me} */ (me.value);
}

/** Whether somebody has a name of their own, and is not one guest among others. */
export const isNamed = () => me.value !== null && me.value.name !== t("me.guest");

/** Be someone by a name, if one was given.
 * @param {string} name */
export async function beNamed(name) {
  const own = name.trim();
  const { name: before } = await beSomeone(own);
  if (own && before !== own) me.value = await patch("/api/me", { name: own });
}
