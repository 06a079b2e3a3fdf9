import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const PAYS = [
  [1, 0.25, 0],
  [0.25, 0.5, 1],
];
const labels = { likely: "likely", pays: "pays", situation: "situation", action: "action" };
/** Give the probabilities of three actions in two situations. */
const at = (shares, layout = "wide") => {
  const cell = (i, j) => [`last_policy_${i + 1}_${j + 1}`, shares[i][j]];
  const results = Object.fromEntries(shares.flatMap((row, i) => row.map((_, j) => cell(i, j))));
  return drawing({ kind: "policy", pays: PAYS }, results, { labels, layout });
};

test("every action has a cell, and a ring where it pays, the best one's thick", () => {
  for (const layout of LAYOUTS) {
    const drawn = wellDrawn(at([Array(3).fill(0.5), Array(3).fill(0)], layout));
    assert.equal(count(drawn, /<rect class="gl-cell"/g), 6 + 1); // one is the key's
    const rings = (kind) => drawn.split(`"${kind}" d="`).at(-1).split('"')[0].split("M").length - 1;
    assert.deepEqual([rings("gl-rule"), rings("gl-shaft gl-role-ink")], [3, 2]);
  }
});

test("a cell is as dark as its action is likely, and bare before the first batch", () => {
  const dark = (shares) => numbers(wellDrawn(at(shares)), /fill-opacity="([\d.]+)"/g).map(([x]) => x);
  const [key, first, second, third] = dark([[0.5, 0.25, 0.25], [0, 0, 1]]); // biome-ignore format: rows are situations
  assert.deepEqual([first / key, second / key, third / key], [0.5, 0.25, 0.25]);
  assert.ok(dark([Array(3).fill(Number.NaN), Array(3).fill(Number.NaN)]).every((x, i) => !i || x === 0));
});
