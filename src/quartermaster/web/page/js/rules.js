// The rules, to read and to search.
import { html } from "./lib.js";
import { t } from "./words.js";

export function Rules() {
  return html`<div class="narrow"><h1>${t("nav.rules")}</h1></div>`;
}
