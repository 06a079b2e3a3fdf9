// Where everything of a matrix lies: cells of a fixed size, and headings.

import { bothLayouts, countOf, number, shapeOf, widthOf } from "../../view.js";

const SIZES = {
  wide: { width: 688, widest: 56, tallest: 34, all: 420, letter: 7 },
  narrow: { width: 320, widest: 52, tallest: 34, all: 420, letter: 7.8 },
};
const APART = 8; // pixels between columns that stand apart and the others
const DENSE = 400; // more cells than this are an image

export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, widest, tallest, all, letter } = SIZES[layout];
  const [rows, full] = shapeOf(description, spec.value);
  const longest = spec.rows.replace(/_?\{[^{}]*\}/g, "9".repeat(String(rows).length));
  const start = longest ? widthOf(longest, letter) + 16 : 12;
  const gap = spec.apart ? APART : 0;
  const cell = Math.min(widest, (width - start - 4 - gap) / full);
  const square = rows * full > DENSE ? cell : tallest;
  const tall = Math.min(spec.tallest || tallest, Math.max(4, all / rows), square);
  const left = start + Math.max(0, (width - start - 4 - gap - full * cell) / 2);
  const top = (spec.column_label ? 22 : 0) + (spec.columns ? 24 : 4);
  const height = Math.ceil(top + rows * tall + (spec.total ? 22 : 0) + 6);
  return { width, height, left, top, cell, tall, rows, full, letter };
});

/** A matrix in a given box, such as one of small multiples. @param {any} spec @param {number} width @param {any} description */
export function small(spec, width, description) {
  const [rows, full] = shapeOf(description, spec.value);
  const cell = width / full;
  const tall = Math.min(cell, 30);
  const box = { left: 0, right: width, top: 0, bottom: tall * rows };
  return { ...box, cell, tall, rows, full, letter: 7, small: true };
}

/** The cells that are there, and how their numbers are written. @param {any} drawing */
export function spaceOf(drawing) {
  const { spec } = drawing;
  const room = roomOf(drawing);
  const { rows, full, cell, tall, letter } = room;
  const [n, m] = spec.count ? [countOf(drawing, rows), countOf(drawing, rows)] : [rows, full];
  const heading = spec.columns.replace(/_?\{.*?\}/g, "").length + String(full).length + 1;
  const each = { row: every(18 / tall), column: every((heading * letter) / cell) };
  const across = (/** @type {number} */ j) =>
    room.left + j * cell + (spec.apart && j >= spec.apart ? APART : 0);
  const dense = rows * full > DENSE;
  return { ...room, n, m, across, dense, writers: tall >= 17 ? writers(spec) : [], each };
}

/** @typedef {{write: (value: number) => string, loses: boolean}} Writer `loses`: whether it may write 0 for what is none */

/** Ways to write a number, from the widest: 0.50, then .50 and 1.0, then .5 and 1. @param {any} spec @returns {Writer[]} */
function writers({ digits, decades }) {
  const bare = (/** @type {number} */ d) => (/** @type {number} */ value) =>
    Math.abs(value) < 1 - 0.5 * 10 ** -d && value !== 0
      ? number(value, `,.${d}f`).replace(/^(−?)0\./, "$1.")
      : number(value, `,.${Math.max(0, d - 1)}f`);
  return [
    { write: (value) => number(value, `,.${digits}f`), loses: !decades },
    ...Array.from({ length: digits }, (_, i) => ({ write: bare(digits - i), loses: !decades && i === 0 })),
  ];
}

/** A way of writing in which all values fit their cells; null where there is none. @param {any} space @param {Iterable<number>} values */
export function writer({ writers, cell, letter }, values) {
  const all = [...values].filter(Number.isFinite);
  const good = (/** @type {Writer} */ { write, loses }) =>
    all.every((value) => {
      const text = write(value);
      return widthOf(text, letter) <= cell - 2 && (loses || value === 0 || /[1-9]/.test(text));
    });
  return writers.find(good)?.write ?? null;
}

/** A round number of steps that is at least so large. @param {number} least */
const every = (least) => [1, 2, 5, 10, 20, 50, 100].find((step) => step >= least) ?? 200;
