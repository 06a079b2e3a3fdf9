// A ledger: what each loss sends through each application, and what that adds up to.
//
// Its spec is packages/scaleclip/src/scaleclip/figure/triangle.py's Triangle, which says what it reads.

import { concealed, html, read } from "explorax/view";
import { Cells, Headings, Readout } from "./cells.js";
import { Guessed } from "./guessed.js";
import { spaceOf } from "./room.js";
import { Bound, Columns, Corner, Means, Rows } from "./sums.js";

export const kind = "ledger";

export { layouts } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const space = spaceOf(drawing);
  if (concealed(drawing, drawing.spec.cells)) return Headings(drawing, space);
  if (!drawing.spec.sums)
    return html`${Headings(drawing, space)}${Cells(drawing, space)}${Readout(drawing, space)}`;
  return html`
    ${Headings(drawing, space)}
    ${Cells(drawing, space)}
    ${Readout(drawing, space)}
    ${Rows(drawing, space)}
    ${Columns(drawing, space)}
    ${Bound(drawing, space)}
    ${Guessed(drawing, space)}
    ${Means(drawing, space)}
    ${Corner(drawing, space)}
  `;
}

/** The scale at which a row adds up to so much, given what it is at another; `i` gates at least. @param {number[]} row from its own application back @param {number} scale @param {number} i @param {number} wanted */
function scaleFor(row, scale, i, wanted) {
  const sum = (/** @type {number} */ s) =>
    row.reduce((all, value, lag) => all + value * (s / scale) ** (lag + i), 0);
  let [low, high] = [0.01, 1];
  for (let n = 0; n < 30; n++) {
    const middle = (low + high) / 2;
    if (sum(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The triangle's corner sets K, the end of its last row s. @param {any} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const space = spaceOf(drawing);
  if (!drawing.spec.sums) return [];
  const { left, top, cell, tall, n, panel, unit, full } = space;
  const { settings } = drawing;
  const row = Array.from(
    { length: n },
    (_, lag) => read(drawing, drawing.spec.cells)[n * full - full + n - 1 - lag],
  );
  const sum = read(drawing, "sent")[n - 1];
  /** @type {import("explorax/view").Handle} */
  const corner = {
    control: "steps",
    axis: "y",
    x: left + n * cell,
    y: top + n * tall,
    role: "ink",
    value: (_, py) => Math.round((py - top) / tall),
  };
  const first = settings.placement === "before_heads" ? 1 : 0;
  const still = settings.placement === "off" || !settings.scale || !(first ? sum : sum > row[0]);
  if (!unit || still || sum > full) return [corner];
  /** @type {import("explorax/view").Handle} */
  const end = {
    control: "scale",
    axis: "x",
    x: panel + unit * sum,
    y: top + (n - 0.5) * tall,
    value: (px) => scaleFor(row, settings.scale, first, (px - panel) / unit),
  };
  return [corner, end];
}
