// Names of lines, of levels and of guesses in a profile: at the lines' ends, or off all that is drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { meet } from "../../src/views/common/labels.js";
import {
  axis,
  count,
  draw,
  drawing,
  LAYOUTS,
  layoutsOf,
  points,
  profile,
  series,
  svg,
  texts,
  threshold,
} from "../drawings.js";

const line = (more) => series("g", { mark: "line", ...more });

test("a guessed level is named at its end, with the lines; where these are not, off all that is drawn", () => {
  const prediction = { how: "number", answer: "c" };
  const named = (value, spike, layout) => {
    const g = Array(20).fill(1).with(spike, 9);
    const guess = { value, committed: true, answer: 3 };
    const spec = profile([line({ label: "g" })], { level: true });
    const drawn = drawing(spec, { g, c: 3 }, { guess, prediction, layout });
    const text = svg(drawn);
    const [x, y] = text
      .match(/<text[^>]* x="([^"]*)" y="([^"]*)">your guess/)
      .slice(1)
      .map(Number);
    const course = points(text.match(/class="gl-line" d="([^"]*)"/)[1]);
    return {
      box: { left: x, right: x + 60, top: y - 9, bottom: y },
      course,
      right: layoutsOf(drawn)[layout].right,
    };
  };
  for (let spike = 1; spike < 19; spike++)
    for (const value of [2, 5, 8.5]) {
      const wide = named(value, spike, "wide");
      assert.ok(wide.box.left > wide.right, "beside the plot");
      const { box, course } = named(value, spike, "narrow");
      const spots = course.slice(1).flatMap(([x1, y1], i) => {
        const [x0, y0] = course[i];
        return Array.from({ length: 100 }, (_, k) => [x0 + ((x1 - x0) * k) / 99, y0 + ((y1 - y0) * k) / 99]);
      });
      const struck = spots.some(([x, y]) => meet(box, { left: x, right: x + 0.1, top: y, bottom: y + 0.1 }));
      assert.ok(!struck, `${spike}, ${value}: ${box.left}`);
    }
});

test("a guessed level's name takes two rows where one has no room", () => {
  const prediction = { how: "number", answer: "c" };
  const guess = { value: 5, committed: true, answer: 3 };
  const spec = profile([line()], { level: true, at: "xs", x: axis([0, 10]) });
  const rows = (g) => {
    const values = { g, xs: [2, 2, 4, 4, 6, 6, 8, 8], c: 3 };
    return texts(draw(spec, values, { guess, prediction, layout: "narrow" })).filter((text) =>
      /your|guess/.test(text),
    );
  };
  assert.deepEqual(rows(Array(8).fill(1)), ["your guess"]);
  assert.deepEqual(rows([0, 10, 10, 0, 0, 10, 10, 0]), ["your", "guess"]);
});

test("names of lines keep apart at their ends", () => {
  const results = { a: [5, 5], b: [5.01, 5.01], c: [5.02, 5.02] };
  const list = Object.keys(results).map((name) => series(name, { mark: "line", label: `line ${name}` }));
  const heights = [...draw(profile(list), results).matchAll(/gl-named[^>]* y="([\d.]+)"/g)]
    .map(([, y]) => Number(y))
    .sort((p, q) => p - q);
  assert.equal(heights.length, 3);
  assert.ok(heights[1] - heights[0] >= 16.9 && heights[2] - heights[1] >= 16.9);
});

test("short names stand at the lines' ends in a narrow picture too, where that is asked for", () => {
  const spec = (more) =>
    profile([line({ label: "n = 1" }), series("f", { mark: "line", label: "n = 2" })], more);
  const results = { g: [1, 2], f: [2, 1] };
  const anchored = (more) => count(draw(spec(more), results, { layout: "narrow" }), "gl-named");
  assert.equal(anchored({}), 0);
  assert.equal(anchored({ ends: true }), 2);
});

test("a line's name carries numbers at its end; a narrow picture has no room for them, and no key", () => {
  const list = [
    series("a", { mark: "line", label: "from {c} to {last:.2f}" }),
    series("b", { mark: "line" }),
  ];
  const values = { a: [5, 4], b: [3, 3], last: 4 };
  const draws = (layout) => svg(drawing(profile(list), values, { settings: { c: 5 }, layout }));
  assert.ok(texts(draws("wide")).includes("from 5 to 4.00"));
  assert.ok(!texts(draws("narrow")).join().includes("from"));
});

