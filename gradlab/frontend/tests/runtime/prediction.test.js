import assert from "node:assert/strict";
import test from "node:test";
import { begin, drawn, guessed, keptBack, outcome, truth, withheld } from "../../src/runtime/prediction.js";

const range = { kind: "range", minimum: 0, maximum: 4, step: 0.1, initial: 1 };
const number = { how: "number", options: [], unit: " m", guess: range, conceals: ["y"], count: 0 };

const choice = { ...number, how: "choice", options: ["yes", "no"] };
const place = { ...number, how: "place", guess: { ...range, kind: "point" } };
const sketch = { ...number, how: "sketch", count: 3 };
const sketched = "Your sketch is 0.75 m off on average, and 1 m at most, at 3.";
/** What is asked, the guess, the truth, and what is said of them: a truth that is no number is not compared. */
const OUTCOMES = [
  [number, 3, 1.25, "You said 3. It is 1.25 m: you were 1.75 m too high."],
  [number, 1, 1.25, "You said 1. It is 1.25 m: you were 0.25 m too low."],
  [number, 1.25, 1.25, "You said 1.25. It is 1.25 m, as you said."],
  [number, 3, Number.NaN, "You said 3. It is NaN m."],
  [number, 3, Infinity, "You said 3. It is ∞ m."],
  [choice, 1, 1, "You said “no”, and so it is."],
  [choice, 0, 1, "You said “yes”. It is “no”."],
  [choice, 0, 5, "You said “yes”. It is none of these."],
  [place, [3, 4], [0, 0], "You said (3, 4). It is (0, 0), 5 m away."],
  [place, [3, 4], [0.829, 1.5], "You said (3, 4). It is (0.83, 1.50), 3.31 m away."],
  [place, [3, 4], [Number.NaN, 0], "You said (3, 4). It is (NaN, 0)."],
  [sketch, [1, null, 4], [1.5, 9, 3], sketched],
  [
    sketch,
    [1, 2, 4],
    [1.5, Number.NaN, 3],
    `${sketched} Where the truth is no number (1 of 3) nothing is compared.`,
  ],
  [sketch, [1, null, null], [Number.NaN, 0, 0], "The truth is no number where you have drawn."],
];

test("the error is told in words, and no guess is graded", () => {
  for (const [asked, guess, answer, text] of OUTCOMES) assert.equal(outcome(asked, guess, answer), text);
});

test("a guess is drawn while it is made, and afterwards where it was asked for", () => {
  const open = guessed(begin(number), 2);
  assert.deepEqual(drawn(open, { s: 1 }), { value: 2, committed: false });
  const committed = { ...open, phase: "committed", answer: 1, settings: { s: 0.5, p: [1, 2] } };
  assert.deepEqual(drawn(committed, { s: 0.5, p: [1, 2] }), { value: 2, committed: true, answer: 1 });
  assert.equal(drawn(committed, { s: 0.6, p: [1, 2] }), null);
  assert.equal(drawn({ ...open, phase: "skipped" }, { s: 1 }), null);
});

test("what is kept back is kept back until the guess is made or skipped", () => {
  const [open, holds] = [begin(number), { s: 1 }];
  const kept = (attempt) => keptBack({ ...number, holds }, attempt);
  assert.deepEqual(kept(open), { concealed: new Set(["y"]), held: holds });
  for (const closed of [{ ...open, phase: "committed" }, { ...open, phase: "skipped" }, null])
    assert.deepEqual(kept(closed), { concealed: new Set(), held: {} });
});

test("a concealed result is not among the values at all", () => {
  const values = { a: 2, b: Float64Array.of(1, 2), c: 3 };
  const seen = withheld(values, new Set(["a", "b"]));
  assert.deepEqual([seen.a, [...seen.b], seen.c], [Number.NaN, [Number.NaN, Number.NaN], 3]);
  assert.equal(
    withheld(values, new Set(["b"])).b,
    seen.b,
    "the same each time, so that it is not drawn anew",
  );
  assert.equal(values.a, 2);
});

test("a sketch keeps what is drawn, step by step", () => {
  const begun = begin(sketch);
  assert.deepEqual(begun.value, [null, null, null]);
  assert.deepEqual(guessed(begun, 0.5, 1).value, [null, 0.5, null]);
  assert.deepEqual(begun.value, [null, null, null]);
  assert.deepEqual(truth({ how: "sketch", count: 2 }, Float64Array.of(1, 2, 3)), [1, 2]);
});
