// The figures of a ledger: short enough for a cell, and never rounded up to a bound that they stay below.

import { below, number } from "explorax/view";

/** Units of large numbers. @type {[number, string][]} */
const UNITS = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/**
 * A number in at most `digits` digits and a sign: 1, .50, 1.25, 31.5, 2.0k; ≈0 for what would be written as nought.
 * @param {number} value @param {number} digits 2 or 3
 */
export function brief(value, digits) {
  if (!Number.isFinite(value)) return number(value);
  if (Number.isInteger(value) && value < 1000) return String(value);
  if (value < 0.005) return "≈0";
  if (value < 0.995) return number(value, ".2f").slice(1);
  const [unit, sign] = UNITS.find(([size]) => value >= 0.9995 * size) ?? [1, ""];
  const texts = [2, 1, 0].map((decimals) => number(value / unit, `.${decimals}f`));
  const room = digits - sign.length;
  return (texts.find((text) => text.replace(".", "").length <= room) ?? texts[2]) + sign;
}

/** A sum, never written as the bound that it stays below: 1.99, <2. @param {number} value @param {number} bound */
export function exact(value, bound) {
  if (value >= 99_999.5 || !Number.isFinite(value)) return brief(value, 3);
  if (value >= 99.95) return number(value, ",.0f");
  const text = number(value, ".2f");
  return Number.isInteger(value) ? text : below(value, bound, text);
}
