import assert from "node:assert/strict";
import test from "node:test";
import { handles } from "../../src/views/history/history.js";
import { heights, means, path } from "../../src/views/history/lines.js";
import { count, drawing, LAYOUTS, layoutsOf, points, svg, texts, wellDrawn } from "../drawings.js";

const STEPS = 40;
const spec = {
  kind: "history",
  series: [
    { value: "loss", label: "loss", role: "loss" },
    { value: "norm", label: "norm", role: "cotangent" },
  ],
  y: { span: [0.01, 100], scale: "log", label: "size" },
  label: "step",
  smooth: 1,
  levels: [],
  plot: 0,
  fine: false,
};
const until = (taken, f) => Array.from({ length: STEPS }, (_, i) => (i < taken ? f(i + 1) : Number.NaN));
const results = (taken, more = {}) => ({
  loss: until(taken, (n) => 10 / n),
  norm: until(taken, (n) => 1 + Math.sin(n) / 2),
  steps: taken,
  case: 1,
  ...more,
});
const earlier = (taken, label, dash = 1) => {
  const { values } = drawing(spec, { ...results(taken), loss: until(taken, (n) => 20 / n) });
  return { settings: {}, values, label, dash };
};

test("a run is drawn from before its first step to its last, in both layouts", () => {
  for (const layout of LAYOUTS)
    for (const taken of [0, 1, 2, STEPS]) {
      const text = wellDrawn(drawing(spec, results(taken), { layout }));
      const inKey = layout === "narrow" ? 2 : 0;
      assert.equal(count(text, /class="gl-spot"/g), inKey + (taken ? 2 : 0));
      assert.ok(texts(text).includes("loss") && texts(text).includes("norm"));
    }
});

test("a line goes through every step at its place", () => {
  const text = svg(drawing(spec, results(3)));
  const [line] = [...text.matchAll(/<path class="gl-line" d="([^"]*)"/g)].map((found) => points(found[1]));
  const { x, y } = layoutsOf(drawing(spec, results(3))).wide;
  assert.deepEqual(
    line,
    [1, 2, 3].map((n) => [x.at(n), y.at(10 / n)].map((at) => Math.round(at * 10) / 10)),
  );
});

