// All cards, to read and to search.
import { field, html, useEffect, useSignal } from "../base/html.js";
import { countryName, spoken, t } from "../base/words.js";
import { get } from "../base/api.js";
import { COUNTRIES } from "../base/countries.js";
import { attempt } from "../state/session.js";
import { Card, Roundel } from "../parts/card.js";
import { hasAll, wordsOf } from "../parts/prose.js";

export function Cards() {
  const cards = useSignal(/** @type {import("../api").ServedCard[] | null} */ (null));
  const sets = useSignal(/** @type {import("../api").RuleSetData[]} */ ([]));
  useEffect(() => void attempt(() => get("/api/rules")).then((found) => (sets.value = found ?? [])), []);
  const rules = useSignal("second");
  const air = useSignal(false);
  const country = useSignal("");
  const type = useSignal("");
  const text = useSignal("");
  useEffect(() => {
    cards.value = null;
    attempt(() => get(`/api/rules/${rules.value}/cards?air-marshal=${air.value}`)).then(
      (found) => (cards.value = found ?? []),
    );
  }, [rules.value, air.value, spoken()]);
  const types = [...new Set((cards.value ?? []).map((card) => card.type))];
  const words = wordsOf(text.value);
  const found = (cards.value ?? []).filter(
    (card) =>
      (!country.value || card.country === country.value) &&
      (!type.value || card.type === type.value) &&
      hasAll(`${card.name} ${card.text}`, words),
  );
  return html`
    <div class="browser">
      <h1>${t("cards.title")}</h1>
      <form class="row filters panel" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label>${t("cards.search")}<input type="search" value=${text.value} onInput=${(/** @type {Event} */ e) => (text.value = field(e).value)} /></label>
        <label>${t("setup.rules")}<select value=${rules.value} onChange=${(/** @type {Event} */ e) => (rules.value = field(e).value)}>
          ${sets.value.map(({ name }) => html`<option value=${name}>${t(`rules.${name}`)}</option>`)}</select></label>
        <label>${t("cards.country")}<select value=${country.value} onChange=${(/** @type {Event} */ e) => (country.value = field(e).value)}>
          <option value="">${t("cards.all")}</option>${COUNTRIES.map((c) => html`<option value=${c}>${countryName(c)}</option>`)}</select></label>
        <label>${t("cards.type")}<select value=${type.value} onChange=${(/** @type {Event} */ e) => (type.value = field(e).value)}>
          <option value="">${t("cards.all")}</option>${types.map((x) => html`<option value=${x}>${t(`type.${x}`)}</option>`)}</select></label>
        <label class="choice"><input type="checkbox" checked=${air.value} onChange=${(/** @type {Event} */ e) => (air.value = field(e).checked)} /><span>${t("air-marshal")}</span></label>
      </form>
      <p class="dim" role="status">${cards.value === null ? t("loading") : t("cards.found", { n: found.length })}</p>
      ${COUNTRIES.filter((c) => found.some((card) => card.country === c)).map(
        (c) => html`
        <section key=${c}><h2><${Roundel} country=${c} size=${30} /> ${countryName(c)}</h2>
          <div class="cards wrap">${found
            .filter((card) => card.country === c)
            .map(
              (card) => html`
            <${Card} key=${card.id} card=${card} grows=${true} marks=${card.copies > 1 ? `×${card.copies}` : ""} />`,
            )}</div></section>`,
      )}
    </div>`;
}
