import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const MARKS = [
  { kind: "ring", radius: "cap", role: "limit", drag: "cap", at: -45, center: [0, 0] },
  { kind: "vector", value: "capped", role: "parameter", tail: [0, 0], at: 1 },
];
const SPEC = { kind: "capped", most: 6, plane: { marks: MARKS, x: [-4, 4], y: [-3, 3], ghosts: false } };
const NORMS = {
  columns: [5, 1, 2],
  rows: [3, 4.5, 0],
  all: [5.5, 0, 0],
};
const LABELS = {
  columns: "each column",
  rows: "each row",
  all: "all",
  before: "before",
  rows_bar: "row",
  all_bar: "all",
};
function capped(by, cap, more) {
  const columns = [
    [3, 2],
    [0, 1],
    [-2, 0],
  ];
  const groups = { columns: 3, rows: 2, all: 1 }[by];
  const results = { columns, capped: columns, norms: NORMS[by], groups };
  return drawing(SPEC, results, { settings: { cap, by }, labels: LABELS, ...more });
}

test("each norm has a bar and a frame about its weights, in both layouts", () => {
  for (const layout of LAYOUTS)
    for (const [by, groups] of Object.entries({ columns: 3, rows: 2, all: 1 })) {
      const drawn = wellDrawn(capped(by, 2, { layout }));
      assert.deepEqual([count(drawn, /gl-bar"/g), count(drawn, /gl-group"/g)], [groups, groups]);
    }
});

test("weights are those after the cap; before it while a question hides them", () => {
  const hidden = capped("columns", 2, { concealed: ["capped"] });
  assert.ok(texts(svg(hidden)).includes("−2.0"));
});

test("the ring and the line over the bars set the cap", () => {
  for (const handle of handles(capped("columns", 1.5))) givesBack(handle, 1.5);
});

test("a column's arrow, its weights and its bar light up together", () => {
  const drawn = svg(capped("columns", 2, { lit: { kind: "capped", index: 2 } }));
  assert.equal(count(drawn, /gl-lit/g), 6); // arrow, number, frame, two weights, bar
});
