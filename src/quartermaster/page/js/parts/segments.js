// One of a few, side by side.
import { cls, html } from "../base/html.js";

/** @param {{ name: string, label: string, now: string | number, values: (string | number)[], word: (value: any) => string, onPick: (value: any) => void }} props */
export const Segments = ({ name, label, now, values, word, onPick }) => html`
  <fieldset class="setting"><legend>${label}</legend>
    <div class="segments">${values.map(
      (value) => html`
      <label key=${value} class=${cls(now === value && "on")}><input type="radio" class="hidden" name=${name} checked=${now === value}
        onChange=${() => onPick(value)} />${word(value)}</label>`,
    )}</div>
  </fieldset>`;
