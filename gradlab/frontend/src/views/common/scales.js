// Scales with fixed ends: linear, logarithmic, and symlog with a band about zero.

import { scaleLinear } from "d3-scale";
import { tick } from "./numbers.js";

/**
 * @typedef {{span: [number, number], scale?: "linear" | "log" | "symlog", band?: number, label?: string}} Axis
 * @typedef {{at: (value: number) => number, invert: (pixel: number) => number, ticks: {at: number, text: string}[],
 *   low: number, high: number, zero: number, band: [number, number] | null}} Scale
 */

/** @type {Record<string, (axis: any) => {to: (v: number) => number, from: (t: number) => number}>} */
const TRANSFORMS = {
  linear: () => ({ to: (v) => v, from: (t) => t }),
  log: () => ({ to: Math.log10, from: (t) => 10 ** t }),
  symlog: ({ band }) => ({
    to: (v) => (Math.abs(v) <= band ? v / band : Math.sign(v) * (1 + Math.log10(Math.abs(v) / band))),
    from: (t) => (Math.abs(t) <= 1 ? t * band : Math.sign(t) * band * 10 ** (Math.abs(t) - 1)),
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
  if (scale === "symlog") {
    const up = high > band ? decades(band, high) : [];
    const down = low < -band ? decades(band, -low).map((v) => -v) : [];
    const thin = (/** @type {number[]} */ list) =>
      list.length > 4 ? list.filter((_, i) => i % 2 === (list.length - 1) % 2) : list;
    return [...thin(down).reverse(), 0, ...thin(up)].filter((v) => v >= low && v <= high);
  }
  return scaleLinear([low, high], [0, 1]).ticks(about);
}

/** @type {WeakMap<object, Map<string, Scale>>} */
const made = new WeakMap();

/**
 * A scale from an axis of the description to pixels; made once.
 * @param {Axis} axis
 * @param {number} from the pixel of the lower end
 * @param {number} to the pixel of the upper end
 * @param {number} [about] how many ticks
 * @returns {Scale}
 */
export function scaleOf(axis, from, to, about = 5) {
  const key = `${from} ${to} ${about}`;
  const known = made.get(axis) ?? new Map();
  made.set(axis, known);
  if (!known.has(key)) known.set(key, make(axis, from, to, about));
  return known.get(key);
}

/** @param {Axis} axis @param {number} from @param {number} to @param {number} about @returns {Scale} */
function make(axis, from, to, about) {
  const kind = axis.scale ?? "linear";
  const { to: up, from: down } = TRANSFORMS[kind](axis);
  const [low, high] = axis.span;
  const [a, b] = [up(low), up(high)];
  const at = (/** @type {number} */ v) => from + ((up(v) - a) / (b - a)) * (to - from);
  const invert = (/** @type {number} */ px) => down(a + ((px - from) / (to - from)) * (b - a));
  const within = (/** @type {number} */ v) => Math.min(high, Math.max(low, v));
  const band = axis.band ?? 1;
  return {
    at,
    invert,
    low,
    high,
    ticks: ticksOf(axis, about).map((v) => ({ at: at(v), text: tick(v) })),
    zero: at(kind === "log" ? low : within(0)),
    band: kind === "symlog" ? [at(within(-band)), at(within(band))] : null,
  };
}

/**
 * Where a value is drawn, and whether it lies beyond the ends: 1 above, -1 below, 0 within.
 * @param {Scale} scale @param {number} value no NaN
 */
export function held(scale, value) {
  if (value > scale.high) return { px: scale.at(scale.high), beyond: 1 };
  if (value < scale.low) return { px: scale.at(scale.low), beyond: -1 };
  return { px: scale.at(value), beyond: 0 };
}
