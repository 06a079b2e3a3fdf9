// A plane with equal units on both axes: arrows, points, rings, clouds, ellipses and paths.
//
// Its spec is packages/explorax/src/explorax/views/plane.py's Plane. It draws arrays and knows no subject.

import { bothLayouts, html, keyRoom, typeOf } from "../../view.js";
import { Plot, plotHandles, plotSpace } from "./plot.js";

/** Sizes of a plane: at most so high, with a key beside it or below it. */
const SIZES = {
  wide: { width: 688, tallest: 356, left: 40, right: 14, bottom: 42, key: 280 },
  narrow: { width: 320, tallest: 300, left: 38, right: 14, bottom: 42, key: 0 },
};

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const size = SIZES[layout];
  const top = spec.y_label ? 26 : 10;
  const templates = spec.marks.map((/** @type {any} */ mark) => mark.key).filter(Boolean);
  const key = keyRoom(templates, typeOf({ layout }), size.key || size.width - 8);
  const beside = templates.length && size.key ? key.width + 24 : 0;
  const [dx, dy] = [spec.x[1] - spec.x[0], spec.y[1] - spec.y[0]];
  const wide = size.width - size.left - size.right - beside;
  const unit = Math.min(wide / dx, size.tallest / dy);
  const left = size.left + (wide - unit * dx) / 2;
  const [right, bottom] = [left + unit * dx, top + unit * dy];
  const axis = spec.x_label ? size.bottom : size.bottom - 16;
  const y = beside ? Math.max(top, (top + bottom - key.height) / 2) : bottom + axis + 8;
  const height = Math.ceil(Math.max(bottom + axis + (beside ? 0 : key.height), beside ? y + key.height : 0));
  const place = { x: beside ? right + 26 : 6, y, letters: key.letters };
  return { width: size.width, height, left, right, top, bottom, key: place };
});

/** A plane in a given box, such as one of small multiples. @param {any} spec @param {number} width */
export function small(spec, width) {
  const unit = width / (spec.x[1] - spec.x[0]);
  return { left: 0, right: width, top: 0, bottom: unit * (spec.y[1] - spec.y[0]), small: true };
}

/** The plot with its scales. @param {any} drawing */
const spaceOf = (drawing) => plotSpace(drawing, roomOf(drawing), 5);

/** @param {any} drawing */
export function draw(drawing) {
  const space = spaceOf(drawing);
  const shown = drawing.spec.ghosts === false ? { ...drawing, ghost: null } : drawing;
  return html`${Plot(shown, space, {
    beneath: null,
    grid: "both",
    above: html`<path class="gl-zero" d=${origin(space)} />`,
  })}`;
}

/** The axes through zero, where the plot has them. @param {any} space */
function origin({ x, y, left, right, top, bottom }) {
  const upright = x.low < 0 && x.high > 0 ? `M${x.at(0)} ${top}V${bottom}` : "";
  const flat = y.low < 0 && y.high > 0 ? `M${left} ${y.at(0)}H${right}` : "";
  return upright + flat;
}

/** @param {any} drawing */
export const handles = (drawing) => plotHandles(drawing, spaceOf(drawing));
