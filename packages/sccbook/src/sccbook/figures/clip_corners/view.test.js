import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, known, LAYOUTS, layoutsOf, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const ROWS = Object.entries({ zero: "zero", inf: "inf, 1" });
const SPEC = {
  kind: "corners",
  rows: ROWS,
  right: ["0, 0", "nan, nan"],
  columns: Object.entries({ NumPy: "by hand", Optax: "global", PyTorch: "global" }),
  texts: [Array(3).fill("0, 0"), ["nan, 0", "6e-31, 8e-31", "error: TypeError"]],
};
const labels = {
  right: "right",
  lost: "wrong",
  nans: "NaN",
  said: "error",
  none: "none",
  returned: "returned",
};
const KINDS = [
  [0, 0, 0],
  [1, 2, 3],
];
const corners = (row, more) => drawing(SPEC, { kinds: KINDS, row }, { labels, ...more });

test("every cell has the colour and the sign of its kind", () => {
  const text = svg(corners(1));
  const ticks = text.match(/gl-corner-right.*?<\/g>/g).map((group) => count(group, /l4 4.5l7 -9/g));
  assert.deepEqual(ticks, [1, 3]); // the key's, and the table's
  assert.equal(count(text, />nan</g), 2);
  assert.equal(count(text, />!</g), 2);
});

test("below the table are what is right and what each clip of the chosen row returned", () => {
  for (const [row, layout, expected] of [
    [1, "narrow", ["nan, nan", "returned", "nan, 0", "6e-31, 8e-31", "TypeError"]],
    [1, "wide", ["nan, nan", "returned", "nan, 0", "6e-31,", "8e-31", "TypeError"]],
    [0, "wide", ["0, 0", "returned", "0, 0", "0, 0", "0, 0"]],
  ])
    assert.deepEqual(texts(svg(corners(row, { layout }))).slice(-expected.length), expected);
});

test("a row is chosen where it is pressed", () => {
  for (const layout of LAYOUTS) {
    const all = handles(corners(0, { layout }));
    assert.deepEqual(
      all.map(({ x, y, value, sets }) => [value(x, y), sets.corner]),
      ROWS.map(([name]) => [name, name]),
    );
    assert.equal(all[0].value(0, layoutsOf(corners(0))[layout].height), undefined);
  }
});

test("everything lies within the picture", () => {
  for (const layout of LAYOUTS) wellDrawn(corners(1, { layout }));
});
