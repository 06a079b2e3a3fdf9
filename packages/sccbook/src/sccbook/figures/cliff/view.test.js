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
import * as view from "./view.js";

known(view);

const SPEC = {
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
  edge: [1e-2, 1e-4, 1e-6].map((away, i) => [4.2 + 1.2 * i, away]),
  guess: "point",
  guess_label: "your guess",
};
const TEMPLATES = { gone: "step {n} leaves", far: "{longest:.3~g}", slope: "slope −{norm:.3~g}" };
/** Each other label is its own name. */
const LABELS = new Proxy(TEMPLATES, { get: (templates, name) => templates[name] ?? name });
/** Make a start beneath the wall and a step straight up of some length, clipped to another. */
function at(stride, shorter, { start = [5, -2.7], ...more } = {}) {
  const path = (length) => [
    [5, -2.7],
    [5, -2.7 + length],
  ];
  const descents = { plain: path(stride), clipped: path(shorter), shortened: Number(shorter < stride) };
  const cut = { along: [-0.2, 0.1, 0.1, 1.4], height: [0.4, 0.35, 0.02, 0.08], levels: [0.36, 0.07, 0.03] };
  const step = { tangent: [0.36, stride], crossing: 0.1, norm: stride, stride, stride_clipped: shorter };
  const settings = { start, c: shorter, eta: 1 };
  return drawing(SPEC, { ...descents, ...cut, ...step }, { settings, labels: LABELS, ...more });
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

test("near the wall the hand reaches close to its high edge; elsewhere the start falls on a step", () => {
  for (const layout of LAYOUTS) {
    const [{ x, y, value }] = handles(at(0.8, 0.1, { layout })); // w = 5, 0.0877 beneath the wall
    assert.deepEqual(value(x, y), [5, -2.7]);
    const below = (by) => {
      const [w, b] = value(x, y + by);
      return 0.5 - 0.62246 * w - b;
    };
    const wall = [...Array(60).keys()].map((by) => below(by - 30));
    const depth = 1e-2 ** (1 + (5 - 4.2) / 1.2);
    assert.ok(wall.filter((found) => Math.abs(found - depth) < 1e-8).length > 12);
    assert.ok(wall[0] < -0.05 && wall.at(-1) > 0.05);
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
  assert.equal(texts(same).filter((text) => text === "both").length, 2);
  assert.deepEqual([count(same, /gl-trail/g), count(apart, /gl-trail/g)], [1, 2]);
});

test("a descent that leaves is marked with its step, and the cut with how far it went", () => {
  const words = texts(svg(at(5000, 0.1)));
  assert.ok(words.includes("plain: step 1 leaves") && words.includes("plain: 5,000"));
});

test("before the guess there is neither descent nor cut, and only the start can be dragged", () => {
  const asked = at(0.8, 0.1, { concealed: ["plain", "clipped", "height"] });
  assert.equal(count(svg(asked), /gl-trail|gl-underline/g), 0);
  assert.ok(texts(svg(asked)).includes("waiting"));
  assert.deepEqual(controls(asked), ["start"]);
});

test("a contour goes without its number where a descent or a name lies over it", () => {
  const numbered = (...start) => {
    const drawn = at(0.05, 0.05, { start });
    drawn.values.clipped = [...start, start[0] + 0.05, start[1]];
    return texts(svg(drawn)).includes("0.35");
  };
  assert.deepEqual([numbered(5.5, -2), numbered(4.3, -2.55)], [true, false]);
});
