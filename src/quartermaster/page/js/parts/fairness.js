// Checking the deal of a finished game, in this browser.
import { cls, html, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { get } from "../base/api.js";
import { canCheck, check, noteOf } from "../state/deal.js";
import { attempt } from "../state/session.js";
import { begun, game } from "../state/table.js";

/** @typedef {{ proof: import("../api").DealProof, found: Awaited<ReturnType<typeof check>> }} Checked */

const SIGNS = { right: "✓", wrong: "✗", unknown: "–" };

/** A button, then its verdict with what was checked. */
export function DealCheck() {
  const now = begun();
  const checked = useSignal(/** @type {Checked | null} */ (null));
  const isBusy = useSignal(false);
  const note = noteOf(now.id);
  const run = async () => {
    isBusy.value = true;
    await attempt(async () => {
      const proof = await get(`${game()}/deal`);
      checked.value = { proof, found: await check(proof, note) };
    });
    isBusy.value = false;
  };
  if (!now.deal.commitment) return html`<p class="dim deal-check">${t("deal.none")}</p>`;
  if (!canCheck()) return html`<p class="dim deal-check">${t("deal.insecure")}</p>`;
  if (!checked.value)
    return html`<p class="deal-check"><button class="on-paper check-deal" disabled=${isBusy.value} onClick=${run}>${isBusy.value ? t("deal.checking") : t("deal.check")}</button> <span class="dim">${t("deal.check-about")}</span></p>`;
  const { proof, found } = checked.value;
  const isNoted = Boolean(note);
  return html`
    <div class=${cls("deal-check", found.isFair ? "fair" : "unfair")}>
      <p role="status" class="verdict"><b>${found.isFair ? t(isNoted ? "deal.fair" : "deal.fair-itself") : t("deal.unfair")}</b> ${t(found.isFair ? (isNoted ? "deal.fair-about" : "deal.fair-itself-about") : "deal.unfair-about", { n: found.shuffles })}</p>
      <details open=${!found.isFair}><summary>${t("deal.details")}</summary>
        <ul>${found.findings.map((one) => html`<li key=${one.id} class=${one.is}><i aria-label=${t(`deal.is-${one.is}`)}>${SIGNS[one.is]}</i> ${t(`deal.find-${one.id}`)}</li>`)}</ul>
        <dl><dt>${t("deal.commitment")}</dt><dd><code>${proof.commitment}</code></dd>
          ${note && html`<dt>${t("deal.noted")}</dt><dd><code>${note.commitment}</code></dd>`}
          ${note?.added && html`<dt>${t("deal.added-you")}</dt><dd><code>${note.added}</code></dd>`}
          <dt>${t("deal.secret")}</dt><dd><code>${proof.secret}</code></dd></dl>
        <p class="dim">${t("deal.server-says", { text: proof.reason })}</p>
      </details>
    </div>`;
}
