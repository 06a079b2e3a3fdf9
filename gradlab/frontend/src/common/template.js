// Templates of words with numbers in them, filled as gradlab/figure/number_format.py fills them.

import { number } from "./numberFormat.js";

const FIELD = /\{((?:[\p{L}\p{N}_]|[\u0300-\u036f])+)(?:\.(\d+))?(?::(,?(?:\.\d+)?~?[fg]))?\}/gu;
const MOST = 4; // numbers in brackets

/**
 * Fills a template: `{name}`, `{name:,.2f}`, `{name.0}` for one of several; the specifiers are those of `number`.
 * A value that is text stays as it is; a few numbers stand in brackets.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function fill(template, values) {
  return template.replace(FIELD, (_, name, index, spec) => {
    const whole = values[name]; // text stands for each of several, too: a concealed number's "?"
    const value = index === undefined || typeof whole === "string" ? whole : whole?.[index];
    if (value === undefined) throw new Error(`The template "${template}" asks for "${name}".`);
    if (typeof value === "string") return value;
    if (typeof value !== "object" || value.length === 1) return number(Number(value), spec);
    if (value.length > MOST)
      throw new Error(`The template "${template}" asks for all of "${name}": ${value.length} numbers.`);
    return `(${Array.from(value, (each) => number(Number(each), spec)).join(", ")})`;
  });
}

/** The names that a template asks for. @param {string} template */
export function asked(template) {
  return [...template.matchAll(FIELD)].map(([, name]) => name);
}
