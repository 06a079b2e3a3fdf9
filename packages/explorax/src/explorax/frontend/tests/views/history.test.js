import assert from "node:assert/strict";
import test from "node:test";
import { r1 } from "../../src/views/common/numbers.js";
import { heights, means, path } from "../../src/views/history/room.js";
import { controls, drawing, handles, LAYOUTS, layoutsOf, svg, wellDrawn } from "../drawings.js";
import { close, count, numbers, paths, points, texts } from "../pictures.js";

const STEPS = 40;
const LOSS = { value: "loss", label: "loss", role: "loss" };
const NORM = { value: "norm", label: "norm", role: "cotangent" };
const plain = { smooth: 1, levels: [], plot: 0, fine: false };
const y = { span: [0.01, 100], scale: "log", label: "size" };
const SPEC = { kind: "history", series: [LOSS, NORM], y, label: "step", ...plain };
const until = (taken, f) => Array.from({ length: STEPS }, (_, i) => (i < taken ? f(i + 1) : Number.NaN));
/** Draw a run of so many steps. */
const history = (taken, { spec, results, ...more } = {}) => {
  const [loss, norm] = [until(taken, (n) => 10 / n), until(taken, (n) => 1 + Math.sin(n) / 2)];
  return drawing({ ...SPEC, ...spec }, { loss, norm, steps: taken, case: 1, ...results }, more);
};
/** Make an earlier run. */
const earlier = (taken, label, dash = 1) => {
  const { values } = history(taken, { results: { loss: until(taken, (n) => 20 / n) } });
  return { settings: {}, values, label, dash };
};
const after = (...earlier) => ({ earlier, label: "now" });
const guessing = { value: 8, label: "guessing", drag: "", where: [], role: "muted" };
const LIMIT = { value: "limit", drag: "limit", where: ["remedy", ["clip"]], role: "limit" };

test("a run is drawn from before its first step to its last, in both layouts", () => {
  for (const layout of LAYOUTS)
    for (const taken of [0, 1, 2, STEPS]) {
      const text = wellDrawn(history(taken, { layout }));
      const inKey = layout === "narrow" ? 2 : 0;
      assert.equal(count(text, /class="gl-spot"/g), inKey + (taken ? 2 : 0));
      assert.ok(texts(text).includes("loss") && texts(text).includes("norm"));
    }
});

test("a line goes through every step at its place", () => {
  const { x, y } = layoutsOf(history(3)).wide;
  const spots = [1, 2, 3].map((n) => [r1(x.at(n)), r1(y.at(10 / n))]);
  assert.deepEqual(points(paths(svg(history(3)), "gl-line")[0]), spots);
});

test("a dashed line goes down at a step, once there is one", () => {
  const at = (steps) =>
    paths(svg(history(steps, { spec: { at: "peak" }, results: { peak: 2 } })), "gl-level");
  const { x, top, bottom } = layoutsOf(history(3)).wide;
  assert.deepEqual([at(3), at(0)], [[`M${r1(x.at(2))} ${top}V${bottom}`], []]);
});

