import assert from "node:assert/strict";
import test from "node:test";
import { apply, changed, figure, glide, move, moved, play, set } from "./fixtures.js";

test("a drag runs the program once a frame, and keeps the state before until it is let go", () => {
  const drag = [move({ scale: 0.6 }), move({ scale: 0.7 }), { type: "frame" }, move({ scale: 0.8 })];
  const { state, effects, names } = play(figure, ...drag);
  assert.deepEqual(names, [moved, moved, changed, moved]);
  assert.deepEqual(effects[2].at(-1), ["tell", { scale: 0.7 }]);
  const { settings, values, ghost, moving } = state;
  assert.deepEqual([settings.scale, values.total, ghost.scale, moving], [0.7, 0.7 * 6, 0.5, true]);
  const rests = play(figure, ...drag, { type: "settle" }, { type: "frame" });
  assert.deepEqual(rests.names.slice(-2), [`${changed} release render`, ""]);
  assert.deepEqual([rests.state.settings.scale, rests.state.ghost, rests.state.moving], [0.8, null, false]);
});

test("a handle snaps to steps; a point is nudged by a step from where it is about to be", () => {
  const drag = (control, to) => ({ type: "drag", control, to });
  assert.equal(play(figure, drag("scale", 0.612345)).state.waiting.scale, 0.61);
  assert.deepEqual(play(figure, drag("scale", Number.NaN)).names, [""]);
  assert.equal(play(figure, drag("scale", 1.2)).state.waiting.scale, 1);
  assert.equal(play(figure, { ...drag("scale", 1.2), wide: true }).state.waiting.scale, 1.2);
  assert.equal(play(figure, { ...drag("scale", 0.612345), exact: true }).state.waiting.scale, 0.612345);
  const nudge = { type: "nudge", control: "p", dx: 1, dy: -1 };
  assert.deepEqual(play(figure, nudge, nudge).state.waiting.p, [0.5, -0.5]);
});

test("what is set at once has a ghost of the state before, and takes along what waits", () => {
  const { state, names, effects } = play(figure, move({ scale: 0.6 }), apply({ steps: 3 }));
  assert.equal(names[1], `${changed} release ${changed} write`);
  const told = effects[1].filter(([name]) => name === "tell").map(([, told]) => told);
  assert.deepEqual(told, [{ scale: 0.6 }, { steps: 3 }]);
  assert.deepEqual(state.settings, { scale: 0.6, steps: 3, p: [0, 0] });
  assert.deepEqual([state.ghost.steps, state.moving], [6, false]);
});

test("a slider that was taken beyond its ends stays wide while the hand is on it", () => {
  const beyond = apply({ scale: 1.5 });
  const wide = (...events) => [...play(figure, beyond, ...events).state.widened];
  assert.deepEqual(wide(move({ scale: 0.5 }), { type: "frame" }, { type: "settle" }), ["scale"]);
  assert.deepEqual(wide(move({ scale: 0.5 }), { type: "settle", rests: true }), []);
  assert.deepEqual(wide(apply({ steps: 3 })), ["scale"], "it is beyond them still");
  assert.deepEqual(wide(apply({ scale: 0.5 })), []);
  assert.deepEqual(wide({ type: "preset", changes: { scale: 0.5 } }, glide(1)), []);
  const { state, names } = play(figure, beyond, { type: "reset" });
  assert.deepEqual([state.settings, state.widened.size, state.ghost], [figure.settings, 0, null]);
  assert.equal(names[1], `release ${changed} render write`);
});

test("from outside, what is allowed is set and not reported, and what isn't brings a complaint", () => {
  assert.deepEqual(play(figure, set({ scale: 0.5, steps: 6, p: [0, 0] })).names, [""]);
  assert.deepEqual(play(figure, set({ scale: 0.25, steps: 6 })).names, ["render speakSoon"]);
  const { state, names } = play(figure, set({ scale: 0.25, steps: 99 }));
  assert.deepEqual([state.settings.scale, state.settings.steps], [0.25, 6]);
  assert.equal(state.announced, "steps = 99 is not allowed: steps takes an integer from 1 to 12.");
  assert.deepEqual(names, ["render speakSoon write render"]);
  assert.equal(state.complaint, state.announced, "and shown");
  assert.equal(play(figure, set({ steps: 99 }), { type: "dismiss" }).state.complaint, "");
});
