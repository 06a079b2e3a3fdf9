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
  target: 0.7,
  wall: [0.5, -0.62246],
  low: [
    [0.02, 1.669, -0.841],
    [0.08, 4.047, -0.983],
  ],
  high: [[0.35, -2.107, -0.108]],
  edge: [1e-2, 1e-4, 1e-6].map((away, i) => [4.2 + 1.2 * i, away]),
};
const labels = {
  plain: "plain",
  clipped: "clipped",
  both: "both",
  start: "start",
  wall: "wall",
  high: "",
  low: "",
};
/** Make a start behind the wall and a step of some length towards it, clipped to another. */
function at(stride, shorter, more = {}) {
  const path = (length) => [
    [5, -2.7],
    [5, -2.7 + length],
  ];
  const losses = (length) => [-2.7, -2.7 + length].map((b) => settled(0.7, 5, b, b < -2.6123 ? -1 : 1));
  const descents = { plain: path(stride), clipped: path(shorter), shortened: Number(shorter < stride) };
  const both = { plain_losses: losses(stride), clipped_losses: losses(shorter), norm: stride, told: 1 };
  const settings = { start: [5, -2.7], c: shorter, eta: 1 };
  return drawing(SPEC, { ...descents, ...both }, { settings, labels, ...more });
}

test("all is drawn within the picture, in both layouts and wherever the steps land", () => {
  for (const layout of LAYOUTS)
    for (const [stride, shorter] of Object.entries({ 0.8: 0.2, 0.05: 0.05, 5000: 0.2, 4: 3 }))
      wellDrawn(at(Number(stride), shorter, { layout }));
});

test("the places where the first steps land give back the limit and the rate that put them there", () => {
  const [eta, c, start, ...others] = handles(at(0.8, 0.2));
  assert.deepEqual([eta.control, c.control, start.control, others], ["eta", "c", "start", []]);
  givesBack(start, [5, -2.7]);
  givesBack(eta, 1, 1e-3);
  givesBack(c, 0.2, 1e-3);
});

test("two landing places at one spot have one handle, and one out of the picture or at the start none", () => {
  assert.deepEqual(controls(at(0.2, 0.2)), ["c", "start"]);
  assert.deepEqual(controls(at(5000, 0.2)), ["c", "start"]);
  assert.deepEqual(controls(at(0.8, 0.02)), ["eta", "start"]);
  assert.deepEqual(controls(at(0.02, 0.02)), ["start"]);
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
    const { x, y, value } = handles(at(0.8, 0.2, { layout })).at(-1); // w = 5, 0.0877 behind the edge
    const behind = (by) => 0.5 - 0.62246 * 5 - value(x, y + by)[1];
    const depths = [...Array(160).keys()].map((by) => behind(by - 20));
    assert.ok(depths[0] > 0.2 && depths.at(-1) < -0.05);
    const depth = 1e-2 ** (1 + (5 - 4.2) / 1.2);
    assert.ok(depths.filter((found) => Math.abs(found - depth) < 1e-8).length > 40);
  }
});

test("where nothing is clipped both descents are one, and named so", () => {
  const [same, apart] = [at(0.05, 0.05), at(0.8, 0.2)].map(svg);
  assert.ok(texts(same).includes("both") && !texts(same).includes("clipped"));
  assert.deepEqual([count(same, /gl-trail/g), count(apart, /gl-trail/g)], [1, 2]);
});

test("a long step is a leap, drawn as an arc, and a short one is straight", () => {
  const points = (stride) =>
    /gl-role-ink" .*?gl-line" d="([^"]*)/s.exec(svg(at(stride, 0.1)))[1].split("L").length;
  assert.deepEqual([points(0.8), points(0.2)], [17, 2]);
});
