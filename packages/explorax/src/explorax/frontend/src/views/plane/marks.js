// The marks of a plane: each kind gives shapes, labels to place, and a line of the key.

import { concealed, filled, part, read, stance, templateValues } from "../../view.js";
import { cloud, ellipses } from "./many.js";
import { dot, ring, trail } from "./shapes.js";
import { arc, vector } from "./vectors.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** All marks of a spec over a plot. @param {any} drawing @param {any} space */
export function drawMarks(drawing, space) {
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
  const kind = mark.before ? "before" : (mark.shape ?? mark.kind);
  const name = mark.value ?? mark.matrix ?? mark.radius;
  const text = filled(mark.key, values);
  return { kind, role: mark.role, text, part: part(name), stance: stance(drawing, name) };
}

/** @type {Record<string, (mark: any, drawing: any, space: any, sheet: Sheet) => void>} */
const DRAW = { vector, arc, dot, ring, trail, cloud, image: ellipses };
