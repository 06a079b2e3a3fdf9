import assert from "node:assert/strict";
import test from "node:test";
import { controls, drawing, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const NAMES = ["one", "two", "right", "wrong"];
const SPOT = { kind: "dot", role: "cotangent", label: "", small: false };
const planes = NAMES.map((value) => ({
  kind: "plane",
  x: [-1, 3],
  y: [-1, 1],
  marks: [{ ...SPOT, value, drag: value }],
}));
const SPEC = { kind: "shards", planes, titles: NAMES.map((name) => [name, "{length:.2f} long"]) };
const settings = Object.fromEntries(NAMES.map((name, i) => [name, [0.5 * i, 0.25 * i]]));
const labels = new Proxy({}, { get: (_, name) => name });
const shards = (layout) => drawing(SPEC, { length: 1 }, { layout, settings, labels });

test("one order clips once, after the average; the other on each device, before it", () => {
  const boxes = ["sum", "clip", "clip", "clip", "sum", "before", "vector", "axes"];
  assert.deepEqual(texts(svg(shards("wide"))), [...boxes, ...NAMES.flatMap((name) => [name, "1.00 long"])]);
});

test("gradients are dragged in their own planes, and everything lies within the picture", () => {
  for (const layout of LAYOUTS) {
    wellDrawn(shards(layout));
    assert.deepEqual(controls(shards(layout)), NAMES);
    for (const { control, x, y, value } of handles(shards(layout)))
      assert.deepEqual(
        value(x, y).map((v) => Math.round(100 * v) / 100),
        settings[control],
      );
  }
});
