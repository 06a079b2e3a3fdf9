// Where names stand: of lines, levels and guesses in a profile, and of any point.

import assert from "node:assert/strict";
import test from "node:test";
import { boxOf, meet, placeLabels } from "../../src/views/common/labels.js";
import { draw, drawing, LAYOUTS, layoutsOf, svg, wellDrawn } from "../drawings.js";
import { count, numbers, texts } from "../pictures.js";
import { axis, line, profile, threshold } from "../specs.js";

const asked = { prediction: { how: "number", answer: "c" } };
const guess = (value) => ({ value, committed: true, answer: 3 });

test("a guessed level is named at its end, beside the plot", () => {
  const spec = profile([line("g", { label: "g" })], { level: true });
  for (const layout of LAYOUTS) {
    const drawn = drawing(spec, { g: [1, 2], c: 3 }, { ...asked, guess: guess(2), layout });
    const [[left]] = numbers(wellDrawn(drawn), /<text[^>]* x="([^"]*)" y="([^"]*)">your guess/g);
    assert.ok(left > layoutsOf(drawn)[layout].right);
  }
});

test("short names stand at the lines' ends in a narrow picture too, where that is asked for", () => {
  const lines = [line("g", { label: "n = 1" }), line("f", { label: "n = 2" })];
  const named = (ends) => draw(profile(lines, { ends }), { g: [1, 2], f: [2, 1] }, { layout: "narrow" });
  assert.deepEqual([count(named(), "gl-named"), count(named(true), "gl-named")], [0, 2]);
});

test("a line's name carries numbers at its end; a narrow picture has no room for them, and no key", () => {
  const spec = profile([line("a", { label: "from {c} to {last:.2f}" }), line("b")]);
  const values = { a: [5, 4], b: [3, 3], last: 4 };
  const [wide, narrow] = LAYOUTS.map((layout) => texts(draw(spec, values, { settings: { c: 5 }, layout })));
  assert.ok(wide.includes("from 5 to 4.00"));
  assert.ok(!narrow.join().includes("from"));
});

test("a level named beside the plot keeps apart from the lines, and within the plot where it is narrow", () => {
  const thresholds = [threshold("c", { label: "cap {c}", beside: true })];
  const spec = profile([line("a", { label: "line" })], { thresholds });
  for (const layout of LAYOUTS) {
    const drawn = drawing(spec, { a: [5, 5] }, { settings: { c: 5 }, layout });
    const [[x, y]] = numbers(svg(drawn), /<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>cap 5</g);
    assert.equal(x > layoutsOf(drawn)[layout].right, layout === "wide");
    const ends = numbers(svg(drawn), / y="([\d.]+)"[^>]*>line</g);
    for (const [end] of ends) assert.ok(Math.abs(end - y) >= 16.9);
  }
});

test("lines that end together share a place for their names, as far as there is room", () => {
  const short = [line("a", { label: "A" }), line("b", { label: "B", role: "state" })];
  const spec = profile([...short, line("long", { label: "a name that leaves room" })]);
  const ends = (a, b) => draw(spec, { a: [1, a], b: [2, b], long: [3, 2] });
  const one = ends(5, 5.01);
  assert.match(one, /gl-role-cotangent"[^>]*>A, <\/tspan><tspan class="gl-named gl-role-state"/);
  assert.equal(count(one, /<text class="gl-named/g), 1, "the long one, by itself");
  const apart = ends(5, 6);
  assert.doesNotMatch(apart, /<tspan/);
  assert.equal(count(apart, /<text class="gl-named/g), 3);
});

test("of lines that end together, names that don't fit in one row take several, about the lines' end", () => {
  const lines = ["first", "second"].map((name) => line(name, { label: `the ${name} line` }));
  const ends = (second) => draw(profile(lines), { first: [1, 5], second: [2, second] });
  assert.deepEqual(texts(ends(5)).slice(-2), ["the first line,", "the second line"]);
  const [[high, low], [alone]] = [5, 9].map((second) =>
    numbers(ends(second), / y="([^"]*)"[^>]*>the /g).flat(),
  );
  assert.equal(low - high, 17);
  assert.ok(Math.abs((high + low) / 2 - alone) < 0.2);
});

test("a name beside its line keeps off all lines, and a plot of such names has no key", () => {
  const thresholds = [threshold("x", { axis: "x", drag: "x" })];
  const xs = Array.from({ length: 11 }, (_, i) => i);
  const results = { p: xs.map(() => 4), q: xs.map((x) => 4 + x / 100), xs };
  for (const layout of LAYOUTS)
    for (const at of [1, 5, 9.9]) {
      const lines = ["p", "q"].map((name) => line(name, { label: name, named: at }));
      const spec = profile(lines, { at: "xs", x: axis([0, 10]), thresholds });
      const drawn = drawing(spec, results, { settings: { x: at }, layout });
      const text = svg(drawn);
      assert.doesNotMatch(text, /gl-key|gl-dim/);
      const { left, right, bottom, top } = layoutsOf(drawn)[layout];
      const level = bottom - ((bottom - top) * 4) / 10;
      const upright = left + ((right - left) * at) / 10;
      const spots = numbers(text, /gl-named[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>[pq]</g);
      assert.equal(spots.length, 2);
      for (const [x, y] of spots) {
        assert.ok(x > left && x < right);
        assert.ok(Math.abs(y - 5 - level) > 8, "no line strikes it");
        assert.ok(Math.abs(x - upright) > 6, "nor does the dashed one");
      }
    }
});

const type = { letter: 7, size: 17 };
const bounds = { left: 0, right: 300, top: 0, bottom: 200 };
const placed = (label, ...taken) => boxOf(placeLabels([label], bounds, type, taken)[0], type);
const away = ({ left, right, top, bottom }, x, y) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

test("a label keeps its distance from its point, in every direction", () => {
  for (const text of ["b", "your guess", "the gradient before the clip"])
    for (let turn = 0; turn < 64; turn++) {
      const towards = [Math.cos((turn * Math.PI) / 32), Math.sin((turn * Math.PI) / 32)];
      const off = away(placed({ text, x: 150, y: 100, towards, gap: 12 }), 150, 100);
      assert.ok(off > 12 - 1e-9 && off < 13, `${text} at ${towards}: ${off}`);
    }
});

test("a label stays within the bounds and off its mark, even in a corner", () => {
  for (let x = 8; x <= 292; x += 4)
    for (let y = 8; y <= 192; y += 4) {
      const ring = { left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 };
      const label = { text: "your guess", x, y, towards: [x < 150 ? 1 : -1, -0.8], gap: 12 };
      const box = placed(label, ring);
      const { left, right, top, bottom } = box;
      assert.ok(left >= -1e-6 && right <= 300 + 1e-6 && top >= -1e-6 && bottom <= 200 + 1e-6, `${x}, ${y}`);
      assert.ok(!meet(box, ring), `${x}, ${y}`);
    }
});

test("a label that is to be near keeps its side, whatever it covers", () => {
  const wall = { left: 0, right: 300, top: 0, bottom: 99 };
  const label = { text: "26°", x: 150, y: 100, towards: [0, -1], gap: 5 };
  assert.ok(placed(label, wall).bottom > 99, "another goes below");
  const near = placed({ ...label, near: true }, wall);
  assert.ok(near.bottom <= 100, "above its point");
  assert.ok(away(near, 150, 100) < 6, "and close to it");
});
