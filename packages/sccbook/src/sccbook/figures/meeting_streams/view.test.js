import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const LENGTHS = { heads: 1.5, following: 2, cut: 1, whole: 2.5, hook: 1, branch: 0.5 };
const labels = { hook: "add, clip", branch: "clip, add", heads: "heads", following: "next" };
const streams = (more) => {
  const all = Object.entries({ ...LENGTHS, ...more }).map(([name, length]) => [`${name}_length`, length]);
  return wellDrawn(drawing({ kind: "streams" }, Object.fromEntries(all), { labels }));
};

test("each band is as wide as its gradient is long, before its clip and after it, and its length is written", () => {
  const text = streams({});
  const widths = numbers(text, /gl-use[^>]*stroke-width="([\d.]+)"/g).flat();
  assert.deepEqual(
    widths,
    [1.5, 2, 2.5, 1, 1.5, 1, 2, 0.5].map((length) => 11 * length),
  );
  const said = ["heads 1.50", "next 2.00", "2.50 → 1.00", "next 2.00 → 1.00", "0.50"];
  assert.deepEqual(
    said.filter((words) => !texts(text).includes(words)),
    [],
  );
});

test("what isn't known yet has no band, and a gradient of 0 has none", () => {
  const text = streams({ branch: Number.NaN, cut: 0 });
  assert.equal(count(text, /class="gl-use/g), 6);
  assert.ok(texts(text).includes("?"));
});
