// Texts with *stressed* words, and words that are looked for.
import { html } from "../base/html.js";

/** A text as it is searched: small letters without accents, each where it was.
 * @param {string} text */
const bare = (text) =>
  Array.from(text, (letter) => Array.from(letter.normalize("NFD"))[0].toLowerCase().slice(0, letter.length))
    .join("")
    .replaceAll("’", "'");

/** The words that are looked for, each once.
 * @param {string} text */
export const wordsOf = (text) => [...new Set(bare(text).split(/\s+/).filter(Boolean))];

/** Whether all words that are looked for are in a text.
 * @param {string} text
 * @param {string[]} words */
export function hasAll(text, words) {
  const searched = bare(text.replaceAll("*", ""));
  return words.every((word) => searched.includes(word));
}

/** Pieces of a text, in turn outside and inside what is looked for.
 * @param {string} text
 * @param {string[]} words */
function cut(text, words) {
  if (!words.length) return [text];
  // Longer words first, so that "supply" is not cut in two by "sup".
  const found = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  /** @type {string[]} */
  const pieces = [];
  let end = 0;
  for (const { 0: word, index } of bare(text).matchAll(new RegExp(found.join("|"), "g"))) {
    pieces.push(text.slice(end, index), text.slice(index, index + word.length));
    end = index + word.length;
  }
  return [...pieces, text.slice(end)];
}

/** @param {string} text
 * @param {string[]} words */
const marked = (text, words) => cut(text, words).map((piece, i) => (i % 2 ? html`<mark>${piece}</mark>` : piece));

/** A text with its *stressed* words, and those looked for marked.
 * @param {{ text: string, words?: string[] }} props */
export function Prose({ text, words = [] }) {
  return text
    .split("*")
    .map((piece, i) => (i % 2 ? html`<strong>${marked(piece, words)}</strong>` : marked(piece, words)));
}
