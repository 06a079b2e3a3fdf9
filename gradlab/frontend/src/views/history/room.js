// Where everything of a history lies: the plot, its scales, and the names of its lines.

import { bothLayouts } from "../common/layouts.js";
import { shapeOf } from "../common/read.js";
import { scaleOf } from "../common/scales.js";
import { keyRows, typeOf } from "../common/text.js";

const SIZES = {
  wide: { width: 688, plot: 230, left: 54, letter: 7.2 },
  narrow: { width: 320, plot: 180, left: 48, letter: 8 },
};

const LOW = 104;
const NAME = 8; // letters of a level's name, as all have them, so that panels have the same width

/** Lines are named at their ends where there is room, and else in a key above. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, plot: usual, left, letter } = SIZES[layout];
  const plot = spec.low ? LOW : usual;
  /** @type {any[]} */
  const named = spec.series.filter((/** @type {any} */ { label }) => label);
  const [ends, keyed] = layout === "wide" ? [named, []] : [[], named];
  const within = layout === "narrow";
  const across = !within && spec.levels.some((/** @type {any} */ { label }) => label) ? NAME : 0;
  const longest = Math.max(across, ...ends.map(({ label }) => label.length));
  const labels = keyed.map(({ label }) => label);
  const key = keyRows(labels, typeOf({ layout }), 6, width - 4);
  const top = key.height + (spec.y.label ? 28 : 12);
  const [right, bottom] = [width - 18 - (longest ? 8 + longest * letter : 0), top + plot];
  const [steps] = shapeOf(description, spec.series[0].value);
  const x = scaleOf([0, steps], left, right, layout === "narrow" ? 4 : 7);
  const y = scaleOf(spec.y, bottom, top);
  return {
    width,
    height: bottom + (spec.label ? 44 : 26),
    left,
    right,
    top,
    bottom,
    x,
    y,
    ends,
    within,
    keyed,
    places: key.places,
  };
});
