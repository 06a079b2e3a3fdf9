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

/** The scale, from 0 to its end, at which the longest row adds up to so much. @param {any} settings @param {number} n @param {number} wanted */
function scaleFor({ gain, placement }, n, wanted) {
  const sum = (/** @type {number} */ s) => {
    let [term, total] = [placement === "before_heads" ? s : 1, 0];
    for (let i = 0; i < n; i++) {
      total += term;
      term *= s * gain;
    }
    return total;
  };
  let [low, high] = [0, 1];
  for (let i = 0; i < 30; i++) {
    const middle = (low + high) / 2;
    if (sum(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The triangle's corner sets K, the end of its longest row s. @param {any} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const space = spaceOf(drawing);
  if (!drawing.spec.sums) return [];
  const { left, top, cell, tall, n, panel, unit, full } = space;
  const { settings } = drawing;
  const longest = read(drawing, "sent")[n - 1];
  /** @type {import("explorax/view").Handle} */
  const corner = {
    control: "steps",
    axis: "y",
    x: left + n * cell,
    y: top + n * tall,
    role: "ink",
    value: (_, py) => Math.round((py - top) / tall),
  };
  const moves =
    settings.placement !== "off" && (settings.placement === "before_heads" || (n > 1 && settings.gain > 0));
  if (!unit || !moves || longest > full) return [corner];
  /** @type {import("explorax/view").Handle} */
  const end = {
    control: "scale",
    axis: "x",
    x: panel + unit * longest,
    y: top + (n - 0.5) * tall,
    value: (px) => scaleFor(settings, n, (px - panel) / unit),
  };
  return [corner, end];
}
