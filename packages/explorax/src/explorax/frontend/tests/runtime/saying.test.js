import assert from "node:assert/strict";
import test from "node:test";
import { apply, asks, figure, play, speak } from "./fixtures.js";

test("what was set is said when the hand has been still, and written into the address", () => {
  const { state, names, effects } = play(figure, apply({ scale: 1 }), speak, speak);
  assert.equal(state.announced, "s: 1. With s = 1, 6.00.");
  assert.deepEqual(names.slice(1), ["write render", ""]);
  assert.equal(effects[1][0][1].scale, 1);
});

test("a part is lit once, and said where it is walked to", () => {
  const light = (lit) => ({ type: "light", lit });
  const [lit, again] = [1, 2].map(() => light({ kind: "loss", index: 2 }));
  const { state, names } = play(figure, lit, again, light(null));
  assert.deepEqual([names, state.lit], [["render", "", "render"], null]);
  const walked = play(figure, { type: "walk", lit: { kind: "total", index: null } });
  assert.deepEqual([walked.state.announced, walked.state.lit.kind], ["total: 3.", "total"]);
});

test("a part in words tells nothing concealed", () => {
  const parts = [{ name: "bound", result: "scale", words: "{total} of it" }];
  const walk = (kind) => ({ type: "walk", lit: { kind, index: null } });
  for (const kind of ["bound", "total"])
    assert.equal(play({ ...asks, parts }, walk(kind)).state.announced, "Shown once you have predicted.");
});
