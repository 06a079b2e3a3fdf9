// The lines of a history: as many points as the plot has columns, however many steps there are.

import { r1 } from "../common/numbers.js";
import { clamp } from "../common/scales.js";

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
