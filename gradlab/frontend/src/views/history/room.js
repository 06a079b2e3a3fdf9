// Where everything of a history lies: the runs' key, the plot, and its scales.

import { bothLayouts } from "../common/layouts.js";
import { shapeOf } from "../common/read.js";
import { scaleOf } from "../common/scales.js";
import { typeOf } from "../common/text.js";

const SIZES = {
  wide: { width: 688, plot: 210, left: 54, right: 14, letter: 7.2, across: 2 },
  narrow: { width: 320, plot: 170, left: 48, right: 14, letter: 8, across: 1 },
};
export const RUNS = 4; // the present one and three earlier

/** Lines are named at their ends, and runs in a key above the plot. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, plot, left, right: margin, letter, across } = SIZES[layout];
  const { size } = typeOf({ layout });
  const longest = Math.max(0, ...spec.series.map((/** @type {any} */ { label }) => label.length));
  const rows = spec.key ? Math.ceil(RUNS / across) : 0;
  const top = rows * (size + 3) + (spec.y.label ? 28 : 12);
  const [right, bottom] = [width - margin - (longest ? 12 + longest * letter : 0), top + plot];
  const [steps] = shapeOf(description, spec.series[0].value);
  return {
    width,
    height: bottom + 44,
    left,
    right,
    top,
    bottom,
    keys: Array.from({ length: rows ? RUNS : 0 }, (_, i) => ({
      x: (layout === "wide" ? left : 6) + (i % across) * ((width - left) / across),
      y: Math.floor(i / across) * (size + 3),
      letters: Math.floor(
        ((width - (layout === "wide" ? left : 6)) / across - 40) / typeOf({ layout }).letter,
      ),
    })),
    x: scaleOf([0, steps], left, right, layout === "narrow" ? 4 : 7),
    y: scaleOf(spec.y, bottom, top),
  };
});
