import assert from "node:assert/strict";
import test from "node:test";
import { scaleOf } from "../../src/views/common/scales.js";
import {
  axis,
  broken,
  drawing,
  handles,
  LAYOUTS,
  layoutsOf,
  pathWithin,
  profile,
  series,
  svg,
  texts,
  threshold,
} from "../drawings.js";

const close = (a, b, by = 1e-9) =>
  assert.ok(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)), `${a} and ${b}`);

test("a scale gives back what it was given, linear, logarithmic and symlog", () => {
  const axes = [
    axis([-3, 7]),
    axis([1e-9, 1e4], { scale: "log" }),
    axis([-1e6, 1e3], { scale: "symlog", band: 0.1 }),
  ];
  for (const one of axes) {
    const scale = scaleOf(one, 300, 20);
    for (const t of [0, 0.1, 0.5, 0.77, 1]) {
      const value = scale.invert(300 - 280 * t);
      close(scale.at(value), 300 - 280 * t);
    }
    close(scale.at(one.span[0]), 300);
    close(scale.at(one.span[1]), 20);
  }
});

test("a symlog axis is even within its band, and a decade has one height beyond it", () => {
  const scale = scaleOf(axis([-1e4, 1e4], { scale: "symlog", band: 1 }), 300, 0);
  const decade = scale.at(10) - scale.at(100);
  close(scale.at(100) - scale.at(1000), decade);
  close(scale.at(0) - scale.at(1), decade);
  close(scale.at(0) - scale.at(0.5), decade / 2);
  close(scale.at(-10) - scale.at(0), scale.at(0) - scale.at(10));
  const text = svg(
    drawing(profile([series("g")], { y: axis([-1e4, 1e4], { scale: "symlog" }) }), { g: [1, -20] }),
  );
  assert.match(text, /gl-band0/);
});

test("a threshold's handle gives back its value, on a level and at a place", () => {
  const list = [threshold("c", { drag: "c" }), threshold("x", { drag: "x", axis: "x" })];
  const spec = profile([series("g", { mark: "line" })], {
    at: "xs",
    x: axis([1e-6, 1e2], { scale: "log" }),
    thresholds: list,
  });
  for (const layout of LAYOUTS) {
    const one = drawing(
      spec,
      { g: [1, 2, 3], xs: [1e-6, 1e-2, 1e2] },
      { settings: { c: 2.5, x: 1e-3 }, layout },
    );
    const found = handles(one);
    assert.deepEqual(
      found.map((h) => [h.control, h.axis]),
      [
        ["c", "y"],
        ["x", "x"],
      ],
    );
    close(found[0].value(found[0].x, found[0].y), 2.5);
    close(found[1].value(found[1].x, found[1].y), 1e-3, 1e-6);
  }
});

test("no value re-scales the others: a bar is as high whatever stands beside it", () => {
  const bar = (g) => svg(drawing(profile([series("g")]), { g })).match(/class="gl-bar" d="([^"]*)"/)[1];
  assert.equal(bar([4, 1]), bar([4, 1e30]));
  assert.equal(bar([4, 1]), bar([4, Number.NaN]));
});

test("what lies beyond the plot, and what is no number, is marked and said", () => {
  for (const mark of ["bars", "line", "points", "outline"]) {
    for (const scale of ["linear", "log", "symlog"]) {
      const y = axis(scale === "log" ? [0.1, 10] : [-10, 10], { scale });
      const g = [1, Number.NaN, Infinity, -Infinity, 1e9, -1e9, 0, 2];
      const text = svg(drawing(profile([series("g", { mark })], { y }), { g }));
      assert.equal(broken(text), null, `${mark} ${scale}`);
      assert.ok(texts(text).includes("NaN"), `${mark} ${scale}`);
      assert.ok(texts(text).includes("∞"), `${mark} ${scale}`);
      assert.match(text, /gl-torn/);
    }
  }
});

test("a line is broken where a value is none", () => {
  const g = [1, 2, Number.NaN, 3, 4];
  const path = svg(drawing(profile([series("g", { mark: "line" })]), { g })).match(
    /class="gl-line" d="([^"]*)"/,
  )[1];
  assert.equal(path.match(/M/g).length, 2);
  assert.equal(path.match(/L/g).length, 2);
});

test("the labels of two places keep apart where one of them stands at the foot", () => {
  const list = [
    threshold("x", { axis: "x", label: "here" }),
    threshold("x", { axis: "x", label: "there", foot: true }),
  ];
  const spec = profile([series("g", { mark: "line" })], { at: "xs", x: axis([0, 2]), thresholds: list });
  for (const layout of LAYOUTS) {
    const text = svg(drawing(spec, { g: [1, 2, 3], xs: [0, 1, 2] }, { settings: { x: 1 }, layout }));
    const height = (word) => Number(text.match(new RegExp(`y="([\\d.]+)"[^>]*>${word}<`))[1]);
    assert.ok(height("there") - height("here") > 100);
  }
});
test("what a threshold cuts from bars is drawn apart, and only that", () => {
  const spec = (c) => profile([series("g")], { thresholds: [threshold(c, { cuts: true })] });
  const over = (c) =>
    svg(drawing(spec(c), { g: [1, 4, 6] }))
      .match(/class="gl-over" d="([^"]*)"/)?.[1]
      .match(/M/g).length ?? 0;
  assert.deepEqual([over(0.5), over(2), over(5), over(7), over(Number.NaN)], [3, 2, 1, 0, 0]);
});

