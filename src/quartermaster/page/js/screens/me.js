// One's name, how to be the same person elsewhere, where one is signed in, and what is kept.
import { cls, field, html, useEffect, useSignal } from "../base/html.js";
import { t } from "../base/words.js";
import { call, get, patch, post } from "../base/api.js";
import { attempt, beSomeone, me, say } from "../state/session.js";
import { Dialog } from "../parts/dialog.js";
import { areSettingsOpen } from "../parts/settings.js";

/** @typedef {import("../api").Device} Device */

/** A field with its label. @param {{ label: string, of: { value: string }, [rest: string]: any }} props */
const Input = ({ label, of, ...rest }) =>
  html`<label>${label}<input value=${of.value} onInput=${(/** @type {Event} */ e) => (of.value = field(e).value)} ...${rest} /></label>`;

/** Do what a form is for, without loading the page anew. @param {() => Promise<any>} work */
const submit = (work) => (/** @type {Event} */ event) => {
  event.preventDefault();
  void attempt(work);
};

export function Me() {
  return html`
    <div class="narrow me">
      <h1>${me.value ? me.value.name : t("me.title")} ${me.value && html`<span class="tag">${t(me.value.has_password ? "me.account" : "me.is-guest")}</span>`}</h1>
      <div class="me-columns">
        <${Profile} key=${me.value?.id ?? ""} />
        <${Password} />
        ${!me.value?.has_password && html`<${SignIn} />`}
        ${me.value && html`<${Devices} key=${`devices ${me.value.id}`} />`}
        <section class="panel"><h2>${t("settings.title")}</h2><p class="dim">${t("me.settings-about")}</p><button onClick=${() => (areSettingsOpen.value = true)}>${t("settings.title")}</button></section>
        ${me.value && html`<${Kept} />`}
      </div>
    </div>`;
}

function Profile() {
  const name = useSignal(me.value?.name ?? "");
  const webhook = useSignal(me.value?.webhook ?? "");
  const email = useSignal(me.value?.pending_email ?? me.value?.email ?? "");
  const proof = useSignal("");
  // Whoever reads mail there can have a new password: so the one until now is asked for.
  const asks = Boolean(me.value?.has_password) && email.value !== (me.value?.pending_email ?? me.value?.email ?? "");
  const save = submit(async () => {
    if (me.value === null) await beSomeone(name.value);
    me.value = await patch("/api/me", {
      name: name.value,
      webhook: webhook.value,
      email: email.value,
      ...(asks ? { password: proof.value } : {}),
    });
    proof.value = "";
    say(t("me.saved"));
  });
  const notify = () => Notification.requestPermission().then((answer) => say(t(`me.notify-${answer}`)));
  const pending = me.value?.pending_email;
  return html`
    <form class="panel form" onSubmit=${save}>
      <h2>${t("me.title")}</h2>
      <${Input} label=${t("me.name")} of=${name} required maxlength="24" autocomplete="nickname" />
      <${Input} label=${t("me.email")} of=${email} type="email" autocomplete="email" />
      ${asks && html`<${Input} label=${t("me.password")} of=${proof} type="password" required autocomplete="current-password" />`}
      ${pending ? html`<p class="mail-state waits">${t("me.email-pending", { email: pending })}</p>` : me.value?.email && html`<p class="mail-state">✓ ${t("me.email-confirmed")}</p>`}
      <${Input} label=${t("me.webhook")} of=${webhook} type="url" placeholder="https://" />
      <p class="dim">${t("me.notify-about")}</p>
      <div class="row"><button class="main">${t("save")}</button>
        ${"Notification" in window && html`<button type="button" onClick=${notify}>${t("me.notify")}</button>`}</div>
    </form>`;
}

/** Claim a name, or change the password with the old one. */
function Password() {
  const [password, old] = [useSignal(""), useSignal("")];
  const has = Boolean(me.value?.has_password);
  const claim = submit(async () => {
    await beSomeone();
    me.value = (await post("/api/me/password", { password: password.value, ...(has ? { old: old.value } : {}) })).me;
    password.value = old.value = "";
    say(t(has ? "me.password-changed" : "me.password-set"));
  });
  return html`
    <form class="panel form" onSubmit=${claim}>
      <h2>${t(has ? "me.password-change" : "me.device")}</h2>
      <p class="dim">${t(has ? "me.password-ends" : "me.device-about")}</p>
      <input class="hidden" style="width: 1px" tabindex="-1" aria-hidden="true" autocomplete="username" value=${me.value?.name ?? ""} readonly />
      ${has && html`<${Input} label=${t("me.password-old")} of=${old} type="password" required autocomplete="current-password" />`}
      <${Input} label=${t(has ? "me.password-new" : "me.password")} of=${password} id="new-password" type="password" minlength="8" required autocomplete="new-password" />
      <button>${t(has ? "me.password-change" : "me.password-claim")}</button>
    </form>`;
}

