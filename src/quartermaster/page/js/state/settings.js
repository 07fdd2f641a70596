// What this browser's person likes: kept here alone.
import { effect, signal } from "../base/html.js";

const KEY = "quartermaster.settings";

/** @typedef {{ theme: "auto" | "light" | "dark", speed: "slow" | "normal" | "fast" | "off", sound: boolean,
 *   volume: number, text: number, notes: boolean, asksAlways: boolean, ends: "moment" | "once" | "asked", level: string, seen: string[], noted: string[], ended: number }} Settings
 * seen: the notes that were read; noted: the turns in which; ended: how many own turns, as far as that matters */

/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  speed: "normal",
  sound: true,
  volume: 0.6,
  text: 1,
  notes: true,
  asksAlways: false,
  ends: "moment",
  level: "",
  seen: [],
  noted: [],
  ended: 0,
};

export const SPEEDS = { slow: 1.6, normal: 1, fast: 0.4, off: 0 };

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // nothing can be kept, or what was kept is broken
  }
}

export const settings = signal(read());

/** @param {Partial<Settings>} change */
export function set(change) {
  settings.value = { ...settings.value, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // Without storage it lasts as long as the page.
  }
}

const night = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const isNight = signal(night.matches);
const isCalm = signal(calm.matches);
night.addEventListener("change", () => (isNight.value = night.matches));
calm.addEventListener("change", () => (isCalm.value = calm.matches));

/** By how much the times of what moves are multiplied; 0: nothing moves. */
export const pace = () => (isCalm.value ? 0 : SPEEDS[settings.value.speed]);
export const theme = () =>
  settings.value.theme === "auto" ? (isNight.value ? "dark" : "light") : settings.value.theme;

effect(() => {
  document.documentElement.dataset.theme = theme();
});
effect(() => {
  document.documentElement.style.fontSize = settings.value.text === 1 ? "" : `${settings.value.text * 100}%`;
  document.documentElement.style.setProperty("--letters", String(settings.value.text));
});