test("many bars are one path", () => {
  const text = svg(drawing(profile([series("g")]), { g: Array.from({ length: 200 }, (_, i) => i / 20) }));
  assert.equal(text.match(/class="gl-bar"/g).length, 1);
});

test("a count hides later steps, and leaves the slots where they were", () => {
  const spec = profile([series("g")], { count: "n" });
  const bars = (n) =>
    [
      ...svg(drawing(spec, { g: [1, 2, 3, 4] }, { settings: { n } })).matchAll(/class="gl-bar" d="([^"]*)"/g),
    ].map((m) => m[1]);
  assert.equal(bars(2).length, 2);
  assert.deepEqual(bars(2), bars(4).slice(0, 2));
});

test("a sketch has a handle for each step, and what is drawn comes back", () => {
  const prediction = { how: "sketch", answer: "g", count: 3 };
  for (const mark of ["bars", "line"]) {
    const guess = { value: [2, null, 5], committed: false };
    const one = drawing(
      profile([series("g", { mark })]),
      { g: [1, 1, 1] },
      { guess, prediction, concealed: new Set(["g"]) },
    );
    const found = handles(one);
    assert.deepEqual(
      found.map((h) => [h.control, h.index, h.axis]),
      [0, 1, 2].map((i) => ["guess", i, "y"]),
    );
    close(found[0].value(found[0].x, found[0].y), 2);
    close(found[2].value(found[2].x, found[2].y), 5);
    assert.equal(found[1].value(0, -1e5), 10);
    const text = svg(one);
    assert.match(text, /gl-guess/);
    assert.doesNotMatch(text, /class="gl-bar"|class="gl-line"/);
    assert.deepEqual(handles({ ...one, guess: { ...guess, committed: true, answer: [1, 1, 1] } }), []);
  }
});

test("a sketch's label stands above the guesses and the truth that are under it", () => {
  const prediction = { how: "sketch", answer: "g", count: 12 };
  const high = (/** @type {number[]} */ value, /** @type {number[]} */ answer) => {
    const guess = { value, committed: true, answer };
    const text = svg(drawing(profile([series("g")]), { g: answer }, { guess, prediction }));
    return Number(text.match(/<text x="[^"]*" y="([^"]*)">your guess/)?.[1]);
  };
  const low = Array(12).fill(1);
  const alone = high(low, low);
  close(high(low.with(1, 4), low), high(low, low.with(1, 4)));
  assert.ok(high(low.with(1, 4), low) < alone - 20);
  close(high(low.with(11, 4), low), alone);
});

test("a guessed level is drawn and dragged where the spec says that it is one", () => {
  const prediction = { how: "number", answer: "c" };
  const guess = { value: 4, committed: false };
  const one = (level) =>
    drawing(profile([series("g")], { level }), { g: [1, 2], c: 3 }, { guess, prediction });
  const [handle] = handles(one(true));
  close(handle.value(handle.x, handle.y), 4);
  assert.deepEqual(handles(one(false)), []);
  assert.doesNotMatch(svg(one(false)), /gl-guess/);
});

test("the ghost of a drag is an outline, of what moved alone", () => {
  const spec = profile([series("g")], { thresholds: [threshold("c")] });
  const text = svg(drawing(spec, { g: [1, 2] }, { settings: { c: 3 }, ghost: { g: [1, 5], c: 3 } }));
  assert.equal(text.match(/gl-ghost/g).length, 1);
  assert.equal(text.match(/gl-ghost" d="([^"]*)"/)[1].match(/M/g).length, 1);
});

test("names of lines keep apart at their ends", () => {
  const list = ["a", "b", "c"].map((value) => series(value, { mark: "line", label: `line ${value}` }));
  const one = drawing(profile(list), { a: [5, 5], b: [5.01, 5.01], c: [5.02, 5.02] });
  const ys = [...svg(one).matchAll(/gl-named[^>]* y="([\d.]+)"/g)]
    .map(([, y]) => Number(y))
    .sort((p, q) => p - q);
  assert.equal(ys.length, 3);
  assert.ok(ys[1] - ys[0] >= 16.9 && ys[2] - ys[1] >= 16.9);
});

test("bars lie within the plot, in both layouts", () => {
  for (const layout of LAYOUTS) {
    const one = drawing(
      profile([series("a"), series("b"), series("o", { mark: "outline" })]),
      { a: [1, 50], b: [2, 9], o: [3, 10] },
      { layout },
    );
    for (const [, path] of svg(one).matchAll(/class="gl-(?:bar|outline)" d="(M[^"]*)"/g)) {
      if (/v/.test(path)) continue; // a key's sign
      assert.ok(pathWithin(path, layoutsOf(one)[layout], 3), path);
    }
  }
});
