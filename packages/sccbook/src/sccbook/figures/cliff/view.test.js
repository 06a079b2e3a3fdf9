import assert from "node:assert/strict";
import test from "node:test";
import {
  controls,
  drawing,
  givesBack,
  handles,
  known,
  LAYOUTS,
  svg,
  wellDrawn,
} from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import { settled } from "./room.js";
import * as view from "./view.js";

known(view);

const SPEC = {
  kind: "wall",
  x: [4.2, 6.6],
  y: [-3.6, -1.6],
  ahead: [-0.12, 1.28],
  top: 0.5,
  target: 0.7,
  wall: [0.5, -0.62246],
  low: [
    [0.02, 1.669, -0.841],
    [0.08, 4.047, -0.983],
  ],
  high: [[0.35, -2.107, -0.108]],
  edge: [1e-2, 1e-4, 1e-6].map((away, i) => [4.2 + 1.2 * i, away]),
};
const TEMPLATES = {
  gone: "step {n} leaves",
  first: "plain: {stride:,.3~g}",
  first_both: "both: {stride:.3~g}",
  slope: "slope −{norm:.3~g}",
};
/** Each other label is its own name. */
const LABELS = new Proxy(TEMPLATES, { get: (templates, name) => templates[name] ?? name });
const HERE = settled(0.7, 5, -2.7, -1);
/** Make a start beneath the wall and a step straight up of some length, clipped to another. */
function at(stride, shorter, { start = [5, -2.7], ...more } = {}) {
  const path = (length) => [
    [5, -2.7],
    [5, -2.7 + length],
  ];
  const descents = { plain: path(stride), clipped: path(shorter), shortened: Number(shorter < stride) };
  const losses = { plain_losses: [HERE, 0.07], clipped_losses: [HERE, 0.03] };
  const cut = { along: [-0.2, 0.1, 0.1, 1.4], height: [HERE, 0.35, 0.02, 0.08], crossing: 0.1 };
  const step = { norm: stride, stride, stride_clipped: shorter };
  const settings = { start, c: shorter, eta: 1 };
  return drawing(SPEC, { ...descents, ...losses, ...cut, ...step }, { settings, labels: LABELS, ...more });
}

test("all is drawn within the picture, in both layouts and wherever the steps land", () => {
  for (const layout of LAYOUTS)
    for (const [stride, shorter] of Object.entries({ 0.8: 0.1, 0.05: 0.05, 5000: 0.1, 4: 3 }))
      wellDrawn(at(Number(stride), shorter, { layout }));
});

test("the landing places in the cut give back the limit and the rate that put them there", () => {
  const [start, eta, c, ...others] = handles(at(0.8, 0.1));
  assert.deepEqual([start.control, eta.control, c.control, others], ["start", "eta", "c", []]);
  givesBack(start, [5, -2.7]);
  givesBack(eta, 1);
  givesBack(c, 0.1);
});

test("the ground is as high as the loss on a line of equal loss", () => {
  for (const [w, [loss, intercept, slope]] of [
    [4.8, SPEC.low[0]],
    [6, SPEC.low[1]],
    [4.5, SPEC.high[0]],
  ])
    assert.ok(Math.abs(settled(0.7, w, intercept + slope * w, loss > 0.1 ? -1 : 1) - loss) < 2e-3);
});

test("on the face of the wall the hand has its edge, and elsewhere the ground under it", () => {
  for (const layout of LAYOUTS) {
    const [{ x, y, value }] = handles(at(0.8, 0.1, { layout })); // w = 5, 0.0877 behind the edge
    assert.deepEqual(value(x, y), [5, -2.7]);
    const behind = (by) => 0.5 - 0.62246 * 5 - value(x, y + by)[1];
    const depths = [...Array(160).keys()].map((by) => behind(by - 20));
    assert.ok(depths[0] > 0.2 && depths.at(-1) < -0.05);
    const depth = 1e-2 ** (1 + (5 - 4.2) / 1.2);
    assert.ok(depths.filter((found) => Math.abs(found - depth) < 1e-8).length > 40);
  }
});

test("two landing places at one spot have one handle, and one beyond the plot has its own at the edge", () => {
  assert.deepEqual(controls(at(0.05, 0.05)), ["start", "c"]);
  assert.deepEqual(controls(at(5000, 0.1)), ["start", "eta", "c"]);
  const [, beyond] = handles(at(5000, 0.1));
  assert.ok(beyond.x <= 688);
});

test("where nothing is clipped both descents are one, and named so", () => {
  const [same, apart] = [at(0.05, 0.05), at(0.8, 0.1)].map(svg);
  assert.equal(texts(same).filter((text) => text.startsWith("both")).length, 2);
  assert.deepEqual([count(same, /gl-trail/g), count(apart, /gl-trail/g)], [1, 2]);
});

test("a descent that leaves is marked with its step, and the cut with how far it went", () => {
  const words = texts(svg(at(5000, 0.1)));
  assert.ok(words.includes("plain: step 1 leaves") && words.includes("plain: 5,000"));
});

test("what a question hides is not drawn", () => {
  const asked = at(Number.NaN, 0.1, { concealed: ["stride"] });
  asked.values.norm = 1;
  asked.values.plain = asked.values.clipped;
  assert.deepEqual(controls(asked), ["start", "c"]);
  wellDrawn(asked);
});

test("a long step is a leap, drawn as an arc, and a short one is straight", () => {
  const points = (stride) =>
    /gl-role-ink" .*?gl-line" d="([^"]*)/.exec(svg(at(stride, 0.1)))[1].split("L").length;
  assert.deepEqual([points(0.8), points(0.2)], [17, 2]);
});
