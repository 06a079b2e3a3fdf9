import assert from "node:assert/strict";
import test from "node:test";
import { read, written } from "../../src/runtime/address.js";
import { python } from "../../src/runtime/settings.js";
import { description } from "./fixtures.js";

const point = {
  name: "g",
  label: "gradient",
  symbol: "g",
  kind: "point",
  initial: [0, 1],
  minimum: [-1, -1],
  maximum: [1, 1],
  step: 0.01,
};
const toggle = { name: "on", label: "on", symbol: "", kind: "toggle", initial: false };
const figure = {
  ...description,
  controls: [...description.controls, point, toggle],
  settings: { ...description.settings, g: [0, 1], on: false },
};

test("what is written is read again, and what is as it starts is not written", () => {
  const settings = { scale: 0.25, steps: 6, g: [0.5, -1], on: true };
  const query = written(new URLSearchParams("q=1"), figure, "Stream", settings);
  assert.equal(String(query), "q=1&Stream.scale=0.25&Stream.g=0.5%2C-1&Stream.on=true");
  assert.deepEqual(read(query, figure, "Stream"), {
    settings: { scale: 0.25, g: [0.5, -1], on: true },
    complaints: [],
  });
});

test("only the figure's own part is read, and replaced", () => {
  const query = new URLSearchParams("Stream.scale=1&Stream-2.scale=0&other=x");
  assert.deepEqual(read(query, figure, "Stream").settings, { scale: 1 });
  assert.equal(String(written(query, figure, "Stream", figure.settings)), "Stream-2.scale=0&other=x");
});

test("what is not allowed is left out, each with a complaint", () => {
  const query = new URLSearchParams(
    "Stream.scale=&Stream.steps=2.5&Stream.g=1&Stream.on=yes&Stream.z=1&Stream.g=3,0",
  );
  const { settings, complaints } = read(query, figure, "Stream");
  assert.deepEqual(settings, {});
  assert.equal(complaints.length, 6);
  assert.match(complaints.join("\n"), /steps = 2\.5; steps takes an integer from 1 to 12/);
  assert.match(complaints.join("\n"), /g = 3,0; gradient takes two numbers, −1 to 1 and −1 to 1/);
});

test("Python is written with its own literals", () => {
  const settings = { scale: 1, steps: 3, g: [0.5, 1], on: true };
  assert.equal(python(figure, settings), "Stream(scale=1.0, steps=3, g=[0.5, 1.0], on=True)");
  assert.equal(python(figure, { ...settings, g: [0, 1], on: false }), "Stream(scale=1.0, steps=3)");
});

test("however much an address says, little is said about it", () => {
  const long = new URLSearchParams(`Stream.scale=${"9".repeat(5000)}`);
  assert.match(read(long, figure, "Stream").complaints[0], /scale = 9{40}…; /);
  const many = new URLSearchParams(Array.from({ length: 300 }, (_, n) => [`Stream.x${n}`, "1"]));
  const { complaints } = read(many, figure, "Stream");
  assert.equal(complaints.length, 9);
  assert.equal(complaints[8], "292 more of what it says is left out.");
});
