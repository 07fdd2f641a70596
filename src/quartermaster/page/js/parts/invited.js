// Who comes with an invitation to a seat of a game that goes on.
import { html, useSignal } from "../base/html.js";
import { countryName, listed, t } from "../base/words.js";
import { attempt, beSomeone } from "../state/session.js";
import { begun, send } from "../state/table.js";
import { Dialog } from "./dialog.js";

export function Invited() {
  const now = begun();
  const isClosed = useSignal(false);
  const asked = new URLSearchParams(location.search);
  const [n, code] = [Number(asked.get("seat")), asked.get("code")];
  const seat = now.seats[n];
  if (!code || !seat || seat.is_yours || now.status !== "playing" || isClosed.value) return null;
  const agrees = now.brought?.deal === "as-recorded";
  const sit = () =>
    attempt(async () => {
      await beSomeone();
      await send(`/seats/${n}/take`, { code, agrees });
      history.replaceState(null, "", location.pathname);
      isClosed.value = true;
    });
  return html`
    <${Dialog} title=${t("invited.title", { who: listed(seat.countries.map(countryName)) })} closes=${t("cancel")} onClose=${() => (isClosed.value = true)}>
      <p>${t("invited.text")} ${agrees && t("brought.as-recorded")}</p>
      <p class="row"><button class="main" onClick=${sit}>${agrees ? t("invited.agree") : t("lobby.sit")}</button></p>
    <//>`;
}