test("earlier runs stay behind the present one, each with a dash of its own", () => {
  const run = after(earlier(STEPS, "a", 1), earlier(9, "b", 2), earlier(STEPS, "c", 3));
  const text = wellDrawn(history(5, { run }));
  for (const n of [1, 2, 3]) assert.equal(count(text, new RegExp(`gl-earlier gl-earlier-${n}"`, "g")), 1);
  assert.ok(text.indexOf("gl-earlier-3") < text.indexOf('data-part="loss"'), "they lie below");
  assert.match(text, /gl-earlier-2"><title>b</, "and are named where they are pointed at");
});

test("what is to be predicted isn't drawn; the runs before it are", () => {
  const text = svg(history(5, { run: after(earlier(STEPS, "a")), concealed: ["loss", "norm"] }));
  assert.doesNotMatch(text, /"gl-(line|spot|raw)"|stopped/);
  assert.equal(count(text, /"gl-line gl-role-/g), 2);
});

test("a level is drawn only where it applies, with its name at its end, and its handle sets it", () => {
  const levels = [guessing, { ...LIMIT, label: "c = {limit}" }];
  const [clipped, free] = ["clip", "none"].map((remedy) =>
    history(5, { spec: { levels }, settings: { remedy, limit: 2 } }),
  );
  assert.ok(texts(wellDrawn(clipped)).includes("c = 2"));
  assert.doesNotMatch(texts(wellDrawn(free)).join(), /c =/);
  assert.deepEqual([controls(free), controls(clipped)], [[], ["limit"]]);
  const [{ y, value }] = handles(clipped);
  close(value(0, y), 2);
});

test("where room is scarce, a level's name stands beside it, and the plot takes the width", () => {
  const [wide, narrow] = LAYOUTS.map((layout) => {
    const text = wellDrawn(history(5, { spec: { levels: [guessing] }, layout }));
    return text.match(/<text x="?([\d.]+)"?[^>]*>guessing/);
  });
  assert.match(narrow[0], /text-anchor="end"/);
  assert.doesNotMatch(wide[0], /text-anchor/);
  assert.ok(narrow[1] < 320 && narrow[1] > 280);
});

test("a run that stopped is marked where it did", () => {
  for (const taken of [0, 7]) assert.match(wellDrawn(history(taken, { results: { case: 3 } })), /stopped/);
  assert.doesNotMatch(svg(history(7)), /stopped/);
});

test("a smooth line is the mean of the last heights, with the records faint behind it", () => {
  assert.deepEqual([...means(Float64Array.of(1, 3, 5, 9), 2)], [1, 2, 4, 7]);
  const raw = (smooth) => count(svg(history(20, { spec: { smooth } })), /class="gl-raw"/g);
  assert.deepEqual([raw(5), raw(1)], [2, 0]);
});

test("ten thousand steps have no more points than the plot has columns, and keep their extremes", () => {
  const many = 10_000;
  const room = { left: 0, right: 200, x: { at: (n) => n / 50, high: many }, y: { at: (v) => v } };
  const values = Float64Array.from({ length: many }, (_, i) => Math.sin(i));
  values[777] = 40;
  values[7777] = -40;
  const drawn = points(path(heights(values, many, room), room));
  assert.ok(drawn.length <= 400, `${drawn.length}`);
  const [xs, ys] = [0, 1].map((axis) => drawn.map((spot) => spot[axis]));
  assert.deepEqual([Math.max(...ys), Math.min(...ys)], [40, -40]);
  const inOrder = xs.every((x, i) => i === 0 || x >= xs[i - 1]);
  assert.ok(inOrder, "from left to right");
});

test("the line of one series has its run's name at its end, where there is room", () => {
  const spec = { series: [{ ...LOSS, label: "" }] };
  const run = after(earlier(STEPS, "clipped, r = 2"), earlier(9, "half", 2));
  const [wide, narrow] = LAYOUTS.map((layout) => wellDrawn(history(STEPS, { spec, run, layout })));
  for (const name of ["clipped,", "r\u00a0=\u00a02", "half,", "stopped\u00a0at\u00a09", "now"])
    assert.ok(texts(wide).includes(name), name);
  assert.ok(!texts(narrow).includes("half"));
  const places = numbers(wide, /y="?([\d.]+)"?[^>]*>(?:clipped|half|now)/g).flat();
  const gaps = places.flatMap((a, i) => places.slice(i + 1).map((b) => Math.abs(a - b)));
  assert.ok(Math.min(...gaps) > 14, places.join());
  assert.match(wide, /gl-rule" d="M/, "a name that has left its line's level is led to it");
});

test("a run that lies on the recorded one has one name", () => {
  const run = after({ ...earlier(STEPS, "now, recorded"), values: history(STEPS).values });
  const text = svg(history(STEPS, { spec: { series: [{ ...LOSS, label: "" }] }, run }));
  assert.equal(count(text, /gl-named/g), 1);
});

test("of what jumps from step to step only the last run stays behind this one", () => {
  const run = after(earlier(STEPS, "a"), earlier(STEPS, "b", 2));
  const text = svg(history(3, { spec: { fine: true }, run }));
  assert.equal(count(text, /class="gl-earlier /g), 1);
});
