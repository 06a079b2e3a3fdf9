// Templates of words with numbers in them, filled as packages/explorax/src/explorax/words/number_format.py fills them.

import { lowered, number, vector } from "./numberFormat.js";

const FIELD = /\{((?:[\p{L}\p{N}_]|[\u0300-\u036f])+)(?:\.(\d+))?(?::(,?(?:\.\d+)?~?[fg]))?\}/gu;
const MOST = 4; // numbers in brackets

/** @typedef {{text: string, name?: string, index?: string, spec?: string, lowers?: boolean}} Piece text, and the field that follows it, which `lowers` as an index */
/** @type {Map<string, Piece[]>} */
const known = new Map();

/** A template in pieces, read once. @param {string} template @returns {Piece[]} */
function pieces(template) {
  const found = known.get(template);
  if (found) return found;
  let end = 0;
  /** @type {Piece[]} */
  const all = Array.from(
    template.matchAll(FIELD),
    ({ 0: whole, 1: name, 2: index, 3: spec, index: start }) => {
      const text = template.slice(end, start);
      const lowers = text.endsWith("_");
      end = start + whole.length;
      return { text: lowers ? text.slice(0, -1) : text, name, index, spec, lowers };
    },
  );
  all.push({ text: template.slice(end) });
  known.set(template, all);
  return all;
}

/**
 * Fills a template: `{name}`, `{name:,.2f}`, `{name.0}` for one of several, `h_{name}` for an index, h₁₂; the
 * specifiers are those of `number`. A value that is text stays as it is; a few numbers stand in brackets.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function fill(template, values) {
  let filled = "";
  for (const piece of pieces(template)) {
    const text = inserted(piece, template, values);
    filled += piece.lowers ? piece.text + lowered(text) : piece.text + text;
  }
  return filled;
}

/** @param {Piece} piece @param {string} template @param {Record<string, any>} values @returns {string} */
function inserted({ name, index, spec }, template, values) {
  if (name === undefined) return "";
  const whole = values[name]; // text stands for each of several, too: a concealed number's "?"
  const value = index === undefined || typeof whole === "string" ? whole : whole?.[index];
  if (value === undefined) throw new Error(`The template "${template}" asks for "${name}".`);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value.length === 1) return number(Number(value), spec);
  if (value.length > MOST)
    throw new Error(`The template "${template}" asks for all of "${name}": ${value.length} numbers.`);
  return vector(value, spec);
}

/** Words in which no line ends before "=" or "%", or after "=". @param {string} text */
export const unbroken = (text) => text.replace(/ ([=≤]) /g, "\u00a0$1\u00a0").replaceAll(" %", "\u00a0%");

/** The names that a template asks for. @param {string} template */
export function asked(template) {
  return pieces(template).flatMap(({ name }) => name ?? []);
}
