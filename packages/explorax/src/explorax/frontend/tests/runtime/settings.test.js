import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import * as settings from "../../src/runtime/settings.js";

const { allowed, allows, beyond, forSpeech, fromSlider, settingText, slider, snap } = settings;

/** Controls with what they allow and refuse, and in which words: Python is tested with the same. */
const cases = JSON.parse(await readFile(new URL("../cases/controls.json", import.meta.url), "utf8"));

for (const { control, takes, allowed: good, refused: bad, snaps = [], said = [] } of cases) {
  test(`a ${control.kind} allows, steps and says what the table has: ${control.label}`, () => {
    const { initial, minimum, maximum } = control;
    for (const value of [initial, ...good]) assert.ok(allows(control, value), `${value} is refused`);
    const never = [Number.NaN, Number.POSITIVE_INFINITY, undefined];
    for (const value of [...never, ...bad]) assert.ok(!allows(control, value), `${value} is allowed`);
    if (takes) assert.equal(allowed(control), takes);
    for (const [raw, value] of snaps) assert.deepEqual(snap(control, raw, false), value);
    if (control.kind !== "point") assert.equal(snap(control, undefined, false), undefined);
    for (const [value, read, heard] of said) {
      assert.deepEqual([settingText(control, value), forSpeech(settingText(control, value))], [read, heard]);
    }
    if (typeof minimum !== "number") return;
    const { min, max, step } = slider(control, initial, false);
    assert.deepEqual([fromSlider(control, min, false), fromSlider(control, max, false)], [minimum, maximum]);
    const count = Math.round((max - min) / step);
    const values = Array.from({ length: count }, (_, i) => fromSlider(control, min + i * step, false));
    const sorted = values.toSorted((a, b) => a - b);
    assert.deepEqual(values, sorted);
    if (control.kind === "symlog") assert.ok(values.includes(0));
    for (const value of values) {
      const again = fromSlider(control, slider(control, value, false).value, false);
      assert.ok(Math.abs(again - value) <= 1e-9 * Math.abs(value), `${value} comes back as ${again}`);
    }
  });
}

test("a slider reaches as far as its value may go, while it is beyond its ends", () => {
  const log = { kind: "log", minimum: 0.1, maximum: 10, step: 0.05, allowed: [1e-3, 1e3] };
  const symlog = { ...log, kind: "symlog", minimum: -10, threshold: 1, allowed: [-999, 999] };
  for (const control of [log, symlog]) {
    assert.deepEqual([beyond(control, control.maximum), beyond(control, 900)], [false, true]);
    const { min, max, value } = slider(control, 900, true);
    assert.ok(value > min && value < max);
    const next = fromSlider(control, value - 1, true);
    assert.ok(next < 900 && next > 700, `one step from 900 is ${next}`);
    const ends = [min, max].map((at) => fromSlider(control, at, true));
    assert.deepEqual(ends, control.allowed);
    assert.equal(snap(control, 5000, true), control.allowed[1]);
    assert.equal(snap(control, 5000, false), control.maximum);
  }
});
