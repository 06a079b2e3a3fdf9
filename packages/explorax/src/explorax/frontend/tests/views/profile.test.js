import assert from "node:assert/strict";
import test from "node:test";
import { clamped, scaleOf } from "../../src/views/common/scales.js";
import { controls, draw, drawing, givesBack, handles, LAYOUTS, layoutsOf, svg } from "../drawings.js";
import { close, count, numbers, paths, points, texts } from "../pictures.js";
import { axis, line, profile, series, threshold } from "../specs.js";

const BARS = [series("g")];
const LINE = [line("g")];
/** Make a profile of one line over places. */
const over = (more, series = LINE) => profile(series, { at: "xs", x: axis([0, 4]), ...more });
const xs = [0, 4];
const number = { how: "number", answer: "c" };
const sketch = { how: "sketch", answer: "g" };
const open = (value, prediction) => ({ guess: { value, committed: false }, prediction });

test("a scale gives back what it was given, linear, logarithmic and symlog", () => {
  const log = axis([1e-9, 1e4], { scale: "log" });
  for (const each of [axis([-3, 7]), log, axis([-1e6, 1e3], { scale: "symlog", band: 0.1 })]) {
    const { at, invert } = scaleOf(each, 300, 20);
    for (const t of [0, 0.1, 0.5, 0.77, 1]) close(at(invert(300 - 280 * t)), 300 - 280 * t);
    close(each.span.map(at), [300, 20]);
  }
});

test("a rounding error doesn't put a value beyond the ends, and zero lies below a logarithmic scale", () => {
  const log = scaleOf(axis([1e-6, 1e9], { scale: "log" }), 300, 20);
  const beyond = (...values) => values.map((value) => clamped(log, value).beyond);
  assert.deepEqual(beyond(1e9 * (1 + 1e-15), 1e9, 1.1e9, Infinity, 1e-6, 0, -1), [0, 0, 1, 1, 0, -1, -1]);
});

test("a symlog axis is even within its band, which is drawn, and a decade has one height beyond it", () => {
  const span = axis([-1e4, 1e4], { scale: "symlog" });
  const { at } = scaleOf(span, 300, 0);
  const decade = at(10) - at(100);
  const others = [at(100) - at(1000), at(0) - at(1), 2 * (at(0) - at(0.5)), (at(-10) - at(0)) / 2];
  close(others, Array(4).fill(decade));
  assert.match(draw(profile(BARS, { y: span }), { g: [1, -20] }), /gl-band0/);
});

test("a border's handle, at the foot, gives what puts it there, and its sides are named where they have room", () => {
  const border = { axis: "x", drag: "c", foot: true, divides: "root", sides: ["blind", "sees"] };
  const spec = over({ x: axis([1, 1e4], { scale: "log" }), thresholds: [threshold("place", border)] });
  const results = { g: [1, 2, 3], xs: [1, 10, 1e4], root: 0.5 };
  const at = (place) => drawing(spec, { ...results, place }, { settings: { c: 0.005 } });
  const [handle] = handles(at(100));
  givesBack(handle, 0.5 / 100);
  const [[from, full]] = numbers(svg(at(100)), /<linearGradient[^>]* x1="([^"]*)" x2="([^"]*)"/g);
  close(full, handle.x, 0.1);
  close(from, handles(at(10))[0].x, 0.1); // it sets in a decade before
  const sides = (place) => texts(svg(at(place))).filter((text) => border.sides.includes(text));
  assert.deepEqual([sides(100), sides(1.5)], [["blind", "sees"], ["sees"]]);
});

test("no value re-scales the others: a bar is as high whatever stands beside it", () => {
  const bar = (...g) => paths(draw(profile(BARS), { g }), "gl-bar")[0];
  assert.equal(bar(4, 1), bar(4, 1e30));
  assert.equal(bar(4, 1), bar(4, Number.NaN));
});

