// A matrix as coloured cells with their numbers, or a triangle such as the ledger.
//
// Its spec is packages/explorax/src/explorax/views/matrix.py's Matrix. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { widthOf } from "../common/labels.js";
import { short } from "../common/numbers.js";
import { concealed, part, read, stance, templateValues } from "../common/read.js";
import { filled } from "../common/text.js";
import { Cells, Image } from "./cells.js";
import { spaceOf, writer } from "./room.js";

export { layouts, small } from "./room.js";

const BOLD = 1.08; // by how much a letter of a sum is wider

/** @param {any} drawing */
export function draw(drawing) {
  const space = spaceOf(drawing);
  if (concealed(drawing, drawing.spec.value)) return Headings(drawing, space);
  return html`
    ${Headings(drawing, space)}
    ${space.dense ? Image(drawing, space) : Cells(drawing, space)}
    ${!space.small && Sums(drawing, space)}
    ${drawing.spec.total && Total(drawing, space)}
  `;
}

/** The gap between the sums of two columns. */
const GAP = 4;

/** Every so many, as places from 0. @param {number} length @param {number} each */
const every = (length, each) => Array.from({ length }, (_, i) => i).filter((i) => (i + 1) % each === 0);

/** @param {any} drawing @param {any} space */
function Headings(drawing, space) {
  const { spec } = drawing;
  const { left, across, top, cell, tall, n, m, small, each } = space;
  if (small) return null;
  const values = templateValues(drawing);
  /** @param {string} name @param {string} template @param {number} i @param {number} x @param {number} y @param {string} anchor */
  const heading = (name, template, i, x, y, anchor) => html`
    <text class=${`gl-heading${stance(drawing, name, i + 1)}`} x=${x} y=${y} text-anchor=${anchor}
      ...${part(name, i + 1)}>${filled(template, values, i + (spec.start ?? 1))}</text>`;
  const { rows, columns, row_part, column_part, row_label, column_label } = spec;
  return html`
    ${column_label && html`<text class="gl-muted" x=${left} y="14">${column_label}</text>`}
    ${row_label && html`<text class="gl-muted" x=${left - 8} y=${top - 8} text-anchor="end">${row_label}</text>`}
    ${rows && every(n, each.row).map((i) => heading(row_part, rows, i, left - 8, top + (i + 0.5) * tall + 4.7, "end"))}
    ${columns && every(m, each.column).map((j) => heading(column_part, columns, j, across(j) + cell / 2, top - 8, "middle"))}`;
}

/** Sums of rows as a last column, sums of columns as a last row, next to the cells that are there. @param {any} drawing @param {any} space */
function Sums(drawing, space) {
  const { row_sums, column_sums, row_part, column_part } = drawing.spec;
  const { left, top, cell, tall, n, m } = space;
  const letter = BOLD * space.letter;
  /** @param {string} name @param {number} length @returns {number[]} */
  const sums = (name, length) =>
    name && !concealed(drawing, name) ? Array.from(read(drawing, name)).slice(0, length) : [];
  const [across, down] = [sums(row_sums, n), sums(column_sums, m)];
  const all = [...across, ...down];
  // a whole number is close enough for large ones: 1.97 as 2 would be another claim
  const large = (/** @type {number} */ value) => Number.isInteger(value) || Math.abs(value) >= 10;
  const whole = all.every(large);
  const writers = whole ? space.writers : space.writers.slice(0, -1);
  const widest = (/** @type {(value: number) => string} */ write) =>
    Math.max(0, ...down.map((value) => widthOf(write(value), letter)));
  const room = cell - GAP;
  /** @type {any[]} */
  const ways = [writer({ ...space, writers }, all), whole && space.writers.at(-1)?.write, short].filter(
    Boolean,
  );
  const write = ways.find((way) => widest(way) <= room) ?? ways[0];
  // where they are too wide, not all columns have one, and a row has a sign that it has one
  const each = Math.max(1, Math.ceil(widest(write) / room));
  const besides = (/** @type {number} */ value) =>
    widthOf(write(value), letter) > cell + 8 ? "…" : write(value);
  /** @param {string} name @param {string} text @param {number} i @param {number} x @param {number} y */
  const sum = (name, text, i, x, y) => html`
    <text class=${`gl-sum${stance(drawing, name, i + 1)}`} x=${x} y=${y} text-anchor="middle" ...${part(name, i + 1)}>${text}</text>`;
  return html`
    ${across.length > 0 && html`<path class="gl-rule" d=${`M${left + m * cell + 4} ${top}v${n * tall}`} />`}
    ${across.map((value, i) => sum(row_part || row_sums, besides(value), i, left + (m + 0.5) * cell + 6, top + (i + 0.5) * tall + 4.7))}
    ${down.length > 0 && html`<path class="gl-rule" d=${`M${left} ${top + n * tall + 4}h${m * cell}`} />`}
    ${down.map((value, j) => j % each === 0 && sum(column_part || column_sums, write(value), j, left + (j + 0.5) * cell, top + (n + 0.5) * tall + 10))}`;
}

/** What all columns but those apart come to, under a bracket that holds them. @param {any} drawing @param {any} space */
function Total(drawing, { across, top, cell, tall, n, m }) {
  const [from, to, y] = [across(drawing.spec.apart) + 1, across(m - 1) + cell - 1, top + n * tall + 5];
  return html`
    <path class="gl-rule" d=${`M${from} ${y}v4H${to}v-4`} />
    <text class="gl-sum" x=${(from + to) / 2} y=${y + 18} text-anchor="middle">${filled(drawing.spec.total, templateValues(drawing))}</text>`;
}

/** A matrix has nothing to drag. */
export const handles = () => [];
