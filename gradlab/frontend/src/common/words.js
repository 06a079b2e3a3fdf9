// Templates of words with numbers in them, filled as gradlab/figure/number_format.py fills them.

const FIELD = /\{((?:[\p{L}\p{N}_]|[\u0300-\u036f])+)(?:\.(\d+))?(?::(\d|c|g))?\}/gu;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MOST = 4; // numbers in brackets
const LARGE = 1e15; // from here on no decimals are left, and as many digits say no more

/**
 * A number as the book prints it: -1234.5 with 2 digits is "−1,234.50"; from 1e15 on as `general` does.
 * @param {number} value
 * @param {number} [digits] decimals; without it at most two, closing zeros cut
 * @returns {string}
 */
export function number(value, digits) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (Math.abs(value) >= LARGE) return general(value);
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
 * A number of any size with three significant digits: 0.0125, 31.5, 4,100, 1.2 × 10⁻⁵.
 * @param {number} value
 */
export function general(value) {
  if (!Number.isFinite(value) || value === 0) return number(value);
  const [mantissa, exponent] = Math.abs(value).toExponential(2).split("e");
  const power = Number(exponent);
  const sign = value < 0 ? "−" : "";
  if (power >= -4 && power < 6) {
    const digits = Math.max(0, 2 - power);
    const [whole, decimals = ""] = Number(`${mantissa}e${power}`).toFixed(digits).split(".");
    const kept = decimals.replace(/0+$/, "");
    return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${kept ? `.${kept}` : ""}`;
  }
  const raised = [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join("");
  return `${sign}${mantissa.replace(/\.?0+$/, "")} × 10${power < 0 ? "⁻" : ""}${raised}`;
}

/** @param {number} value @param {string} [how] digits, "c" for compact, "g" for general */
function written(value, how) {
  if (how === "c") return compact(value);
  if (how === "g") return general(value);
  return number(value, how === undefined ? undefined : Number(how));
}

/**
 * Fills a template: `{name}`, `{name:2}`, `{name:c}`, `{name:g}`, `{name.0}` for one of several.
 * A value that is text stays as it is; a few numbers stand in brackets.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function fill(template, values) {
  return template.replace(FIELD, (_, name, index, how) => {
    const whole = values[name]; // text stands for each of several, too: a concealed number's "?"
    const value = index === undefined || typeof whole === "string" ? whole : whole?.[index];
    if (value === undefined) throw new Error(`The template "${template}" asks for "${name}".`);
    if (typeof value === "string") return value;
    if (typeof value !== "object") return written(Number(value), how);
    if (value.length === 1) return written(Number(value[0]), how);
    if (value.length > MOST)
      throw new Error(`The template "${template}" asks for all of "${name}": ${value.length} numbers.`);
    return `(${Array.from(value, (one) => written(Number(one), how)).join(", ")})`;
  });
}

/** What a template asks for, by name. @param {string} template */
export function asked(template) {
  return [...template.matchAll(FIELD)].map(([, name]) => name);
}
