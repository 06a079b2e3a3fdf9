import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const plot = (name) => [name, "norm →", "parameter", "turns"];
const families = Object.entries({ clips: ["one", "other"].map(plot), others: ["third", "free"].map(plot) });
const SPEC = { kind: "families", families, most: 3, unlimited: "free" };
const CURVES = [0, 1.2, 1.2, 0, 1.2, 0, 0, 1, 1, 1, 1, 1];
const settings = { size: 2, limit: 1.2 };
const ghost = { sizes: [0, 1.2, 3], curves: CURVES.with(2, 2) };
const plots = (layout) =>
  drawing(SPEC, { sizes: [0, 1.2, 3], curves: CURVES, out: [1.2, 0, 2, 1] }, { settings, ghost, layout });

test("each operation has its curve, what it makes of the size, and c, unless it has no limit", () => {
  const text = wellDrawn(plots("wide"));
  for (const words of ["clips", "one", "norm → 1.2", "norm → 0", "turns"])
    assert.ok(texts(text).includes(words));
  const times = ["gl-line", "gl-level", "gl-shaft", "gl-ghost"].map((what) =>
    count(text, new RegExp(what, "g")),
  );
  assert.deepEqual(times, [4, 3, 1 + 1, 1]);
});

test("in each plot a point sets what comes in, filled where it's changed, and a line c", () => {
  for (const layout of LAYOUTS) {
    wellDrawn(plots(layout));
    for (const handle of handles(plots(layout))) givesBack(handle, settings[handle.control], 1e-9);
    assert.equal(handles(plots(layout)).filter(({ role }) => role.endsWith(" gl-changed")).length, 3);
  }
});
