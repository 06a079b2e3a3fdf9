// Where everything of a matrix lies: cells of a fixed size, headings, and room for sums.

import { number } from "../../common/numberFormat.js";
import { widthOf } from "../common/labels.js";
import { bothLayouts } from "../common/layouts.js";
import { read, shapeOf } from "../common/read.js";

const SIZES = {
  wide: { width: 688, widest: 56, tallest: 34, all: 420, letter: 7 },
  narrow: { width: 320, widest: 52, tallest: 34, all: 420, letter: 7.8 },
};
const DENSE = 400; // more cells than this are an image

/** Room above the cells. @param {any} spec */
const head = (spec) => (spec.column_label ? 22 : 0) + (spec.columns ? 24 : 4);

/** How wide the row headings may be. @param {any} spec @param {number} rows @param {number} letter */
const headings = (spec, rows, letter) =>
  spec.rows ? widthOf(spec.rows.replace(/_?\{[^{}]*\}/g, "9".repeat(String(rows).length)), letter) + 4 : 0;

/** @param {any} spec @param {"wide" | "narrow"} layout @param {any} description */
function room(spec, layout, description) {
  const { width, widest, tallest, all, letter } = SIZES[layout];
  const [rows, full] = shapeOf(description, spec.value);
  const named = headings(spec, rows, letter);
  const left = Math.max(named, spec.row_label ? widthOf(spec.row_label, letter) : 0) + 12;
  const columns = full + (spec.row_sums ? 1 : 0);
  const cell = Math.min(widest, (width - left - 4) / columns);
  const tall = Math.min(tallest, Math.max(4, all / rows), rows * full > DENSE ? cell : tallest);
  const spare = Math.max(0, (width - left - 4 - columns * cell) / 2);
  const top = head(spec);
  const height = Math.ceil(top + rows * tall + (spec.column_sums ? tall + 10 : 0) + 6);
  return {
    width,
    height,
    left: left + spare,
    top,
    cell,
    tall,
    rows,
    full,
    headings: named,
    letter,
    narrow: layout === "narrow",
  };
}

export const { layouts, roomOf } = bothLayouts(room);

/** A matrix in a given box, such as one of small multiples. @param {any} spec @param {number} width @param {any} description */
export function small(spec, width, description) {
  const [rows, full] = shapeOf(description, spec.value);
  const cell = width / full;
  const tall = Math.min(cell, 30);
  return {
    left: 0,
    right: width,
    top: 0,
    bottom: tall * rows,
    cell,
    tall,
    rows,
    full,
    headings: 0,
    letter: 7,
    small: true,
  };
}

/** The cells that are there, and how their numbers are written. @param {any} drawing */
export function spaceOf(drawing) {
  const { spec } = drawing;
  const found = roomOf(drawing);
  const { rows, full, cell, tall, letter } = found;
  const count = spec.count ? Math.max(0, Math.min(rows, Number(read(drawing, spec.count)))) : null;
  const heading = spec.columns.replace(/_?\{.*?\}/g, "").length + String(full).length + 1;
  return {
    ...found,
    n: count ?? rows,
    m: count ?? full,
    dense: rows * full > DENSE,
    writers: tall >= 17 ? writers(spec) : [],
    each: { row: every(18 / tall), column: every((heading * letter) / cell) },
  };
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
