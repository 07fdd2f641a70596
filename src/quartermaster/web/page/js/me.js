// One's name, and how to be the same person elsewhere.
import { html, useSignal } from "./lib.js";
import { t } from "./words.js";
import { attempt, beSomeone, me, patch, post, say } from "./api.js";

export function Me() {
  const name = useSignal(me.value?.name ?? "");
  const password = useSignal("");
  const other = useSignal({ name: "", password: "" });
  const webhook = useSignal(me.value?.webhook ?? "");
  const email = useSignal(me.value?.email ?? "");
  const save = async (event) => {
    event.preventDefault();
    await attempt(async () => {
      if (me.value === null) await beSomeone(name.value);
      me.value = await patch("/api/me", { name: name.value, webhook: webhook.value, email: email.value });
      say(t("me.saved"));
    });
  };
  const claim = async (event) => {
    event.preventDefault();
    await attempt(async () => {
      await beSomeone(name.value);
      me.value = (await post("/api/me/password", { password: password.value })).me;
      password.value = "";
      say(t("me.password-set"));
    });
  };
  const signIn = async (event) => {
    event.preventDefault();
    await attempt(async () => {
      me.value = (await post("/api/sign-in", other.value)).me;
      await beSomeone();
      name.value = me.value.name;
      say(t("me.signed-in", { name: me.value.name }));
    });
  };
  const signOut = (everywhere) => attempt(async () => {
    await post("/api/sign-out", { everywhere });
    me.value = null;
    name.value = "";
  });
  const field = (label, of, props = {}) => html`
    <label>${label}<input value=${of.value} onInput=${(e) => (of.value = e.target.value)} ...${props} /></label>`;
  const notify = () => Notification.requestPermission().then((answer) => say(t(`me.notify-${answer}`)));
  return html`
    <div class="narrow">
      <h1>${t("me.title")}</h1>
      <form class="panel form" onSubmit=${save}>
        ${field(t("me.name"), name, { required: true, maxlength: 24, autocomplete: "nickname" })}
        ${field(t("me.webhook"), webhook, { type: "url", placeholder: "https://" })}
        ${field(t("me.email"), email, { type: "email", autocomplete: "email" })}
        <p class="dim">${t("me.notify-about")}</p>
        <div class="row">
          <button class="primary">${t("save")}</button>
          ${"Notification" in window && html`
            <button type="button" onClick=${notify}>${t("me.notify")}</button>`}
        </div>
      </form>
      <form class="panel form" onSubmit=${claim}>
        <h2>${t("me.device")}</h2>
        <p class="dim">${t("me.device-about")}</p>
        ${field(t("me.password"), password, { type: "password", minlength: 8, required: true, autocomplete: "new-password" })}
        <button>${me.value?.has_password ? t("me.password-change") : t("me.password-claim")}</button>
      </form>
      <form class="panel form" onSubmit=${signIn}>
        <h2>${t("me.sign-in")}</h2>
        <label>${t("me.name")}<input required autocomplete="username" value=${other.value.name}
          onInput=${(e) => (other.value = { ...other.value, name: e.target.value })} /></label>
        <label>${t("me.password")}<input required type="password" autocomplete="current-password"
          value=${other.value.password}
          onInput=${(e) => (other.value = { ...other.value, password: e.target.value })} /></label>
        <button>${t("me.sign-in")}</button>
      </form>
      ${me.value && html`<p class="row">
        <button onClick=${() => signOut(false)}>${t("me.sign-out")}</button>
        <button onClick=${() => signOut(true)}>${t("me.sign-out-all")}</button></p>`}
    </div>`;
}
