// Where the map and the cut lie: side by side, or one above the other; one unit is as long across as up.

import { bothLayouts, scaleOf } from "explorax/view";

/** @typedef {{left: number, right: number, top: number, bottom: number, x: import("explorax/view").Scale, y: import("explorax/view").Scale}} Space */

const LAYOUTS = {
  wide: {
    width: 688,
    height: 374,
    map: { left: 44, right: 416, top: 26, bottom: 336 },
    cut: { left: 472, right: 678, top: 26, bottom: 336 },
  },
  narrow: {
    width: 320,
    height: 453,
    map: { left: 40, right: 312, top: 22, bottom: 249 },
    cut: { left: 40, right: 312, top: 298, bottom: 418 },
  },
};

/** Both plots with their scales, side by side or one above the other. */
export const { layouts, roomOf: spaces } = bothLayouts((spec, layout) => {
  const { map, cut, ...size } = LAYOUTS[layout];
  const to = (
    /** @type {any} */ box,
    /** @type {any} */ x,
    /** @type {any} */ y,
    /** @type {number} */ many,
  ) => ({
    ...box,
    x: scaleOf(x, box.left, box.right, 3),
    y: scaleOf(y, box.bottom, box.top, many),
  });
  return {
    ...size,
    map: to(map, spec.x, spec.y, 4),
    cut: to(cut, spec.ahead, [0, spec.top], layout === "wide" ? 5 : 3),
  };
});
