import assert from "node:assert/strict";
import test from "node:test";
import { bitmap } from "../../src/views/common/image.js";
import { picture } from "../../src/views/surface/field.js";
import { draw, drawing, handles, layoutsOf } from "../drawings.js";
import { broken, close, numbers, texts } from "../pictures.js";
import { surface, vector } from "../specs.js";

/** Sample a function over the unit square, in n rows of m. */
const field = (n, m, value) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => value(j / (m - 1), i / (n - 1))));
const box = { left: 0, right: 400, top: 0, bottom: 200 };
const flat = (rows) => ({ values: Float64Array.from(rows.flat()), n: rows.length, m: rows[0].length });
const pictured = (rows, more) => picture(surface(more), flat(rows), box);
const f = field(5, 5, (x) => x);

test("a bitmap has a byte for each shade, the first row at the bottom", () => {
  const bytes = Buffer.from(bitmap([0, 0.5, 1, Number.NaN, 2, -1], 2, 3).split(",")[1], "base64");
  assert.equal(bytes.toString("latin1", 0, 2), "BM");
  assert.equal(bytes.readUInt32LE(2), bytes.length);
  assert.deepEqual([bytes.readInt32LE(18), bytes.readInt32LE(22), bytes.readUInt16LE(28)], [3, 2, 8]);
  const start = bytes.readUInt32LE(10);
  assert.deepEqual([...bytes.subarray(start, start + 8)], [0, 128, 255, 0, 0, 255, 0, 0]);
});

/** Return the points of a path of "M" and "l", to a tenth. */
function points(path) {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Ml])(-?[\d.]+) (-?[\d.]+)/g)].map(([, letter, a, b]) => {
    [x, y] = letter === "M" ? [Number(a), Number(b)] : [x + Number(a), y + Number(b)];
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
  });
}
/** Return the coordinates along one axis that the points of a path have. */
const places = (path, axis) => [...new Set(points(path).map((p) => p[axis]))].sort((a, b) => a - b);

test("a contour lies where the field has its level, y upwards, in even steps of the logarithm on a log field", () => {
  const quarters = [50, 100, 150]; // levels at 1/4, 1/2 and 3/4 of the height
  assert.deepEqual(places(pictured(field(21, 31, (_, y) => y)).contours, 1), quarters);
  const decades = field(41, 3, (_, y) => 10 ** (4 * y - 4));
  assert.deepEqual(places(pictured(decades, { log: true, span: [1e-4, 1] }).contours, 1), quarters);
});

test("a contour doesn't run along the plot's edge", () => {
  const { contours } = pictured(field(11, 11, (x, y) => x + y));
  assert.equal(contours.split("M").length - 1, 3);
});

test("a signed field has a colour for each sign", () => {
  const values = field(5, 5, (x) => x - 0.5);
  assert.ok(pictured(values, { span: [-1, 1] }).below);
  assert.equal(pictured(values).below, null);
});

test("no contour runs around a hole, and its hatching fills it", () => {
  for (const hole of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const values = field(11, 11, (x) => x);
    values[5][2] = hole; // at x = 80, y = 100 of the picture; cells are 40 by 20
    const { contours, odd } = pictured(values);
    assert.deepEqual(places(contours, 0), [100, 200, 300]);
    assert.ok(points(contours).every(([x, y]) => x > 100 || Math.abs(y - 100) >= 20));
    const hatches = numbers(odd, /M(-?[\d.]+) (-?[\d.]+)/g);
    assert.equal(hatches.length, 5 * 3);
    assert.ok(hatches.every(([x, y]) => x >= 60 && x < 100 && y > 90 && y <= 110));
  }
});

test("the picture of a field is made again only when a value changes", () => {
  const [some, same, other] = [0, 1, 2].map(() => flat(field(9, 9, (x, y) => x * y)));
  const spec = surface();
  const first = picture(spec, some, box);
  assert.equal(picture(spec, same, { ...box }), first);
  other.values[40] = Number.NaN;
  assert.notEqual(picture(spec, other, box), first);
});

test("marks lie over the field by its axes, whose units needn't be equal", () => {
  const spec = surface({ marks: [{ ...vector("p"), kind: "dot", drag: "p" }] });
  const drawn = drawing(spec, { f }, { settings: { p: [3, 0.5] } });
  const [{ x, y }] = handles(drawn);
  const { left, right, top, bottom } = layoutsOf(drawn).wide;
  close([x, y], [left + 0.75 * (right - left), bottom - 0.25 * (bottom - top)]);
});

test("a path ends where it is no longer a number, and is torn where it leaves the plot; both are written", () => {
  const trail = { kind: "trail", value: "t", label: "descent", role: "cotangent", dots: true };
  const along = (xs, y = 1) => draw(surface({ marks: [trail] }), { f, t: xs.map((x, i) => [x, i ? y : 1]) });
  const lost = along([1, 2, Number.NaN, 3]);
  assert.equal(broken(lost), null);
  assert.ok(texts(lost).includes("descent: NaN after 2 points"));
  assert.equal(lost.match(/gl-line" d="([^"]*)"/)[1].match(/L/g).length, 1);
  assert.ok(texts(along([1, 1e12], -1e300)).includes("descent has left the plot"));
  const torn = (xs) =>
    along(xs)
      .match(/gl-cut" d="([^"]*)"/)?.[1]
      .match(/M/g)?.length;
  assert.deepEqual([torn([1, 2, 3]) ?? 0, torn([1, 1e12]), torn([1, 9, 2, 9])], [0, 2, 4]);
});
