// What is shown of a section: the words around the most of what was searched for, in pieces, marked or not.

import { terms, WORD } from "./words.js";

const AROUND = 160;

/**
 * Return the places of words that a query asks for. A piece of a longer name counts too.
 * @param {string} text @param {string} query
 * @returns {[from: number, to: number][]}
 */
export function places(text, query) {
  const wanted = new Set((query.match(WORD) ?? []).flatMap(terms));
  const begun = [...wanted].at(-1) ?? "";
  const is = (/** @type {string} */ term) => wanted.has(term) || (begun.length > 2 && term.startsWith(begun));
  const found = [...text.matchAll(WORD)].filter(([word]) => terms(word).some(is));
  return found.map(({ 0: word, index }) => [index, index + word.length]);
}

/**
 * Return an excerpt as pieces of text, every other one a word that was searched for.
 * @param {string} text @param {string} query
 */
export function excerpt(text, query) {
  const all = places(text, query);
  const begin = (/** @type {number} */ at) => (at < 60 ? 0 : text.lastIndexOf(" ", at - 30) + 1);
  const within = (/** @type {number} */ from) =>
    all.filter(([at]) => at >= begin(from) && at < begin(from) + AROUND);
  const asked = new Set((query.match(WORD) ?? []).flatMap(terms));
  const kinds = (/** @type {number} */ from) =>
    new Set(within(from).flatMap(([a, b]) => terms(text.slice(a, b)).filter((term) => asked.has(term)))).size;
  let best = all[0]?.[0] ?? 0;
  for (const [at] of all) if (kinds(at) > kinds(best)) best = at;
  const start = begin(best);
  const found = text.indexOf(" ", start + AROUND);
  const end = found < 0 ? text.length : found;
  const shown = [start ? "… " : ""];
  let done = start;
  for (const [from, to] of all.filter(([from, to]) => from >= start && to <= end)) {
    shown[shown.length - 1] += text.slice(done, from);
    shown.push(text.slice(from, to), "");
    done = to;
  }
  shown[shown.length - 1] += text.slice(done, end) + (end < text.length ? " …" : "");
  return shown;
}
