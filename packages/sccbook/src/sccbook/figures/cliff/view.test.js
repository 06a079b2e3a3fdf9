import assert from "node:assert/strict";
import test from "node:test";
import {
  close,
  count,
  drawing,
  handles,
  known,
  LAYOUTS,
  svg,
  texts,
  wellDrawn,
} from "explorax/tests/drawings.js";
import * as view from "./view.js";

known(view);

const spec = {
  kind: "wall",
  x: [4.2, 6.6],
  y: [-3.6, -1.6],
  ahead: [-0.12, 1.28],
  top: 0.5,
  wall: [0.5, -0.62246],
  low: [
    [0.02, 1.669, -0.841],
    [0.08, 4.047, -0.983],
  ],
  high: [[0.35, -2.107, -0.108]],
  edge: [
    [4.2, 1e-2],
    [5.4, 1e-4],
    [6.6, 1e-6],
  ],
  guess: "point",
  guess_label: "your guess",
};
const labels = {
  ...{
    wall: "the wall",
    plain: "plain",
    clipped: "clipped",
    both: "both",
    start: "start",
    gone: "step {n} leaves",
  },
  ...{
    far: "{longest:.3~g}",
    slope: "slope −{norm:.3~g}",
    cut: "cut",
    distance: "distance",
    loss: "loss",
    waiting: "after your guess",
  },
};
/** A start beneath the wall, and a step straight up of so many, clipped at so many. */
function at(stride, shorter, more = {}) {
  const settings = { start: [5, -2.7], c: shorter, eta: 1 };
  const results = {
    plain: [
      [5, -2.7],
      [5, -2.7 + stride],
    ],
    clipped: [
      [5, -2.7],
      [5, -2.7 + shorter],
    ],
    along: [-0.2, 0.1, 0.1, 1.4],
    height: [0.4, 0.35, 0.02, 0.08],
    ...{
      levels: [0.36, 0.07, 0.03],
      tangent: [0.36, stride],
      crossing: 0.1,
      norm: stride,
      stride,
      stride_clipped: shorter,
    },
    shortened: Number(shorter < stride),
  };
  const drawn = drawing(spec, results, { settings, ...more });
  return { ...drawn, description: { ...drawn.description, labels } };
}

test("all is drawn within the picture, in both layouts and wherever the steps land", () => {
  for (const layout of LAYOUTS)
    for (const [stride, shorter] of [
      [0.8, 0.1],
      [0.05, 0.05],
      [5000, 0.1],
      [4, 3],
    ])
      wellDrawn(at(stride, shorter, { layout }));
});

test("the landing places of the cut give back the limit and the rate that put them there", () => {
  const hands = handles(at(0.8, 0.1));
  assert.deepEqual(
    hands.map(({ control }) => control),
    ["start", "eta", "c"],
  );
  const [start, eta, c] = hands.map((hand) => hand.value(hand.x, hand.y));
  close(start[0], 5);
  close(start[1], -2.7);
  close(eta, 1);
  close(c, 0.1);
});

test("near the wall the hand has the edge of its high side; elsewhere the start falls on a step", () => {
  for (const layout of LAYOUTS) {
    const [start] = handles(at(0.8, 0.1, { layout }));
    const [px, py] = [start.x, start.y]; // w = 5, 0.0877 beneath the wall
    const [w, away] = start.value(px, py);
    assert.deepEqual([w, away], [5, -2.7]);
    const below = (by) => {
      const found = start.value(px, py + by);
      return 0.5 - 0.62246 * found[0] - found[1];
    };
    const wall = [...Array(60).keys()].map((by) => by - 30).map(below);
    const depth = 1e-2 ** (1 + (5 - 4.2) / 1.2);
    assert.ok(wall.filter((found) => Math.abs(found - depth) < 1e-8).length > 12);
    assert.ok(wall[0] < -0.05 && wall.at(-1) > 0.05);
  }
});

test("two landing places at one spot have one handle, and one beyond the plot has its own at the edge", () => {
  const controls = (...strides) => handles(at(...strides)).map(({ control }) => control);
  assert.deepEqual(controls(0.05, 0.05), ["start", "c"]);
  assert.deepEqual(controls(5000, 0.1), ["start", "eta", "c"]);
  const [, beyond] = handles(at(5000, 0.1));
  assert.ok(beyond.x <= 688);
});

test("where nothing is clipped both descents are one, and called so", () => {
  assert.ok(texts(svg(at(0.05, 0.05))).filter((text) => text === "both").length === 2);
  assert.equal(count(svg(at(0.05, 0.05)), /gl-trail/g), 1);
  assert.equal(count(svg(at(0.8, 0.1)), /gl-trail/g), 2);
});

test("a descent that leaves says with which step, and the cut how far it went", () => {
  const words = texts(svg(at(5000, 0.1)));
  assert.ok(words.includes("plain: step 1 leaves"));
  assert.ok(words.includes("plain: 5,000"));
});

test("before the guess there is neither descent nor cut, and only the start can be dragged", () => {
  const asked = at(0.8, 0.1, { concealed: new Set(["plain", "clipped", "height"]) });
  const text = svg(asked);
  assert.equal(count(text, /gl-trail|gl-underline/g), 0);
  assert.ok(texts(text).includes("after your guess"));
  assert.deepEqual(
    handles(asked).map(({ control }) => control),
    ["start"],
  );
});

test("a line of equal loss goes without its number where a descent or a name lies over it", () => {
  const numbers = (/** @type {[number, number]} */ start) => {
    const drawn = at(0.05, 0.05, { settings: { start, c: 0.05, eta: 1 } });
    const path = [start, [start[0] + 0.05, start[1]]];
    return texts(svg({ ...drawn, values: { ...drawn.values, clipped: path.flat() } }));
  };
  assert.ok(numbers([5.5, -2]).includes("0.35"));
  assert.ok(!numbers([4.3, -2.55]).includes("0.35"));
});
