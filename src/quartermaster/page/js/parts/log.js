// What has happened, turn by turn.
import { cls, html, useEffect, useRef } from "../base/html.js";
import { countryName, t } from "../base/words.js";
import { anyCard, log } from "../state/table.js";
import { picked } from "../state/choices.js";
import { folded, lineOf, turnsOf } from "../state/turns.js";
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
            (line, i) => html`
            <li key=${i} class=${cls(`said-${line.entry.what}`, line.entry.country)}>${line.n > 1 ? lineOf(line) : html`<${Sentence} entry=${line.entry} />`}</li>`,
          )}</ol>
        </section>`,
      )}
    </div>`;
}
