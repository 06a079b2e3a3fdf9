// Numbers as a picture writes them: short, and honest about what is no number.

import { number, powerOfTen } from "../../common/numberFormat.js";

/**
 * A number in three digits: 0.25, 31.5, 4,095, 2.5×10⁻⁶, ∞, NaN.
 * @param {number} value
 */
export function short(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return number(value);
  if (size >= 99_999.5 || size < 0.000_95) {
    const [digits, exponent] = value.toExponential(1).split("e");
    const front = digits.replace(/\.0$/, "").replace("-", "−");
    const tens = powerOfTen(Number(exponent));
    return front === "1" ? tens : front === "−1" ? `−${tens}` : `${front}×${tens}`;
  }
  const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0995 ? 2 : size >= 0.009_95 ? 3 : 4;
  return number(value, `,.${decimals}f`);
}

/** The label of a tick: as short as it can be. @param {number} value */
export function tick(value) {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.01 && size < 10_000)) return number(value, ",.3~f");
  const exponent = Math.round(Math.log10(size) * 1e9) / 1e9;
  if (Number.isInteger(exponent)) return `${value < 0 ? "−" : ""}${powerOfTen(exponent)}`;
  return size < 0.01 && size >= 0.001 ? number(value, ",.3f") : short(value);
}

/** Points, as "x y, x y". @param {string} text @returns {[number, number][]} */
export function points(text) {
  /** @type {any} */
  const found = text.split(",").map((pair) => pair.trim().split(" ").map(Number));
  return found;
}

/** A coordinate to a tenth of a pixel. @param {number} x */
export const r1 = (x) => Math.round(x * 10) / 10;
