import assert from "node:assert/strict";
import test from "node:test";
import { figure, move, play } from "./fixtures.js";

test("a control that plays goes up by one at a time to its end, and a hand stops it", () => {
  const [begin, on] = [{ type: "play", control: "steps" }, { type: "played" }];
  const near = { ...figure, settings: { ...figure.settings, steps: 10 } };
  const { state, effects } = play(near, begin, on, on);
  assert.deepEqual([state.settings.steps, state.playing], [12, null]);
  assert.ok(effects[0].some(([name, control]) => name === "play" && control === "steps"));
  assert.ok(effects[2].some(([name, control]) => name === "play" && control === null));
  const again = play(near, begin, on, on, begin);
  assert.deepEqual([again.state.settings.steps, again.state.playing], [1, "steps"]);
  const held = play(near, begin, on, move({ scale: 0.6 }), on);
  assert.deepEqual([held.state.settings.steps, held.state.playing], [11, null]);
  assert.equal(play(near, begin, begin).state.playing, null);
});
