// Numbers as the book prints them, by a subset of d3-format's grammar; packages/explorax/src/explorax/words/number_format.py does the same.
//
// `,.2f` has two decimals and grouped thousands, `,.2~f` no closing zeros. `.3~g` has three significant
// digits: from 1e-4 to below 1e6 in full and grouped, beyond as 1.2 × 10⁻⁵, unbroken. From 1e15 on `f` prints as `.3~g`.
// tests/cases/number_format.json tests both languages.

import { format } from "d3-format";
import { memoize } from "./memoize.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉";
const LARGE = 1e15; // from here on no decimals are left, and as many digits say no more

/** A number by a specifier of d3-format. @param {string} spec @param {number} value */
const formatted = (spec, value) => memoize(format, spec, [], () => format(spec))(value);

/** Digits as an index: h₁₂. @param {number | string} n */
export const lowered = (n) => String(n).replace(/\d/g, (digit) => LOWERED[Number(digit)]);

/** A power of ten: 10⁻⁶. @param {number} exponent */
export function powerOfTen(exponent) {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => RAISED[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

/**
 * A number as text.
 * @param {number} value
 * @param {string} [spec] `,?(\.\d+)?~?[fg]`
 * @returns {string}
 */
export function number(value, spec = ",.2~f") {
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  if (spec.endsWith("f")) return Math.abs(value) >= LARGE ? number(value, ".3~g") : formatted(spec, value);
  /** @type {any} */
  const [, precision = 6, trim] = /(?:\.(\d+))?(~?)g$/.exec(spec);
  const digits = Math.max(1, Number(precision));
  const [mantissa, exponent] = formatted(`.${digits - 1}${trim}e`, value).split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6) return `${mantissa}\u00a0×\u00a0${powerOfTen(power)}`;
  return formatted(`,.${digits}${trim}r`, value);
}

/** A number of any size with three significant digits: 0.0125, 31.5, 4,100, 1.2 × 10⁻⁵. @param {number} value */
export const general = (value) => number(value, ".3~g");

/**
 * A number's text, or `<2` where rounding would write the bound that the number stays below.
 * @param {number} value @param {number} bound @param {string} text
 */
export const below = (value, bound, text) =>
  value < bound && Number(text) >= Math.min(bound, Number(number(bound))) ? `<${number(bound)}` : text;

/** As many decimals as a text has. @param {string} text */
const decimalsOf = (text) => text.split(".")[1]?.length ?? 0;

/**
 * The numbers of a vector, each with as many decimals: by `g` as its largest has, then, with `~`, no more than any needs.
 * @param {ArrayLike<number>} values @param {string} [spec]
 */
export function numbers(values, spec = ",.2~f") {
  const all = Array.from(values, Number);
  const texts = all.map((value) => number(value, spec));
  if (texts.some((text) => text.includes("×"))) return texts;
  const trim = spec.includes("~");
  let decimals = Math.max(...texts.map(decimalsOf));
  if (spec.endsWith("g")) {
    const largest = Math.max(0, ...all.map(Math.abs).filter(Number.isFinite));
    const most = decimalsOf(number(largest, spec.replace("~", "")));
    const needed = all.map((value) => decimalsOf(number(value, `,.${most}${trim ? "~" : ""}f`)));
    decimals = Math.max(...needed);
  }
  const group = spec.startsWith(",") || spec.endsWith("g") ? "," : "";
  return all.map((value) => number(value, `${group}.${decimals}f`));
}

/** A vector of any size: (1.13, 0.83). @param {ArrayLike<number>} values @param {string} [spec] */
export const vector = (values, spec) => `(${numbers(values, spec).join(", ")})`;
