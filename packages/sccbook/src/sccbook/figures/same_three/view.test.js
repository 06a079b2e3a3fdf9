import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, layoutsOf, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const WORDS = { x: "inputs", h: "state", h̄: "cotangent", w̄: "gradient", Δw: "update", w: "weights" };
const labels = { acts: "acts", looks: "read" };
const SPEC = { kind: "places", names: Object.entries(WORDS) };
const places = (acts, looks, more) => drawing(SPEC, { acts, looks }, { labels, ...more });
const shown = (...args) => svg(places(...args));
const READ = [1, 1, 0, 0, 0, 0];

test("the place that is acted on is framed and named, and those that are read are named", () => {
  const text = shown(2, READ);
  assert.equal(count(text, /gl-changed/g), 1);
  assert.match(text, /gl-role-cotangent gl-changed"/);
  assert.equal(count(text, />acts</g), 1);
  assert.equal(count(text, />read</g), 2);
  assert.equal(count(text, /opacity="0.55"/g), 3);
});

test("a path leads from each place that is read to the other, and none from a place to itself", () => {
  assert.equal(count(shown(2, READ), /stroke-dasharray/g), 2);
  assert.equal(count(shown(3, [0, 0, 0, 1, 0, 1]), /stroke-dasharray/g), 1);
  assert.equal(count(shown(4, [0, 0, 0, 0, 1, 0]), /stroke-dasharray/g), 0);
});

test("paths that end at one place end beside each other", () => {
  const [a, b, ...others] = numbers(shown(2, READ), /V[\d.]+H([\d.]+)L/g).flat();
  assert.equal(others.length, 0);
  assert.ok(Math.abs(a - b) >= 8);
});

test("everything lies within the picture; a narrow one has symbols alone", () => {
  for (const layout of LAYOUTS) {
    const text = wellDrawn(places(5, Array(6).fill(1), { layout }));
    assert.equal(text.includes("cotangent<"), layout === "wide");
  }
  const { height } = layoutsOf(places(0, READ)).wide;
  for (const acts of [0, 1, 2, 3, 4, 5]) // at most two are read besides, in the figure
    for (const [below] of numbers(shown(acts, [1, 0, 0, 0, 0, 1]), /M[\d.]+ [\d.]+V([\d.]+)H/g))
      assert.ok(below < height);
});
