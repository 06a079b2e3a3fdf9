// A matrix as coloured cells with their numbers, or a triangle such as the ledger.
//
// Its spec is packages/explorax/src/explorax/views/matrix.py's Matrix. It draws arrays and knows no subject.

import { range } from "d3-array";
import { concealed, filled, html, part, stance, templateValues } from "../../view.js";
import { Cells, Image } from "./cells.js";
import { spaceOf } from "./room.js";

export { layouts, small } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const space = spaceOf(drawing);
  if (concealed(drawing, drawing.spec.value)) return Headings(drawing, space);
  return html`
    ${Headings(drawing, space)}
    ${space.dense ? Image(drawing, space) : Cells(drawing, space)}
    ${drawing.spec.total && Total(drawing, space)}
  `;
}

/** Every so many, as places from 0. @param {number} length @param {number} each */
const every = (length, each) => range(each - 1, length, each);

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
  const { rows, columns, row_part, column_part, column_label } = spec;
  return html`
    ${column_label && html`<text class="gl-muted" x=${left} y="14">${column_label}</text>`}
    ${rows && every(n, each.row).map((i) => heading(row_part, rows, i, left - 8, top + (i + 0.5) * tall + 4.7, "end"))}
    ${columns && every(m, each.column).map((j) => heading(column_part, columns, j, across(j) + cell / 2, top - 8, "middle"))}`;
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
