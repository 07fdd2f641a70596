// Texts by their ids; the sentences themselves are in the Babel catalogues.
/** @type {Record<string, string>} */
let words = {};

/** The words of the visitor's language, or the one the server has instead. */
export async function loadWords() {
  const reply = await fetch("/api/words");
  words = await reply.json();
  document.documentElement.lang = reply.headers.get("content-language") ?? "en";
}

/** @param {string} id */
export const has = (id) => id in words;

/** The text of an id, with what stands in {braces} filled in.
 * @param {string} id
 * @param {Record<string, any>} [values] */
export function t(id, values = {}) {
  const text = words[id] ?? id;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The text for a number of things: `id.one` where there is one, else `id`.
 * @param {string} id
 * @param {number} n
 * @param {Record<string, any>} [values] */
export const many = (id, n, values = {}) => t(n === 1 && has(`${id}.one`) ? `${id}.one` : id, { n, ...values });

/** @param {string} id */
export const countryName = (id) => t(`country.${id}`);
