// Where the relief lies: its ground is flat, what is nearer lies lower, and a loss lifts it.

import { bothLayouts, clamp, scaleOf } from "explorax/view";

/** @typedef {import("explorax/view").Scale} Scale */
/**
 * `place` puts a w, a b and a loss into the picture, `ground` a w and a b on the ground of a side of the wall, and
 * `find` tells at which b of that ground the hand is.
 * @typedef {{width: number, left: number, right: number, top: number, bottom: number, x: Scale, y: Scale,
 *   place: (w: number, b: number, loss: number) => [number, number],
 *   ground: (w: number, b: number, side: number) => [number, number],
 *   find: (w: number, py: number, side: number) => number}} Relief
 */

const LAYOUTS = {
  wide: { width: 688, height: 404, left: 14, right: 640, top: 6, bottom: 364, deep: 216, tall: 300 },
  narrow: { width: 320, height: 306, left: 4, right: 278, top: 6, bottom: 268, deep: 170, tall: 190 },
};

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const { deep, tall, ...box } = LAYOUTS[layout];
  const x = scaleOf(spec.x, box.left, box.right);
  const y = scaleOf(spec.y, box.bottom - deep, box.bottom, 4);
  /** @type {Relief["place"]} */
  const place = (w, b, loss) => [x.at(w), y.at(b) - tall * loss];
  /** @type {Relief["ground"]} */
  const ground = (w, b, side) => place(w, b, settled(spec.target, w, b, side));
  /** @type {Relief["find"]} */
  function find(w, py, side) {
    let b = y.invert(py);
    for (let n = 0; n < 12; n++) b = clamp(b + y.invert(py) - y.invert(ground(w, b, side)[1]), y.low, y.high);
    return b;
  }
  return { ...box, x, y, place, ground, find };
});

/**
 * The loss where the state has settled: x = w y + b with y = sigmoid(x), on the side of the wall where y is large (1) or small (-1).
 * @param {number} target @param {number} w above 4 @param {number} b @param {number} side
 */
export function settled(target, w, b, side) {
  const steepest = (1 - Math.sqrt(1 - 4 / w)) / 2; // where two resting places become one
  let [low, high] = side > 0 ? [1 - steepest, 1] : [0, steepest];
  for (let n = 0; n < 40; n++) {
    const y = (low + high) / 2;
    if (Math.log(y / (1 - y)) < w * y + b) low = y;
    else high = y;
  }
  return (low - target) ** 2;
}
