// A wall in a loss: two descents on its relief, and the loss along their first step.
//
// It draws arrays: `plain` and `clipped` [n, 2] with `plain_losses` and `clipped_losses` [n], `along` and `height` [m],
// and `crossing`, `norm`, `stride`, `stride_clipped`; the lines of the ground stand in the spec.

import { clamp, html } from "explorax/view";
import { Cut, levels } from "./cut.js";
import { Landscape } from "./relief.js";
import { spaces } from "./room.js";

export const kind = "wall";

export { layouts } from "./room.js";

/** @typedef {import("explorax/view").Drawing} Drawing */
/** @typedef {import("explorax/view").Handle} Handle */

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { relief, cut } = spaces(drawing);
  return html`${Landscape(drawing, relief, onRelief(drawing))}${Cut(drawing, cut, onCut(drawing))}`;
}

const CATCH = 3; // pixels beyond the wall's edge and its foot within which the hand has the edge

/** The start; on the face of the wall and close to it, it stands at the edge of the high side. @param {Drawing} drawing @returns {Handle[]} */
function onRelief(drawing) {
  const { spec, settings, values } = drawing;
  const { x, y, place, lift, find } = spaces(drawing).relief;
  const [a, b] = settings.start;
  const [left, level] = place(a, b, levels(values)[0]);
  /** @param {number} value @param {import("explorax/view").Scale} scale */
  const inside = (value, { low, high }) => clamp(Math.round(100 * value) / 100, low, high);
  /** @param {number} px @param {number} py @returns {[number, number]} */
  const value = (px, py) => {
    const w = inside(x.invert(px), x);
    const [intercept, slope] = spec.wall;
    const wall = intercept + slope * w;
    if (py < place(w, wall, lift(w, wall, -1))[1] - CATCH) return [w, inside(find(w, py, -1), y)];
    if (py > place(w, wall, lift(w, wall, 1))[1] + CATCH) return [w, inside(find(w, py, 1), y)];
    return [w, clamp(Number((wall - edgeOf(spec.edge, w)).toFixed(9)), y.low, y.high)];
  };
  return [{ control: "start", x: left, y: level, axis: "both", role: "state", value, exact: true }];
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
  const { values, settings } = drawing;
  const { x, y } = spaces(drawing).cut;
  const { norm, stride, stride_clipped: shorter } = values;
  const [, plain, clipped] = levels(values);
  /** @type {Handle[]} */
  const both = [
    {
      control: "eta",
      x: x.at(Math.min(stride, x.high)),
      y: y.at(plain),
      axis: "x",
      role: "ink",
      value: (px) => x.invert(px) / norm,
    },
    {
      control: "c",
      x: x.at(Math.min(shorter, x.high)),
      y: y.at(clipped),
      axis: "x",
      role: "cotangent",
      value: (px) => x.invert(px) / settings.eta,
    },
  ];
  const apart = stride - shorter > 0.03; // two knobs in one place hide each other
  return both.filter(({ control, x }) => (apart || control === "c") && Number.isFinite(x));
}

/** @param {Drawing} drawing @returns {Handle[]} */
export const handles = (drawing) => [...onRelief(drawing), ...onCut(drawing)];
