// The choice of a language, each by the name that its speakers give it.
import { field, html, signal, useEffect } from "../base/html.js";
import { spoken, t } from "../base/words.js";
import { get } from "../base/api.js";
import { choose } from "../state/language.js";
import { Icon } from "./icons.js";

const languages = signal(/** @type {import("../api").Language[]} */ ([]));

export function LanguagePicker() {
  useEffect(() => {
    if (!languages.value.length)
      get("/api/languages")
        .then((found) => (languages.value = found))
        .catch(() => {});
  }, []);
  if (languages.value.length < 2) return null;
  return html`
    <label class="language" title=${t("language.label")}><${Icon} name="globe" /><span class="hidden">${t("language.label")}</span>
      <select value=${spoken()} onChange=${(/** @type {Event} */ e) => void choose(field(e).value)}>
        ${languages.value.map(({ language, name }) => html`<option key=${language} value=${language} lang=${language}>${name}</option>`)}</select></label>`;
}
