import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const LENGTHS = { heads: 1.5, following: 2, cut: 1, whole: 2.5, hook: 1, branch: 0.5 };
const labels = {
  hook: "hook: add, then clip",
  branch: "branch: clip, then add",
  heads: "heads",
  following: "next",
};
const streams = (more = {}) => {
  const results = Object.entries({ ...LENGTHS, ...more }).map(([name, length]) => [`${name}_length`, length]);
  return drawing({ kind: "streams" }, Object.fromEntries(results), { labels });
};

test("each band is as wide as its gradient is long, before its clip and after it", () => {
  const widths = numbers(svg(streams()), /gl-band[^>]*stroke-width="([\d.]+)"/g).flat();
  const { heads, following, cut, whole, hook, branch } = LENGTHS;
  assert.deepEqual(
    widths,
    [heads, following, whole, hook, heads, cut, following, branch].map((length) => 11 * length),
  );
});

test("the lengths are written, with an arrow where a clip acts", () => {
  const said = texts(svg(streams()));
  for (const words of ["heads 1.50", "next 2.00", "2.50 → 1.00", "next 2.00 → 1.00", "0.50"])
    assert.ok(said.includes(words), words);
});

test("what isn't known yet has no band, and a gradient of 0 has none", () => {
  const text = svg(streams({ branch: Number.NaN, cut: 0 }));
  assert.equal(count(text, /class="gl-band/g), 6);
  assert.ok(texts(text).includes("?"));
});

test("everything lies within the picture", () => {
  for (const layout of LAYOUTS) wellDrawn({ ...streams(), layout });
});
