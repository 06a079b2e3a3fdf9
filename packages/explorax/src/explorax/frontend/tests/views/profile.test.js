import assert from "node:assert/strict";
import test from "node:test";
import { clamped, scaleOf } from "../../src/views/common/scales.js";
import {
  axis,
  broken,
  close,
  count,
  draw,
  drawing,
  handles,
  LAYOUTS,
  layoutsOf,
  points,
  profile,
  series,
  svg,
  texts,
  threshold,
} from "../drawings.js";

/** The paths of a class. */
const paths = (text, kind) =>
  [...text.matchAll(new RegExp(`class="${kind}" d="([^"]*)"`, "g"))].map((m) => m[1]);
const line = (more) => series("g", { mark: "line", ...more });

test("a scale gives back what it was given, linear, logarithmic and symlog", () => {
  const axes = [
    axis([-3, 7]),
    axis([1e-9, 1e4], { scale: "log" }),
    axis([-1e6, 1e3], { scale: "symlog", band: 0.1 }),
  ];
  for (const each of axes) {
    const { at, invert } = scaleOf(each, 300, 20);
    for (const t of [0, 0.1, 0.5, 0.77, 1]) close(at(invert(300 - 280 * t)), 300 - 280 * t);
    close(at(each.span[0]), 300);
    close(at(each.span[1]), 20);
  }
});

test("what lies beyond the ends by a rounding error lies within, and zero below a logarithmic scale", () => {
  const log = scaleOf(axis([1e-6, 1e9], { scale: "log" }), 300, 20);
  const found = [1e9 * (1 + 1e-15), 1e9, 1.1e9, Number.POSITIVE_INFINITY, 1e-6, 0, -1];
  assert.deepEqual(
    found.map((value) => clamped(log, value).beyond),
    [0, 0, 1, 1, 0, -1, -1],
  );
});

test("a symlog axis is even within its band, and a decade has one height beyond it", () => {
  const { at } = scaleOf(axis([-1e4, 1e4], { scale: "symlog", band: 1 }), 300, 0);
  const decade = at(10) - at(100);
  close(at(100) - at(1000), decade);
  close(at(0) - at(1), decade);
  close(at(0) - at(0.5), decade / 2);
  close(at(-10) - at(0), at(0) - at(10));
  const spec = profile([series("g")], { y: axis([-1e4, 1e4], { scale: "symlog" }) });
  assert.match(draw(spec, { g: [1, -20] }), /gl-band0/);
});

test("a threshold's handle gives back its value, on a level and at a place", () => {
  const thresholds = [threshold("c", { drag: "c" }), threshold("x", { drag: "x", axis: "x" })];
  const spec = profile([line()], { at: "xs", x: axis([1e-6, 1e2], { scale: "log" }), thresholds });
  for (const layout of LAYOUTS) {
    const results = { g: [1, 2, 3], xs: [1e-6, 1e-2, 1e2] };
    const found = handles(drawing(spec, results, { settings: { c: 2.5, x: 1e-3 }, layout }));
    assert.deepEqual(
      found.map(({ control, axis }) => control + axis),
      ["cy", "xx"],
    );
    close(found[0].value(found[0].x, found[0].y), 2.5);
    close(found[1].value(found[1].x, found[1].y), 1e-3, 1e-6);
  }
});

test("a border's handle, at the foot, gives what puts it there, and its sides are named where they have room", () => {
  const border = (more) =>
    threshold("place", {
      axis: "x",
      drag: "c",
      foot: true,
      divides: "root",
      sides: ["blind", "sees"],
      ...more,
    });
  const spec = profile([line()], {
    at: "xs",
    x: axis([1, 1e4], { scale: "log" }),
    thresholds: [border()],
  });
  const results = { g: [1, 2, 3], xs: [1, 10, 1e4], root: 0.5 };
  for (const layout of LAYOUTS) {
    const at = (place) => drawing(spec, { ...results, place }, { settings: { c: 0.005 }, layout });
    const [handle] = handles(at(100));
    close(handle.value(handle.x, handle.y), 0.5 / 100);
    const shown = draw(spec, { ...results, place: 100 }, { settings: { c: 0.005 }, layout });
    const [, from, full] = shown.match(/<linearGradient[^>]* x1="([^"]*)" x2="([^"]*)"/);
    close(full, handle.x, 0.1);
    close(from, handles(at(10))[0].x, 0.1); // it sets in a decade before
    assert.ok(texts(shown).includes("blind") && texts(shown).includes("sees"));
    const narrow = draw(spec, { ...results, place: 1.5 }, { settings: { c: 0.005 }, layout });
    assert.ok(!texts(narrow).includes("blind") && texts(narrow).includes("sees"));
  }
});

