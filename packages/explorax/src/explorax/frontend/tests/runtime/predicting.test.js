import assert from "node:assert/strict";
import test from "node:test";
import { apply, asks, changed, figure, glide, move, play, prediction, set, speak } from "./fixtures.js";

test("a guess is made, committed where it was asked for, told, and made again", () => {
  const guesses = [{ type: "guess", value: 4 }, { type: "commit" }];
  const { state, names } = play(asks, ...guesses, glide(1));
  assert.deepEqual(names, [
    "freeze render",
    "release render freeze render glide write",
    `${changed} release render`,
  ]);
  assert.equal(state.announced, "Close: 4 is 2 too low. The total is 6.");
  assert.deepEqual([state.attempt.phase, state.settings.scale, state.ghost.scale], ["committed", 1, 0.5]);
  assert.equal(state.concealed.size, 0);
  const again = play(asks, ...guesses, { type: "predict" }).state;
  assert.deepEqual([again.attempt.phase, again.attempt.value, again.announced], ["open", null, "How much?"]);
  assert.ok(again.concealed.has("total"));
});

test("what is to be predicted is not told before; nothing is committed that was not guessed", () => {
  assert.deepEqual(play(asks, { type: "commit" }).names, [""]);
  const { state } = play(asks, apply({ scale: 1 }), speak);
  assert.equal(state.announced, "s: 1. At s = 1: guess.");
  assert.ok(Number.isNaN(state.values.total));
  const skipped = play(asks, { type: "skip" }).state;
  assert.equal(skipped.attempt.feedback, "The total is 6.", "the truth, where it was asked for");
  assert.deepEqual([skipped.announced, skipped.settings.scale], ["The total is 6.", 0.5]);
  assert.deepEqual(play(figure, { type: "guess", value: 4 }, { type: "predict" }).names, ["", ""]);
});

test("a control that is held stands still for everyone until the prediction is made or skipped", () => {
  const held = { ...asks, prediction: { ...prediction, settings: { steps: 12 }, holds: { steps: 3 } } };
  const everyone = [
    move({ steps: 12 }),
    { type: "settle" },
    { type: "drag", control: "steps", to: 12 },
    { type: "frame" },
    apply({ steps: 12, scale: 0.25 }),
    set({ steps: 12 }),
    { type: "reset" },
    set({ steps: 10 }),
  ];
  for (let n = 0; n <= everyone.length; n++)
    assert.equal(play(held, ...everyone.slice(0, n)).state.settings.steps, 3);
  assert.equal(play(held, ...everyone.slice(0, 5)).state.settings.scale, 0.25, "the others move");
  const skipped = play(held, ...everyone, { type: "skip" }).state;
  assert.deepEqual([skipped.settings.steps, skipped.values.total], [10, 5], "it goes where it was sent");
  const committed = [...everyone, { type: "guess", value: 4 }, { type: "commit" }, glide(1)];
  assert.equal(play(held, ...committed).state.settings.steps, 12);
  const again = play(held, ...committed, { type: "predict" });
  assert.deepEqual([again.state.settings.steps, again.state.ghost], [3, null]);
  assert.deepEqual(again.effects.at(-1).find(([name]) => name === "tell")[1], { steps: 3 });
});
