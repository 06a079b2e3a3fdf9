// A plot of marks: what a plane and a surface have in common.

import { Axes, filled, html, Key, Labels, memoizeDrawn, placeLabels, scaleOf, typeOf } from "../../view.js";
import { GuessedPlace, guessLabels, guessRoom, knobs, placeHandles } from "../common/guess.js";
import { concealed, emphasis, pair, part, read, templateValues } from "../common/read.js";
import { cloud, ellipses } from "./many.js";
import { dot, isSquare, rim, ring, trail } from "./shapes.js";
import { arc, courses, vector } from "./vectors.js";

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
  const signs = [space.key?.y, ...keys.map(({ text, emphasis }) => text + emphasis)];
  return html`
    <defs><clipPath id=${`${id}-plane`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${beneath}
    ${Axes(drawing, space, { x: spec.x_label, y: spec.y_label, grid })}
    ${above}
    ${shapes}
    ${GuessedPlace(drawing, space)}
    ${Labels(placeLabels([...guessLabels(drawing, space), ...named], bounds, type, taken))}
    ${!space.small && memoizeDrawn(drawing, "key", signs, () => Key(keys, space.key, type.size))}
  `;
}

/** All that can be dragged. @param {any} drawing @param {any} space */
export const plotHandles = (drawing, space) => [
  ...markHandles(drawing, space),
  ...placeHandles(drawing, space),
];

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** All marks of a spec over a plot. @param {any} drawing @param {any} space */
function drawMarks(drawing, space) {
  /** @type {Sheet} */
  const sheet = { shapes: [], labels: [], keys: [], taken: [], words: {}, unsaid: new Set() };
  sheet.words = templateValues(drawing);
  for (const mark of drawing.spec.marks) {
    if (mark.when && Number(read(drawing, mark.when)) === 0) continue;
    const name = mark.value ?? mark.matrix ?? mark.radius;
    const missing = concealed(drawing, name, mark.tail, mark.tails, mark.start, mark.center, mark.radius);
    /** @type {any[]} */
    const shapes = []; // each mark's by themselves: one that comes or goes leaves the others their places
    if (!missing) DRAW[mark.kind](mark, drawing, space, { ...sheet, shapes });
    sheet.shapes.push(shapes);
    if (mark.key) sheet.keys.push(lineOf(mark, drawing, sheet.words));
  }
  return sheet;
}

/** A mark's line of a key. @param {any} mark @param {any} drawing @param {any} values */
export function lineOf(mark, drawing, values) {
  const bare = mark.kind === "trail" && !mark.dots;
  const kind = mark.before ? "before" : bare ? "line" : (mark.shape ?? mark.kind);
  const name = mark.value ?? mark.matrix ?? mark.radius;
  const text = filled(mark.key, values);
  return { kind, role: mark.role, text, part: part(name), emphasis: emphasis(drawing, name) };
}

/** @type {Record<string, (mark: any, drawing: any, space: any, sheet: Sheet) => void>} */
const DRAW = { vector, arc, dot, ring, trail, cloud, image: ellipses };

/** @param {any} drawing @param {any} space */
function markHandles(drawing, space) {
  return drawing.spec.marks.flatMap((/** @type {any} */ mark) => {
    if (!mark.drag) return [];
    const found = (mark.kind === "ring" ? ringHandle : pointHandle)(mark, drawing, space);
    return found && finite(found, space) ? [found] : [];
  });
}

/** The control that a mark's handle sets, and the mark's name. @param {any} mark @param {any} drawing */
const named = ({ drag, label, role }, drawing) => ({
  control: drag,
  label: label && filled(label, templateValues(drawing), 1),
  role,
});

/** Tell if a handle lies where a hand can reach it. @param {any} handle @param {any} space */
const finite = ({ x, y }, { left, right, top, bottom }) =>
  x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;

/** The head of an arrow, or a point. @param {any} mark @param {any} drawing @param {any} space */
function pointHandle(mark, drawing, { x, y }) {
  const course = mark.kind === "vector" ? courses(mark, drawing)[0] : null;
  const tail = course ? course.tail : [0, 0];
  /** @type {any} */
  const head = course ? course.head : pair(drawing, mark.value);
  const base = { ...named(mark, drawing), x: x.at(head[0]), y: y.at(head[1]) };
  /** From the tail. @param {number} px @param {number} py */
  const value = (px, py) => [x.invert(px) - tail[0], y.invert(py) - tail[1]];
  if (!mark.along) return { ...base, axis: "both", value };
  /** @type {any} */
  const [u, v] = pair(drawing, mark.along);
  const size = u * u + v * v;
  if (!(size > 1e-12 && size < Infinity)) return null;
  const axis = Math.abs(u) >= Math.abs(v) ? "x" : "y";
  /** The foot of the pointer on the arrow's line, in lengths of the arrow at 1. @param {number} px @param {number} py */
  const along = (px, py) => {
    const [a, b] = value(px, py);
    return (a * u + b * v) / size;
  };
  return { ...base, axis, value: along };
}

/** A ring, or a square, at its handle's angle. @param {any} mark @param {any} drawing @param {any} space */
function ringHandle(mark, drawing, { x, y }) {
  /** @type {any} */
  const [cx, cy] = pair(drawing, mark.center);
  const radius = Number(read(drawing, mark.radius));
  const square = isSquare(mark, drawing);
  const [u, v] = rim(mark, square);
  const value = (/** @type {number} */ px, /** @type {number} */ py) => {
    const [dx, dy] = [Math.abs(x.invert(px) - cx), Math.abs(y.invert(py) - cy)];
    return square ? Math.max(dx, dy) : Math.hypot(dx, dy);
  };
  const axis = Math.abs(u) >= Math.abs(v) - 1e-9 ? "x" : "y";
  return { ...named(mark, drawing), x: x.at(cx + radius * u), y: y.at(cy + radius * v), axis, value };
}
