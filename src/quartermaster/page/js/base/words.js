// Texts by their ids; the sentences themselves are in the Babel catalogues.
import { signal } from "./html.js";

/** All texts by id. Whatever says one of them says it anew when they change.
 * @type {import("../../vendor/signals.js").Signal<Record<string, string>>} */
const all = signal(/** @type {any} */ ({}));

/** The words of the visitor's language, or the one the server has instead. */
export async function loadWords() {
  const reply = await fetch("/api/words");
  const words = await reply.json();
  document.documentElement.lang = reply.headers.get("content-language") ?? "en";
  all.value = words;
}

/** The language that words are in. */
export const spoken = () => (all.value, document.documentElement.lang);

/** @param {string} id */
export const has = (id) => id in all.value;

/** The text of an id, with what stands in {braces} filled in; of a noun in the form that {noun.form} asks for.
 * @param {string} id
 * @param {Record<string, any>} [values]
 * @returns {string} */
export function t(id, values = {}) {
  const text = all.value[id] ?? id;
  return text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (whole, name, form) => {
    const value = values[name];
    return form && value?.noun ? formed(value, form) : (value ?? whole);
  });
}

/** Something with a name that sentences need in different forms: `noun("country.germany")`.
 * @param {string} id */
export const noun = (id) => ({ noun: id, toString: () => t(id) });

/** A noun in a form, if the language has one for it; a capital asks for the form at the start of a sentence.
 * @param {{ noun: string }} noun
 * @param {string} form */
function formed(noun, form) {
  const words = all.value;
  const text = words[`${noun.noun}.${form}`] ?? words[`${noun.noun}.${form.toLowerCase()}`] ?? String(noun);
  return form[0] === form[0].toLowerCase() ? text : text[0].toLocaleUpperCase(spoken()) + text.slice(1);
}

/** What knows how a language counts and lists: made once, for making one takes longer than all it is asked.
 * @type {Record<string, { lists: Intl.ListFormat, plurals: Intl.PluralRules }>} */
const formats = {};
const format = () =>
  (formats[spoken()] ??= {
    lists: new Intl.ListFormat(spoken(), { type: "conjunction" }),
    plurals: new Intl.PluralRules(spoken()),
  });

/** Several things in words: "Germany, Japan and Italy".
 * @param {Iterable<unknown>} things */
export const listed = (things) => format().lists.format([...things].map(String));

/** The text for a number of things: `id.one`, or another form that the language has for the number, else `id`.
 * @param {string} id
 * @param {number} n
 * @param {Record<string, any>} [values] */
export function many(id, n, values = {}) {
  const form = `${id}.${format().plurals.select(n)}`;
  return t(has(form) ? form : id, { n, ...values });
}

/** @param {string} id */
export const countryName = (id) => t(`country.${id}`);
