// Texts by their ids; the sentences themselves are in the Babel catalogues.
let words = {};

export async function loadWords(language = "en") {
  const reply = await fetch(`/api/words/${language}`);
  words = await reply.json();
}

/** The text of an id, with what stands in {braces} filled in. */
export function t(id, values = {}) {
  const text = words[id] ?? id;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const countryName = (id) => t(`country.${id}`);
