import assert from "node:assert/strict";
import test from "node:test";
import { dragged, keyed } from "../../src/runtime/scrubber.js";

const present = { value: 0.5, low: 0, high: 1, step: 0.01 };

test("keys go five steps, or twenty, or to the ends, and never beyond them", () => {
  const asked = (key, value = 0.5) => keyed({ ...present, value }, key);
  const keys = ["ArrowLeft", "ArrowUp", "PageDown", "Home", "End"];
  const values = keys.map((key) => asked(key));
  assert.deepEqual(values, [0.45, 0.55, 0.3, 0, 1]);
  assert.equal(asked("ArrowRight", 0.98), 1);
  assert.equal(asked("a"), undefined);
});

test("a drag of 240 pixels goes from one end to the other, and stops there", () => {
  const values = [-120, 60, 500].map((pixels) =>
    dragged(present, { x: 400, value: 0.5 }, 400 + pixels, 1280),
  );
  assert.deepEqual(values, [0, 0.75, 1]);
  assert.equal(dragged(present, { x: 300, value: 0.5 }, 348, 360), 1, "at the edge of a phone");
});
