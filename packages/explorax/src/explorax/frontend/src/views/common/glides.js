// Where a thing lies that the hand carries: let go, it glides to its place (`gl-carried` in the styles).

import { r1 } from "./numbers.js";

/** A place, as a style that can glide, and as an attribute for pages that forbid styles. @param {number} x @param {number} y */
export const at = (x, y) => ({
  transform: `translate(${r1(x)} ${r1(y)})`,
  style: `transform:translate(${r1(x)}px,${r1(y)}px)`,
});
