// A plot of marks: what a plane and a surface have in common.

import {
  Axes,
  GuessedPlace,
  guessLabels,
  guessRoom,
  html,
  knobs,
  placeHandles,
  scaleOf,
} from "../../view.js";
import { placeLabels } from "../common/labels.js";
import { Key, Labels, typeOf } from "../common/text.js";
import { markHandles } from "./handles.js";
import { drawMarks } from "./marks.js";

/** A room with the scales of its plot. @param {any} drawing @param {any} room @param {number} ticks about how many */
export function plotSpace({ spec }, room, ticks) {
  const few = room.small ? 3 : ticks;
  const x = scaleOf(spec.x, room.left, room.right, few);
  const y = scaleOf(spec.y, room.bottom, room.top, few);
  return { ...room, x, y, unit: (room.right - room.left) / (spec.x[1] - spec.x[0]) };
}

/**
 * Axes, marks, their labels and their key.
 * @param {any} drawing @param {any} space
 * @param {{beneath: any, above: any, grid: "both" | "none"}} ground what is drawn beneath the axes, and above them
 */
export function Plot(drawing, space, { beneath, above, grid }) {
  const { spec, id } = drawing;
  const { left, right, top, bottom } = space;
  const type = typeOf(drawing);
  const { shapes, labels, keys, taken } = drawMarks(drawing, space);
  const held = markHandles(drawing, space);
  const named = labels.map((/** @type {any} */ label) =>
    held.some((/** @type {any} */ { x, y }) => Math.hypot(x - label.x, y - label.y) < 2)
      ? { ...label, gap: 12 }
      : label,
  );
  taken.push(...knobs(held), ...guessRoom(drawing, space));
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  return html`
    <defs><clipPath id=${`${id}-plane`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${beneath}
    ${Axes(drawing, space, { x: spec.x_label, y: spec.y_label, grid })}
    ${above}
    ${shapes}
    ${GuessedPlace(drawing, space)}
    ${Labels(placeLabels([...guessLabels(drawing, space), ...named], bounds, type, taken))}
    ${!space.small && Key(keys, space.key, type.size)}
  `;
}

/** All that can be dragged. @param {any} drawing @param {any} space */
export const plotHandles = (drawing, space) => [
  ...markHandles(drawing, space),
  ...placeHandles(drawing, space),
];
