import assert from "node:assert/strict";
import test from "node:test";
import { strength } from "../../src/views/matrix/matrix.js";
import { draw } from "../drawings.js";
import { count, numbers, texts } from "../pictures.js";
import { matrix } from "../specs.js";

const square = (n, value = (i, j) => 1 / (1 + i + j)) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => value(i, j)));
const diagonal = (n, on, off) => square(n, (i, j) => (i === j ? on : off));
const bare = () => matrix({ rows: "", columns: "" });
const triangle = (more) => matrix({ triangle: true, count: "k", ...more });

test("colour is proportional to the value, or to its logarithm, and never more than full", () => {
  assert.equal(strength({ full: 2, decades: 0 }, 1), 0.5);
  assert.equal(strength({ full: 2, decades: 0 }, -50), 1);
  const of = [0.01, 1e-9, Number.NaN].map((value) => strength({ full: 1, decades: 4 }, value));
  assert.deepEqual(of, [0.5, 0, 0]);
});

test("a cell has the same colour whatever stands beside it", () => {
  const first = (other) => draw(matrix(), { m: [[0.5, other]] }).match(/fill-opacity="([\d.]+)"/)[1];
  assert.equal(first(0.1), first(1e9));
});

test("a triangle has entries up to its diagonal, and a count limits them", () => {
  const cells = (k) => count(draw(triangle(), { m: square(5) }, { settings: { k } }), /gl-cell/g);
  assert.deepEqual([1, 3, 5].map(cells), [1, 6, 15]);
});

test("every cell has its number where it fits, with the same decimals; on a narrow page a shorter one", () => {
  const shown = (n, layout) => new Set(texts(draw(bare(), { m: square(n, () => 0.25) }, { layout })));
  assert.deepEqual(shown(8, "wide"), new Set(["0.25"]));
  assert.deepEqual(shown(10, "narrow"), new Set([".25"]));
  assert.deepEqual(shown(20, "narrow"), new Set());
});

test("the sign is told without colour: by the number, or by a stroke", () => {
  const said = texts(draw(matrix(), { m: diagonal(3, -0.5, 0.5) }));
  assert.equal(said.filter((t) => t === "−0.50").length, 3);
  const small = draw(matrix(), { m: diagonal(19, -0.5, 0.5) }, { layout: "narrow" });
  assert.equal(count(small, /gl-minus/g), 19);
});

test("more cells than four hundred are an image, with as many elements for any size", () => {
  const drawn = (n) => draw(bare(), { m: square(n, (i, j) => i - j) });
  assert.match(drawn(30), /data:image\/bmp;base64,/);
  assert.equal(count(drawn(30), /<\w/g), count(drawn(64), /<\w/g));
});

test("a value that isn't finite has no colour: its cell is marked, or an image has a count beside it", () => {
  const drawn = draw(matrix(), { m: [[Number.NaN, 0.5]] });
  assert.equal(count(drawn, /"gl-cell gl-odd"[^>]*fill-opacity="0"/g), 1);
  assert.ok(texts(drawn).includes("NaN"), texts(drawn).join());
  const image = draw(bare(), { m: square(30, (i, j) => (i === j ? Infinity : 1)) });
  assert.ok(texts(image).includes("30 not finite"), texts(image).join());
});

test("a row lights up with its heading", () => {
  const spec = matrix({ row_part: "loss", column_part: "application" });
  const lit = (kind, index) => draw(spec, { m: square(3) }, { lit: { kind, index } });
  assert.equal(count(lit("loss", 2), /gl-role-cotangent gl-lit/g), 3);
  assert.match(lit("loss", 2), /gl-heading gl-lit/);
  assert.match(lit("m", 5), /gl-lit" data-part="m" data-index="5"/);
});

test("the total of the columns that don't stand apart is written under a bracket that holds them", () => {
  const spec = triangle({ apart: 1, total: "in all {t}" });
  for (const k of [2, 5]) {
    const text = draw(spec, { m: square(5), t: 3 }, { settings: { k } });
    const cells = numbers(text, /gl-cell" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g);
    const [[left], [next], last] = [cells[1], cells[2], cells.at(-1)];
    const [[from, foot, to]] = numbers(text, /gl-rule" d="M([\d.]+) ([\d.]+)v4H([\d.]+)v-4/g);
    assert.ok(next - left > last[2] + 4, "the first column stands apart");
    assert.ok(Math.abs(from - next) < 1 && Math.abs(to - last[0] - last[2]) < 1);
    assert.ok(foot > last[1] && texts(text).includes("in all 3"));
  }
});
