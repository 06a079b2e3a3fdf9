// Scales with fixed ends: linear, logarithmic, and symlog with a band about zero.

import { ticks } from "d3-array";
import { memoize } from "../../common/memoize.js";
import { tick } from "./numbers.js";

/**
 * @typedef {{span: [number, number], scale?: "linear" | "log" | "symlog", band?: number, label?: string}} Axis
 * @typedef {{at: (value: number) => number, invert: (pixel: number) => number, ticks: {at: number, text: string}[],
 *   low: number, high: number, zero: number, band: [number, number] | null}} Scale
 */

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** @type {Record<string, (band: number) => {up: (v: number) => number, down: (t: number) => number}>} */
const TRANSFORMS = {
  linear: () => ({ up: (v) => v, down: (t) => t }),
  log: () => ({ up: Math.log10, down: (t) => 10 ** t }),
  symlog: (band) => ({
    up: (v) => (Math.abs(v) <= band ? v / band : Math.sign(v) * (1 + Math.log10(Math.abs(v) / band))),
    down: (t) => (Math.abs(t) <= 1 ? t * band : Math.sign(t) * band * 10 ** (Math.abs(t) - 1)),
  }),
};

/** Decades from low to high, thinned to about seven. @param {number} low @param {number} high both above 0 */
function decades(low, high) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const each = Math.max(1, Math.ceil((last - first) / 6));
  const found = [];
  for (let e = first; e <= last; e += each) found.push(10 ** e);
  if (last - first >= 2) return found;
  return [1, 2, 5]
    .flatMap((m) => Array.from({ length: last - first + 3 }, (_, i) => m * 10 ** (first - 1 + i)))
    .filter((v) => v >= low * 0.999 && v <= high * 1.001)
    .sort((a, b) => a - b);
}

/** @param {Axis} axis @param {number} about how many */
function ticksOf({ span: [low, high], scale = "linear", band = 1 }, about) {
  if (scale === "log") return decades(low, high);
  if (scale === "linear") return ticks(low, high, about);
  const up = high > band ? decades(band, high) : [];
  const down = low < -band ? decades(band, -low).map((v) => -v) : [];
  const thin = (/** @type {number[]} */ list) =>
    list.length > 4 ? list.filter((_, i) => i % 2 === (list.length - 1) % 2) : list;
  return [...thin(down).reverse(), 0, ...thin(up)].filter((v) => v >= low && v <= high);
}

/**
 * A scale from an axis of the description, or from its two ends, to pixels; made once.
 * @param {Axis | [number, number]} axis
 * @param {number} from the pixel of the lower end
 * @param {number} to the pixel of the upper end
 * @param {number} [about] how many ticks
 */
export const scaleOf = (axis, from, to, about = 5) =>
  memoize(axis, `${from} ${to} ${about}`, [], () =>
    make(Array.isArray(axis) ? { span: axis } : axis, from, to, about),
  );

/** @param {Axis} axis @param {number} from @param {number} to @param {number} about @returns {Scale} */
function make(axis, from, to, about) {
  const { span, scale = "linear", band = 1 } = axis;
  const [low, high] = span;
  const { up, down } = TRANSFORMS[scale](band);
  const [a, b] = [up(low), up(high)];
  const at = (/** @type {number} */ v) => from + ((up(v) - a) / (b - a)) * (to - from);
  const within = (/** @type {number} */ v) => at(clamp(v, low, high));
  return {
    at,
    invert: (px) => down(a + ((px - from) / (to - from)) * (b - a)),
    low,
    high,
    ticks: ticksOf(axis, about).map((v) => ({ at: at(v), text: tick(v) })),
    zero: scale === "log" ? at(low) : within(0),
    band: scale === "symlog" ? [within(-band), within(band)] : null,
  };
}

/**
 * The pixel of a value, and the side on which it lies beyond the ends, visibly: 1 above, -1 below, 0 within.
 * @param {Pick<Scale, "at" | "low" | "high">} scale @param {number} value no NaN
 */
export function clamped({ at, low, high }, value) {
  const beyond = value > high ? 1 : value < low ? -1 : 0;
  const px = at(clamp(value, low, high));
  return { px, beyond: Math.abs(at(value) - px) < 0.01 ? 0 : beyond };
}
