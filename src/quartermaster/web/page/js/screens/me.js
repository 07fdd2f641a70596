// One's name, and how to be the same person elsewhere.
import { field, html, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { patch, post } from "../base/api.js";
import { attempt, beSomeone, me, say } from "../state/session.js";

export function Me() {
  const name = useSignal(me.value?.name ?? "");
  const password = useSignal("");
  const other = useSignal({ name: "", password: "" });
  const webhook = useSignal(me.value?.webhook ?? "");
  const email = useSignal(me.value?.email ?? "");
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(async () => {
      if (me.value === null) await beSomeone(name.value);
      me.value = await patch("/api/me", { name: name.value, webhook: webhook.value, email: email.value });
      say(t("me.saved"));
    });
  };
  const claim = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(async () => {
      await beSomeone(name.value);
      me.value = (await post("/api/me/password", { password: password.value })).me;
      password.value = "";
      say(t("me.password-set"));
    });
  };
  const signIn = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(async () => {
      me.value = (await post("/api/sign-in", other.value)).me;
      await beSomeone();
      name.value = me.value?.name ?? "";
      say(t("me.signed-in", { name: name.value }));
    });
  };
  const signOut = (/** @type {boolean} */ everywhere) => attempt(async () => {
    await post("/api/sign-out", { everywhere });
    me.value = null;
    name.value = "";
  });
  const input = (/** @type {string} */ label, /** @type {{ value: string }} */ of, props = {}) => html`
    <label>${label}<input value=${of.value} onInput=${(/** @type {Event} */ e) => (of.value = field(e).value)} ...${props} /></label>`;
  const notify = () => Notification.requestPermission().then((answer) => say(t(`me.notify-${answer}`)));
  return html`
    <div class="narrow">
      <h1>${t("me.title")}</h1>
      <form class="panel form" onSubmit=${save}>
        ${input(t("me.name"), name, { required: true, maxlength: 24, autocomplete: "nickname" })}
        ${input(t("me.webhook"), webhook, { type: "url", placeholder: "https://" })}
        ${input(t("me.email"), email, { type: "email", autocomplete: "email" })}
        <p class="dim">${t("me.notify-about")}</p>
        <div class="row">
          <button class="main">${t("save")}</button>
          ${"Notification" in window && html`
            <button type="button" onClick=${notify}>${t("me.notify")}</button>`}
        </div>
      </form>
      <form class="panel form" onSubmit=${claim}>
        <h2>${t("me.device")}</h2>
        <p class="dim">${t("me.device-about")}</p>
        ${input(t("me.password"), password, { type: "password", minlength: 8, required: true, autocomplete: "new-password" })}
        <button>${me.value?.has_password ? t("me.password-change") : t("me.password-claim")}</button>
      </form>
      <form class="panel form" onSubmit=${signIn}>
        <h2>${t("me.sign-in")}</h2>
        <label>${t("me.name")}<input required autocomplete="username" value=${other.value.name}
          onInput=${(/** @type {Event} */ e) => (other.value = { ...other.value, name: field(e).value })} /></label>
        <label>${t("me.password")}<input required type="password" autocomplete="current-password"
          value=${other.value.password}
          onInput=${(/** @type {Event} */ e) => (other.value = { ...other.value, password: field(e).value })} /></label>
        <button>${t("me.sign-in")}</button>
      </form>
      ${me.value && html`<p class="row">
        <button onClick=${() => signOut(false)}>${t("me.sign-out")}</button>
        <button onClick=${() => signOut(true)}>${t("me.sign-out-all")}</button></p>`}
    </div>`;
}