test("the mark of a line that leaves the plot stands where the line crosses its edge", () => {
  const text = draw(profile(LINE), { g: [5, 15, 15] });
  const [mark] = numbers(text, /gl-torn" d="M\S+ \S+?L([\d.]+) ([\d.]+)L/g);
  const [from, to] = points(paths(text, "gl-line")[0]);
  for (const i of [0, 1]) close(mark[i], (from[i] + to[i]) / 2, 0.2);
  assert.match(draw(over(), { g: [15, 5], xs }), /gl-torn" d="M[^N"]+"/, "or where it begins beyond it");
});

test("the labels of two places keep apart where one of them stands at the foot", () => {
  const place = (label, foot) => threshold("x", { axis: "x", label, foot });
  const spec = over({ thresholds: [place("here", false), place("there", true)] });
  const text = draw(spec, { g: [1, 2], xs }, { settings: { x: 1 } });
  const [[here], [there]] = numbers(text, /y="([\d.]+)"[^>]*>t?here</g);
  assert.ok(there - here > 100);
});

test("a series may have places of its own, as many as it likes", () => {
  const own = series("dots", { mark: "points", at: "places" });
  const spec = over({ x: axis([0, 4], { label: "of {c}" }) }, [line("g", { at: "xs" }), own]);
  const many = Array.from({ length: 70 }, (_, i) => i / 20);
  const drawn = drawing(spec, { g: [1, 2], xs: [1, 2], dots: many, places: many, c: 3 });
  assert.equal(count(paths(svg(drawn), "gl-dust")[0], /M/g), 70);
  const [[left], [right]] = points(paths(svg(drawn), "gl-line")[0]);
  const { left: from, right: to } = layoutsOf(drawn).wide;
  close(right - left, (to - from) / 4, 0.2);
  assert.ok(texts(svg(drawn)).includes("of 3"));
});

test("a band is the ground between two series, and the label of a level may be under its line", () => {
  const levels = [threshold("c", { label: "c", under: "under" })];
  const spec = profile([series("g", { mark: "band", low: "low" })], { thresholds: levels });
  const [over, under] = [0, 1].map((way) => draw(spec, { g: [4, 5], low: [1, 2], c: 5, under: way }));
  const [[, top], , [, bottom]] = points(paths(over, "gl-span gl-role-cotangent")[0]);
  const y = (text) => numbers(text, /y="([\d.]+)"[^>]*>c</g)[0][0];
  assert.ok(top < bottom && y(over) < y(under));
});

test("many bars are one path", () => {
  const g = Array.from({ length: 200 }, (_, i) => i / 20);
  assert.equal(paths(draw(profile(BARS), { g }), "gl-bar").length, 1);
});

test("a sketch has a handle for each step, and can begin anywhere in the plot, until it is committed to", () => {
  for (const mark of ["bars", "line"]) {
    const spec = profile([series("g", { mark })]);
    const asked = (committed) => {
      const guess = { value: [2, null, 5], committed, answer: [1, 1, 1] };
      return drawing(spec, { g: [1, 1, 1] }, { guess, prediction: sketch });
    };
    const [first, second, last] = handles(asked(false));
    givesBack(first, 2);
    givesBack(last, 5);
    assert.equal(second.value(0, -1e5), 10);
    assert.ok(second.value(0, second.y) > 0, "until it is drawn, clear of the steps' numbers");
    assert.match(svg(asked(false)), /gl-sheet[^>]* data-handle="guess"/);
    assert.equal(svg(asked(false)).includes("gl-beneath"), mark === "bars");
    assert.doesNotMatch(svg(asked(true)), /gl-sheet|gl-beneath/);
    assert.deepEqual(handles(asked(true)), []);
  }
});

test("a sketch's label stands above the guesses and the truth that are under it", () => {
  const high = (value, answer) => {
    const more = { guess: { value, committed: true, answer }, prediction: { ...sketch, count: 12 } };
    const text = draw(profile(BARS), { g: answer }, more);
    return numbers(text, /<text x="[^"]*" y="([^"]*)">your guess/g)[0][0];
  };
  const low = Array(12).fill(1);
  const alone = high(low, low);
  close(high(low.with(1, 4), low), high(low, low.with(1, 4)));
  assert.ok(high(low.with(1, 4), low) < alone - 20);
  close(high(low.with(11, 4), low), alone);
});

test("a place has a ghost of where it was while it moves, and none at rest", () => {
  const spec = over({ thresholds: [threshold("c", { axis: "x" })] });
  const [results, ghost] = [3, 1].map((c) => ({ g: [1, 2], xs, c }));
  const ghosts = (moving) => paths(draw(spec, results, { ghost, moving }), "gl-ghost").length;
  assert.deepEqual([ghosts(true), ghosts(false)], [1, 0]);
});

test("a level may come and go, its knob too; of other data there's no ghost", () => {
  const spec = over({ thresholds: [threshold("c", { drag: "c", when: "shown" })], data: ["run"] });
  const at = (shown, run) =>
    drawing(spec, { g: [1, 2], xs, shown }, { settings: { c: 3, run }, ghost: { c: 5, run: "a" } });
  const seen = (...of) => `${handles(at(...of)).length} ${count(svg(at(...of)), /gl-level|gl-ghost/g)}`;
  assert.deepEqual([seen(1, "a"), seen(1, "b"), seen(0, "a")], ["1 2", "1 1", "0 0"]);
});

test("a guessed level is drawn where the spec asks for one, its knob at the right edge", () => {
  const asked = (level) => drawing(over({ level }), { g: [1, 2], xs }, open(4, number));
  const [handle] = handles(asked(true));
  assert.equal(handle.x, layoutsOf(asked(true)).wide.right);
  givesBack(handle, 4);
  assert.deepEqual(handles(asked(false)), []);
  assert.doesNotMatch(svg(asked(false)), /gl-guess/);
});

test("a line is broken where a value is missing, or values jump at one place, and its ghost where it did", () => {
  const drawn = (g, xs, ghost) => draw(over(), { g, xs }, { ghost });
  const pieces = (path) => [count(path, /M/g), count(path, /L/g)];
  const g = [0, 1, 5, 6];
  const text = drawn(g, [0, 2, 2 + 1e-9, 4], { g, xs: [0, 1, 1 + 1e-9, 4] });
  const [[after], [before]] = [paths(text, "gl-line"), paths(text, "gl-ghost")];
  const missing = drawn([1, 2, Number.NaN, 3, 4], [0, 1, 2, 3, 4]);
  for (const path of [after, before, paths(missing, "gl-line")[0]]) assert.deepEqual(pieces(path), [2, 2]);
  assert.notEqual(after, before);
  const [steep, smooth] = [drawn(g, [0, 2, 2.1, 4]), drawn([0, 1, 1 + 1e-6, 6], [0, 2, 2 + 1e-9, 4])];
  for (const whole of [steep, smooth]) assert.deepEqual(pieces(paths(whole, "gl-line")[0]), [1, 3]);
});

test("numbers on an axis have the room that they need, sign and all", () => {
  const left = (top) => layoutsOf(drawing(over({ y: axis([-top, top]) }), { g: [0, 1], xs })).narrow.left;
  assert.ok(left(1e5) > left(1));
});

test("the ghost of a drag is an outline, of what moved alone", () => {
  const spec = profile(BARS, { thresholds: [threshold("c")] });
  const text = draw(spec, { g: [1, 2] }, { settings: { c: 3 }, ghost: { g: [1, 5], c: 3 } });
  const [ghost, ...others] = paths(text, "gl-ghost");
  assert.deepEqual([count(ghost, /M/g), others], [1, []]);
});

test("a handle sets what its place stands for, by a factor", () => {
  const spec = profile(LINE, { thresholds: [threshold("level", { drag: "c", per: 1e-5 })] });
  givesBack(handles(drawing(spec, { g: [1, 2], level: 1 }, { settings: { c: 1e-5 } }))[0], 1e-5);
});

test("a bar too low to be seen has its value written", () => {
  const low = (...g) => draw(profile(BARS, { y: axis([0, 4]) }), { g });
  assert.deepEqual(low(0.0078, 0, 1, 2).match(/(?<=gl-losttext[^>]*>)[^<]*/g), ["0.0078"]);
  assert.doesNotMatch(low(0, 0.5, 1, 2), /gl-losttext/);
});

test("a level beyond the plot can be taken hold of at the edge", () => {
  const spec = profile(LINE, { thresholds: [threshold("c", { drag: "c" })] });
  const at = (c) => drawing(spec, { g: [1, 2] }, { settings: { c } });
  const { top, bottom } = layoutsOf(at(1)).wide;
  const edges = [1e9, -1e9].map((c) => handles(at(c))[0].y);
  assert.deepEqual(edges, [top, bottom]);
  assert.deepEqual(controls(at(Number.NaN)), []);
});

test("an axis that is reversed goes from right to left", () => {
  const drawn = drawing(over({ x: axis([0, 4], { reverse: true }) }), { g: [1, 2], xs: [1, 4] });
  const { left, right } = layoutsOf(drawn).wide;
  const [[from], [to]] = points(paths(svg(drawn), "gl-line")[0]);
  close(from, right - (right - left) / 4, 0.1);
  close(to, left, 0.1);
});

test("a tick's text is its value: three decimals where they are needed", () => {
  const said = scaleOf(axis([0, 0.02]), 300, 20).ticks.map(({ text }) => text);
  assert.deepEqual(said, ["0", "0.005", "0.01", "0.015", "0.02"]);
});

test("what lies beyond the plot is marked at its edge, and bars end there", () => {
  const marks = ["bars", "outline", "line", "points"].map((mark) => series("g", { mark }));
  const drawn = drawing(profile(marks), { g: [3, 50] });
  const { left, right, top, bottom } = layoutsOf(drawn).wide;
  assert.equal(count(svg(drawn), /gl-torn/g), 4);
  const bars = paths(svg(drawn), "gl-(?:bar|outline)");
  for (const [x, y] of bars.flatMap((path) => points(path.split("h")[0])))
    assert.ok(x >= left - 3 && x <= right + 3 && y >= top - 3 && y <= bottom + 3, `${x} ${y}`);
});

test("a line is named at a place that moves", () => {
  const spec = over({}, [line("g", { label: "rising", named: "where" })]);
  const placed = (where) => {
    const text = draw(spec, { g: [1, 2, 3], xs: [0, 2, 4], where });
    return numbers(text, /<text[^>]*gl-named[^>]* x="?([\d.]+)/g)[0][0];
  };
  assert.ok(placed(3) > placed(1) + 20);
});

test("bars that are drawn until others are stand in the others' place", () => {
  const spec = profile([series("g", { mark: "outline" }), series("now"), series("so", { until: "now" })]);
  const bars = (...concealed) =>
    paths(draw(spec, { g: [3, 2], now: [1, 1], so: [1, 1] }, { concealed }), "gl-bar");
  assert.deepEqual(bars("now"), bars());
  assert.equal(bars().length, 2);
});

test("a line's beginning is drawn until the line is, and a line with a condition only where it holds", () => {
  const begun = line("part", { label: "so far", at: "at", until: "g" });
  const spec = over({}, [line("g", { label: "all" }), begun, line("other", { label: "other", when: "c" })]);
  const results = { g: [1, 2, 3], xs: [0, 2, 4], part: [1, 2], at: [0, 2], other: [3, 2, 1] };
  for (const layout of LAYOUTS) {
    const lines = (c, ...concealed) => {
      const text = draw(spec, { ...results, c }, { concealed, layout });
      const named = texts(text).filter((name) => /all|so far|other/.test(name));
      return [count(text, /gl-line" d="[^h"]+"/g), ...named]; // those of a key have an h
    };
    assert.deepEqual(lines(0, "g"), [1, "so far"]);
    assert.deepEqual(lines(1), [2, "all", "other"]);
  }
});

test("a level's knob, or its label, stands at a place of its own, with no line; strokes lie on an upright one", () => {
  const upright = threshold("x", { axis: "x", spans: [[1, "high", "parameter", "× {high}"]] });
  const [knob, label] = [threshold("size", { drag: "size", on: 2 }), threshold(3, { label: "fits", on: 2 })];
  const spec = over({ thresholds: [knob, label, upright] });
  const at = (more) => drawing(spec, { g: [1, 2], xs, high: 6 }, { settings: { size: 5, x: 3 }, ...more });
  const [hand] = handles(at());
  const { left, right, top, bottom } = layoutsOf(at()).wide;
  close(hand.x, (left + right) / 2);
  givesBack(hand, 5);
  assert.equal(paths(svg(at()), "gl-level").length, 1, "the upright one");
  const [[, from]] = points(paths(svg(at()), "gl-bar-across gl-role-parameter")[0]);
  assert.ok(from > top && from < bottom && ["× 6", "fits"].every((text) => texts(svg(at())).includes(text)));
  assert.doesNotMatch(svg(at({ concealed: ["high"] })), /gl-bar-across/);
});
