// What is drawn in a profile, as boxes, for labels to keep off.

import { along, clamped, concealed, filled, read, templateValues, typeOf, widthOf } from "../../view.js";
import { placedOf } from "./room.js";

/** @typedef {import("../common/labels.js").Box} Box */

const PAD = 3;

/** The room about what is drawn. @param {number[]} xs @param {number[]} ys @returns {Box} */
export const around = (xs, ys) => ({
  left: Math.min(...xs) - PAD,
  right: Math.max(...xs) + PAD,
  top: Math.min(...ys) - PAD,
  bottom: Math.max(...ys) + PAD,
});

/** The finite spots of a series, no farther out than the plot. @param {any} series @param {any} drawing @param {any} space @returns {[number, number][]} */
export function spots(series, drawing, space) {
  const { count, place } = placedOf(series, drawing, space);
  const values = Array.from(read(drawing, series.value)).slice(0, count);
  return values.flatMap((value, i) =>
    Number.isFinite(value) ? [[place(i), clamped(space.y, Number(value)).px]] : [],
  );
}

/** @param {any[]} shown the series that are drawn @param {any} drawing @param {any} space @returns {Box[]} */
export const drawnIn = (shown, drawing, space) => [
  ...shown.flatMap((series) => seriesIn(series, spots(series, drawing, space), space)),
  ...drawing.spec.thresholds.flatMap((/** @type {any} */ threshold) =>
    thresholdIn(threshold, drawing, space),
  ),
];

/** A series, piece by piece. @param {any} series @param {[number, number][]} course @param {any} space @returns {Box[]} */
function seriesIn({ mark }, course, space) {
  if (mark === "line") return along(course, space);
  const foot = mark === "points" ? [] : [space.y.zero];
  return course.map(([px, py]) => around([px], [py, ...foot]));
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
