import assert from "node:assert/strict";
import test from "node:test";
import { allows } from "../../src/runtime/settings.js";
import { elsewhere } from "../../src/runtime/warm.js";
import { description } from "./fixtures.js";

const number = {
  label: "a",
  symbol: "",
  minimum: -1,
  maximum: 2,
  step: 0.05,
  allowed: [-1, 2],
  threshold: 0.1,
};
const controls = [
  { ...number, name: "a", kind: "range", initial: 0 },
  { ...number, name: "n", kind: "integer", minimum: 1, maximum: 9, step: 1, allowed: [1, 9], initial: 3 },
  { ...number, name: "l", kind: "log", minimum: 0.01, maximum: 10, allowed: [0.01, 10], initial: 1 },
  { ...number, name: "z", kind: "symlog", minimum: -100, maximum: 100, allowed: [-100, 100], initial: 0 },
  { ...number, name: "p", kind: "point", minimum: [-1, 0], maximum: [1, 2], initial: [0, 1] },
  { ...number, name: "t", kind: "toggle", initial: true },
  { ...number, name: "hidden", kind: "range", initial: 0.5 },
];
const some = {
  controls,
  settings: Object.fromEntries(controls.map(({ name, initial }) => [name, initial])),
  sight: ["a", "n", "l", "z", "p", "t"],
};

test("a figure is warmed at settings that its controls allow", () => {
  for (let time = 0; time < 24; time++) {
    const settings = elsewhere(some, time);
    for (const control of controls)
      assert.ok(allows(control, settings[control.name]), `${control.name} = ${settings[control.name]}`);
  }
});

test("what is in sight moves from one time to the next, and nothing else does", () => {
  const [one, two] = [elsewhere(some, 1), elsewhere(some, 2)];
  for (const name of ["a", "n", "l", "z", "p"]) assert.notDeepEqual(one[name], two[name], name);
  assert.deepEqual([one.t, one.hidden], [true, 0.5]);
});

test("settings at first are left as they are", () => {
  const before = structuredClone(description.settings);
  elsewhere(description, 5);
  assert.deepEqual(description.settings, before);
});
