// A ledger: what each loss sends through each step, and what that adds up to.
//
// Its spec is packages/scaleclip/src/scaleclip/figure/triangle.py's Triangle, which says what it reads.

import { concealed, html, r1, read } from "explorax/view";
import { Cells, Headings, Readout } from "./cells.js";
import { Guessed } from "./guessed.js";
import { spaceOf } from "./room.js";
import { Bound, Columns, Corner, Means, Rows, Squares } from "./sums.js";

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
    ${Squares(drawing, space)}
    ${Readout(drawing, space)}
    ${Rows(drawing, space)}
    ${Columns(drawing, space)}
    ${Bound(drawing, space)}
    ${Guessed(drawing, space)}
    ${Means(drawing, space)}
    ${Corner(drawing, space)}
    ${handles(drawing).map(({ control, x, y }) => html`<text class="gl-named gl-role-ink" x=${r1(x + (control === "scale" ? -20 : 12))} y=${r1(y + 6)}>${control === "steps" ? "K" : "s"}</text>`)}
  `;
}

/** The scale at which a row adds up to so much, given what it is at another; `i` scales at least. @param {number[]} row from its own step back @param {number} scale @param {number} i @param {number} wanted */
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

/** The triangle's corner sets K; the end of the last row's bar s, or where rows have none, of the first column's. @param {any} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const space = spaceOf(drawing);
  if (!drawing.spec.sums) return [];
  const { left, top, cell, tall, n, panel, unit, per, full, below } = space;
  const { settings } = drawing;
  const cells = read(drawing, drawing.spec.cells);
  const row = Array.from({ length: n }, (_, lag) => cells[unit ? (n - 1) * full + n - 1 - lag : lag * full]);
  const sum = row.reduce((all, value) => all + value, 0);
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
  if (still || sum > full) return [corner];
  const to = (/** @type {number} */ wanted) => scaleFor(row, settings.scale, first, wanted);
  /** @type {import("explorax/view").Handle} */
  const end = unit
    ? {
        control: "scale",
        axis: "x",
        x: panel + unit * sum,
        y: top + (n - 0.5) * tall,
        value: (px) => to((px - panel) / unit),
      }
    : {
        control: "scale",
        axis: "y",
        x: left + cell / 2,
        y: below + per * sum,
        value: (_, py) => to((py - below) / per),
      };
  return [corner, end];
}
