import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { numbers, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const LENGTHS = { heads: 1.5, following: 2, cut: 1, whole: 2.5, hook: 1, branch: 0.5 };
const labels = { hook: "add, clip", branch: "clip, add", heads: "heads", following: "next" };
const plane = { kind: "plane", marks: [], x: [-1, 1], y: [-1, 1] };
const streams = (layout, more) => {
  const all = Object.entries({ ...LENGTHS, ...more }).map(([name, length]) => [`${name}_length`, length]);
  return wellDrawn(drawing({ kind: "streams", plane }, Object.fromEntries(all), { labels, layout }));
};
const widths = (text) => numbers(text, /gl-use[^>]*stroke-width="([\d.]+)"/g).flat();

test("each band is as wide as its gradient is large, before its clip and after it, and its size is written", () => {
  for (const layout of LAYOUTS) {
    const text = streams(layout);
    const drawn = [1.5, 2, 2.5, 1, 1.5, 1, 2, 0.5].map((length) => 11 * length);
    assert.deepEqual(widths(text), drawn);
    for (const words of ["heads 1.50", "next 2.00", "sum 2.50 → 1.00", "next 2.00 → 1.00", "sum 0.50"])
      assert.ok(texts(text).includes(words), words);
  }
});

test("a gradient of 0 has a band of no width", () => {
  assert.equal(widths(streams("wide", { cut: 0 }))[5], 0);
});
