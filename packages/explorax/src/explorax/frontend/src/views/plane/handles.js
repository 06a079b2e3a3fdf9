// What a reader takes hold of in a plane: heads of arrows, points, rings.

import { filled, pair, read, templateValues } from "../../view.js";
import { isSquare, rim } from "./shapes.js";
import { courses } from "./vectors.js";

/** @param {any} drawing @param {any} space */
export function markHandles(drawing, space) {
  return drawing.spec.marks.flatMap((/** @type {any} */ mark) => {
    if (!mark.drag) return [];
    const found = mark.kind === "ring" ? ring(mark, drawing, space) : point(mark, drawing, space);
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
function point(mark, drawing, { x, y }) {
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
function ring(mark, drawing, { x, y }) {
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
