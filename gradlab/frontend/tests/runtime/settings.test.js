import assert from "node:assert/strict";
import test from "node:test";
import { beyond, fromSlider, slider, snap } from "../../src/runtime/settings.js";

const log = { kind: "log", minimum: 0.1, maximum: 10, step: 0.05, allowed: [1e-3, 1e3] };
const symlog = { kind: "symlog", minimum: -9, maximum: 9, step: 0.05, threshold: 1, allowed: [-999, 999] };

test("a slider reaches as far as its value may go, while it is beyond its ends", () => {
  for (const control of [log, symlog]) {
    assert.equal(beyond(control, control.maximum), false);
    assert.equal(beyond(control, 900), true);
    const { min, max, value } = slider(control, 900, true);
    assert.ok(value > min && value < max);
    const next = fromSlider(control, value - 1, true);
    assert.ok(next < 900 && next > 700, `one step from 900 is ${next}`);
    assert.deepEqual(
      [min, max].map((at) => fromSlider(control, at, true)),
      control.allowed,
    );
    assert.equal(snap(control, 5000, true), control.allowed[1]);
    assert.equal(snap(control, 5000, false), control.maximum);
  }
});

test("a drag has as many decimals as its steps", () => {
  const fine = { kind: "range", minimum: 1e-9, maximum: 1e-8, step: 5e-11, allowed: [1e-9, 1e-8] };
  assert.equal(snap(fine, 4.2721e-9, false), 4.25e-9);
  const plain = { kind: "range", minimum: 0, maximum: 1, step: 0.1, allowed: [0, 1] };
  assert.equal(snap(plain, 0.3000001, false), 0.3);
  const point = { kind: "point", minimum: [0, 0], maximum: [1e-8, 1e-8], step: 1e-10 };
  assert.deepEqual(snap(point, [1.23e-9, 9e-8], false), [1.2e-9, 1e-8]);
});
