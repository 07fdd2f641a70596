// Where an address leads nowhere: what that means, and the ways on.
import { html } from "../base/html.js";
import { t } from "../base/words.js";
import { Backdrop } from "./backdrop.js";

/** @param {{ title: string, text: string }} props */
export const Lost = ({ title, text }) => html`
  <div class="home lost-page">
    <${Backdrop} />
    <section class="panel narrow">
      <h1>${title}</h1><p class="lead">${text}</p>
      <p class="row"><a class="button main" href="/">${t("nav.home")}</a><a class="button" href="/games">${t("home.tables")}</a><a class="button" href="/learn">${t("nav.learn")}</a></p>
    </section>
  </div>`;
