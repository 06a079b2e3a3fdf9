import assert from "node:assert/strict";
import test from "node:test";
import "../../src/runtime/allViews.js";
import { withRoom } from "../../src/runtime/reserve.js";
import { control, description } from "./fixtures.js";

const guess = control("guess", "range", { maximum: 100 });
const prediction = {
  question: "How much?",
  how: "number",
  answer: "total",
  settings: { steps: 12 },
  conceals: ["total"],
  waiting: "Wait.",
  guess,
  unit: " losses",
  reveal: ["It was {total:,.2f}."],
};
const values = ({ scale, steps }) => ({
  total: scale * steps,
  case: scale > 0.9 ? 1 : 0,
});
const figure = {
  ...description,
  view: { kind: "plane", marks: [], x: [0, 1], y: [0, 1] },
  prediction,
  equation: [
    "<span>the sum</span>: <math><mi>s</mi><mo>⋅</mo><mi>K</mi></math>\u200b<math><mo>=</mo><mfrac><mn>{total:,.2f}</mn><mn>1</mn></mfrac></math>",
  ],
  sentences: [
    "With s = {scale}.",
    "Beyond nine tenths, with s = {scale}, there is {total:,.2f} of it in all.",
  ],
};

test("there is room for the longest sentence, wherever it is said, and for all that may come of a guess", () => {
  const { reserved } = withRoom(figure, values);
  assert.match(reserved.sentence, /^nnnnnn nnnn nnnnnn, nnnn n = 0(\.0+)?, nnnnn nn 00?\.00 nn nn nn nnn\.$/);
  const outcome = /^nnn nnnnn: 0+ nn [0.]+ nnn nnnn\. nn nnn [0.]+$/;
  assert.match(reserved.outcome, outcome);
});

test("there is room for the longest that an equation becomes, broken where it breaks", () => {
  const { reserved } = withRoom(figure, values);
  assert.deepEqual(reserved.equation, ["nnn nnn: nnnn\u200bnnnnnn"]);
});

test("what stands in for words tells none of them", () => {
  const { reserved } = withRoom(figure, values);
  assert.doesNotMatch(reserved.sentence + reserved.outcome, /[1-9a-mo-z]/i);
});

test("a picture without named parts says so; what was reserved before is kept", () => {
  const bare = withRoom(figure, values);
  assert.equal(bare.reserved.parts, false);
  const ring = { kind: "vector", value: "at", tail: "", role: "ink" };
  const view = { ...figure.view, marks: [ring] };
  const outputs = [{ name: "at", shape: [2], dtype: "float64" }];
  const with_ = withRoom({ ...figure, view, outputs }, (s) => ({ ...values(s), at: [0.5, 0.5] }));
  assert.equal(with_.reserved.parts, true);
  assert.equal(withRoom(bare, values), bare);
});
