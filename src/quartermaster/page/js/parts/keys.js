// Keys of the table, and the list of them.
import { html, signal, useEffect } from "../base/html.js";
import { t } from "../base/words.js";
import { begun, shownSupply } from "../state/table.js";
import { asked, canConfirm, confirmTicks, held, hints, pick, pickCard, picked, playOf } from "../state/choices.js";
import { skip, foreign } from "../state/beats.js";
import { Dialog } from "./dialog.js";
import { isListOpen, listed, take, toggleList } from "./prompt.js";

export const isHelpOpen = signal(false);

const KEYS = ["1-9", "Enter", "p", "u", "s", "l", "h", "Space", "Esc", "?"];

export function KeysHelp() {
  if (!isHelpOpen.value) return null;
  return html`<${Dialog} title=${t("keys.title")} onClose=${() => (isHelpOpen.value = false)}>
    <dl class="keys">${KEYS.map((key) => html`<dt><kbd>${key}</kbd></dt><dd>${t(`keys.${key === "?" ? "help" : key.toLowerCase()}`)}</dd>`)}</dl><//>`;
}

/** @param {{ drawer: { value: string | null } }} props */
export function useKeys({ drawer }) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
      if (event.target.closest("input, select, textarea, dialog")) return;
      if (act(event, drawer)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Something was done with a key, whatever it gave.
 * @param {unknown} _ */
const did = (_) => true;

/** @param {KeyboardEvent} event
 * @param {{ value: string | null }} drawer */
function act(event, drawer) {
  const q = asked.value;
  const onButton = event.target instanceof Element && event.target.closest("button, a, [role=button]");
  if (event.key === "Escape") return close(drawer);
  if (event.key === "?") return (isHelpOpen.value = true);
  if (event.key === " " && foreign.value && !onButton) return did(skip());
  if (event.key === "u") return press(".undo");
  if (event.key === "s") {
    shownSupply.value = shownSupply.value ? null : (begun().view.seat[0] ?? begun().view.turn);
    return true;
  }
  if (event.key === "l") return did(toggleList());
  if (event.key === "h") return press(".hint-button");
  if (!q) return false;
  const n = Number(event.key);
  if (n >= 1 && n <= 9) return number(q, n);
  if (event.key === "p" && q.pass) return did(q.ticks ? confirmTicks(q) : pick(q, q.pass));
  if (event.key === "Enter" && !onButton) return enter(q);
  return false;
}

/** Press a button of the bar, if it is there.
 * @param {string} button */
const press = (button) => did(/** @type {HTMLElement | null} */ (document.querySelector(`.prompt ${button}`))?.click());

/** A number is a card in hand where cards are chosen, else a line of the list.
 * @param {import("../state/choices.js").Question} q
 * @param {number} n */
function number(q, n) {
  const hand = begun().view.countries[q.decision.country].hand ?? [];
  if (q.ticks || q.byCard.size) return hand[n - 1] !== undefined && pickCard(q, hand[n - 1], n - 1);
  const action = listed(q)[n - 1];
  if (!action) return false;
  take(q, action);
  return true;
}

/** @param {import("../state/choices.js").Question} q */
function enter(q) {
  const play = playOf(q);
  if (play) return did(pick(q, play));
  if (q.ticks && canConfirm(q)) return did(confirmTicks(q));
  return false;
}

/** @param {{ value: string | null }} drawer */
function close(drawer) {
  if (foreign.value) return did(skip());
  if (picked.value) return did((picked.value = null));
  if (hints.value) return did((hints.value = null));
  if (held.value) return did((held.value = null));
  if (drawer.value) return did((drawer.value = null));
  if (shownSupply.value) return did((shownSupply.value = null));
  if (isListOpen.value && asked.value) return did(toggleList());
  return false;
}
