import assert from "node:assert/strict";
import test from "node:test";
import { clipOf, numbersOf } from "../../src/views/common/clips.js";
import { draw } from "../../src/views/plane/plane.js";
import { drawing } from "../drawings.js";
import { plane, vector } from "../specs.js";

test("a path within the plot has no clip; one that leaves it, or runs along its edge, has one", () => {
  const clip = (d) => clipOf(numbersOf(d), { left: 0, right: 100, top: 0, bottom: 50 }, "x");
  for (const within of ["M10 10L90.5 40", ""]) assert.equal(clip(within), undefined);
  for (const out of ["M10 10L90 60", "M-10 10L90 40", "M10 1L90 40"]) assert.equal(clip(out), "url(#x)", out);
  assert.deepEqual(numbersOf("M-1.5e-7 2C3 4,-5 6 7 8Z"), [-1.5e-7, 2, 3, 4, -5, 6, 7, 8]);
});

test("a ghost that comes leaves the marks in their places, among lists of lists", () => {
  const spec = plane(vector("a"), vector("b"));
  /** Find where the elements are with which a part is drawn. */
  const places = (made, path = "") => {
    if (Array.isArray(made)) return made.flatMap((each, i) => places(each, `${path}.${i}`));
    return made?.props?.["data-part"] ? [path] : [];
  };
  const from = (ghost) => places(draw(drawing(spec, { a: [1, 1], b: [1, 0] }, { ghost })));
  const still = from({ a: [1, 1], b: [1, 0] });
  assert.equal(still.length, 2);
  assert.deepEqual(from({ a: [0, 1], b: [0, -1] }), still);
});
