import assert from "node:assert/strict";
import test from "node:test";
import { MASKED } from "../../src/runtime/sentences.js";
import { apply, asks, figure, move, play, speak } from "./fixtures.js";

test("what was set is said when the hand has been still, and written into the address", () => {
  const { state, names, effects } = play(figure, apply({ scale: 1 }), speak, speak);
  assert.equal(state.announced, "s: 1. With s = 1, 6.00.");
  assert.deepEqual(names.slice(1), ["write render", ""]);
  assert.equal(effects[1][0][1].scale, 1);
});

test("while a mask hides a result, neither the sentence nor a part in words tells it", () => {
  const parts = [{ name: "bound", result: "scale", words: "{total} of it" }];
  const walk = (kind) => ({ type: "walk", lit: { kind, index: null } });
  const masked = [move({ scale: 1 }), { type: "frame" }];
  for (const kind of ["bound", "total"])
    assert.equal(play({ ...asks, parts }, ...masked, walk(kind)).state.announced, MASKED);
  assert.ok(play(asks, ...masked, speak).state.announced.endsWith(MASKED));
});
