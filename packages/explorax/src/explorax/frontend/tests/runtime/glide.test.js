import assert from "node:assert/strict";
import test from "node:test";
import { between } from "../../src/runtime/settings.js";
import { apply, choice, control, description, glide, play, point } from "./fixtures.js";

const preset = { type: "preset", changes: { scale: 1, steps: 12 } };

test("numbers go in a line or by factors, integers by integers, and choices at the end", () => {
  const log = control("x", "log", { minimum: 1e-4, step: 0.1, allowed: [1e-4, 1] });
  const symlog = control("x", "symlog", { threshold: 0.01, step: 0.1, minimum: -1 });
  const integer = control("x", "integer", { step: 1, maximum: 12, allowed: [0, 12] });
  const either = choice("c", ["a", "A"], ["b", "B"]);
  assert.equal(between(control("x", "range"), 0, 1, 0.25), 0.25);
  assert.equal(between(log, 1e-4, 1, 0.5), 0.01);
  assert.equal(between(integer, 1, 12, 0.5), 7);
  assert.equal(between(symlog, -1, 1, 0.5), 0);
  assert.deepEqual(between(point("p"), [0, 1], [1, 0], 0.25), [0.25, 0.75]);
  const [start, late, end] = [0, 0.99, 1].map((t) => between(either, "a", "b", t));
  assert.deepEqual([start, late, end], ["a", "a", "b"]);
  assert.equal(between(control("x", "range"), 0, 0.123, 1), 0.123, "it ends where it was to end");
});

test("each frame of a glide evaluates the program, and the end reports the change once", () => {
  const half = play(description, preset, glide(0.5));
  assert.deepEqual(half.names, ["release freeze render glide write", "render"]);
  assert.deepEqual(half.effects[0].at(-1)[1], { scale: 1, steps: 12 }, "the address has it before");
  assert.deepEqual([half.state.settings, half.state.values.total], [{ scale: 0.75, steps: 9 }, 6.75]);
  const { state, effects } = play(description, preset, glide(0.5), glide(1));
  assert.deepEqual([state.settings, state.glide], [{ scale: 1, steps: 12 }, null]);
  const told = effects[2].filter(([name]) => name === "tell");
  assert.deepEqual(told, [["tell", { scale: 1, steps: 12 }]]);
  assert.deepEqual([state.ghost.scale, state.ghost.steps], [0.5, 6], "what was before stays");
});

test("a hand on a control ends a glide at once; pointing at a part doesn't", () => {
  const after = (event) => play(description, preset, glide(0.5), event).state;
  assert.ok(after({ type: "light", lit: { kind: "loss", index: 1 } }).glide);
  const { settings, glide: way, moving } = after(apply({ scale: 0.25 }));
  assert.deepEqual([settings, way, moving], [{ scale: 0.25, steps: 12 }, null, false]);
});

test("a run doesn't glide: each setting on the way would be another run", () => {
  const { state } = play({ ...description, run: { before: [] } }, preset);
  assert.deepEqual([state.settings, state.glide], [{ scale: 1, steps: 12 }, null]);
});
