// Texts by their ids; the sentences themselves are in the Babel catalogues.
/** @type {Record<string, string>} */
let words = {};

/** The words of the visitor's language, or the one the server has instead. */
export async function loadWords() {
  const reply = await fetch("/api/words");
  words = await reply.json();
  document.documentElement.lang = reply.headers.get("content-language") ?? "en";
}

/** The language that words are in. */
export const spoken = () => document.documentElement.lang;

/** @param {string} id */
export const has = (id) => id in words;

/** The text of an id, with what stands in {braces} filled in.
 * @param {string} id
 * @param {Record<string, any>} [values] */
export function t(id, values = {}) {
  const text = words[id] ?? id;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The text for a number of things: `id.one`, or another form that the language has for the number, else `id`.
 * @param {string} id
 * @param {number} n
 * @param {Record<string, any>} [values] */
export function many(id, n, values = {}) {
  const form = `${id}.${new Intl.PluralRules(spoken()).select(n)}`;
  return t(has(form) ? form : id, { n, ...values });
}

/** @param {string} id */
export const countryName = (id) => t(`country.${id}`);
