import assert from "node:assert/strict";
import test from "node:test";
import { read } from "../../src/runtime/address.js";
import { python } from "../../src/runtime/settings.js";
import { control, description, point } from "./fixtures.js";

const controls = [
  ...description.controls,
  point("g", { initial: [0, 1] }),
  control("on", "toggle", { initial: false }),
];
const figure = { ...description, controls, settings: { ...description.settings, g: [0, 1], on: false } };
const reading = (query) => read(new URLSearchParams(query), figure, "Sum");

test("what isn't allowed is left out, each with a complaint", () => {
  assert.deepEqual(reading("Sum.g=0.5,-1&Sum.on=true").settings, { g: [0.5, -1], on: true });
  const asked = ["scale=", "steps=2.5", "g=1", "on=yes", "z=1", "g=3,0"].map((each) => `Sum.${each}`);
  const { settings, complaints } = reading(asked.join("&"));
  assert.deepEqual([settings, complaints.length], [{}, 6]);
  assert.match(complaints.join("\n"), /steps = 2\.5; steps takes an integer from 1 to 12/);
  assert.match(complaints.join("\n"), /g = 3,0; g takes two numbers, −1 to 1 and −1 to 1/);
  assert.match(reading(`Sum.scale=${"9".repeat(5000)}`).complaints[0], /scale = 9{40}…; /);
});

test("Python is written with its own literals", () => {
  const settings = { scale: 1, steps: 3, g: [0.5, 1], on: true };
  assert.equal(python(figure, settings), "Sum(scale=1.0, steps=3, g=[0.5, 1.0], on=True)");
  assert.equal(python(figure, { ...settings, g: [0, 1], on: false }), "Sum(scale=1.0, steps=3)");
});
