import assert from "node:assert/strict";
import test from "node:test";
import { begin, drawn, guessed, keptBack, truth, withheld } from "../../src/runtime/prediction.js";

const number = { how: "number", conceals: ["y"], count: 0 };
const sketch = { ...number, how: "sketch", count: 3 };

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
  assert.equal(withheld(values, new Set(["b"])).b, seen.b, "the same each time: it isn't drawn anew");
  assert.equal(values.a, 2);
});

test("a sketch keeps what is drawn, step by step", () => {
  const begun = begin(sketch);
  assert.deepEqual(begun.value, [null, null, null]);
  assert.deepEqual(guessed(begun, 0.5, 1).value, [null, 0.5, null]);
  assert.deepEqual(begun.value, [null, null, null]);
  assert.deepEqual(truth({ how: "sketch", count: 2 }, Float64Array.of(1, 2, 3)), [1, 2]);
});
