// A field's picture: shades as bitmaps, contours as one path; made once for what does not change.

import { contours } from "d3-contour";
import { bitmap, memoize, r1, read, shapeOf } from "../../view.js";

const HATCH = 8; // pixels between two lines, at most
const LEVELS = 4_000; // as in packages/explorax/src/explorax/views/surface.py
const NOT_FINITE = [-Infinity, Infinity, Number.NaN]; // the levels above

/** @typedef {{values: ArrayLike<number>, n: number, m: number}} Field */

/** The field of a drawing: a result, or what was recorded. @param {any} drawing @returns {Field} */
export function fieldOf(drawing) {
  const { field } = drawing.spec;
  if (typeof field !== "string") return memoize(field, "decoded", [], () => decode(field));
  const [n, m] = shapeOf(drawing.description, field);
  return { values: read(drawing, field), n, m };
}

/** Undoes `record` of surface.py: levels, each less what its neighbours before it foretell. @param {any} recorded @returns {Field} */
export function decode({ data, shape: [n, m], low, high, log }) {
  const [from, to] = log ? [Math.log(low), Math.log(high)] : [low, high];
  const levels = new Int32Array(n * m);
  let row = 0;
  const values = Float64Array.from(levels, (_, k) => {
    row = (k % m ? row : 0) + data[k];
    const level = row + (k < m ? 0 : levels[k - m]);
    levels[k] = level;
    const value = from + ((to - from) * level) / LEVELS;
    return NOT_FINITE[level - LEVELS - 1] ?? (log ? Math.exp(value) : value);
  });
  return { values, n, m };
}

/**
 * The bitmaps and contours of a field in a plot, made again only where a value is another. The first
 * row is at the lower end of y.
 * @param {any} spec @param {Field} field @param {any} space
 */
export function picture(spec, field, space) {
  const { left, right, top, bottom } = space;
  const name = `picture ${left} ${right} ${top} ${bottom}`;
  return memoize(spec, name, [field.values], () => make(spec, field, space));
}

/** @param {any} spec @param {Field} field @param {any} space */
function make(spec, { values, n, m }, { left, right, top, bottom, small }) {
  const turned = Float64Array.from(values, (value) => (spec.log ? Math.log(value) : value));
  const [low, high] = spec.log ? spec.span.map(Math.log) : spec.span;
  const gap = (/** @type {number} */ k) => !Number.isFinite(values[k]);
  const gaps = Array.from(turned.keys()).filter(gap);
  const [dx, dy] = [(right - left) / (m - 1), (bottom - top) / (n - 1)];
  const hatches = gaps.map((k) => {
    const [x, y] = [left + (k % m) * dx, bottom - Math.floor(k / m) * dy];
    return hatched(x - dx / 2, y + dy / 2, dx, dy);
  });
  /** @param {(value: number) => number} share */
  const shades = (share) => {
    const each = turned.map((value, k) => (gap(k) ? 0 : share(value)));
    return bitmap(each, n, m);
  };
  const signed = !spec.log && low < 0 && high > 0;
  const from = signed ? 0 : low;
  // an image has its samples in the middles of its cells: half a cell more on each side
  const box = { left: left - dx / 2, right: right + dx / 2, top: top - dy / 2, bottom: bottom + dy / 2 };
  // beyond the levels, so that contours end where a number does
  const filled = turned.map((value) => (Number.isFinite(value) ? value : value > 0 ? 2 * high - low : low));
  const count = small ? Math.ceil(spec.contours / 2) : spec.contours;
  const levels = Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 1)) / (count + 1));
  return {
    box,
    above: shades((value) => (value - from) / (high - from)),
    below: signed && turned.some((value) => value < 0) ? shades((value) => value / low) : null,
    contours: lines(filled, n, m, levels, box, dx, dy, gaps.length ? gap : null),
    odd: hatches.join(""),
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

/** Contours, without the plot's own edge and that of a gap. @param {any} values @param {number} n @param {number} m @param {number[]} levels @param {any} box @param {number} dx @param {number} dy @param {((k: number) => boolean) | null} gap */
function lines(values, n, m, levels, box, dx, dy, gap) {
  /** Tell if a place between samples, each in the middle of its cell, has one that is no number. @param {number} a @param {number} b */
  const torn = (a, b) => {
    const [columns, rows] = [a - 0.5, b - 0.5].map((x) => [Math.floor(x), Math.ceil(x)]);
    return rows.some((row) => columns.some((column) => gap?.(row * m + column)));
  };
  const edge = (/** @type {number} */ a, /** @type {number} */ b) =>
    a <= 0 || a >= m || b <= 0 || b >= n || (gap !== null && torn(a, b));
  let path = "";
  const found = contours().size([m, n]).thresholds(levels)(values);
  for (const ring of found.flatMap(({ coordinates }) => coordinates.flat())) {
    /** @type {number[] | null} */
    let last = null;
    for (const [a, b] of ring) {
      /** @type {number[] | null} */
      const next = edge(a, b) ? null : [r1(box.left + a * dx), r1(box.bottom - b * dy)];
      // from one to the next: half as long to write, and no error adds up, as both are rounded
      if (next)
        path += last ? `l${r1(next[0] - last[0])} ${r1(next[1] - last[1])}` : `M${next[0]} ${next[1]}`;
      last = next;
    }
  }
  return path;
}