function SignIn() {
  const [name, password] = [useSignal(""), useSignal("")];
  const signIn = submit(async () => {
    me.value = (await post("/api/sign-in", { name: name.value, password: password.value })).me;
    await beSomeone();
    say(t("me.signed-in", { name: me.value?.name ?? "" }));
  });
  const forgot = () =>
    attempt(async () => {
      await post("/api/password-reset", { name: name.value });
      say(t("me.reset-asked"));
    });
  return html`
    <form class="panel form" onSubmit=${signIn}>
      <h2>${t("me.sign-in")}</h2>
      <${Input} label=${t("me.name")} of=${name} required autocomplete="username" />
      <${Input} label=${t("me.password")} of=${password} required type="password" autocomplete="current-password" />
      <div class="row"><button>${t("me.sign-in")}</button><button type="button" class="link" disabled=${!name.value.trim()} onClick=${forgot}>${t("me.forgot")}</button></div>
    </form>`;
}

/** Where one is signed in, and the way out of each. */
function Devices() {
  const list = useSignal(/** @type {Device[]} */ ([]));
  const load = () => attempt(async () => void (list.value = await get("/api/me/sessions")));
  useEffect(() => void load(), []);
  const end = (/** @type {Device} */ one) => () =>
    attempt(async () => {
      await call("DELETE", `/api/me/sessions/${one.id}`);
      await load();
    });
  // A guest without a password who signs out is gone for good: they are asked first.
  const asks = useSignal(false);
  const signOut = (/** @type {boolean} */ everywhere) => () =>
    me.value?.has_password ? leave(everywhere) : (asks.value = true);
  const leave = (/** @type {boolean} */ everywhere) =>
    attempt(async () => {
      await post("/api/sign-out", { everywhere });
      me.value = null;
    });
  const keep = () => {
    asks.value = false;
    // The dialog gives the focus back to where it came from: this comes after it.
    setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector("#new-password"))?.focus(), 50);
  };
  const day = (/** @type {number} */ at) =>
    new Date(at * 1000).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
  return html`
    <section class="panel">
      <h2>${t(list.value.length === 1 ? "me.devices-one" : "me.devices", { n: list.value.length })}</h2>
      <ul class="devices">${list.value.map(
        (one) => html`
        <li key=${one.id} class=${cls(one.is_this && "this")}><span><b>${one.device || t("me.device-unknown")}</b> <span class="dim">${one.is_this ? t("me.device-this") : t("me.device-seen", { day: day(one.seen_at) })}</span></span>
          ${!one.is_this && html`<button aria-label=${t("me.sign-out-there", { device: one.device })} onClick=${end(one)}>${t("me.sign-out")}</button>`}</li>`,
      )}</ul>
      <p class="row"><button onClick=${signOut(false)}>${t("me.sign-out-here")}</button>
        ${list.value.length > 1 && html`<button onClick=${signOut(true)}>${t("me.sign-out-all")}</button>`}</p>
      ${
        asks.value &&
        html`<${Dialog} title=${t("me.sign-out-here")} closes=${t("cancel")} onClose=${() => (asks.value = false)}>
        <p>${t("me.sign-out-about")}</p>
        <p class="row"><button class="main" onClick=${keep}>${t("me.sign-out-keep")}</button>
          <button class="danger" onClick=${() => leave(false)}>${t("me.sign-out-sure")}</button></p><//>`
      }
    </section>`;
}

/** What is kept of one: to take home, or to be gone. */
function Kept() {
  const isOpen = useSignal(false);
  const proof = useSignal("");
  const has = Boolean(me.value?.has_password);
  const remove = submit(async () => {
    await post("/api/me/delete", has ? { password: proof.value } : { name: proof.value });
    me.value = null;
    isOpen.value = false;
    say(t("me.deleted"));
  });
  return html`
    <section class="panel">
      <h2>${t("me.kept")}</h2>
      <p class="dim">${t("me.kept-about")}</p>
      <p class="row"><a class="button" href="/api/me/export" download>${t("me.export")}</a><button class="danger" onClick=${() => (isOpen.value = true)}>${t("me.delete")}</button></p>
      ${
        isOpen.value &&
        html`<${Dialog} title=${t("me.delete")} closes=${t("cancel")} onClose=${() => (isOpen.value = false)}>
        <p>${t("me.delete-about")}</p>
        <form class="form" onSubmit=${remove}>
          <${Input} label=${has ? t("me.password") : t("me.delete-name", { name: me.value?.name ?? "" })} of=${proof} type=${has ? "password" : "text"} required autocomplete=${has ? "current-password" : "off"} />
          <button class="danger">${t("me.delete-sure")}</button>
        </form><//>`
      }
    </section>`;
}
