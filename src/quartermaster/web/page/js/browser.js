// All cards, to read and to search.
import { html, cls, useEffect, useSignal, CODES, COUNTRIES } from "./lib.js";
import { countryName, t } from "./words.js";
import { attempt, get } from "./api.js";
import { Card } from "./card.js";

export function Browser() {
  const cards = useSignal(null);
  const rules = useSignal("second");
  const air = useSignal(false);
  const country = useSignal("");
  const type = useSignal("");
  const text = useSignal("");
  useEffect(() => {
    cards.value = null;
    attempt(() => get(`/api/rules/${rules.value}/cards?air-marshal=${air.value}`)).then((found) => (cards.value = found ?? []));
  }, [rules.value, air.value]);
  const types = [...new Set((cards.value ?? []).map((card) => card.type))];
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (cards.value ?? []).filter((card) =>
    (!country.value || card.country === country.value) && (!type.value || card.type === type.value) &&
    words.every((word) => `${card.name} ${card.text}`.toLowerCase().includes(word)));
  return html`
    <div class="browser">
      <h1>${t("cards.title")}</h1>
      <form class="row filters panel" role="search" onSubmit=${(e) => e.preventDefault()}>
        <label>${t("cards.search")}<input type="search" value=${text.value} onInput=${(e) => (text.value = e.target.value)} /></label>
        <label>${t("setup.rules")}<select value=${rules.value} onChange=${(e) => (rules.value = e.target.value)}>
          ${["second", "first", "french"].map((r) => html`<option value=${r}>${t(`rules.${r}`)}</option>`)}</select></label>
        <label>${t("cards.country")}<select value=${country.value} onChange=${(e) => (country.value = e.target.value)}>
          <option value="">${t("cards.all")}</option>${COUNTRIES.map((c) => html`<option value=${c}>${countryName(c)}</option>`)}</select></label>
        <label>${t("cards.type")}<select value=${type.value} onChange=${(e) => (type.value = e.target.value)}>
          <option value="">${t("cards.all")}</option>${types.map((x) => html`<option value=${x}>${t(`type.${x}`)}</option>`)}</select></label>
        <label class="choice"><input type="checkbox" checked=${air.value} onChange=${(e) => (air.value = e.target.checked)} /><span>Air Marshal</span></label>
      </form>
      <p class="dim" role="status">${cards.value === null ? t("loading") : t("cards.found", { n: found.length })}</p>
      ${COUNTRIES.filter((c) => found.some((card) => card.country === c)).map((c) => html`
        <section key=${c}><h2><span class=${cls("code", c)} aria-hidden="true">${CODES[c]}</span> ${countryName(c)}</h2>
          <div class="cards wrap">${found.filter((card) => card.country === c).map((card) => html`
            <${Card} key=${card.id} card=${card} marks=${card.copies > 1 ? `×${card.copies}` : ""} />`)}</div></section>`)}
    </div>`;
}