test("earlier runs stay behind the present one, each with a dash of its own", () => {
  const run = { earlier: [earlier(STEPS, "a", 1), earlier(9, "b", 2), earlier(STEPS, "c", 3)], label: "now" };
  const text = wellDrawn(drawing(spec, results(5), { run }));
  for (const n of [1, 2, 3]) assert.equal(count(text, new RegExp(`gl-earlier gl-earlier-${n}"`, "g")), 1);
  assert.ok(text.indexOf("gl-earlier-3") < text.indexOf('data-part="loss"'), "they lie below");
  assert.match(text, /gl-earlier-2"><title>b</, "and are named where they are pointed at");
});

test("what is to be predicted is not drawn; the runs before it are", () => {
  const run = { earlier: [earlier(STEPS, "a")], label: "now" };
  const text = svg(drawing(spec, results(5), { run, concealed: new Set(["loss", "norm"]) }));
  assert.doesNotMatch(text, /"gl-(line|spot|raw)"|stopped/);
  assert.equal(count(text, /"gl-line gl-role-/g), 2);
});

test("a level is there where it means something, with its name at its end, and its handle sets it", () => {
  const levels = [
    { value: 25, label: "guessing", drag: "", where: [], role: "muted" },
    { value: "limit", label: "c = {limit}", drag: "limit", where: ["remedy", ["clip"]], role: "limit" },
  ];
  const at = (remedy) => drawing({ ...spec, levels }, results(5), { settings: { remedy, limit: 2 } });
  assert.ok(texts(wellDrawn(at("clip"))).some((text) => text.startsWith("c = 2")));
  assert.ok(!texts(wellDrawn(at("none"))).some((text) => text.startsWith("c =")));
  assert.deepEqual(handles(at("none")), []);
  const [handle] = handles(at("clip"));
  assert.equal(handle.control, "limit");
  assert.ok(Math.abs(handle.value(0, handle.y) - 2) < 1e-9);
});

test("where room is scarce, a level's name stands beneath it, and the plot takes the width", () => {
  const levels = [{ value: 8, label: "guessing", drag: "", where: [], role: "muted" }];
  const named = (/** @type {string} */ layout) =>
    wellDrawn(drawing({ ...spec, levels }, results(5), { layout })).match(
      /<text x="?([\d.]+)"?[^>]*>guessing/,
    );
  assert.match(named("narrow")[0], /text-anchor="end"/);
  assert.doesNotMatch(named("wide")[0], /text-anchor/);
  assert.ok(Number(named("narrow")[1]) < 320 && Number(named("narrow")[1]) > 280);
});

test("a run that stopped is marked where it did", () => {
  assert.match(wellDrawn(drawing(spec, results(7, { case: 3 }))), /stopped/);
  assert.match(wellDrawn(drawing(spec, results(0, { case: 3 }))), /stopped/);
  assert.doesNotMatch(svg(drawing(spec, results(7))), /stopped/);
});

test("a smooth line is the mean of the last heights, with the records faint behind it", () => {
  assert.deepEqual([...means(Float64Array.of(1, 3, 5, 9), 2)], [1, 2, 4, 7]);
  const text = svg(drawing({ ...spec, smooth: 5 }, results(20)));
  assert.equal(count(text, /class="gl-raw"/g), 2);
  assert.equal(count(svg(drawing(spec, results(20))), /class="gl-raw"/g), 0);
});

test("ten thousand steps have no more points than the plot has columns, and keep their extremes", () => {
  const many = 10_000;
  const room = { left: 0, right: 200, x: { at: (n) => n / 50, high: many }, y: { at: (v) => v } };
  const values = Float64Array.from({ length: many }, (_, i) => Math.sin(i));
  values[777] = 40;
  values[7777] = -40;
  const drawn = points(path(heights(values, many, room), room));
  assert.ok(drawn.length <= 400, `${drawn.length}`);
  const ys = drawn.map(([, y]) => y);
  assert.deepEqual([Math.max(...ys), Math.min(...ys)], [40, -40]);
  assert.ok(
    drawn.every(([x], i) => i === 0 || x >= drawn[i - 1][0]),
    "from left to right",
  );
});

test("the line of one series has its run's name at its end, where there is room", () => {
  const one = { ...spec, series: [{ value: "loss", label: "", role: "loss" }] };
  const run = { earlier: [earlier(STEPS, "clip, r = 2"), earlier(STEPS, "half", 2)], label: "now" };
  const at = (/** @type {string} */ layout) => drawing(one, results(STEPS), { run, layout });
  assert.deepEqual(
    ["clip,", "r\u00a0=\u00a02", "half", "now"].filter(
      (name) => !texts(wellDrawn(at("wide"))).includes(name),
    ),
    [],
  );
  assert.ok(!texts(wellDrawn(at("narrow"))).includes("half"));
  const places = [...svg(at("wide")).matchAll(/y="?([\d.]+)"?[^>]*>(clip|half|now)/g)].map(([, y]) =>
    Number(y),
  );
  assert.ok(Math.min(...places.flatMap((a, i) => places.slice(i + 1).map((b) => Math.abs(a - b)))) > 14);
});

test("of what jumps from step to step the last run stays behind this one, and no other", () => {
  const fine = { ...spec, fine: true };
  const run = { earlier: [earlier(STEPS, "a"), earlier(STEPS, "b", 2)], label: "now" };
  const drawn = (/** @type {number} */ taken) => svg(drawing(fine, results(taken), { run }));
  assert.equal(count(drawn(0), /class="gl-earlier /g), 1);
  assert.equal(count(drawn(3), /class="gl-earlier /g), 1);
});
