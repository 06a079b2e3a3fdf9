import assert from "node:assert/strict";
import test from "node:test";
import { clipOf, numbersOf } from "../../src/views/common/clips.js";
import { draw } from "../../src/views/plane/plane.js";
import { drawing } from "../drawings.js";

const box = { left: 0, right: 100, top: 0, bottom: 50 };

test("a path within the plot has no clip, and one that reaches out of it or along its edge has", () => {
  const clip = (d) => clipOf(numbersOf(d), box, "x");
  assert.equal(clip("M10 10L90.5 40"), undefined);
  assert.equal(clip(""), undefined);
  assert.equal(clip("M10 10L90 60"), "url(#x)");
  assert.equal(clip("M-10 10L90 40"), "url(#x)");
  assert.equal(clip("M10 1L90 40"), "url(#x)", "half of its stroke is out");
  assert.deepEqual(numbersOf("M-1.5e-7 2C3 4,-5 6 7 8Z"), [-1.5e-7, 2, 3, 4, -5, 6, 7, 8]);
});

test("a ghost that comes leaves the marks in their places, among lists of lists", () => {
  const marks = ["a", "b"].map((value) => ({ kind: "vector", value, role: "state", tail: "" }));
  const spec = { kind: "plane", marks, x: [-2, 2], y: [-2, 2] };
  /** Where the elements are with which a part is drawn. */
  const places = (made, path = []) =>
    Array.isArray(made)
      ? made.flatMap((each, i) => places(each, [...path, i]))
      : made?.props?.["data-part"]
        ? [path.join(".")]
        : [];
  const from = (ghost) => places(draw(drawing(spec, { a: [1, 1], b: [1, 0] }, { ghost })));
  const still = from({ a: [1, 1], b: [1, 0] });
  assert.equal(still.length, 2);
  assert.deepEqual(from({ a: [0, 1], b: [0, -1] }), still);
});
