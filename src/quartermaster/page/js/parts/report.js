// Telling whoever runs the place that someone misbehaves.
import { field, html, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { post } from "../base/api.js";
import { attempt, say } from "../state/session.js";
import { game } from "../state/table.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";

/** @typedef {{ what: "person" | "name" | "message", seat?: number, message?: number, name: string }} Of */

/** A small button at a name or a message. @param {{ of: Of }} props */
export function ReportButton({ of }) {
  const isOpen = useSignal(false);
  const label = t(of.what === "message" ? "report.message" : "report.person", { name: of.name });
  return html`<button class="report" aria-label=${label} title=${label} onClick=${() => (isOpen.value = true)}><${Icon} name="flag" /></button>
    ${isOpen.value && html`<${Report} of=${of} label=${label} onClose=${() => (isOpen.value = false)} />`}`;
}

/** @param {{ of: Of, label: string, onClose: () => void }} props */
function Report({ of, label, onClose }) {
  const text = useSignal("");
  const what = useSignal(of.what);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    void attempt(async () => {
      await post(`${game()}/reports`, {
        what: what.value,
        seat: of.seat ?? null,
        message: of.message ?? null,
        text: text.value,
      });
      say(t("report.sent"));
      onClose();
    });
  };
  return html`
    <${Dialog} title=${label} onClose=${onClose} closes=${t("cancel")}>
      <form class="form" onSubmit=${send}>
        ${
          of.what !== "message" &&
          html`<label>${t("report.what")}<select value=${what.value} onChange=${(/** @type {Event} */ e) => (what.value = /** @type {Of["what"]} */ (field(e).value))}>
          ${["person", "name"].map((one) => html`<option key=${one} value=${one}>${t(`report.of-${one}`)}</option>`)}</select></label>`
        }
        <label>${t("report.text")}<textarea rows="4" maxlength="2000" value=${text.value} onInput=${(/** @type {Event} */ e) => (text.value = field(e).value)}></textarea></label>
        <p class="dim">${t("report.about")}</p>
        <button class="main">${t("report.send")}</button>
      </form>
    <//>`;
}
