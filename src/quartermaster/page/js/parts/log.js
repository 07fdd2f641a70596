// What has happened, turn by turn.
import { cls, html, useEffect, useRef } from "../base/html.js";
import { countryName, many, t } from "../base/words.js";
import { anyCard, log } from "../state/table.js";
import { picked } from "../state/choices.js";
import { turnsOf } from "../state/turns.js";
import { Roundel, opened } from "./card.js";

/** @typedef {import("../state/table.js").LogEntry} LogEntry */

/** A sentence of the log, with its card and its space as links: the server says which words those are.
 * @param {{ entry: LogEntry }} props */
export function Sentence({ entry }) {
  /** @type {any[]} */
  const parts = [];
  let at = 0;
  for (const [start, end, kind] of entry.marks ?? []) {
    const words = entry.text.slice(start, end);
    const card = kind === "card" && entry.card ? anyCard(entry.card, entry.country) : undefined;
    const show = card ? () => (opened.value = card) : kind === "space" ? () => (picked.value = entry.space) : null;
    parts.push(
      entry.text.slice(at, start),
      show ? html`<button class="link" data-field=${kind} onClick=${show}>${words}</button>` : words,
    );
    at = end;
  }
  return [...parts, entry.text.slice(at)];
}

/** Draws, discards and the like of one country in a row are one line.
 * @param {LogEntry[]} entries
 * @returns {{ entry: LogEntry, n: number }[]} */
export function folded(entries) {
  /** @type {{ entry: LogEntry, n: number }[]} */
  const lines = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (
      last &&
      ["draw", "mill", "discard"].includes(entry.what) &&
      last.entry.what === entry.what &&
      last.entry.country === entry.country &&
      (entry.what === "draw" || !entry.card)
    )
      last.n += 1;
    else lines.push({ entry, n: 1 });
  }
  return lines;
}

const SHOWN = 60; // turns: more are in the replay

export function Log() {
  const seen = useRef(false); // whoever opens the log wants to see its end
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const turns = turnsOf(log.value).slice(-SHOWN);
  useEffect(() => {
    const current = /** @type {HTMLElement} */ (box.current);
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < 400;
    if (isNear || !seen.current) current.scrollTop = current.scrollHeight;
    seen.current = true;
  }, [log.value.length]);
  return html`
    <div class="log" ref=${box} role="log" aria-label=${t("log.title")} tabindex="0">
      ${turns.length === 0 && html`<p class="dim">${t("log.empty")}</p>`}
      ${turns.map(
        (turn) => html`
        <section key=${turn.start} class=${turn.country}>
          ${turn.country && html`<h3><${Roundel} country=${turn.country} size=${20} /> ${t("log.turn-of", { country: countryName(turn.country), n: turn.round })}</h3>`}
          <ol>${folded(turn.entries).map(
            ({ entry, n }, i) => html`
            <li key=${i} class=${cls(entry.what, entry.country ?? "")}>${n > 1 ? many(`log.${entry.what}s`, n, { country: countryName(entry.country ?? "") }) : html`<${Sentence} entry=${entry} />`}</li>`,
          )}</ol>
        </section>`,
      )}
    </div>`;
}
