// What a view may import, as "explorax/view": the engine's public side. VIEWS.md says more.

export { html } from "./common/html.js";
export { memoize, memoizeDrawn } from "./common/memoize.js";
export { below, general, lowered, number, numbers, powerOfTen, vector } from "./common/numberFormat.js";
export { fill, unbroken } from "./common/template.js";
export { viewNamed } from "./common/views.js";
export { arrow, clip, cut, marker, outlined } from "./views/common/arrows.js";
export { Axes } from "./views/common/axes.js";
export { clipOf, numbersOf } from "./views/common/clips.js";
export { at } from "./views/common/glides.js";
export { GuessedPlace, guessLabels, guessRoom, knobs, placeHandles } from "./views/common/guess.js";
export { bitmap, Shade } from "./views/common/image.js";
export { along, boxOf, meet, placeLabels, spread, widthOf } from "./views/common/labels.js";
export { bothLayouts } from "./views/common/layouts.js";
export { points, r1, short, tick } from "./views/common/numbers.js";
export {
  asks,
  before,
  concealed,
  countOf,
  emphasis,
  isLit,
  pair,
  pairs,
  part,
  read,
  shapeOf,
  templateValues,
} from "./views/common/read.js";
export { clamp, clamped, scaleOf } from "./views/common/scales.js";
export { filled, Key, keyRoom, keyRows, Labels, RowKey, sign, typeOf, wrapped } from "./views/common/text.js";

/** @typedef {import("./common/types.js").Drawing} Drawing */
/** @typedef {import("./common/types.js").Handle} Handle */
/** @typedef {import("./common/types.js").Lit} Lit */
/** @typedef {import("./common/types.js").Values} Values */
/** @typedef {import("./common/types.js").View} View */
/** @typedef {import("./views/common/labels.js").Box} Box */
/** @typedef {import("./views/common/scales.js").Scale} Scale */
