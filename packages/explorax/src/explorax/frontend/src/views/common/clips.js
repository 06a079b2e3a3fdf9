// Shapes that are cut at the edge of their plot. What a browser clips it paints apart, and where that grows
// or shrinks it arranges the page's layers anew: so a shape within the plot has no clip.

const MARGIN = 3; // more than half of any stroke

/** The numbers of a path of `M`, `L`, `C` and `Z`: x and y in turn. @param {string} d @returns {number[]} */
export const numbersOf = (d) => (d.match(/-?[\d.]+(?:e[-+]?\d+)?/g) ?? []).map(Number);

/**
 * The reference to a clip, for a shape that reaches out of the plot; undefined for one within.
 * @param {number[]} points x and y in turn
 * @param {{left: number, right: number, top: number, bottom: number}} box
 * @param {string} id of the clip
 */
export function clipOf(points, { left, right, top, bottom }, id) {
  const inside = points.every((at, i) =>
    i % 2 ? at >= top + MARGIN && at <= bottom - MARGIN : at >= left + MARGIN && at <= right - MARGIN,
  );
  return inside ? undefined : `url(#${id})`;
}