test("no value re-scales the others: a bar is as high whatever stands beside it", () => {
  const bar = (...g) => paths(draw(profile([series("g")]), { g }), "gl-bar")[0];
  assert.equal(bar(4, 1), bar(4, 1e30));
  assert.equal(bar(4, 1), bar(4, Number.NaN));
});

test("what lies beyond the plot, and what is no number, is marked and said", () => {
  const g = [1, Number.NaN, Infinity, -Infinity, 1e9, -1e9, 0, 2];
  for (const mark of ["bars", "line", "points", "outline"]) {
    for (const scale of ["linear", "log", "symlog"]) {
      const y = axis(scale === "log" ? [0.1, 10] : [-10, 10], { scale });
      const text = draw(profile([series("g", { mark })], { y }), { g });
      assert.equal(broken(text), null, `${mark} ${scale}`);
      for (const word of ["NaN", "∞"]) assert.ok(texts(text).includes(word), `${mark} ${scale}`);
      assert.match(text, /gl-torn/);
    }
  }
});

test("the mark of a line that leaves the plot stands where the line crosses its edge", () => {
  const marked = (...g) => {
    const text = draw(profile([line()], { y: axis([0, 10]) }), { g });
    const mark = /gl-torn" d="M\S+ \S+?L([\d.]+) ([\d.]+)L/.exec(text);
    const spots = [...paths(text, "gl-line")[0].matchAll(/([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [+x, +y]);
    return { mark: [Number(mark[1]), Number(mark[2])], spots };
  };
  const { mark, spots } = marked(5, 15, 15);
  const [from, to] = spots;
  close(mark[0], (from[0] + to[0]) / 2, 0.2);
  close(mark[1], (from[1] + to[1]) / 2, 0.2);
});

test("a line is broken where a value is none", () => {
  const [path] = paths(draw(profile([line()]), { g: [1, 2, Number.NaN, 3, 4] }), "gl-line");
  assert.deepEqual([count(path, /M/g), count(path, /L/g)], [2, 2]);
});

test("the labels of two places keep apart where one of them stands at the foot", () => {
  const place = (label, foot) => threshold("x", { axis: "x", label, foot });
  const spec = profile([line()], {
    at: "xs",
    x: axis([0, 2]),
    thresholds: [place("here", false), place("there", true)],
  });
  for (const layout of LAYOUTS) {
    const text = draw(spec, { g: [1, 2, 3], xs: [0, 1, 2] }, { settings: { x: 1 }, layout });
    const height = (word) => Number(text.match(new RegExp(`y="([\\d.]+)"[^>]*>${word}<`))[1]);
    assert.ok(height("there") - height("here") > 100);
  }
});

test("what a threshold cuts from bars is drawn apart, and only that", () => {
  const over = (c) => {
    const spec = profile([series("g")], { thresholds: [threshold(c, { cuts: true })] });
    return count(paths(draw(spec, { g: [1, 4, 6] }), "gl-over").join(""), /M/g);
  };
  assert.deepEqual([0.5, 2, 5, 7, Number.NaN].map(over), [3, 2, 1, 0, 0]);
});

test("a series may have places of its own, as many as it likes", () => {
  const own = series("dots", { mark: "points", at: "places" });
  const spec = profile([line({ at: "xs" }), own], { at: "xs", x: axis([0, 4], { label: "{what}" }) });
  const many = Array.from({ length: 70 }, (_, i) => i / 20);
  const values = { g: [1, 2], xs: [1, 2], dots: many, places: many };
  const text = draw(spec, values, { settings: { what: "length" } });
  const [dust] = paths(text, "gl-dust");
  assert.equal(count(dust, /M/g), 70);
  const [path] = paths(text, "gl-line");
  const [[left], [right]] = points(path);
  const { left: from, right: to } = layoutsOf(drawing(spec, values)).wide;
  close(right - left, (to - from) / 4, 0.2);
  assert.ok(texts(text).includes("length"));
  assert.doesNotMatch(text, /NaN|∞/);
});

test("many bars are one path", () => {
  const g = Array.from({ length: 200 }, (_, i) => i / 20);
  assert.equal(paths(draw(profile([series("g")]), { g }), "gl-bar").length, 1);
});

test("a count hides later steps, and leaves the slots where they were", () => {
  const spec = profile([series("g")], { count: "n" });
  const bars = (n) => paths(draw(spec, { g: [1, 2, 3, 4] }, { settings: { n } }), "gl-bar");
  assert.equal(bars(2).length, 2);
  assert.deepEqual(bars(2), bars(4).slice(0, 2));
});

test("a sketch has a handle for each step, and what is drawn comes back", () => {
  const prediction = { how: "sketch", answer: "g", count: 3 };
  for (const mark of ["bars", "line"]) {
    const guess = { value: [2, null, 5], committed: false };
    const more = { guess, prediction, concealed: new Set(["g"]) };
    const drawn = drawing(profile([series("g", { mark })]), { g: [1, 1, 1] }, more);
    const found = handles(drawn);
    assert.deepEqual(
      found.map(({ control, index, axis }) => `${control} ${index} ${axis}`),
      ["guess 0 y", "guess 1 y", "guess 2 y"],
    );
    close(found[0].value(found[0].x, found[0].y), 2);
    close(found[2].value(found[2].x, found[2].y), 5);
    assert.equal(found[1].value(0, -1e5), 10);
    assert.match(svg(drawn), /gl-guess/);
    assert.doesNotMatch(svg(drawn), /class="gl-bar"|class="gl-line"/);
    assert.deepEqual(handles({ ...drawn, guess: { ...guess, committed: true, answer: [1, 1, 1] } }), []);
  }
});

test("a sketch's label stands above the guesses and the truth that are under it", () => {
  const prediction = { how: "sketch", answer: "g", count: 12 };
  const high = (value, answer) => {
    const guess = { value, committed: true, answer };
    const text = draw(profile([series("g")]), { g: answer }, { guess, prediction });
    return Number(text.match(/<text x="[^"]*" y="([^"]*)">your guess/)?.[1]);
  };
  const low = Array(12).fill(1);
  const alone = high(low, low);
  close(high(low.with(1, 4), low), high(low, low.with(1, 4)));
  assert.ok(high(low.with(1, 4), low) < alone - 20);
  close(high(low.with(11, 4), low), alone);
});

test("a guessed level is drawn and dragged where the spec says that it is one", () => {
  const guessed = { guess: { value: 4, committed: false }, prediction: { how: "number", answer: "c" } };
  const drawn = (level) => drawing(profile([series("g")], { level }), { g: [1, 2], c: 3 }, guessed);
  const [handle] = handles(drawn(true));
  close(handle.value(handle.x, handle.y), 4);
  assert.deepEqual(handles(drawn(false)), []);
  assert.doesNotMatch(svg(drawn(false)), /gl-guess/);
});

test("a place has a ghost of where it was while it moves, and none at rest", () => {
  const spec = profile([line()], { at: "xs", x: axis([0, 4]), thresholds: [threshold("c", { axis: "x" })] });
  const ghosts = (moving) =>
    paths(
      draw(spec, { g: [1, 2], xs: [0, 4], c: 3 }, { ghost: { xs: [0, 4], g: [1, 2], c: 1 }, moving }),
      "gl-ghost",
    );
  assert.equal(ghosts(true).length, 1);
  assert.equal(ghosts(false).length, 0);
});

test("the knob of a guessed level stands at the place that is asked about", () => {
  const at = threshold(2.5, { axis: "x", dots: [["c", "state"]] });
  const spec = profile([line()], { at: "xs", x: axis([0, 4]), level: true, thresholds: [at] });
  const guessed = { guess: { value: 4, committed: false }, prediction: { how: "number", answer: "c" } };
  const drawn = drawing(spec, { g: [1, 2], xs: [0, 4], c: 3 }, guessed);
  const { left, right } = layoutsOf(drawn).wide;
  const [handle] = handles(drawn);
  close(handle.x, left + (2.5 / 4) * (right - left));
  close(handle.value(handle.x, handle.y), 4);
});

test("a line is broken where places are as good as one and values are not, its ghost where it was", () => {
  const spec = profile([line()], { at: "xs", x: axis([0, 4]) });
  const [now, was] = [
    { g: [0, 1, 5, 6], xs: [0, 2, 2 + 1e-9, 4] },
    { g: [0, 1, 5, 6], xs: [0, 1, 1 + 1e-9, 4] },
  ];
  const drawn = draw(spec, now, { ghost: was });
  const [[after], [before]] = [paths(drawn, "gl-line"), paths(drawn, "gl-ghost")];
  for (const path of [after, before]) assert.deepEqual([count(path, /M/g), count(path, /L/g)], [2, 2]);
  assert.notEqual(after, before);
  const steep = draw(spec, { ...now, xs: [0, 2, 2.1, 4] });
  assert.equal(count(paths(steep, "gl-line")[0], /M/g), 1);
  const smooth = draw(spec, { ...now, g: [0, 1, 1 + 1e-6, 6] });
  assert.equal(count(paths(smooth, "gl-line")[0], /M/g), 1);
});

test("numbers on an axis have the room that they need, sign and all", () => {
  const spec = (/** @type {number} */ top) =>
    profile([line()], { at: "xs", x: axis([0, 4]), y: axis([-top, top]) });
  for (const layout of LAYOUTS) {
    const [short, long] = [1, 1e5].map((top) => draw(spec(top), { g: [0, 1], xs: [0, 4] }, { layout }));
    const [before, after] = [short, long].map((text) => Number(/<rect x="([\d.]+)"/.exec(text)[1]));
    assert.ok(after > before, `${layout}: ${before}, ${after}`);
  }
});

test("the ghost of a drag is an outline, of what moved alone", () => {
  const spec = profile([series("g")], { thresholds: [threshold("c")] });
  const text = draw(spec, { g: [1, 2] }, { settings: { c: 3 }, ghost: { g: [1, 5], c: 3 } });
  const [ghost, ...others] = paths(text, "gl-ghost");
  assert.deepEqual([count(ghost, /M/g), others], [1, []]);
});

test("a handle sets what its place stands for: so many times as much, or a number divided by it", () => {
  const at = { axis: "y", drag: "c" };
  const spec = profile([line()], { thresholds: [threshold("level", { ...at, per: 1e-5 })] });
  const [handle] = handles(drawing(spec, { g: [1, 2], level: 1 }, { settings: { c: 1e-5 } }));
  close(handle.value(handle.x, handle.y), 1e-5);
});

test("a bar too low to be seen says its value", () => {
  const spec = profile([series("g")], { y: axis([0, 4]) });
  assert.deepEqual(
    texts(svg(drawing(spec, { g: [0.0078, 0, 1, 2] }))).filter((text) => text.includes("0.0078")),
    ["0.0078"],
  );
  assert.doesNotMatch(svg(drawing(spec, { g: [0, 0.5, 1, 2] })), /gl-losttext/);
});

test("a sketch can begin anywhere in the plot, until it is committed to", () => {
  const sketched = (committed) => ({
    guess: { value: [null, null], committed, answer: [1, 1] },
    prediction: { how: "sketch", answer: "g" },
  });
  const drawn = (committed) => svg(drawing(profile([series("g")]), { g: [1, 2] }, sketched(committed)));
  assert.match(drawn(false), /gl-sheet[^>]* data-handle="guess"/);
  assert.doesNotMatch(drawn(true), /gl-sheet/);
});

test("a level beyond the plot can be taken hold of at the edge", () => {
  const spec = profile([line()], { thresholds: [threshold("c", { drag: "c" })] });
  const at = (c) => drawing(spec, { g: [1, 2] }, { settings: { c } });
  const { top, bottom } = layoutsOf(at(1)).wide;
  const [above, below] = [1e9, -1e9].map((c) => handles(at(c))[0]);
  assert.deepEqual([above.y, below.y], [top, bottom]);
  assert.deepEqual(handles(at(Number.NaN)), []);
});

test("an axis that is reversed goes from right to left", () => {
  const spec = profile([line()], { at: "xs", x: axis([0, 4], { reverse: true }) });
  const drawn = drawing(spec, { g: [1, 2], xs: [1, 4] });
  const { left, right } = layoutsOf(drawn).wide;
  const [[from], [to]] = points(paths(svg(drawn), "gl-line")[0]);
  close(from, right - (right - left) / 4, 0.1);
  close(to, left, 0.1);
});

test("a tick's text is its value: three decimals where they are needed", () => {
  const { ticks } = scaleOf(axis([0, 0.02]), 300, 20);
  assert.deepEqual(
    ticks.map(({ text }) => text),
    ["0", "0.005", "0.01", "0.015", "0.02"],
  );
});

test("bars lie within the plot, in both layouts", () => {
  const spec = profile([series("a"), series("b"), series("o", { mark: "outline" })]);
  for (const layout of LAYOUTS) {
    const drawn = drawing(spec, { a: [1, 50], b: [2, 9], o: [3, 10] }, { layout });
    const { left, right, top, bottom } = layoutsOf(drawn)[layout];
    // a key's sign has sides of its own
    for (const path of paths(svg(drawn), "gl-(?:bar|outline)").filter((d) => !/v/.test(d))) {
      for (const [x, y] of points(path.split("h")[0]))
        assert.ok(x >= left - 3 && x <= right + 3 && y >= top - 3 && y <= bottom + 3, path);
    }
  }
});

test("a line is named at a place that moves", () => {
  const spec = profile([line({ label: "rising", named: "where" })], { at: "xs", x: axis([0, 4]) });
  const placed = (where) => {
    const text = draw(spec, { g: [1, 2, 3], xs: [0, 2, 4], where });
    return Number(text.match(/<text[^>]*gl-named[^>]*>/)[0].match(/ x="?([\d.]+)/)[1]);
  };
  assert.ok(placed(3) > placed(1) + 20);
});

test("bars that are drawn until others are stand in their place", () => {
  const spec = profile([series("g", { mark: "outline" }), series("now"), series("so", { until: "now" })]);
  const results = { g: [3, 2], now: [1, 1], so: [1, 1] };
  const open = draw(spec, results, { concealed: new Set(["now"]) });
  assert.deepEqual(paths(open, "gl-bar"), paths(draw(spec, results), "gl-bar"));
  assert.equal(paths(open, "gl-bar").length, 2);
});

test("a line's beginning is drawn until the line is, and a line with a condition only where it holds", () => {
  const spec = profile(
    [
      line(),
      series("part", { mark: "line", label: "so far", at: "at", until: "g" }),
      series("other", { mark: "line", label: "other", when: "c" }),
    ],
    {
      at: "xs",
      x: axis([0, 4]),
    },
  );
  const results = { g: [1, 2, 3], xs: [0, 2, 4], part: [1, 2], at: [0, 2], other: [3, 2, 1], c: 0 };
  const open = draw(spec, results, { concealed: new Set(["g"]) });
  const told = draw(spec, { ...results, c: 1 });
  assert.equal(paths(open, "gl-line").length, 1);
  assert.ok(texts(open).includes("so far") && !texts(open).includes("other"));
  assert.equal(paths(told, "gl-line").length, 2);
  assert.ok(!texts(told).includes("so far") && texts(told).includes("other"));
});

test("a level's knob stands at a place of its own, with no line; strokes lie on an upright one", () => {
  const thresholds = [
    threshold("size", { drag: "size", on: 2 }),
    threshold("x", { axis: "x", spans: [[1, "high", "parameter"]] }),
  ];
  const spec = profile([line()], { at: "xs", x: axis([0, 4]), thresholds });
  const results = { g: [1, 2], xs: [0, 4], high: 6 };
  const at = (more) => drawing(spec, results, { settings: { size: 5, x: 3 }, ...more });
  const [hand] = handles(at());
  const { left, right, top, bottom } = layoutsOf(at()).wide;
  close(hand.x, (left + right) / 2);
  close(hand.value(hand.x, hand.y), 5);
  assert.equal(paths(svg(at()), "gl-level").length, 1, "the upright one");
  const [[, from]] = points(paths(svg(at()), "gl-bar-across gl-role-parameter")[0].replace("V", " 0L0 "));
  assert.ok(from > top && from < bottom);
  assert.doesNotMatch(svg(at({ concealed: new Set(["high"]) })), /gl-bar-across/);
});
