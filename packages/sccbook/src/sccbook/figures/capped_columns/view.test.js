import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

/** Three columns, of which so many groups have one norm. */
function capped(groups, more) {
  const results = { columns: [3, 2, 0, 1, -2, 0], capped: [2, 1, 0, 1, -2, 0], norms: [3.5, 2, 0], groups };
  const labels = { bar_some: "row {n}", kept: "1, 2" };
  return drawing({ kind: "capped", told: 1 }, results, { settings: { cap: 2, by: "some" }, labels, ...more });
}

test("each norm has a bar and a frame about its weights, in both layouts", () => {
  for (const layout of LAYOUTS)
    for (const groups of [3, 2, 1]) {
      const drawn = wellDrawn(capped(groups, { layout }));
      const bars = numbers(drawn, /class="gl-bar [^>]*? d="([^"]+)"/g);
      assert.deepEqual([bars.length, count(drawn, /gl-box"/g)], [1, groups]);
    }
});

test("the ring, the line across the bars and the first column can be dragged", () => {
  for (const layout of LAYOUTS) {
    const [ring, line, first] = handles(capped(3, { layout }));
    for (const each of [ring, line]) givesBack(each, 2, 0.01);
    givesBack(first, [3, 2], 0.01);
  }
});

test("a column's arrow, its number with its weights and its frame light up together", () => {
  assert.equal(count(svg(capped(3, { lit: { kind: "capped", index: 2 } })), /gl-lit/g), 3);
});
