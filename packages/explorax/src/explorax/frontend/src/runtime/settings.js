// What the controls allow, and how their values are said, stepped and written. Pure functions.

import { general, number, vector } from "../common/numberFormat.js";

/** @typedef {import("../common/types.js").Control} Control */

/** Tell if two settings are the same. @param {any} a @param {any} b */
export function same(a, b) {
  return (
    a === b ||
    (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => x === b[i]))
  );
}

/** The controls of a point's two numbers, along x and y. @param {Control} point @returns {Control[]} */
export const alongAxes = (point) =>
  [0, 1].map((i) => {
    const [minimum, maximum] = [point.minimum[i], point.maximum[i]];
    return { ...point, kind: "range", minimum, maximum, allowed: [minimum, maximum] };
  });

/** A control's value in words. @param {Control} control @param {any} value @returns {string} */
export function settingText(control, value) {
  if (control.kind === "choice")
    return control.options.find(([name]) => name === value)?.[1] ?? String(value);
  if (control.kind === "toggle") return value ? "on" : "off";
  if (control.kind === "point") return vector(value, isFine(control) ? ".3~g" : undefined);
  return numberText(control, value);
}

/** One number of a control. @param {Control} control @param {number} value */
export const numberText = (control, value) => (isFine(control) ? general(value) : number(value));

/** Tell if a control takes numbers of any size. @param {Control} control */
const isFine = ({ kind, step }) => kind === "log" || kind === "symlog" || step < 0.01;

/** For those who listen: no raised or lowered digits. @param {string} words */
export function forSpeech(words) {
  const plain = words.replace(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080));
  return plain.replace(/\s×\s10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, minus, raised) => {
    const power = [...raised].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)).join("");
    return ` times 10 to the ${minus ? "minus " : ""}${power}`;
  });
}

/** Tell if a value lies beyond the slider of its control. @param {Control} control @param {any} value */
export function beyond(control, value) {
  if (!control.allowed || !Number.isFinite(value)) return false;
  return value < control.minimum || value > control.maximum;
}

/** The ends of a slider: its own, or all that is allowed. @param {Control} control @param {boolean} widened @returns {[number, number]} */
export function reach(control, widened) {
  return widened ? control.allowed : [control.minimum, control.maximum];
}

/** The place of a value of a symlog range, in decades from zero. @param {number} value @param {number} threshold */
const decades = (value, threshold) => Math.sign(value) * Math.log10(1 + Math.abs(value) / threshold);

const clamp = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
  Math.min(high, Math.max(low, x));

const short = (/** @type {number} */ x) => Number(x.toPrecision(3));

/**
 * The native slider of a control: its ends, its step, and where it stands. Log and symlog ranges
 * count steps, so that their ends, and zero, are met exactly.
 * @param {Control} control @param {any} value @param {boolean} widened
 */
export function slider(control, value, widened) {
  const { kind, step, threshold } = control;
  const [low, high] = reach(control, widened);
  if (kind === "log") {
    const count = Math.ceil(Math.log10(high / low) / step - 1e-9);
    const at = (count * Math.log(value / low)) / Math.log(high / low);
    return { min: 0, max: count, step: 1, value: Math.round(at) };
  }
  if (kind === "symlog") {
    const [min, max] = [Math.floor, Math.ceil].map((whole, i) =>
      whole(decades(i ? high : low, threshold) / step + (i ? -1e-9 : 1e-9)),
    );
    return { min, max, step: 1, value: Math.round(decades(value, threshold) / step) };
  }
  return { min: low, max: high, step, value };
}

/** The value for a place of the native slider. @param {Control} control @param {number} at @param {boolean} widened */
export function fromSlider(control, at, widened) {
  const { kind, step, threshold } = control;
  const [low, high] = reach(control, widened);
  if (kind === "log") {
    const { max } = slider(control, low, widened);
    if (at <= 0) return low;
    return at >= max ? high : short(low * (high / low) ** (at / max));
  }
  if (kind === "symlog") {
    const size = threshold * (10 ** (Math.abs(at) * step) - 1);
    return clamp(short(Math.sign(at) * size), low, high);
  }
  return at;
}

/**
 * The value that a dragged handle asks for, as its control takes it.
 * @param {Control} control
 * @param {any} raw a number, a name, or two numbers
 * @param {boolean} widened
 * @returns {any} undefined where it asks for nothing that can be set
 */
