// The lines of a history: as many points as the plot has columns, however many steps there are.

import { maxIndex, minIndex } from "d3-array";
import { clamp, r1 } from "../../view.js";

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
    const column = all.subarray(first, first + each);
    const [low, high] = [minIndex(column), maxIndex(column)].sort((a, b) => a - b);
    go(first + low);
    if (low !== high) go(first + high);
  }
  return all.length === 1 ? `${drawn}Z` : drawn; // one alone is a dot
}
