// The index of the book's sections, and the order in which pages answer what is searched for.

import MiniSearch from "minisearch";
import { pieces, terms, words } from "./words.js";

/**
 * @typedef {[url: string, number: string, title: string, weight: number]} PageRow
 * @typedef {[page: number, anchor: string, title: string, text: string, about: string, names: string]} SectionRow
 * @typedef {{pages: PageRow[], sections: SectionRow[], synonyms: string[][], index?: any}} Book as it's written when
 *   the book is built; what only the index needs is then left out of the rows
 * @typedef {{url: string, number: string, chapter: string, title: string, text: string, score: number}} Hit
 */

/** How much more a word counts in a page's title and question, a section's title, what that's about, names in code. */
const boost = { chapter: 3, title: 4, about: 2, names: 0.25, text: 1 };
const SYNONYM = 0.6;
const PIECE_OF_NAME = 0.4;
const WHOLE_NAME = 3;
/** How much a page of the reference counts that a query begins with, as in `scaleclip.ops.clip_by_norm`. */
const ASKED_BY_NAME = 2;
/** How much a page's next best section adds to its best. */
const NEXT = 0.2;
/** Sections that ask or list what others explain. */
const LISTS = /^(?:sources|check yourself|your turn|in three lines)/i;
/** Characters of a section that explains something; a shorter one counts less. */
const FULL = 800;

/** @type {import("minisearch").Options} */
const options = {
  fields: Object.keys(boost),
  tokenize: (text) => words(text).flatMap(terms),
  processTerm: (term) => term,
};
const joined = (/** @type {string} */ text) => words(text).flatMap(pieces).join("");

/**
 * Return the index of a book, to be written beside it. Two words that are a name elsewhere, or a phrase that has
 * synonyms, are found as one, too: "global norm" by `global_norm`.
 * @param {Book} book
 */
export function indexed({ pages, sections, synonyms }) {
  const text = sections.map((row) => row.slice(2).join(" ")).join(" ");
  const written = new Set([...words(text).flatMap(terms), ...synonyms.flat().map(joined)]);
  const tokenize = (/** @type {string} */ text) => {
    const each = words(text).map(joined);
    const pairs = each.slice(1).map((word, nth) => word && each[nth] && each[nth] + word);
    return [...words(text).flatMap(terms), ...pairs.filter((pair) => written.has(pair))];
  };
  const index = new MiniSearch({ ...options, tokenize });
  index.addAll(
    sections.map(([page, , title, text, about, names], id) => {
      const first = sections.find(([of]) => of === page);
      return { id, title, about, names, text, chapter: `${pages[page][1]} ${pages[page][2]} ${first?.[4]}` };
    }),
  );
  return index.toJSON();
}

/**
 * Return what searches a book: a function from a query to the sections that answer it, the best page's first, at
 * most two of a page.
 * @param {Book} book
 * @returns {(query: string) => Hit[]}
 */
export function searcher({ pages, sections, synonyms, index: written }) {
  const index = MiniSearch.loadJS(written, options);
  const vocabulary = new Set(written.index.map((/** @type {[string, any]} */ [term]) => term));
  const groups = synonyms.map((group) => ({ group, known: group.map(joined) }));

  /** Return what each word of a query is found by, with weights. @param {string} query */
  function asked(query) {
    const parts = words(query).filter((word) => pieces(word).length);
    const units = parts.map((word) => {
      const own = pieces(word);
      const weights = new Map(terms(word).map((term) => [term, WHOLE_NAME]));
      for (const piece of own) weights.set(piece, own.length > 1 ? PIECE_OF_NAME : 1);
      return weights;
    });
    for (let from = 0; from < parts.length; from++) {
      for (let to = from + 1; to <= Math.min(from + 3, parts.length); to++) {
        const add = (/** @type {string} */ term, /** @type {number} */ weight) => {
          for (const unit of units.slice(from, to)) unit.set(term, Math.max(weight, unit.get(term) ?? 0));
        };
        const phrase = joined(parts.slice(from, to).join(" "));
        if (to - from > 1 && vocabulary.has(phrase)) add(phrase, to - from);
        for (const other of groups.flatMap(({ group, known }) => (known.includes(phrase) ? group : []))) {
          const own = words(other).flatMap(pieces);
          for (const piece of own) add(piece, SYNONYM / own.length);
          if (own.length > 1) add(own.join(""), SYNONYM);
        }
      }
    }
    return units;
  }

  return (query) => {
    const units = asked(query);
    /** @type {Map<string, number>} */
    const weights = new Map();
    for (const [term, weight] of units.flatMap((unit) => [...unit]))
      weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    const [last] = units.at(-1)?.keys() ?? [];
    const unknown = (/** @type {string} */ term) => !vocabulary.has(term);
    const found = index.search(query, {
      tokenize: () => [...weights.keys()],
      boost,
      boostTerm: (term) => weights.get(term) ?? 1,
      prefix: (term) => (term === last || unknown(term)) && term.length > 2,
      fuzzy: (term) => unknown(term) && term.length > 4 && 0.2,
    });
    /** @type {Map<number, Hit[]>} */
    const byPage = new Map();
    for (const { id, score, queryTerms } of found) {
      const [page, anchor, title, text] = sections[id];
      const [url, number, chapter, weight] = pages[page];
      const matched = units.filter((unit) => queryTerms.some((term) => unit.has(term))).length / units.length;
      const full = 0.5 + 0.5 * Math.min(1, text.length / FULL);
      const worth = query.startsWith(`${chapter}.`) ? ASKED_BY_NAME : weight;
      const counts = score * matched * full * worth * (LISTS.test(title) ? 0.5 : 1);
      const hit = { url: anchor ? `${url}#${anchor}` : url, number, chapter, title, text, score: counts };
      byPage.set(page, [...(byPage.get(page) ?? []), hit]);
    }
    const ranked = [...byPage.values()].map((hits) => hits.sort((a, b) => b.score - a.score));
    const together = (/** @type {Hit[]} */ hits) =>
      hits.slice(0, 4).reduce((sum, { score }, nth) => sum + score * NEXT ** nth, 0);
    ranked.sort((a, b) => together(b) - together(a));
    return ranked.flatMap((hits) => hits.slice(0, 2).filter(({ score }) => score > hits[0].score / 2));
  };
}
