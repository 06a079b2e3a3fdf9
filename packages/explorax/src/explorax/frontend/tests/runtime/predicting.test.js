import assert from "node:assert/strict";
import test from "node:test";
import { apply, asks, changed, figure, glide, move, play } from "./fixtures.js";

test("a guess is made, committed where it was asked for, told, and made again", () => {
  const guesses = [{ type: "guess", value: 4 }, { type: "commit" }];
  const { state, names } = play(asks, ...guesses, glide(1));
  assert.deepEqual(names, [
    "freeze render",
    "release remember render freeze render glide",
    `${changed} release render`,
  ]);
  assert.equal(state.announced, "Close: 4 is too low by 2. The total is 6.");
  assert.deepEqual([state.attempt.phase, state.settings.scale, state.ghost.scale], ["committed", 1, 0.5]);
  const again = play(asks, ...guesses, glide(1), { type: "predict" }, glide(1)).state;
  assert.deepEqual([again.attempt.phase, again.attempt.value], ["open", null]);
  assert.equal(again.settings.scale, 0.5, "it goes back, away from the answer");
  assert.deepEqual(play(asks, { type: "commit" }).names, [""], "nothing is committed that was not guessed");
});

test("every control works beside a question; who comes to the answer has found out by trying", () => {
  const passing = [move({ scale: 1 }), { type: "frame" }];
  const masked = play(asks, ...passing).state;
  assert.deepEqual([masked.settings.scale, [...masked.concealed]], [1, ["total"]]);
  assert.equal(masked.values.total, 3, "as it was before, while the hand is on its way");
  const past = play(asks, ...passing, move({ scale: 0.9 }), { type: "settle" }).state;
  assert.deepEqual([past.attempt.phase, past.values.total], ["open", 5.4]);
  for (const arrives of [[...passing, { type: "settle" }], [apply({ scale: 1 })]]) {
    const { state, effects } = play(asks, ...arrives);
    assert.deepEqual([state.attempt.phase, state.values.total, state.concealed.size], ["found", 6, 0]);
    assert.equal(state.announced, "You found out by trying. The total is 6.");
    assert.ok(effects.at(-1).some(([name]) => name === "remember"));
  }
});

test("a question that is skipped is answered in words, where the figure is", () => {
  const skipped = play(asks, { type: "skip" });
  assert.equal(skipped.state.attempt.feedback, "The total is 6.", "the truth, where it was asked for");
  assert.deepEqual([skipped.state.announced, skipped.state.settings.scale], ["The total is 6.", 0.5]);
  assert.deepEqual(skipped.names, ["release remember render"]);
  assert.equal(play(asks, { type: "skip" }, { type: "show" }, glide(1)).state.settings.scale, 1);
  assert.deepEqual(play(figure, { type: "guess", value: 4 }, { type: "predict" }).names, ["", ""]);
});

test("what the browser remembers is shown again, and all answers at once, until it's turned off", () => {
  const recall = (kept) => play(asks, { type: "recall", ...kept }).state;
  const committed = recall({ phase: "committed", value: 4 });
  assert.equal(committed.attempt.feedback, "Close: 4 is too low by 2. The total is 6.");
  assert.equal(committed.settings.scale, 0.5, "the figure stays where the page or a link has it");
  assert.equal(
    recall({ phase: "committed", value: "four" }).attempt.phase,
    "open",
    "no guess at this question",
  );
  assert.equal(recall({ phase: "found" }).attempt.feedback, "You found out by trying. The total is 6.");
  const [on, off] = [true, false].map((all) => ({ type: "share", all }));
  assert.deepEqual(play(asks, on).names, ["render"], "which is not remembered as an answer");
  assert.equal(play(asks, on).state.attempt.feedback, "The total is 6.");
  assert.equal(play(asks, on, off).state.attempt.phase, "open");
  assert.equal(play(asks, { type: "skip" }, on, off).state.attempt.phase, "skipped");
});
