// Bars, lines and points over steps or over a quantity, with thresholds across.
//
// Its spec is packages/explorax/src/explorax/views/profile.py's Profile. It draws arrays and knows no subject.

import { Axes, clamp, clamped, filled, html, RowKey } from "../../view.js";
import { concealed, emphasis, part, read, templateValues } from "../common/read.js";
import { Guessed, guessHandles } from "./guessed.js";
import { Band, Bars, Line, Points } from "./marks.js";
import { Ends, Names } from "./names.js";
import { isThere, placedOf, spaceOf } from "./room.js";
import { Shade, Sides, Thresholds } from "./thresholds.js";

export { layouts, small } from "./room.js";

/** How far above the foot a knob stands, beside its label and clear of the numbers. */
const KNOB = 14;

/** Beside bars, which are drawn all together. @type {Record<string, any>} */
const MARKS = { band: Band, line: Line, points: Points };

/** @param {any} given */
export function draw(given) {
  const { spec, id, ghost, settings } = given;
  const other = ghost && spec.data?.some((/** @type {string} */ name) => ghost[name] !== settings[name]);
  const drawing = other ? { ...given, ghost: null } : given;
  const space = spaceOf(drawing);
  const { left, right, top, bottom } = space;
  const shown = spec.series
    .filter(
      (/** @type {any} */ one) => (!one.until || concealed(drawing, one.until)) && isThere(drawing, one),
    )
    .map((/** @type {any} */ series) =>
      typeof series.named === "string" ? { ...series, named: Number(read(drawing, series.named)) } : series,
    );
  const bars = shown.filter((/** @type {any} */ { mark }) => mark === "bars" || mark === "outline");
  const keyed = space.keyed.flatMap(
    (/** @type {any} */ { value }) =>
      shown.find((/** @type {any} */ one) => one.label && [one.value, one.until].includes(value)) ?? [],
  );
  return html`
    <defs><clipPath id=${`${id}-profile`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, space, { x: filled(spec.x.label ?? "", templateValues(drawing)), y: spec.y.label, grid: spec.at ? "both" : "y" })}
    ${Shade(drawing, space)}
    ${bars.map((/** @type {any} */ series) => Bars(series, drawing, space))}
    ${shown.map((/** @type {any} */ series) => MARKS[series.mark]?.(series, drawing, placedOf(series, drawing, space)))}
    ${Thresholds(drawing, space)}
    ${Sides(drawing, space)}
    ${Guessed(drawing, space)}
    ${!space.small && Ends(shown, drawing, space)}
    ${!space.small && Names(shown, drawing, space, handles(drawing))}
    ${
      !space.small &&
      RowKey(
        keyed.map((/** @type {any} */ series) => lineOf(series, drawing)),
        space.rows(keyed).places,
        drawing,
      )
    }
  `;
}

/** A series' line of a key. @param {any} series @param {any} drawing */
export function lineOf({ mark, role, label, value, behind }, drawing) {
  const text = filled(label, templateValues(drawing));
  const shade = `${behind ? " gl-behind" : ""}${emphasis(drawing, value)}`;
  return { kind: mark, role, text, part: part(value), emphasis: shade };
}

/** @param {any} drawing */
export function handles(drawing) {
  const space = spaceOf(drawing);
  const { x, y, left, right, top, bottom } = space;
  const found = drawing.spec.thresholds.flatMap(
    (/** @type {any} */ { drag, axis, label, role, divides, on, per = 1, ...threshold }) => {
      const level = Number(read(drawing, threshold.value));
      const scale = axis === "x" ? x : y;
      const out = axis === "x" && (level < scale.low || level > scale.high); // a level's knob stays at the edge
      if (!drag || out || Number.isNaN(level) || !isThere(drawing, { when: threshold.when })) return [];
      const end = threshold.foot ? bottom - KNOB : top;
      const at =
        axis === "x"
          ? { x: x.at(level), y: end }
          : { x: typeof on === "number" ? x.at(on) : right, y: clamped(y, level).px };
      const place = (/** @type {number} */ px, /** @type {number} */ py) =>
        axis === "x" ? x.invert(clamp(px, left, right)) : y.invert(clamp(py, top, bottom));
      const divided = divides && Number(read(drawing, divides));
      const value = (/** @type {[number, number]} */ ...at) =>
        divides ? divided / place(...at) : per * place(...at);
      return [{ control: drag, ...at, axis, label, role, value }];
    },
  );
  return [...found, ...guessHandles(drawing, space)];
}
