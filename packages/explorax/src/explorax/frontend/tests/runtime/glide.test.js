import assert from "node:assert/strict";
import test from "node:test";
import { settingsAt } from "../../src/runtime/glide.js";
import { between } from "../../src/runtime/settings.js";
import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import { control, description } from "./fixtures.js";

const total = ({ scale, steps }) => ({ total: scale * steps });

/** A figure in the middle of a glide to s = 1 and K = 12. */
function gliding(extra = {}) {
  const update = makeUpdate({ ...description, ...extra }, total);
  const first = initial({ ...description, ...extra }, description.settings, total, ["wide"]);
  const send = (state, event) => update(state, event);
  const { state, effects } = send(first, { type: "preset", changes: { scale: 1, steps: 12 } });
  return { state, effects, send };
}

test("numbers go in a line or by factors, wholes by wholes, and choices at the end", () => {
  const ends = { minimum: 1e-4, maximum: 1, step: 0.1, allowed: [1e-4, 1] };
  assert.equal(between(control("x", "range"), 0, 1, 0.25), 0.25);
  assert.equal(between(control("x", "log", ends), 1e-4, 1, 0.5), 0.01);
  assert.equal(between(control("x", "integer", { step: 1, maximum: 12, allowed: [0, 12] }), 1, 12, 0.5), 7);
  assert.equal(between(control("x", "symlog", { threshold: 0.01, step: 0.1, minimum: -1 }), -1, 1, 0.5), 0);
  assert.deepEqual(
    between(control("p", "point", { minimum: [0, 0], maximum: [1, 1] }), [0, 1], [1, 0], 0.25),
    [0.25, 0.75],
  );
  const choice = control("c", "choice", {
    options: [
      ["a", "A"],
      ["b", "B"],
    ],
  });
  assert.deepEqual(
    [0, 0.99, 1].map((t) => between(choice, "a", "b", t)),
    ["a", "a", "b"],
  );
  assert.equal(between(control("x", "range"), 0, 0.123, 1), 0.123, "it ends where it was to end");
});

test("a glide begins and ends slowly", () => {
  const glide = { from: { scale: 0 }, to: { scale: 1 } };
  const at = (t) => settingsAt([control("scale", "range")], glide, t).scale;
  assert.deepEqual([0, 0.1, 0.5, 0.9, 1].map(at), [0, 0.02, 0.5, 0.98, 1]);
});

test("each frame evaluates the program in between, and the end tells what has changed once", () => {
  const { state, effects, send } = gliding();
  assert.deepEqual(
    effects.map(([name]) => name),
    ["release", "freeze", "render", "glide", "write"],
  );
  assert.deepEqual(effects.at(-1)[1], { scale: 1, steps: 12 }, "the address is there before");
  const half = send(state, { type: "glide", t: 0.5 });
  assert.deepEqual([half.state.settings, half.state.values.total], [{ scale: 0.75, steps: 9 }, 6.75]);
  assert.deepEqual(half.effects, [["render"]]);
  const end = send(half.state, { type: "glide", t: 1 });
  assert.deepEqual([end.state.settings, end.state.glide], [{ scale: 1, steps: 12 }, null]);
  assert.deepEqual(
    end.effects.filter(([name]) => name === "tell").map(([, told]) => told),
    [{ scale: 1, steps: 12 }],
  );
  assert.deepEqual([end.state.ghost.scale, end.state.ghost.steps], [0.5, 6], "what was before stays");
});

test("a hand on a control ends a glide at once; pointing at a part does not", () => {
  const { state, send } = gliding();
  const half = send(state, { type: "glide", t: 0.5 }).state;
  assert.ok(send(half, { type: "light", lit: { kind: "loss", index: 1 } }).state.glide);
  const after = send(half, { type: "apply", changes: { scale: 0.25 } }).state;
  assert.deepEqual([after.settings, after.glide, after.moving], [{ scale: 0.25, steps: 12 }, null, false]);
});

test("what runs does not glide: each setting on the way would be another run", () => {
  const { state } = gliding({ run: { before: [] } });
  assert.deepEqual([state.settings, state.glide], [{ scale: 1, steps: 12 }, null]);
});

test("on the way, too, what is concealed is not there", () => {
  const prediction = { how: "choice", options: ["a", "b"], answer: "total", conceals: ["total"], holds: {} };
  const { state, send } = gliding({ prediction });
  const half = send({ ...state, concealed: new Set(["total"]) }, { type: "glide", t: 0.5 });
  assert.equal(half.state.settings.scale, 0.75);
  assert.ok(Number.isNaN(half.state.values.total));
});
