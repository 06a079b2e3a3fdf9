import assert from "node:assert/strict";
import test from "node:test";
import "../../src/runtime/allViews.js";
import { withRoom } from "../../src/runtime/reserve.js";
import { plane } from "../specs.js";
import { description, question } from "./fixtures.js";

const asked = {
  settings: { steps: 12 },
  unit: " losses",
  reveal: ["It was {total:,.2f}."],
};
const arrays = { at: [0.5, 0.5], received: new Float64Array(12) };
const values = ({ scale, steps }) => ({ total: scale * steps, case: scale > 0.9 ? 1 : 0, ...arrays });
const figure = {
  ...description,
  view: plane(),
  prediction: question("total", asked),
  equation: [
    "<span>the sum</span>: <math><mi>s</mi><mo>⋅</mo><mi>K</mi></math>\u200b<math><mo>=</mo><mfrac><mn>{total:,.2f}</mn><mn>1</mn></mfrac></math>",
  ],
  sentences: [
    "With s = {scale}.",
    "Beyond nine tenths, with s = {scale}, there is {total:,.2f} of it in all.",
  ],
};
const bare = withRoom(figure, values);
const { sentence, outcome, equation } = bare.reserved;

test("what stands in for words is as long as they become, breaks where they do, and reveals none", () => {
  assert.match(sentence, /^nnnnnn nnnn nnnnnn, nnnn n = 0(\.0+)?, nnnnn nn 00?\.00 nn nn nn nnn\.$/);
  assert.match(outcome, /^nnn nnnnn: 0+ nnnnnn nn nnn nnnn nn [0.]+ nnnnnn\. nn nnn [0.]+$/);
  assert.deepEqual(equation, ["nnn nnn: nnnn\u200bnnnnnn"]);
});

test("a sum has room for as many terms as it may have", () => {
  const sum = withRoom({ ...description, sentences: figure.sentences }, values).reserved.equation;
  assert.deepEqual(sum, ["n", `${"nnnn + ".repeat(5)}nnnn`]);
});

test("what was reserved before is kept", () => {
  assert.equal(withRoom(bare, values), bare);
});
