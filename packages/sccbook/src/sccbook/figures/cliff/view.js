// A wall in a loss: two descents from above, and the loss along their first step.
//
// It draws arrays: `plain` and `clipped` [n, 2], `along` and `height` [m], `levels` [3], `tangent` [2], and `crossing`,
// `norm`, `stride`, `stride_clipped`; the lines of the ground stand in the spec.

import { clamp, html, placeHandles } from "explorax/view";
import { Above } from "./above.js";
import { Cut } from "./cut.js";
import { spaces } from "./room.js";

export const kind = "wall";

export { layouts } from "./room.js";

/** @typedef {import("explorax/view").Drawing} Drawing */
/** @typedef {import("explorax/view").Handle} Handle */

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { map, cut } = spaces(drawing);
  return html`${Above(drawing, map, onMap(drawing))}${Cut(drawing, cut, onCut(drawing))}`;
}

const CATCH = 8; // pixels from the wall within which the hand has its edge

/** The start; near the wall it stands at the edge of the high side, where a hand would hardly find it. @param {Drawing} drawing @returns {Handle[]} */
function onMap(drawing) {
  const { spec } = drawing;
  const { x, y } = spaces(drawing).map;
  const [a, b] = drawing.settings.start;
  /** @param {import("explorax/view").Scale} scale @param {number} px */
  const inside = ({ invert, low, high }, px) => clamp(Math.round(100 * invert(px)) / 100, low, high);
  /** @param {number} px @param {number} py @returns {[number, number]} */
  const value = (px, py) => {
    const w = inside(x, px);
    const [intercept, slope] = spec.wall;
    const wall = intercept + slope * w;
    const edge = Number((wall - edgeOf(spec.edge, w)).toFixed(9));
    const off = Math.abs(y.at(wall) - py) / Math.hypot(1, slope);
    return [w, off < CATCH && edge > y.low ? edge : inside(y, py)];
  };
  return [{ control: "start", x: x.at(a), y: y.at(b), axis: "both", role: "state", value, exact: true }];
}

/** How far beneath the wall its edge is, between two places by a factor. @param {[number, number][]} edge each a w and the depth there @param {number} w */
function edgeOf(edge, w) {
  const i = clamp(
    edge.findLastIndex(([at]) => at <= w),
    0,
    edge.length - 2,
  );
  const [[from, depth], [to, last]] = edge.slice(i);
  return depth * (last / depth) ** ((w - from) / (to - from));
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
