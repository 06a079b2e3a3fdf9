import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const rows = Object.entries({ zero: "zero", inf: "inf, 1" });
const columns = ["NumPy", "Optax", "PyTorch"].map((library) => [library, "global"]);
const outcomes = [Array(3).fill("0, 0"), ["nan, 0", "6e-31, 8e-31", "error: TypeError"]];
const words = { given: ["0; limit 1", "inf, 1"], right: ["0, 0", "nan, nan"] };
const SPEC = { kind: "corners", rows, ...words, columns, texts: outcomes };
const labels = new Proxy({}, { get: (_, name) => name });
const KINDS = [0, 0, 0, 1, 2, 3];
const prediction = { settings: { corner: "zero" } };
const corners = (row, layout, guess = null) =>
  drawing(SPEC, { kinds: KINDS, row }, { labels, layout, guess, prediction });

test("every cell has the sign of its kind, as in the key, and below are the chosen row's outcomes", () => {
  const text = wellDrawn(corners(1, "narrow"));
  assert.equal(count(text, /l4 4.5l7 -9/g), 4);
  assert.deepEqual(texts(text).slice(-4), ["returned", "nan, 0", "6e-31, 8e-31", "TypeError"]);
  assert.deepEqual(texts(svg(corners(1, "wide"))).slice(-3), ["6e-31,", "8e-31", "TypeError"]);
  assert.equal(texts(text).filter((each) => /^(N|NaN|!)$/.test(each)).length, 4);
});

test("each column has how many are silently wrong or NaN below it, and an open question covers its row", () => {
  const said = texts(svg(corners(1, "wide")));
  assert.deepEqual(said.slice(said.indexOf("total")).slice(0, 4), ["total", "1", "1", "0"]);
  const covers = (guess) => texts(svg(corners(1, "wide", guess))).filter((each) => each === "?").length;
  assert.deepEqual([covers({ value: 4, committed: false }), covers({ value: 4, committed: true })], [6, 0]);
});

test("a row is chosen where it is pressed", () => {
  for (const layout of LAYOUTS)
    for (const { x, y, value, sets } of handles(corners(0, layout))) assert.equal(value(x, y), sets.corner);
});
