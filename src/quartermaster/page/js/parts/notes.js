// The short notes of a first game.
import { cls, html } from "../base/html.js";
import { t } from "../base/words.js";
import { note, read } from "../state/notes.js";
import { set } from "../state/settings.js";

export function Notes() {
  const id = note.value;
  if (!id) return null;
  return html`
    <aside class=${cls("note", `about-${id}`)} aria-label=${t("notes.label")}>
      <div><h2>${t(`notes.${id}.title`)}</h2>
      <p>${t(`notes.${id}.text`)}</p></div>
      <p class="row"><button class="main" onClick=${() => read(id)}>${t("notes.ok")}</button>
        <button class="link" onClick=${() => set({ notes: false })}>${t("notes.off")}</button></p>
    </aside>`;
}
