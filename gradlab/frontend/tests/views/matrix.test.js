import assert from "node:assert/strict";
import test from "node:test";
import { strength } from "../../src/views/matrix/cells.js";
import { broken, drawing, LAYOUTS, matrix, svg, texts } from "../drawings.js";

const square = (n, value = (i, j) => 1 / (1 + i + j)) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => value(i, j)));
const count = (text, what) => [...text.matchAll(what)].length;

test("colour is in proportion to the value, or to its logarithm, and never more than full", () => {
  assert.equal(strength({ full: 2, decades: 0 }, 1), 0.5);
  assert.equal(strength({ full: 2, decades: 0 }, -50), 1);
  assert.equal(strength({ full: 1, decades: 4 }, 0.01), 0.5);
  assert.equal(strength({ full: 1, decades: 4 }, 1e-9), 0);
  assert.equal(strength({ full: 1, decades: 4 }, Number.NaN), 0);
});

test("a cell has the same colour whatever stands beside it", () => {
  const first = (other) => svg(drawing(matrix(), { m: [[0.5, other]] })).match(/fill-opacity="([\d.]+)"/)[1];
  assert.equal(first(0.1), first(1e9));
});

test("a triangle has entries up to its diagonal, and a count fewer of them", () => {
  const spec = matrix({ triangle: true, count: "k" });
  for (const k of [1, 3, 5]) {
    const text = svg(drawing(spec, { m: square(5) }, { settings: { k } }));
    assert.equal(count(text, /gl-cell/g), (k * (k + 1)) / 2);
  }
});

test("every cell has its number, the same decimals for all, where it fits; on a narrow page a shorter one", () => {
  const shown = (n, layout) =>
    texts(svg(drawing(matrix({ rows: "", columns: "" }), { m: square(n, () => 0.25) }, { layout })));
  assert.deepEqual(new Set(shown(8, "wide")), new Set(["0.25"]));
  assert.deepEqual(new Set(shown(10, "narrow")), new Set([".25"]));
  assert.equal(shown(20, "narrow").length, 0);
});

test("the sign is told without colour: by the number, or by a stroke", () => {
  const values = square(3, (i, j) => (i === j ? -0.5 : 0.5));
  assert.equal(texts(svg(drawing(matrix(), { m: values }))).filter((t) => t === "−0.50").length, 3);
  const small = svg(
    drawing(matrix(), { m: square(19, (i, j) => (i === j ? -0.5 : 0.5)) }, { layout: "narrow" }),
  );
  assert.equal(count(small, /gl-minus/g), 19);
});

test("what is not finite has a dashed cell and its name, and no attribute holds it", () => {
  for (const layout of LAYOUTS) {
    const text = svg(
      drawing(
        matrix(),
        {
          m: [
            [Number.NaN, Infinity],
            [1, -Infinity],
          ],
        },
        { layout },
      ),
    );
    assert.equal(broken(text), null);
    assert.equal(count(text, /gl-odd/g), 3);
    for (const name of ["NaN", "∞", "−∞"]) assert.ok(texts(text).includes(name), name);
  }
});

test("more cells than four hundred are an image, with as many elements for any size", () => {
  const elements = (n) =>
    count(svg(drawing(matrix({ rows: "", columns: "" }), { m: square(n, (i, j) => i - j) })), /<\w/g);
  assert.equal(elements(30), elements(64));
  const text = svg(drawing(matrix(), { m: square(30, (i, j) => (i === j ? Number.NaN : i - j)) }));
  assert.match(text, /data:image\/bmp;base64,/);
  assert.ok(texts(text).includes("30 not finite"));
  assert.equal(broken(text), null);
});

test("a row lights with its heading and its sum", () => {
  const spec = matrix({ row_part: "loss", column_part: "application", row_sums: "s", column_sums: "t" });
  const one = { m: square(3), s: [1, 2, 3], t: [1, 2, 3] };
  const text = svg(drawing(spec, one, { lit: { kind: "loss", index: 2 } }));
  assert.equal(count(text, /gl-role-cotangent gl-lit/g), 3);
  assert.match(text, /gl-heading gl-lit/);
  assert.match(text, /gl-sum gl-lit/);
  assert.match(
    svg(drawing(spec, one, { lit: { kind: "m", index: 5 } })),
    /gl-lit" data-part="m" data-index="5"/,
  );
});

test("concealed cells are not in the markup", () => {
  const text = svg(drawing(matrix(), { m: square(3, () => 0.375) }, { concealed: new Set(["m"]) }));
  assert.doesNotMatch(text, /gl-cell|0\.38|0\.375/);
});

test("sums stand next to the cells that are there", () => {
  const spec = matrix({ triangle: true, count: "k", row_sums: "s", column_sums: "t" });
  const results = { m: square(5), s: [1, 2, 3, 4, 5], t: [5, 4, 3, 2, 1] };
  const places = (k) =>
    [...svg(drawing(spec, results, { settings: { k } })).matchAll(/gl-sum" x="([\d.]+)" y="([\d.]+)"/g)].map(
      ([, x, y]) => [Number(x), Number(y)],
    );
  const farthest = (some, axis) => Math.max(...some.map((one) => one[axis]));
  const [two, four] = [places(2), places(4)];
  assert.deepEqual([two.length, four.length], [4, 8]);
  for (const axis of [0, 1]) assert.ok(farthest(two, axis) < farthest(four, axis));
});

test("where sums are too wide, not every column has one, and none overlaps the cells", () => {
  const spec = matrix({ row_sums: "s", column_sums: "t" });
  const many = Array.from({ length: 10 }, () => 123456);
  const results = { m: square(10, () => 0.25), s: many, t: many };
  const shown = texts(svg(drawing(spec, results, { layout: "narrow" }))).filter((text) =>
    /123|1\.2|…/.test(text),
  );
  assert.equal(count(shown.join(" "), /…/g), 10);
  assert.ok(shown.length - 10 < 10);
});

test("a small sum is not rounded to a whole number to make it fit", () => {
  const spec = matrix({ triangle: true, row_sums: "s", column_sums: "t" });
  const sums = Array.from({ length: 12 }, (_, i) => 2 - 0.5 ** i);
  const results = { m: square(12, () => 0.25), s: sums, t: sums.toReversed() };
  const text = svg(drawing(spec, results, { layout: "narrow" }));
  const shown = [...text.matchAll(/gl-sum[^>]*>([^<]*)</g)].map(([, said]) => said);
  assert.ok(shown.length > 12);
  for (const said of shown) assert.match(said, /^\d\.\d+$|^…$/);
});
