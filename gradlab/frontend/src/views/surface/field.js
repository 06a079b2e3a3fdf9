// A field's picture: shades as bitmaps, contours as one path; made once for what does not change.

import { contours } from "d3-contour";
import { bitmap } from "../common/image.js";
import { r1 } from "../common/numbers.js";
import { read, shapeOf } from "../common/read.js";

const HATCH = 8; // pixels between two lines, at most
const LEVELS = 65_000; // as in gradlab/figure/views/surface.py
const NOT_FINITE = new Map([
  [65_535, Number.NaN],
  [65_534, Infinity],
  [65_533, -Infinity],
]);

/** @typedef {{values: ArrayLike<number>, n: number, m: number}} Field */

/** @type {WeakMap<object, Field>} */
const decoded = new WeakMap();

/** The field of a drawing: a result, or what was recorded. @param {any} drawing @returns {Field} */
export function fieldOf(drawing) {
  const { spec, description } = drawing;
  if (typeof spec.field === "string") {
    const [n, m] = shapeOf(description, spec.field);
    return { values: read(drawing, spec.field), n, m };
  }
  const found = decoded.get(spec.field) ?? decode(spec.field);
  decoded.set(spec.field, found);
  return found;
}

/** Undoes `record` of surface.py: differences along rows, high bytes before low bytes. @param {any} recorded @returns {Field} */
export function decode({ data, shape: [n, m], low, high, log }) {
  const raw = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  const values = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    let level = 0;
    for (let j = 0; j < m; j++) {
      const at = i * m + j;
      level = (level + raw[at] * 256 + raw[n * m + at]) % 65_536;
      const value = from + ((to - from) * level) / LEVELS;
      values[at] = NOT_FINITE.get(level) ?? (log ? Math.exp(value) : value);
    }
  }
  return { values, n, m };
}

/** @type {WeakMap<object, Map<string, {values: ArrayLike<number>, made: any}>>} */
const drawn = new WeakMap();

/**
 * The bitmaps and contours of a field in a plot, made again only where a value is another. The first
 * row is at the lower end of y.
 * @param {any} spec @param {Field} field @param {any} space
 */
export function picture(spec, field, { left, right, top, bottom, small }) {
  const key = `${left} ${right} ${top} ${bottom}`;
  const all = drawn.get(spec) ?? new Map();
  drawn.set(spec, all);
  const last = all.get(key);
  if (last && same(last.values, field.values)) return last.made;
  const made = make(spec, field, { left, right, top, bottom, small });
  all.set(key, { values: field.values, made });
  return made;
}

/** Whether two fields have the same values, NaN included. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function same(a, b) {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return a.length === b.length;
}

let made = 0; // pictures, so that each is known by its number

/** @param {any} spec @param {Field} field @param {any} space */
function make(spec, { values, n, m }, { left, right, top, bottom, small }) {
  const turn = spec.log ? Math.log : (/** @type {number} */ v) => v;
  const [low, high] = [turn(spec.span[0]), turn(spec.span[1])];
  const size = n * m;
  const signed = !spec.log && low < 0 && high > 0;
  const [above, below, turned] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  let [odd, any] = ["", false];
  const gap = (/** @type {number} */ k) => !Number.isFinite(values[k]);
  const [dx, dy] = [(right - left) / (m - 1), (bottom - top) / (n - 1)];
  for (let k = 0; k < size; k++) {
    const value = turn(values[k]);
    const infinite = value === Infinity || value === -Infinity;
    turned[k] = Number.isNaN(value) ? low : infinite ? (value > 0 ? 2 * high - low : low) : value;
    if (signed) {
      above[k] = Math.max(0, value / high);
      below[k] = Math.max(0, value / low);
      any ||= value < 0;
    } else above[k] = Math.max(0, Math.min(1, (value - low) / (high - low)));
    if (gap(k)) {
      above[k] = 0;
      const [x, y] = [left + (k % m) * dx, bottom - Math.floor(k / m) * dy];
      odd += hatched(x - dx / 2, y + dy / 2, dx, dy);
    }
  }
  // an image has its samples in the middles of its cells: half a cell more on each side
  const box = { left: left - dx / 2, right: right + dx / 2, top: top - dy / 2, bottom: bottom + dy / 2 };
  made += 1;
  return {
    serial: made,
    box,
    above: bitmap(above, n, m),
    below: any ? bitmap(below, n, m) : null,
    contours: lines(
      turned,
      n,
      m,
      low,
      high,
      small ? Math.ceil(spec.contours / 2) : spec.contours,
      left - dx / 2,
      bottom + dy / 2,
      dx,
      dy,
      odd ? gap : null,
    ),
    odd,
  };
}

/** Lines across a cell, from its lower left. @param {number} x @param {number} y @param {number} dx @param {number} dy */
function hatched(x, y, dx, dy) {
  const [columns, rows] = [Math.ceil(dx / HATCH), Math.ceil(dy / HATCH)];
  const [w, h] = [dx / columns, dy / rows];
  let path = "";
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) path += `M${r1(x + i * w)} ${r1(y - j * h)}l${r1(w)} ${r1(-h)}`;
  return path;
}

/** Contours at even steps between two levels, without the plot's own edge and that of a gap. @param {Float64Array} values @param {number} n @param {number} m @param {number} low @param {number} high @param {number} count @param {number} x0 @param {number} y0 @param {number} dx @param {number} dy @param {((k: number) => boolean) | null} gap */
function lines(values, n, m, low, high, count, x0, y0, dx, dy, gap) {
  if (!count) return "";
  const levels = Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 1)) / (count + 1));
  /** Whether a place between samples, each in the middle of its cell, has one that is no number. @param {number} a @param {number} b */
  const torn = (a, b) => {
    const [i, j] = [a - 0.5, b - 0.5];
    return [Math.floor(j), Math.ceil(j)].some((row) =>
      [Math.floor(i), Math.ceil(i)].some((c) => gap?.(row * m + c)),
    );
  };
  const edge = (/** @type {number} */ a, /** @type {number} */ b) =>
    a <= 0 || a >= m || b <= 0 || b >= n || (gap !== null && torn(a, b));
  let path = "";
  for (const { coordinates } of contours().size([m, n]).thresholds(levels)(/** @type {any} */ (values))) {
    for (const ring of coordinates.flat()) {
      /** @type {number[] | null} */
      let last = null;
      for (const [a, b] of ring) {
        if (edge(a, b)) {
          last = null;
          continue;
        }
        const [x, y] = [r1(x0 + a * dx), r1(y0 - b * dy)];
        // from one to the next: half as long to write, and no error adds up, as both are rounded
        path += last ? `l${r1(x - last[0])} ${r1(y - last[1])}` : `M${x} ${y}`;
        last = [x, y];
      }
    }
  }
  return path;
}
