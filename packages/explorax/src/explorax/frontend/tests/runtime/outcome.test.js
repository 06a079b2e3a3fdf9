import assert from "node:assert/strict";
import test from "node:test";
import { answerInWords, outcome } from "../../src/runtime/outcome.js";

const range = { kind: "range", minimum: 0, maximum: 4, step: 0.1, initial: 1 };
const number = {
  how: "number",
  options: [],
  unit: " m",
  guess: range,
  reveal: [],
};
const log = { ...number, guess: { ...range, kind: "log", minimum: 1e-3, maximum: 1e3 } };
const choice = { ...number, how: "choice", options: ["yes", "no"] };
const point = { ...range, kind: "point", minimum: [0, 0], maximum: [4, 4], step: 0.1 };
const place = { ...number, how: "place", guess: point };
const sketch = { ...number, how: "sketch" };
const sketched = "Your sketch is 0.75 off on average, and 1 at most, at number 3 from the left.";
const shown = "The picture shows it now.";
/** What is asked, the guess, the truth, and what is said of them: a truth that is no number is not compared. */
const OUTCOMES = [
  [number, 3, 1.25, "Not quite: 3 m is too high by 1.8 m. It is 1.25 m."],
  [{ ...number, unit: " %" }, 1.1, 1.25, "Close: 1.1 % is too low by 0.1 percentage points. It is 1.25 %."],
  [number, 1.1, 1.25, "Close: 1.1 m is too low by 0.1 m. It is 1.25 m."],
  [number, 1.3, 1.26, "Yes. It is 1.26 m."],
  [number, 3, Number.NaN, "You said 3 m. It is NaN m."],
  [number, 3, Infinity, "You said 3 m. It is ∞ m."],
  [log, 50, 0.04, "Not quite: 50 m is too high by a factor of 1,250. It is 0.04 m."],
  [log, 0.03, 0.04, "Close: 0.03 m is too low by a factor of 1.33. It is 0.04 m."],
  [log, 1, -2, "Not quite: 1 m is too high by 3 m. It is −2 m."],
  [choice, 1, 1, "Yes. The answer is “no”."],
  [choice, 0, 1, "Not quite. The answer is “no”."],
  [choice, 0, 5, "Not quite. It is none of these."],
  [place, [3, 4], [0, 0], "Not quite: (3, 4) is 5 away. It is (0, 0)."],
  [place, [1.1, 1], [1.129, 0.829], "Close: (1.1, 1.0) is 0.17 away. It is (1.13, 0.83)."],
  [place, [1.1, 0.8], [1.129, 0.829], "Yes. It is (1.13, 0.83)."],
  [place, [3, 4], [Number.NaN, 0], "You said (3, 4). It is (NaN, 0)."],
  [sketch, [1, null, 4], [1.5, 9, 3], `${sketched} ${shown}`],
  [
    sketch,
    [1, 2, 4],
    [1.5, Number.NaN, 3],
    `${sketched} Where the truth is no number (1 of 3) nothing is compared. ${shown}`,
  ],
  [sketch, [1, null, null], [Number.NaN, 0, 0], `The truth is no number where you have drawn. ${shown}`],
];

test("the error is told in words, and then the truth", () => {
  for (const [asked, guess, answer, text] of OUTCOMES) assert.equal(outcome(asked, guess, answer, {}), text);
});

test("the truth is told in the prediction's own sentence, for a choice in that of the right option", () => {
  const told = { ...number, reveal: ["It is {y:,.1f} high."] };
  assert.equal(outcome(told, 3, 1.25, { y: 1.25 }), "Not quite: 3 m is too high by 1.8 m. It is 1.3 high.");
  const each = { ...choice, reveal: ["It holds.", "It breaks at {y}."] };
  assert.equal(outcome(each, 0, 1, { y: 2 }), "Not quite. It breaks at 2.");
  assert.equal(outcome({ ...choice, reveal: ["It breaks."] }, 1, 1, {}), "Yes. It breaks.");
  assert.equal(answerInWords(each, 0, {}), "It holds.");
});
