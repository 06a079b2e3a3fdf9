import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers, paths } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const NAMES = [
  ["after", "{apart.0:.1f}", "pair {seed}"],
  ["before", "{apart.1:.1f}", "pair {seed}"],
];
const SPEC = { kind: "paired", names: NAMES, span: [-60, 60], small: 5, chosen: "seed" };
const RESULTS = {
  seeds: [
    [-60, 0, 0, 0, 60],
    [1, 2, 3, 30, 40],
  ],
  apart: [0, 15.2],
  apart_low: [-9, 3],
  apart_high: [9, 28],
};
const LABELS = { pair: "one pair", mean: "mean", small: "small" };
const of = (more) => drawing(SPEC, RESULTS, { labels: LABELS, settings: { seed: 1 }, ...more });

test("each pair is a dot on its difference, and those that would touch are piled up", () => {
  for (const layout of LAYOUTS) {
    const text = wellDrawn(of({ layout }));
    const dots = paths(text, "gl-dust").map((path) => numbers(path, /M([\d.]+) ([\d.]+)a/g));
    assert.deepEqual(
      dots.map((row) => row.length),
      [5, 5],
    );
    const [first, ...zeros] = dots[0];
    const last = zeros.pop();
    assert.equal(new Set(zeros.map(([x]) => x)).size, 1);
    assert.equal(new Set(zeros.map(([, y]) => y)).size, 3);
    assert.ok(first[0] < zeros[0][0] && zeros[0][0] < last[0] && first[1] === last[1]);
  }
});

test("the state before stays as a ghost", () => {
  const ghosts = (more) => count(svg(of({ ghost: { ...RESULTS, ...more } })), /gl-ghost" d="M/g);
  assert.deepEqual([ghosts({ apart: [0, 9], seed: 1 }), ghosts({ seed: 2 })], [1, 2]);
});

test("a ring in each row is on the chosen pair, and goes to the dot that is nearest", () => {
  const rings = handles(of({ settings: { seed: 5 } }));
  assert.equal(rings.length, 2);
  for (const ring of rings) givesBack(ring, 5, 0);
  const [first] = handles(of());
  assert.equal(rings[1].value(first.x - 5, first.y + 2), 1);
});
