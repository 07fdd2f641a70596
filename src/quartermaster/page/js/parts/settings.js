// All settings in one place, kept in this browser.
import { cls, field, html, signal } from "../base/html.js";
import { t } from "../base/words.js";
import { SPEEDS, set, settings } from "../state/settings.js";
import { sound } from "../state/sound.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { LanguagePicker } from "./language-picker.js";
import { Segments } from "./segments.js";

/** @typedef {import("../state/settings.js").Settings} Settings */

export const areSettingsOpen = signal(false);
const TEXTS = { 0.9: "small", 1: "normal", 1.15: "large", 1.3: "larger" };

/** @param {{ kind?: string }} props */
export const SettingsButton = ({ kind = "" }) =>
  html`<button class=${cls("gear", kind)} aria-label=${t("settings.title")} title=${t("settings.title")} onClick=${() => (areSettingsOpen.value = true)}><${Icon} name="gear" /></button>`;

/** One of a few. @param {{ name: keyof Settings, values: (string | number)[], word: (value: any) => string }} props */
const OneOf = ({ name, values, word }) =>
  html`<${Segments} name=${`setting-${name}`} label=${t(`settings.${name}`)} now=${settings.value[name]} values=${values} word=${word} onPick=${(/** @type {any} */ value) => set({ [name]: value })} />`;

/** @param {{ name: keyof Settings }} props */
const Switch = ({ name }) => html`
  <label class="switch"><input type="checkbox" role="switch" checked=${Boolean(settings.value[name])} onChange=${(/** @type {Event} */ e) => set({ [name]: field(e).checked })} />
    <span><b>${t(`settings.${name}`)}</b> <span class="dim">${t(`settings.${name}-about`)}</span></span></label>`;

export function SettingsDialog() {
  if (!areSettingsOpen.value) return null;
  return html`
    <${Dialog} title=${t("settings.title")} kind="settings" onClose=${() => (areSettingsOpen.value = false)}>
      <${LanguagePicker} />
      <${OneOf} name="theme" values=${["auto", "light", "dark"]} word=${(/** @type {string} */ one) => t(`settings.theme-${one}`)} />
      <${OneOf} name="speed" values=${Object.keys(SPEEDS)} word=${(/** @type {string} */ one) => t(`speed.${one}`)} />
      <${OneOf} name="text" values=${Object.keys(TEXTS)
        .map(Number)
        .sort((a, b) => a - b)} word=${(/** @type {keyof typeof TEXTS} */ one) => t(`settings.text-${TEXTS[one]}`)} />
      <${Switch} name="sound" />
      ${
        settings.value.sound &&
        html`<label class="volume">${t("settings.volume")}<input type="range" min="0" max="1" step="0.05" value=${settings.value.volume}
        onChange=${(/** @type {Event} */ e) => {
          set({ volume: Number(field(e).value) });
          sound("points", 2);
        }} /></label>`
      }
      <${Switch} name="notes" />
      <${OneOf} name="ends" values=${["moment", "once", "asked"]} word=${(/** @type {string} */ one) => t(`settings.ends-${one}`)} />
      <${Switch} name="asksAlways" />
    <//>`;
}
