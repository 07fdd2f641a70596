// Texts with *stressed* words, and words that are looked for.
import { html } from "../base/html.js";

/** The words that are looked for: small letters, each once.
 * @param {string} text */
export const wordsOf = (text) => [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];

/** Pieces of a text, in turn outside and inside what is looked for.
 * @param {string} text
 * @param {string[]} words */
function cut(text, words) {
  if (!words.length) return [text];
  // Longer words first, so that "supply" is not cut in two by "sup".
  const found = [...words].sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${found.join("|")})`, "gi"));
}

/** @param {string} text
 * @param {string[]} words */
const marked = (text, words) => cut(text, words).map((piece, i) => (i % 2 ? html`<mark>${piece}</mark>` : piece));

/** A text with its *stressed* words, and those looked for marked.
 * @param {{ text: string, words?: string[] }} props */
export function Prose({ text, words = [] }) {
  return text.split("*").map((piece, i) => (i % 2 ? html`<strong>${marked(piece, words)}</strong>` : marked(piece, words)));
}
