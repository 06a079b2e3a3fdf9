import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = {
  kind: "collapse",
  x: [0.01, 10],
  fallen: 60,
  stops: ["rate", "median", "longest"],
  remedies: [
    ["one", "first", "ink"],
    ["two", "second", "loss"],
  ],
};
const results = {
  runs: [90, 95, 30, 20, 99, 98, 97, 50],
  runs_at: [0.1, 0.1, 1, 1, 0.1, 0.1, 10, 10],
  middle: [92, 25, 98, 70],
  middle_at: [0.1, 1, 0.1, 10],
  first: 0.3,
  last: 3,
  apart: 10,
};
const at = (way, more = {}) =>
  drawing(SPEC, results, { settings: { way }, labels: { y: "right", apart: "×{apart:.0f}" }, ...more });

test("every run is a dot, every remedy a line with its name, all within the picture", () => {
  for (const layout of LAYOUTS)
    for (const way of [0, 0.5, 2]) {
      const drawn = wellDrawn(at(way, { layout }));
      assert.equal(count(drawn, /h0/g), 8);
      assert.ok(["first", "second"].every((name) => texts(drawn).includes(name)));
    }
});

test("how far apart the lines fall is written where the axis means something", () => {
  assert.ok(texts(svg(at(1))).includes("×10"));
  assert.ok(!texts(svg(at(1.5))).includes("×10"));
});

test("the knob goes along the stops, and a stop catches it", () => {
  const [knob] = handles(at(0.5));
  givesBack(knob, 0.5);
  const [{ x }] = handles(at(1));
  assert.equal(knob.value(x + 4, 0), 1);
  assert.deepEqual([knob.value(-99, 0), knob.value(999, 0)], [0, 2]);
});

test("a line that is lit stands out, and the others step back", () => {
  const drawn = svg(at(0, { lit: { kind: "two" } }));
  assert.deepEqual([count(drawn, /gl-lit/g), count(drawn, /gl-dim/g)], [2, 2]);
});
