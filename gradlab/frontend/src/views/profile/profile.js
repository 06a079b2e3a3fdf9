// Bars, lines and points over steps or over a quantity, with thresholds across.
//
// Its spec is gradlab/figure/views/profile.py's Profile. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { Axes } from "../common/axes.js";
import { concealed, part, read, stance } from "../common/read.js";
import { Key, typeOf } from "../common/text.js";
import { Bars } from "./bars.js";
import { Guessed, guessHandles } from "./guessed.js";
import { Ends, Line, Points } from "./lines.js";
import { spaceOf } from "./room.js";
import { Thresholds } from "./thresholds.js";

export { layouts, small } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, id } = drawing;
  const space = spaceOf(drawing);
  const { left, right, top, bottom } = space;
  const shown = spec.series.filter((/** @type {any} */ one) => !concealed(drawing, one.value));
  const bars = shown.filter((/** @type {any} */ one) => one.mark === "bars" || one.mark === "outline");
  return html`
    <defs><clipPath id=${`${id}-profile`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, space, space.x, space.y, { x: spec.x.label, y: spec.y.label, numbers: drawing.room?.numbers, grid: spec.at ? "both" : "y" })}
    ${bars.length > 0 && Bars(bars, drawing, space)}
    ${shown.map((/** @type {any} */ one) => (one.mark === "line" ? Line(one, drawing, space) : one.mark === "points" ? Points(one, drawing, space) : null))}
    ${Thresholds(drawing, space)}
    ${Guessed(drawing, space)}
    ${!space.small && Ends(shown, drawing, space)}
    ${!space.small && keys(drawing, space)}
  `;
}

/** The key above the plot. @param {any} drawing @param {any} space */
const keys = (drawing, { keyed, places }) =>
  keyed.map((/** @type {any} */ one, /** @type {number} */ i) =>
    Key([entryOf(one, drawing)], places[i], typeOf(drawing).size),
  );

/** A series' line of a key. @param {any} one @param {any} drawing */
export const entryOf = (one, drawing) => ({
  kind: one.mark,
  role: one.role,
  text: one.label,
  part: part(one.value),
  stance: stance(drawing, one.value),
});

/** @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  const { x, y, left, right, top, bottom } = spaceOf(drawing);
  const found = spec.thresholds.flatMap((/** @type {any} */ one) => {
    const value = Number(read(drawing, one.value));
    const scale = one.axis === "x" ? x : y;
    if (!one.drag || !(value >= scale.low && value <= scale.high)) return [];
    return one.axis === "x"
      ? [
          {
            control: one.drag,
            x: x.at(value),
            y: top,
            axis: "x",
            label: one.label,
            role: one.role,
            value: (/** @type {number} */ px) => x.invert(Math.min(right, Math.max(left, px))),
          },
        ]
      : [
          {
            control: one.drag,
            x: right,
            y: y.at(value),
            axis: "y",
            label: one.label,
            role: one.role,
            value: (/** @type {number} */ _, /** @type {number} */ py) =>
              y.invert(Math.min(bottom, Math.max(top, py))),
          },
        ];
  });
  return [...found, ...guessHandles(drawing, spaceOf(drawing))];
}
