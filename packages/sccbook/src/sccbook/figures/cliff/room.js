// Where the relief and the cut lie: side by side, or one above the other.

import { bothLayouts, clamp, scaleOf } from "explorax/view";

/** @typedef {import("explorax/view").Scale} Scale */
/** @typedef {{left: number, right: number, top: number, bottom: number, x: Scale, y: Scale}} Space */
/**
 * The relief: its ground lies flat, what is nearer lies lower, and a loss lifts it. `place` puts a w, a b and a loss
 * there, `lift` is the loss at which the ground lies on a side of the wall, and `find` the b that the hand is at.
 * @typedef {Space & {place: (w: number, b: number, loss: number) => [number, number],
 *   lift: (w: number, b: number, side: number) => number, find: (w: number, py: number, side: number) => number}} Relief
 */

const LAYOUTS = {
  wide: {
    width: 688,
    height: 394,
    relief: { left: 14, right: 408, top: 16, bottom: 354, deep: 112, tall: 240 },
    cut: { left: 484, right: 676, top: 30, bottom: 340 },
  },
  narrow: {
    width: 320,
    height: 498,
    relief: { left: 4, right: 278, top: 6, bottom: 254, deep: 82, tall: 180 },
    cut: { left: 40, right: 308, top: 326, bottom: 454 },
  },
};

/** Both pictures with their scales. */
export const { layouts, roomOf: spaces } = bothLayouts((spec, layout) => {
  const { relief, cut, ...size } = LAYOUTS[layout];
  const { left, right, bottom, deep, tall } = relief;
  const [far, near] = spec.y;
  const x = scaleOf(spec.x, left, right, 3);
  const y = scaleOf(spec.y, bottom - deep * (near - far), bottom, 4);
  const place = (/** @type {number} */ w, /** @type {number} */ b, /** @type {number} */ loss) => [
    x.at(w),
    y.at(b) - tall * loss,
  ];
  const lift = (/** @type {number} */ w, /** @type {number} */ b, /** @type {number} */ side) =>
    settled(spec.target, w, b, side);
  /** @param {number} w @param {number} py @param {number} side */
  function find(w, py, side) {
    let b = y.invert(py);
    for (let n = 0; n < 12; n++) b = y.invert(py + tall * lift(w, clamp(b, far, near), side));
    return b;
  }
  return {
    ...size,
    relief: { ...relief, x, y, place, lift, find },
    cut: {
      ...cut,
      x: scaleOf(spec.ahead, cut.left, cut.right, 3),
      y: scaleOf([0, spec.top], cut.bottom, cut.top, layout === "wide" ? 5 : 3),
    },
  };
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
