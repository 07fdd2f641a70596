// Learning by playing.
import { html } from "./lib.js";
import { t } from "./words.js";

export function Learn() {
  return html`<div class="narrow"><h1>${t("nav.learn")}</h1></div>`;
}
