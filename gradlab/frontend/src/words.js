// Templates of words with numbers in them, filled as gradlab/explorables/words.py fills them.

/**
 * A number as the book prints it: -1234.5 with 2 digits is "−1,234.50".
 * @param {number} value
 * @param {number} [digits] decimals; without it at most two, closing zeros cut
 * @returns {string}
 */
export function number(value, digits) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const [whole, decimals = ""] = Math.abs(value)
    .toFixed(digits ?? 2)
    .split(".");
  const kept = digits === undefined ? decimals.replace(/0+$/, "") : decimals;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = kept ? `${grouped}.${kept}` : grouped;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/**
 * A number with two decimals where there is room for them: 1.97, 31.5, 4,095.
 * @param {number} value
 */
export function compact(value) {
  const size = Math.abs(value);
  return number(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/**
 * Fills a template; a value that is text stays as it is.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function fill(template, values) {
  return template.replace(/\{(\w+)(?::(\d))?\}/g, (_, name, digits) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template "${template}" asks for "${name}".`);
    if (typeof value === "string") return value;
    const scalar = typeof value === "object" ? value[0] : value;
    return number(Number(scalar), digits === undefined ? undefined : Number(digits));
  });
}
