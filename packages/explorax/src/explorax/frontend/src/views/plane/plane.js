// A plane with equal units on both axes: arrows, points, rings, clouds, ellipses and paths.
//
// Its spec is packages/explorax/src/explorax/views/plane.py's Plane. It draws arrays and knows no subject.

import { arrow, bothLayouts, emphasis, html, keyRoom, part, read, typeOf } from "../../view.js";
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
  const [across, down] = spec.inset?.size ?? [0, -24];
  const more = down + 24; // the inset stands above a key that is beside the plot, and below one that is below
  const y = beside ? Math.max(top + more, (top + bottom - key.height + more) / 2) : bottom + axis + 8;
  const height = Math.ceil(
    Math.max(bottom + axis + (beside ? 0 : key.height + more), beside ? y + key.height : 0),
  );
  const inset = beside ? { x: right + 26, y: y - more } : { x: (size.width - across) / 2, y: y + key.height };
  const place = { x: beside ? right + 26 : 6, y, letters: key.letters };
  return { width: size.width, height, left, right, top, bottom, key: place, inset };
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
  })}${drawing.spec.inset && space.inset && Inset(drawing, space.inset)}`;
}

/** The axes through zero, where the plot has them. @param {any} space */
function origin({ x, y, left, right, top, bottom }) {
  const upright = x.low < 0 && x.high > 0 ? `M${x.at(0)} ${top}V${bottom}` : "";
  const flat = y.low < 0 && y.high > 0 ? `M${left} ${y.at(0)}H${right}` : "";
  return upright + flat;
}

/** @param {any} drawing */
export const handles = (drawing) => plotHandles(drawing, spaceOf(drawing));

/** @typedef {[number, number]} Point */

/** @param {any} drawing @param {{x: number, y: number}} corner */
export function Inset(drawing, { x, y }) {
  const { arrows, bars, rings, words } = drawing.spec.inset;
  /** @param {Point} point @returns {Point} */
  const at = ([a, b]) => [x + a, y + b];
  const named = (/** @type {string} */ name, /** @type {string} */ role) => ({
    class: `gl-role-${role}${emphasis(drawing, name)}`,
    ...part(name),
  });
  return html`
    <g class="gl-inset">
      ${arrows.map((/** @type {[string, string, Point, Point]} */ [name, role, from, to]) => {
        const { shaft, head } = arrow(at(from), at(to), role, 0.8);
        return html`<g ...${named(name, role)}><path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} /></g>`;
      })}
      ${bars.map((/** @type {[string, string, Point, string | undefined]} */ [name, role, middle, when]) => {
        const [a, b] = at(middle);
        return (
          (!when || Number(read(drawing, when)) !== 0) &&
          html`<g ...${named(name, role)}><path class="gl-bar-across" d=${`M${a} ${b - 11}v22`} /></g>`
        );
      })}
      ${rings.map((/** @type {[string, Point]} */ [role, middle]) => {
        const [a, b] = at(middle);
        return html`<circle class=${`gl-inset-ring gl-role-${role}`} cx=${a} cy=${b} r="11" />`;
      })}
      ${words.map((/** @type {[string, string, Point, string]} */ [text, role, place, anchor]) => {
        const [a, b] = at(place);
        return html`<text class=${`gl-named gl-role-${role}`} x=${a} y=${b} text-anchor=${anchor}>${text}</text>`;
      })}
    </g>`;
}
