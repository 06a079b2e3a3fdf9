import assert from "node:assert/strict";
import test from "node:test";
import { figure, play } from "./fixtures.js";

test("one of two pictures is drawn where there is room for it", () => {
  const layout = { type: "layout", layout: "narrow" };
  const { state, names } = play(figure, layout, layout);
  assert.deepEqual([state.layouts, names], [["narrow"], ["render", ""]]);
});
