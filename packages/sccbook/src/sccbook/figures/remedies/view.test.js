import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = {
  kind: "collapse",
  x: [0.01, 10],
  falling: [0, 1],
  stops: ["rate", "median", "longest"],
  remedies: [
    ["one", "first", "ink"],
    ["two", "second", "loss"],
  ],
};
const results = {
  runs: [90, 95, 30, 20, 99, 98, 97, 50],
  runs_at: [-1, -1, 0, 0, -1, -1, 1, 1],
  middle: [92, 25, 98, 70],
  middle_at: [-1, 0, -1, 1],
  falls: [
    [-1, 0],
    [-1, -0.5],
    [0, 0.2],
  ],
  spreads: [10, 3, 2],
};
const at = (way, more = {}) =>
  drawing(
    SPEC,
    { ...results, case: way },
    {
      settings: { level: 60 },
      labels: { x: "rate\nmedian\nlongest", y: "right" },
      ...more,
    },
  );

test("every remedy is a line with its name, within the picture; only one that is lit has its runs, as dots", () => {
  for (const layout of LAYOUTS)
    for (const way of [0, 1, 2])
      for (const lit of [null, { kind: "two" }]) {
        const drawn = wellDrawn(at(way, { layout, lit }));
        assert.equal(count(drawn, /h0/g), lit ? 4 : 0);
        assert.ok(["first", "second"].every((name) => texts(drawn).includes(name)));
      }
});

test("a bar along the level goes from the first fall to the last", () => {
  const bars = (way) => numbers(svg(at(way)), /gl-bar-across" d="M(\S+) \S+H([^"]+)"/g);
  assert.deepEqual(bars(1).at(-1), bars(2)[1]);
});

test("how far apart the lines fall is shown up to the stop in use, which stands out", () => {
  const apart = (way) => texts(svg(at(way))).filter((text) => text.includes("×"));
  assert.deepEqual(apart(0), ["rate: ×10 apart"]);
  assert.deepEqual(apart(2), ["rate: ×10 apart", "median: ×3 apart", "longest: ×2 apart"]);
  const bars = svg(at(1)).match(/gl-role-\w+(?="><path class="gl-bar-across" d="M)/g);
  assert.deepEqual(bars, ["gl-role-muted", "gl-role-ink", "gl-role-ink"]);
});

test("a knob sets the level", () => {
  const [level] = handles(at(1));
  givesBack(level, 60);
});

test("a line that is lit stands out, and the others step back", () => {
  const drawn = svg(at(0, { lit: { kind: "two" } }));
  assert.deepEqual([count(drawn, /gl-lit/g), count(drawn, /gl-dim/g)], [2, 2]);
});