test("a level named beside the plot keeps apart from the lines, and within the plot where it is narrow", () => {
  const list = [series("a", { mark: "line", label: "line" })];
  const spec = profile(list, { thresholds: [threshold("c", { label: "cap {c}", beside: true })] });
  for (const layout of LAYOUTS) {
    const drawn = drawing(spec, { a: [5, 5] }, { settings: { c: 5 }, layout });
    const [, x] = svg(drawn).match(/<text[^>]* x="([\d.]+)"[^>]*>cap 5</);
    assert.equal(Number(x) > layoutsOf(drawn)[layout].right, layout === "wide");
  }
  const heights = [
    ...draw(spec, { a: [5, 5] }, { settings: { c: 5 } }).matchAll(/gl-named[^>]* y="([\d.]+)"/g),
  ];
  assert.ok(Math.abs(heights[0][1] - heights[1][1]) >= 16.9);
});

test("lines that end as one share a place for their names, as far as there is room", () => {
  const list = [
    series("a", { mark: "line", label: "A" }),
    series("b", { mark: "line", label: "B", role: "state" }),
    series("long", { mark: "line", label: "a name that leaves room" }),
  ];
  const ends = (a, b, long) => draw(profile(list), { a: [1, a], b: [2, b], long: [3, long] });
  const one = ends(5, 5.01, 2);
  assert.match(
    one,
    /<tspan class="gl-named gl-role-cotangent"[^>]*>A, <\/tspan><tspan class="gl-named gl-role-state"/,
  );
  assert.equal(count(one, /<text class="gl-named/g), 1, "the long one, by itself");
  const apart = ends(5, 6, 2);
  assert.doesNotMatch(apart, /<tspan/);
  assert.equal(count(apart, /<text class="gl-named/g), 3);
});

test("of lines that end as one, names that do not fit in a row go on in another, about the lines' end", () => {
  const list = ["first", "second"].map((name) => series(name, { mark: "line", label: `the ${name} line` }));
  const ends = (second) =>
    [
      ...draw(profile(list), { first: [1, 5], second: [2, second] }).matchAll(
        / y="([^"]*)"[^>]*>(the [^<]*)/g,
      ),
    ].map(([, y, name]) => [Number(y), name]);
  const [[high, first], [low, second]] = ends(5);
  assert.deepEqual([first, second], ["the first line,", "the second line"]);
  assert.equal(low - high, 17);
  const [[alone]] = ends(9);
  assert.ok(Math.abs((high + low) / 2 - alone) < 0.2);
});

test("a key names what is drawn, and a line's beginning until the line is", () => {
  const list = [
    series("a", { mark: "line", label: "A" }),
    series("b", { mark: "line", label: "B" }),
    series("begun", { mark: "line", label: "A: ?", until: "a" }),
  ];
  const results = { a: [1, 2], b: [2, 1], begun: [1, 1] };
  const named = (...concealed) =>
    texts(draw(profile(list), results, { layout: "narrow", concealed: new Set(concealed) })).filter((text) =>
      /[AB]/.test(text),
    );
  assert.deepEqual(named("a"), ["A: ?", "B"]);
  assert.deepEqual(named("a", "b"), ["A: ?"]);
  assert.deepEqual(named(), ["A", "B"]);
});

test("a name beside its line keeps off all lines, and a plot of such names has no key", () => {
  const named = (value, at) => line({ value, label: value, named: at });
  const spec = (at) =>
    profile([named("p", at), named("q", at)], {
      at: "xs",
      x: axis([0, 10]),
      thresholds: [threshold("x", { axis: "x", drag: "x" })],
    });
  const xs = Array.from({ length: 11 }, (_, i) => i);
  const [p, q] = [xs.map(() => 4), xs.map((x) => 4 + x / 100)];
  for (const layout of LAYOUTS)
    for (const at of [1, 5, 9.9]) {
      const drawn = drawing(spec(at), { p, q, xs }, { settings: { x: at }, layout });
      const text = svg(drawn);
      assert.ok(!/gl-key/.test(text) && !/gl-dim/.test(text));
      const { left, right, bottom, top } = layoutsOf(drawn)[layout];
      const level = bottom - ((bottom - top) * 4) / 10;
      const spots = [...text.matchAll(/gl-named[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>[pq]</g)];
      assert.equal(spots.length, 2);
      for (const [, x, y] of spots) {
        assert.ok(Number(x) > left && Number(x) < right);
        assert.ok(Math.abs(Number(y) - 5 - level) > 8, "no line strikes it");
        const upright = left + ((right - left) * at) / 10;
        assert.ok(Math.abs(Number(x) - upright) > 6, "nor does the dashed one");
      }
    }
});
