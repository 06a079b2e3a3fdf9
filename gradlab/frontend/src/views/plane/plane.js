// A plane with equal units on both axes: arrows, points, rings, clouds, ellipses and paths.
//
// Its spec is gradlab/figure/views/plane.py's Plane. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { Axes } from "../common/axes.js";
import { GuessedPlace, guessLabels, knobs, placeHandles } from "../common/guess.js";
import { placeLabels } from "../common/labels.js";
import { bothLayouts } from "../common/layouts.js";
import { scaleOf } from "../common/scales.js";
import { Key, keyRoom, Labels, typeOf } from "../common/text.js";
import { markHandles } from "./handles.js";
import { drawMarks } from "./marks.js";

/** @typedef {import("../common/guess.js").Space} Space */

/** What a plane takes of a width: at most so high, with a key beside it or below it. */
const SIZES = {
  wide: { width: 688, tallest: 380, left: 40, right: 14, bottom: 42, key: 280 },
  narrow: { width: 320, tallest: 300, left: 38, right: 14, bottom: 42, key: 0 },
};

export const layouts = bothLayouts(room);

/** @param {any} spec @param {"wide" | "narrow"} layout */
function room(spec, layout) {
  const size = SIZES[layout];
  const type = typeOf({ layout });
  const top = spec.y_label ? 26 : 10;
  const templates = spec.marks.map((/** @type {any} */ mark) => mark.key).filter(Boolean);
  const key = keyRoom(templates, type, size.key || size.width - 8);
  const beside = templates.length && size.key ? key.width + 24 : 0;
  const [dx, dy] = [spec.x[1] - spec.x[0], spec.y[1] - spec.y[0]];
  const unit = Math.min((size.width - size.left - size.right - beside) / dx, size.tallest / dy);
  const spare = size.width - size.left - size.right - beside - unit * dx;
  const left = size.left + spare / 2;
  const bottom = top + unit * dy;
  const axis = spec.x_label ? size.bottom : size.bottom - 16;
  const below = beside ? 0 : key.height;
  const y = beside ? Math.max(top, (top + bottom - key.height) / 2) : bottom + axis + 8;
  return {
    width: size.width,
    height: Math.ceil(Math.max(bottom + axis + below, beside ? y + key.height : 0)),
    left,
    right: left + unit * dx,
    top,
    bottom,
    key: { x: beside ? left + unit * dx + 26 : 6, y, letters: key.letters },
  }; // prettier-ignore
}

/** A plane in a given box, such as one of small multiples. @param {any} spec @param {number} width */
export function small(spec, width) {
  const unit = width / (spec.x[1] - spec.x[0]);
  return { left: 0, right: width, top: 0, bottom: unit * (spec.y[1] - spec.y[0]), small: true };
}

/** The two axes of a spec, as scales need them; kept, so that scales are made once. @type {WeakMap<object, any>} */
const axes = new WeakMap();

/** The plot with its scales. @param {any} drawing @returns {Space & {unit: number, small: boolean}} */
export function spaceOf(drawing) {
  const { spec, room = layouts(spec)[/** @type {"wide"} */ (drawing.layout)] } = drawing;
  const pair = axes.get(spec) ?? { x: { span: spec.x }, y: { span: spec.y } };
  axes.set(spec, pair);
  const few = room.small ? 3 : 5;
  const x = scaleOf(pair.x, room.left, room.right, few);
  const y = scaleOf(pair.y, room.bottom, room.top, few);
  return { ...room, x, y, unit: (room.right - room.left) / (spec.x[1] - spec.x[0]) };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, id } = drawing;
  const space = spaceOf(drawing);
  const { left, right, top, bottom, key } = /** @type {any} */ (space);
  const type = typeOf(drawing);
  const { shapes, labels, keys, taken } = drawMarks(drawing, space);
  taken.push(...knobs(markHandles(drawing, space)));
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  return html`
    <defs><clipPath id=${`${id}-plane`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, space, space.x, space.y, { x: spec.x_label, y: spec.y_label, numbers: drawing.room?.numbers })}
    <path class="gl-zero" d=${origin(space)} />
    ${shapes}
    ${GuessedPlace(drawing, space)}
    ${Labels(placeLabels([...guessLabels(drawing, space), ...labels], bounds, type, taken))}
    ${!space.small && Key(keys, key, type.size)}
  `;
}

/** The axes through zero, where the plot has them. @param {Space} space */
function origin({ x, y, left, right, top, bottom }) {
  const upright = x.low < 0 && x.high > 0 ? `M${x.at(0)} ${top}V${bottom}` : "";
  const flat = y.low < 0 && y.high > 0 ? `M${left} ${y.at(0)}H${right}` : "";
  return upright + flat;
}

/** @param {any} drawing */
export function handles(drawing) {
  const space = spaceOf(drawing);
  return [...markHandles(drawing, space), ...placeHandles(drawing, space)];
}
