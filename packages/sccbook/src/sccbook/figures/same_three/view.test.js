import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const plot = (name) => [name, "norm", "parameter"];
const FAMILIES = [
  ["clips", [plot("one"), plot("other")]],
  ["others", [plot("third"), plot("free")]],
];
const SPEC = { kind: "families", families: FAMILIES, most: 3, unlimited: "free" };
const RESULTS = {
  sizes: [0, 1.2, 3],
  curves: [
    [0, 1.2, 1.2],
    [0, 1.2, 0],
    [0, 1, 1],
    [1, 1, 1],
  ],
};
const SETTINGS = { size: 2, limit: 1.2 };
const plots = (more) => drawing(SPEC, { ...RESULTS, out: [1.2, 0, 2, 1] }, { settings: SETTINGS, ...more });

test("each operation has its curve and what it makes of the size, each family its name", () => {
  const text = svg(plots());
  assert.equal(count(text, /gl-line/g), 4);
  for (const words of ["clips", "others", "one", "free", "2.00 → 1.20", "2.00 → 0"])
    assert.ok(texts(text).includes(words));
});

test("an arrow leads from what came in to what goes on, where they differ", () => {
  assert.equal(count(svg(plots()), /gl-familyway/g), 3);
});

test("all have a dashed line at c but the one that has no limit", () => {
  assert.equal(count(svg(plots()), /gl-familylimit/g), 3);
});

test("curves that have moved leave an outline", () => {
  const ghost = { ...RESULTS, curves: [[0, 1.2, 2], ...RESULTS.curves.slice(1)] };
  assert.equal(count(svg(plots({ ghost })), /gl-ghost/g), 1);
});

test("in each plot a point sets what comes in, and a line c", () => {
  for (const layout of LAYOUTS) {
    wellDrawn(plots({ layout }));
    const all = handles(plots({ layout }));
    assert.equal(all.length, 8);
    for (const handle of all) givesBack(handle, SETTINGS[handle.control], 1e-9);
  }
});
