import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const RING = { kind: "ring", radius: "cap", role: "limit", drag: "cap", at: -45, center: [0, 0] };
const COLUMNS = { kind: "vector", value: "capped", role: "parameter", tail: [0, 0], at: 1 };
const SPEC = { kind: "capped", plane: { marks: [RING, COLUMNS], x: [-4, 4], y: [-3, 3] } };
/** Three columns, of which so many groups have one norm. */
function capped(groups, more) {
  const results = { columns: [3, 2, 0, 1, -2, 0], capped: [2, 1, 0, 1, -2, 0], norms: [5, 4, 0], groups };
  return drawing(SPEC, results, {
    settings: { cap: 2, by: "some" },
    labels: { bar_some: "row {n}" },
    ...more,
  });
}

test("each norm has a bar and a frame about its weights, in both layouts", () => {
  for (const layout of LAYOUTS)
    for (const groups of [3, 2, 1]) {
      const drawn = wellDrawn(capped(groups, { layout }));
      assert.deepEqual([count(drawn, /gl-bar"/g), count(drawn, /gl-box /g)], [groups, groups]);
      givesBack(handles(capped(groups, { layout }))[0], 2);
    }
});

test("a column's arrow, its weights and its bar light up together", () => {
  const drawn = svg(capped(3, { lit: { kind: "capped", index: 2 } }));
  assert.equal(count(drawn, /gl-lit/g), 4); // arrow, number, frame with bar, weights
});
