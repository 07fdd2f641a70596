// What lies over everything until it is closed.
import { html, useEffect, useRef } from "../base/html.js";
import { t } from "../base/words.js";

/** @param {{ title?: string, label?: string, closes?: string, kind?: string, isSafer?: boolean, onClose: () => void, acts?: any, children?: any }} props acts: stand beside the way out, which is the better choice where it `isSafer` */
export function Dialog({ title, label, closes, kind, isSafer, onClose, acts, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = /** @type {HTMLDialogElement} */ (box.current);
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0; // its first button may stand at its end
    dialog.firstElementChild?.scrollTo(0, 0);
    return () => {
      if (dialog.open) dialog.close();
      // Where one was before, if that is still there: focus never falls back to the page.
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else document.getElementById("main")?.focus();
    };
  }, []);
  return html`
    <dialog ref=${box} class=${kind} aria-label=${label || title} onClose=${onClose}
      onClick=${(/** @type {MouseEvent} */ e) => e.target === box.current && onClose()}>
      <div class="dialog-body">
        ${title && html`<h2>${title}</h2>`}
        ${children}
        <p class="row end"><button class=${isSafer ? "main primary" : undefined} onClick=${onClose}>${closes || t("close")}</button>${acts}</p>
      </div>
    </dialog>`;
}