export function snap(control, raw, widened) {
  if (control.kind === "choice") return allows(control, raw) ? raw : undefined;
  if (control.kind === "point") {
    const pair = alongAxes(control).map((axis, i) => snap(axis, raw[i], false));
    return pair.includes(undefined) ? undefined : pair;
  }
  const wanted = Number(raw);
  if (!Number.isFinite(wanted)) return undefined;
  const [low, high] = reach(control, widened);
  if (control.kind === "log" || control.kind === "symlog") return clamp(short(wanted), low, high);
  const { minimum, step } = control;
  const near = Math.round((wanted - minimum) / step) * step + minimum;
  const decimals = clamp(4 - Math.floor(Math.log10(step)), 9, 100); // no digits of rounding
  return Number(clamp(near, low, high).toFixed(decimals));
}

/**
 * A setting on the way from one to another: numbers in a line or by factors, as their slider goes; choices at the end.
 * @param {Control} control @param {any} from @param {any} to @param {number} t from 0 to 1
 * @returns {any}
 */
export function between(control, from, to, t) {
  const { kind, threshold } = control;
  if (t <= 0 || same(from, to)) return from;
  if (t >= 1) return to;
  if (kind === "choice" || kind === "toggle") return from;
  if (kind === "point") return alongAxes(control).map((axis, i) => between(axis, from[i], to[i], t));
  if (kind === "log" && from > 0) return short(from * (to / from) ** t);
  if (kind === "symlog") {
    const [start, end] = [from, to].map((value) => decades(value, threshold));
    const decade = start + (end - start) * t;
    return short(Math.sign(decade) * threshold * (10 ** Math.abs(decade) - 1));
  }
  return snap(control, from + (to - from) * t, true);
}

/** The room for a control's numbers on its slider, in digits: other signs are narrower. @param {Control} control */
export function widest(control) {
  const [low, high] = control.allowed;
  const { min, max, step } = slider(control, low, true);
  const log = control.kind === "log" || control.kind === "symlog";
  const places = log ? Array.from({ length: max - min + 1 }, (_, i) => min + i) : [min + step, max - step];
  const numbers = [low, high, ...places.map((at) => fromSlider(control, at, true))];
  const room = (/** @type {string} */ text) => text.length - 0.4 * text.replace(/[\d×]/g, "").length;
  return Math.ceil(Math.max(...numbers.map((value) => room(numberText(control, value)))));
}

/** The values that a control allows, in words. @param {Control} control */
export function allowed(control) {
  if (control.kind === "choice") return `one of ${control.options.map(([name]) => name).join(", ")}`;
  if (control.kind === "toggle") return "true or false";
  const ends = (/** @type {Control} */ { allowed }) =>
    allowed.map((end) => numberText(control, end)).join(" to ");
  if (control.kind === "point") return `two numbers, ${alongAxes(control).map(ends).join(" and ")}`;
  return `${control.kind === "integer" ? "an integer" : "a number"} from ${ends(control)}`;
}

/** Tell if a control allows a value. @param {Control} control @param {any} value @returns {boolean} */
export function allows(control, value) {
  if (control.kind === "choice") return control.options.some(([name]) => name === value);
  if (control.kind === "toggle") return typeof value === "boolean";
  if (control.kind === "point")
    return (
      Array.isArray(value) &&
      value.length === 2 &&
      alongAxes(control).every((axis, i) => allows(axis, value[i]))
    );
  const [low, high] = control.allowed;
  const whole = control.kind !== "integer" || Number.isInteger(value);
  return typeof value === "number" && whole && value >= low && value <= high;
}

/** A value as Python has it. @param {Control} control @param {any} value @returns {string} */
function literal(control, value) {
  if (control.kind === "choice") return JSON.stringify(value);
  if (control.kind === "toggle") return value ? "True" : "False";
  if (control.kind === "point")
    return `[${alongAxes(control)
      .map((axis, i) => literal(axis, value[i]))
      .join(", ")}]`;
  return Number.isInteger(value) && control.kind !== "integer" && Math.abs(value) < 1e15
    ? `${value}.0`
    : String(value);
}

/**
 * The present settings as Python: what is in sight, and whatever else is not as it starts.
 * @param {import("../common/types.js").Description} description
 * @param {import("../common/types.js").Settings} settings
 */
export function python(description, settings) {
  const [before, after] = description.python;
  const changed = description.controls
    .filter(({ name, initial }) => description.sight.includes(name) || !same(settings[name], initial))
    .map((control) => `${control.name}=${literal(control, settings[control.name])}`);
  return `${before}${changed.join(", ")}${after}`;
}
