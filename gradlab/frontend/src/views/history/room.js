// Where everything of a history lies: the plot, and its scales.

import { bothLayouts } from "../common/layouts.js";
import { shapeOf } from "../common/read.js";
import { scaleOf } from "../common/scales.js";

const SIZES = {
  wide: { width: 688, plot: 230, left: 54, letter: 7.2 },
  narrow: { width: 320, plot: 180, left: 48, letter: 8 },
};

/** Lines are named at their ends. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, plot, left, letter } = SIZES[layout];
  const longest = Math.max(0, ...spec.series.map((/** @type {any} */ { label }) => label.length));
  const top = spec.y.label ? 28 : 12;
  const [right, bottom] = [width - 18 - (longest ? 8 + longest * letter : 0), top + plot];
  const [steps] = shapeOf(description, spec.series[0].value);
  const x = scaleOf([0, steps], left, right, layout === "narrow" ? 4 : 7);
  return { width, height: bottom + 44, left, right, top, bottom, x, y: scaleOf(spec.y, bottom, top) };
});
