// What holds for every view.

import assert from "node:assert/strict";
import test from "node:test";
import { draw, LAYOUTS } from "../drawings.js";
import { broken, texts } from "../pictures.js";
import * as specs from "../specs.js";

const { AXES, axis, chain, line, matrix, multiples, plane, profile, ring, series, surface, vector } = specs;
const { NaN: none, POSITIVE_INFINITY: infinite } = Number;
const named = plane(vector("g", { label: "g = {g}", key: "g is {g}" }));
const other = plane(vector("h", { label: "at {g}" }));
const g = [0.625, 0.5];

for (const [what, spec, results, telling] of [
  ["An arrow", named, { g }, /gl-vector|0\.6/],
  ["A number in another's label", other, { g, h: [1, 1] }, /0\.6/],
  ["A line", profile([line("g")]), { g }, /"gl-line"/],
  ["A matrix", matrix({ value: "g" }), { g: [g] }, /gl-cell|0\.6/],
  ["A surface", surface({ field: "g" }), { g: AXES }, /data:image|gl-contour/],
  ["A cotangent", chain(), { g, h: [1, 1], theta: [1] }, /gl-flow|0\.6/],
])
  test(`${what} isn't in the markup while it's concealed`, () => {
    assert.match(draw(spec, results), telling);
    assert.doesNotMatch(draw(spec, results, { concealed: ["g"] }), telling);
  });

const holes = AXES.map((row) => row.map((x) => x / 0)); // infinite, or no number
const image = { kind: "image", matrix: "m", radius: 1, role: "cotangent" };
const marks = plane(vector("g", { label: "g" }), ring("c", { label: "c" }), image);
const lost = { g: [none, 1], c: infinite, m: holes };
const recorded = { data: [0, 4003, 0, 0], shape: [2, 2], low: 0, high: 1, note: "" }; // a NaN
const states = { h: [none, 9], g: [none, infinite], theta: [none] };
const extremes = [1, none, infinite, -infinite, 1e9, -1e9, 0, 2];
const plots = ["bars", "line", "points", "outline"].flatMap((mark) =>
  ["linear", "log", "symlog"].map((scale) => {
    const y = axis(scale === "log" ? [0.1, 10] : [-10, 10], { scale });
    return [`${scale} ${mark}`, profile([series("g", { mark })], { y }), { g: extremes }, "NaN", "∞"];
  }),
);

for (const [what, spec, results, ...words] of [
  ["a plane", marks, lost, "g: NaN", "c: infinite, no ring", "m: not finite"],
  ["a matrix", matrix(), { m: [[none, infinite, 1, -infinite]] }, "NaN", "∞", "−∞"],
  ["a large matrix", matrix(), { m: Array(30).fill(Array(30).fill(1).with(3, none)) }, "30 not finite"],
  ["a surface", surface({ legend: "loss" }), { f: holes }, "Hatched: not finite"],
  ["a recorded surface", surface({ field: recorded }), {}, "Hatched: not finite"],
  ["a chain", chain(), states, "h₀ NaN", "h₁ ∞", "NaN"],
  ["small planes", multiples(plane(vector("v")), ["v"]), { v: holes }, "v: NaN"],
  ["small profiles", multiples(profile([series("v")]), ["v"]), { v: holes }, "NaN", "∞"],
  ["small matrices", multiples(matrix(), ["m"]), { m: [AXES, holes] }, "NaN", "∞"],
  ["small surfaces", multiples(surface(), ["f"]), { f: [AXES, holes] }, "1", "2"],
  ...plots,
])
  test(`what isn't finite in ${what} is written, and no attribute holds it`, () => {
    for (const layout of LAYOUTS) {
      const text = draw(spec, results, { layout });
      assert.equal(broken(text), null);
      for (const word of words) assert.ok(texts(text).includes(word), `${word}: ${texts(text)}`);
    }
  });
