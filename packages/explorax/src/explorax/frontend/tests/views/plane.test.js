import assert from "node:assert/strict";
import test from "node:test";
import { VIEWS } from "../../src/common/views.js";
import { clipOf, numbersOf } from "../../src/view.js";
import { draw, drawing, givesBack, handles, LAYOUTS, layoutsOf, svg } from "../drawings.js";
import { broken, close, count, numbers, points, texts } from "../pictures.js";
import { AXES, plane, ring, vector } from "../specs.js";

const IMAGE = { kind: "image", matrix: "m", radius: 1, role: "cotangent" };
const CLOUD = { kind: "cloud", value: "g", shape: "dots", tails: "", role: "ink", label: "", at: "" };
const ARROW = plane(vector("g"));
const NAMED = plane(vector("g", { label: "g" }));

test("a unit is as long on both axes", () => {
  const spec = plane(ring("r", { drag: "r", at: 0 }), ring("r", { drag: "r", at: 90 }));
  for (const layout of LAYOUTS) {
    const [right, up] = handles(drawing(spec, {}, { settings: { r: 1 }, layout }));
    close(right.x - up.x, right.y - up.y);
  }
});

test("a ring may be a square: its handle lies on the side, and gives the half side back", () => {
  const spec = plane(ring("c", { drag: "c", center: [0.2, 0.1], at: 10, square: "box" }));
  const drawn = (box) => drawing(spec, { box }, { settings: { c: 0.7 } });
  const [[circle], [square]] = [handles(drawn(0)), handles(drawn(1))];
  for (const handle of [circle, square]) givesBack(handle, 0.7);
  assert.ok(square.x > circle.x, "the side is where the circle is widest");
  assert.equal(square.value(square.x, square.y + 3), square.value(square.x, square.y));
  assert.match(svg(drawn(1)), /<rect class="gl-ring/);
  assert.match(svg(drawn(0)), /<circle class="gl-ring/);
});

test("a label stands in the direction that its arrow asks for", () => {
  const at = (more) => {
    const text = draw(plane(vector("g", { label: "g", ...more })), { g: [0.5, 0.5] });
    return numbers(text, /x="([\d.]+)" y="[\d.]+"[^>]*>g</g)[0][0];
  };
  assert.ok(at({ towards: [-1, 0] }) < at());
});

test("an arrow that leaves the plot is cut at its edge, and its length is written", () => {
  const arrow = (...g) => draw(NAMED, { g });
  assert.match(arrow(30, 40), /gl-cut/);
  assert.ok(texts(arrow(30, 40)).includes("g, 50.0 long"));
  const told = draw(plane(vector("g", { label: "×{g.0}" })), { g: [30, 40] });
  assert.doesNotMatch(told, / long/, "a name with a number has it already");
  assert.doesNotMatch(arrow(1, 1), /gl-cut/);
});

test("before is an outline, and so is the ghost of a drag, unless it equals its arrow or marks say it", () => {
  assert.match(draw(plane(vector("g", { before: true })), { g: [1, 1] }), /gl-outline/);
  const ghosts = (g, spec) =>
    count(draw({ ...ARROW, ...spec }, { g: [1, 1] }, { ghost: { g } }), /gl-ghost/g);
  assert.deepEqual([ghosts([1, 0]), ghosts([1, 1]), ghosts([1, 0], { ghosts: false })], [1, 0, 0]);
  const outline = plane(vector("w", { before: true, unless: "v" }));
  assert.equal(count(draw(outline, { w: AXES, v: AXES.with(1, [0, 0.5]) }), /data-part="w"/g), 1);
});

test("a name gives way to the head of a ghost", () => {
  const at = (g) => /x="[^"]*" y="[^"]*"[^>]*>g</.exec(draw(NAMED, { g: [0.5, 0] }, { ghost: { g } }))[0];
  assert.notEqual(at([0.6, 0]), at([0.5, 0]));
});

test("two hundred dots are one path, and those outside the plot are counted", () => {
  const around = Array.from({ length: 200 }, (_, i) => [Math.cos(i), Math.sin(i)]);
  const text = draw(plane(CLOUD), { g: around.with(3, [9, 9]).with(4, [Number.NaN, 0]) });
  assert.equal(count(text, /class="gl-cloud gl-dots" d="M[^"]/g), 1);
  assert.ok(texts(text).includes("1 of 200 beyond the plot"));
  assert.ok(texts(text).includes("1 of 200 not finite"));
  assert.equal(broken(text), null);
});

test("a thread leads to each dot that has moved", () => {
  const values = { g: AXES, k: AXES.with(0, [0.5, 0]) };
  const text = draw(plane({ ...CLOUD, value: "k", tails: "g" }), values);
  const of = (kind) => count(text.match(new RegExp(`gl-${kind}" d="([^"]*)"`))[1], /M/g);
  assert.deepEqual([of("thread"), of("dots")], [1, 2]);
});

test("an arc goes the short way from one arrow's direction to another's, with its label", () => {
  const arc = { kind: "arc", value: "h", start: "g", radius: 0.5, label: "{angle}", role: "ink" };
  const drawn = (h, more) => draw(plane(arc), { g: [1, 0], h, angle: 90 }, more);
  assert.match(drawn([0, 1]), /gl-arc[^>]* d="M[^A]*A[\d.]+ [\d.]+ 0 0 0 /);
  assert.match(drawn([0, -1]), /gl-arc[^>]* d="M[^A]*A[\d.]+ [\d.]+ 0 0 1 /);
  assert.ok(texts(drawn([0, 1])).includes("90"));
  for (const x of [2, 0]) assert.doesNotMatch(drawn([x, 0]), /gl-arc/);
  assert.doesNotMatch(drawn([Number.NaN, 1]), /gl-arc/);
  assert.doesNotMatch(drawn([0, 1], { concealed: ["h"] }), /gl-arc/);
});

test("the image of the unit circle under the identity is the unit circle", () => {
  const drawn = drawing(plane(IMAGE), { m: AXES });
  const { left, right, top, bottom } = layoutsOf(drawn).wide;
  const [cx, cy, r] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 4];
  const path = points(svg(drawn).match(/gl-ellipse[^>]* d="([^"]*)"/)[1]);
  assert.equal(path.length, 1 + 3 * 4); // a start, and four cubic curves
  for (let i = 0; i < 12; i += 3)
    for (const s of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) {
      const weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s ** 2 * (1 - s), s ** 3];
      const at = (axis) => weights.reduce((sum, w, j) => sum + w * path[i + j][axis], 0);
      assert.ok(Math.abs(Math.hypot(at(0) - cx, at(1) - cy) - r) < 0.15);
    }
});

test("a guess begins where its sliders stand, stays within the plot, and is tied to the truth in the end", () => {
  const prediction = { how: "place", answer: "mean", guess: { initial: [1, -0.5] } };
  const asked = (value, rest) => {
    const guess = { value, committed: false, ...rest };
    return drawing(plane(vector("mean")), { mean: [1, 0] }, { guess, prediction });
  };
  const [handle] = handles(asked(null));
  givesBack(handle, prediction.guess.initial);
  assert.deepEqual(handle.value(-1e4, 1e4), [-2, -2]);
  const ties = (...given) => count(svg(asked(...given)), /gl-gap-to/g);
  const done = { committed: true, answer: [1, 0] };
  assert.deepEqual([ties(null), ties([0.5, 0.25]), ties([0.5, 0.25], done)], [0, 0, 1]);
});

test("labels keep off each other", () => {
  const results = { a: [1, 1], b: [1.05, 1], c: [1, 0.95], d: [1.02, 1.05] };
  const marks = Object.keys(results).map((name) => vector(name, { label: `label of ${name}` }));
  const found = numbers(draw(plane(...marks), results), /gl-named[^>]* x="([\d.]+)" y="([\d.]+)"/g);
  assert.equal(found.length, 4);
  for (const [i, a] of found.entries())
    for (const b of found.slice(i + 1)) assert.ok(Math.abs(a[0] - b[0]) > 60 || Math.abs(a[1] - b[1]) > 14);
});

test("a lit row stands out and its peers step back; other parts stay", () => {
  const both = plane(vector("g"), vector("h"));
  const text = draw(both, { g: AXES, h: [1, 1] }, { lit: { kind: "g", index: 2 } });
  assert.match(text, /gl-dim" data-part="g" data-index="1"/);
  assert.match(text, /gl-lit" data-part="g" data-index="2"/);
  assert.match(text, /gl-role-cotangent" data-part="h"/);
});

test("a mark is there while what it is bound to is not 0, and lights up with its part", () => {
  const spec = plane(vector("g", { when: "on" }), vector("h"));
  const lit = (on) => draw(spec, { g: [1, 1], h: [0, 1] }, { settings: { on }, lit: { kind: "g" } });
  for (const on of [0, 1]) assert.equal(count(lit(on), /gl-lit" data-part="g"/g), on);
});

test("a label keeps off the handle at its arrow's head, whichever arrow has the handle", () => {
  const off = (drag) => {
    const spec = plane(vector("p", { drag }), vector("g", { label: "g" }));
    return numbers(draw(spec, { g: [1, 0] }, { settings: { p: [1, 0] } }), /x="([\d.]+)"[^>]*>g</g)[0][0];
  };
  close(off("p") - off(undefined), 5, 0.2);
});

test("a path within the plot has no clip; one that leaves it, or runs along its edge, has one", () => {
  const clip = (d) => clipOf(numbersOf(d), { left: 0, right: 100, top: 0, bottom: 50 }, "x");
  for (const within of ["M10 10L90.5 40", ""]) assert.equal(clip(within), undefined);
  for (const out of ["M10 10L90 60", "M-10 10L90 40", "M10 1L90 40"]) assert.equal(clip(out), "url(#x)", out);
  assert.deepEqual(numbersOf("M-1.5e-7 2C3 4,-5 6 7 8Z"), [-1.5e-7, 2, 3, 4, -5, 6, 7, 8]);
});

test("a ghost that comes leaves the marks in their places, among lists of lists", () => {
  const spec = plane(vector("a"), vector("b"));
  /** Find where the elements are with which a part is drawn. */
  const places = (made, path = "") => {
    if (Array.isArray(made)) return made.flatMap((each, i) => places(each, `${path}.${i}`));
    return made?.props?.["data-part"] ? [path] : [];
  };
  const from = (ghost) => places(VIEWS.plane.draw(drawing(spec, { a: [1, 1], b: [1, 0] }, { ghost })));
  const still = from({ a: [1, 1], b: [1, 0] });
  assert.equal(still.length, 2);
  assert.deepEqual(from({ a: [0, 1], b: [0, -1] }), still);
});
