// What every part of the page uses.
import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { render };
export { signal, computed, effect, batch, useSignal, useComputed } from "../vendor/signals.js";
export { useEffect, useRef, useState, useMemo } from "../vendor/hooks.js";
export const html = htm.bind(h);

/** Class names, those that apply. */
export const cls = (...names) => names.filter(Boolean).join(" ");

export const COUNTRIES = [
  "germany", "united-kingdom", "japan", "soviet-union", "italy", "united-states",
];
// The letters on pieces: colours alone would not do for every eye.
export const CODES = {
  germany: "DE", "united-kingdom": "UK", japan: "JP",
  "soviet-union": "SU", italy: "IT", "united-states": "US",
};
export const teamOf = (country) => (COUNTRIES.indexOf(country) % 2 ? "allies" : "axis");

/** Minutes and seconds, hours, or days. */
export function duration(seconds) {
  const s = Math.max(0, Math.ceil(seconds));
  if (s >= 172800) return `${Math.floor(s / 86400)} d`;
  if (s >= 3600) return `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, "0")} h`;
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}
