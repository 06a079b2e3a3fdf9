// What is drawn in a profile, as boxes, for labels to keep off.

import { widthOf } from "../common/labels.js";
import { concealed, read, templateValues } from "../common/read.js";
import { clamped } from "../common/scales.js";
import { filled, typeOf } from "../common/text.js";
import { placedOf } from "./room.js";

/** @typedef {import("../common/labels.js").Box} Box */

const PAD = 3;

/** @param {number[]} xs @param {number[]} ys @returns {Box} */
const around = (xs, ys) => ({
  left: Math.min(...xs) - PAD,
  right: Math.max(...xs) + PAD,
  top: Math.min(...ys) - PAD,
  bottom: Math.max(...ys) + PAD,
});

/** @param {any[]} shown the series that are drawn @param {any} drawing @param {any} space @returns {Box[]} */
export const drawnIn = (shown, drawing, space) => [
  ...shown.flatMap((series) => seriesIn(series, drawing, placedOf(series, drawing, space))),
  ...drawing.spec.thresholds.flatMap((/** @type {any} */ threshold) =>
    thresholdIn(threshold, drawing, space),
  ),
];

/** A series, piece by piece. @param {any} series @param {any} drawing @param {any} space @returns {Box[]} */
function seriesIn({ value, mark }, drawing, { y, count, place }) {
  const values = Array.from(read(drawing, value)).slice(0, count);
  return values.flatMap((each, i) => {
    const [here, next] = [each, values[i + 1]].map((level) =>
      Number.isFinite(level) ? clamped(y, Number(level)).px : null,
    );
    if (here === null) return [];
    if (mark === "bars" || mark === "outline") return [around([place(i)], [here, y.zero])];
    return mark === "line" && next !== null
      ? [around([place(i), place(i + 1)], [here, next])]
      : [around([place(i)], [here])];
  });
}

/** A threshold's line; a level's name stands above it at its right end. @param {any} threshold @param {any} drawing @param {any} space @returns {Box[]} */
function thresholdIn(threshold, drawing, { x, y, left, right, top, bottom, beside }) {
  const { value, axis, label } = threshold;
  const at = Number(read(drawing, value));
  if (concealed(drawing, value) || Number.isNaN(at)) return [];
  if (axis === "x") return [around([clamped(x, at).px], [top, bottom])];
  const { letter, size } = typeOf(drawing);
  const { px } = clamped(y, at);
  const wide =
    label && !beside.includes(threshold) ? widthOf(filled(label, templateValues(drawing)), letter) : 0;
  const name = { left: right - 12 - wide, right: right - 12, top: px - 8 - size, bottom: px - 4 };
  return [around([left, right], [px]), ...(wide ? [name] : [])];
}
