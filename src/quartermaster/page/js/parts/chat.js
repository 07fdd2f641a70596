// What is said at a table.
import { cls, computed, field, html, signal, useEffect, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { post } from "../base/api.js";
import { teamOf } from "../base/countries.js";
import { attempt, beSomeone } from "../state/session.js";
import { game, mine, table, talk } from "../state/table.js";
import { Icon } from "./icons.js";
import { ReportButton } from "./report.js";

const KEY = "quartermaster.read";
const MOST = 30; // tables

/** The last message that was read, by table. */
const read = signal(/** @type {Record<string, number>} */ ({}));
try {
  read.value = JSON.parse(localStorage.getItem(KEY) ?? "{}");
} catch {
  // Nothing is kept: all is new.
}

/** What others have said and nobody has looked at. */
export const unread = computed(() => {
  const last = read.value[table.value?.id ?? ""] ?? 0;
  return talk.value.filter((message) => !message.is_yours && message.id > last);
});

function markRead() {
  const id = table.value?.id;
  if (!id || !unread.value.length) return;
  const { [id]: _, ...others } = read.value;
  const last = Math.max(...talk.value.map((message) => message.id));
  read.value = Object.fromEntries([...Object.entries(others), [id, last]].slice(-MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify(read.value));
  } catch {
    // It is known as long as the page is open.
  }
}

export function Chat() {
  useEffect(markRead, [talk.value.length]);
  const text = useSignal("");
  const room = useSignal("all");
  // Teams have rooms of their own once the game goes: before, anyone may still change sides.
  const teams = table.value?.status === "lobby" ? [] : mine.value.map((seat) => teamOf(seat.countries[0]));
  const rooms = mine.value.length ? ["all", ...new Set(teams)] : ["spectators"];
  const chosen = rooms.includes(room.value) ? room.value : rooms[0];
  const say = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    attempt(async () => {
      await beSomeone();
      await post(`${game()}/chat`, { text: text.value, room: chosen });
      text.value = "";
    });
  };
  return html`
    <div class="chat">
      <ol aria-live="polite" aria-label=${t("chat.title")} tabindex="0">
        ${talk.value.length === 0 && html`<li class="chat-empty"><${Icon} name="chat" /><b>${t("chat.empty")}</b><span class="dim">${t(chosen === "spectators" ? "chat.empty-watching" : "chat.empty-about")}</span></li>`}
        ${talk.value.map(
          (message) => html`
          <li key=${message.id} class=${cls(message.room, message.is_yours && "yours")}>
            <span><strong>${message.name}</strong>${message.room !== "all" && html` <span class="tag">${t(`room.${message.room}`)}</span>`}
            ${" "}<span class="said">${message.text}</span></span>${!message.is_yours && mine.value.length > 0 && html`<${ReportButton} of=${{ what: "message", message: message.id, name: message.name }} />`}</li>`,
        )}
      </ol>
      <form class="row" onSubmit=${say}>
        ${
          rooms.length > 1 &&
          html`<select aria-label=${t("chat.to")} value=${chosen} onChange=${(/** @type {Event} */ e) => (room.value = field(e).value)}>
          ${rooms.map((one) => html`<option value=${one}>${t(`room.${one}`)}</option>`)}</select>`
        }
        <input aria-label=${t("chat.say")} placeholder=${t("chat.say")} maxlength="500" value=${text.value}
          onInput=${(/** @type {Event} */ e) => (text.value = field(e).value)} />
        <button>${t("chat.send")}</button>
      </form>
    </div>`;
}
