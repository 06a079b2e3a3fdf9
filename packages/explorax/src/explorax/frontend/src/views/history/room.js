// Where everything of a history lies: the plot, its scales, and the names of its lines.

import { bothLayouts, clamp, keyRows, r1, scaleOf, shapeOf, typeOf } from "../../view.js";

const SIZES = {
  wide: { width: 688, plot: 230, left: 54, letter: 7.7 },
  narrow: { width: 320, plot: 180, left: 48, letter: 8 },
};

const NAME = 8; // letters of a level's name, as all have them, so that panels have the same width
const RUN = 25; // letters that a line of a run's name has at most, as all have in a low plot

/** The letters of the longest name that a run may have, about. @param {any} description */
function longestOf({ controls }) {
  /** @type {[string, string][]} */
  const all = controls.flatMap((/** @type {any} */ { options }) => options ?? []);
  return Math.min(RUN, Math.max(12, ...all.map(([, words]) => words.length)));
}

/**
 * Lines are named at their ends where there is room, and else in a key above. A line that stands for the whole run
 * has the run's name.
 */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, plot: usual, left, letter } = SIZES[layout];
  const plot = spec.plot || usual;
  /** @type {any[]} */
  const named = spec.series.filter((/** @type {any} */ { label }) => label);
  const [ends, keyed] = layout === "wide" ? [named, []] : [[], named];
  const within = layout === "narrow";
  const runs =
    !within && spec.series.length === 1 && !named.length ? (spec.plot ? RUN : longestOf(description)) : 0;
  const across = !within && spec.levels.some((/** @type {any} */ { label }) => label) ? NAME : 0;
  const longest = Math.max(across, runs, ...ends.map(({ label }) => label.length));
  const labels = keyed.map(({ label }) => label);
  const key = keyRows(labels, typeOf({ layout }), 6, width - 4);
  const top = key.height + (spec.y.label ? 28 : 12);
  const [right, bottom] = [width - 18 - (longest ? 8 + longest * letter : 0), top + plot];
  const [steps] = shapeOf(description, spec.series[0].value);
  const x = scaleOf([0, steps], left, right, layout === "narrow" ? 4 : 7);
  const y = scaleOf(spec.y, bottom, top);
  const box = { width, height: bottom + (spec.label ? 44 : 26), left, right, top, bottom };
  return { ...box, x, y, ends, runs, within, keyed, places: key.places };
});

/** The heights of so many values in the plot. @param {ArrayLike<number>} values @param {number} taken @param {any} room */
export const heights = (values, taken, { y }) =>
  Float64Array.from({ length: taken }, (_, i) => clamp(y.at(values[i]), -2e4, 2e4));

/** The mean of each with those before it, so many in all. @param {Float64Array} all @param {number} many */
export function means(all, many) {
  let sum = 0;
  return all.map((height, i) => {
    sum += height - (i >= many ? all[i - many] : 0);
    return sum / Math.min(i + 1, many);
  });
}

/** A path through heights, with the lowest and the highest of each column of the plot. @param {Float64Array} all @param {any} room */
export function path(all, { x, left, right }) {
  const each = Math.max(1, Math.ceil(x.high / Math.floor(right - left)));
  let drawn = "";
  const go = (/** @type {number} */ i) => {
    drawn += `${drawn ? "L" : "M"}${r1(x.at(i + 1))} ${r1(all[i])}`;
  };
  for (let first = 0; first < all.length; first += each) {
    let [low, high] = [first, first];
    for (let i = first + 1; i < Math.min(first + each, all.length); i++) {
      if (all[i] < all[low]) low = i;
      if (all[i] > all[high]) high = i;
    }
    go(Math.min(low, high));
    if (low !== high) go(Math.max(low, high));
  }
  return all.length === 1 ? `${drawn}Z` : drawn; // one alone is a dot
}
