// Texts by their ids; the sentences themselves are in the Babel catalogues.
let words = {};

/** The words of the visitor's language, or the one the server has instead. */
export async function loadWords() {
  const reply = await fetch("/api/words");
  words = await reply.json();
  document.documentElement.lang = reply.headers.get("content-language") ?? "en";
}

export const has = (id) => id in words;

/** The text of an id, with what stands in {braces} filled in. */
export function t(id, values = {}) {
  const text = words[id] ?? id;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const countryName = (id) => t(`country.${id}`);
