// A wall in a loss: two descents from above, and the loss along their first step.
//
// It draws arrays: `plain` and `clipped` [n, 2], `along` and `height` [m], `levels` [3], `tangent` [2], and `crossing`,
// `norm`, `stride`, `stride_clipped`; the lines of the ground stand in the spec.

import { html } from "../../common/html.js";
import { placeHandles } from "../../views/common/guess.js";
import { Above } from "./above.js";
import { Cut } from "./cut.js";
import { spaces } from "./room.js";

export { layouts } from "./room.js";

/** @typedef {import("../../common/types.js").Drawing} Drawing */
/** @typedef {import("../../common/types.js").Handle} Handle */

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { map, cut } = spaces(drawing);
  return html`${Above(drawing, map, onMap(drawing))}${Cut(drawing, cut, onCut(drawing))}`;
}

/** The start. @param {Drawing} drawing @returns {Handle[]} */
function onMap(drawing) {
  const { x, y } = spaces(drawing).map;
  const [a, b] = drawing.settings.start;
  const value = (/** @type {number} */ px, /** @type {number} */ py) =>
    /** @type {[number, number]} */ ([x.invert(px), y.invert(py)]);
  return [{ control: "start", x: x.at(a), y: y.at(b), axis: "both", role: "state", value }];
}

/** Where the first steps land: the clipped one sets the limit, the plain one the rate. @param {Drawing} drawing @returns {Handle[]} */
function onCut(drawing) {
  const { values, settings, concealed } = drawing;
  if (concealed.has("height")) return [];
  const { x, y } = spaces(drawing).cut;
  const { norm, stride, stride_clipped: shorter, levels } = values;
  /** @type {Handle[]} */
  const both = [
    {
      control: "eta",
      x: x.at(Math.min(stride, x.high)),
      y: y.at(levels[1]),
      axis: "x",
      role: "ink",
      value: (px) => x.invert(px) / norm,
    },
    {
      control: "c",
      x: x.at(Math.min(shorter, x.high)),
      y: y.at(levels[2]),
      axis: "x",
      role: "cotangent",
      value: (px) => x.invert(px) / settings.eta,
    },
  ];
  const apart = stride - shorter > 0.03; // two knobs in one place hide each other
  return both.filter(({ control }) => apart || control === "c");
}

/** @param {Drawing} drawing @returns {Handle[]} */
export const handles = (drawing) => [
  ...onMap(drawing),
  ...onCut(drawing),
  .../** @type {any} */ (placeHandles(drawing, spaces(drawing).map)),
];
