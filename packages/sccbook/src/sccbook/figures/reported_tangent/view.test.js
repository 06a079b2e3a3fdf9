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
import { numbers, paths, points, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const labels = { value: "f(x)", true: "true", reported: "{scale}", step: "down|up|none" };
/** Draw a parabola, its tangent, and a slope that is reported. */
function tangent(x, scale, more) {
  const abscissae = Array.from({ length: 21 }, (_, i) => i / 5 - 2);
  const point = {
    value: x ** 2 / 2,
    slope: x,
    reported: scale * x,
    goal: x - (scale * x) / 2,
    after: (x - (scale * x) / 2) ** 2 / 2,
    moves: scale * x ? Number(scale < 0) : 2,
  };
  const curve = { abscissae, ordinates: abscissae.map((v) => v ** 2 / 2) };
  return drawing({ kind: "tangent" }, { ...curve, ...point }, { settings: { scale, x }, labels, ...more });
}
test("the tangent's handles give back the values that put them there", () => {
  for (const [x, scale] of Object.entries({ 0.5: 0.5, "-1.2": -1, 1.4: 0.3 }))
    for (const handle of handles(tangent(Number(x), scale)))
      givesBack(handle, { scale, x: Number(x) }[handle.control]);
});

test("where the slope is zero the tangent can't be tilted", () => {
  assert.deepEqual(controls(tangent(0, 0.5)), ["x"]);
});

test("lines are cut at the plot's edge, and every text is inside the picture", () => {
  for (const [x, scale] of [
    [2, -2],
    [-2, 2],
    [1.9, 1],
    [0, 1],
  ])
    for (const layout of LAYOUTS) {
      const text = wellDrawn(tangent(x, scale, { layout }));
      const [, line] = paths(text, "gl-reported");
      assert.ok(
        points(line).every(([, y]) => y >= 37.9 && y <= 322.1),
        line,
      );
    }
});

test("a step of descent goes against the reported slope", () => {
  for (const [x, scale] of Object.entries({ 1: 0.5, 1.2: -1, "-2": 1 })) {
    const [[from, to]] = numbers(svg(tangent(Number(x), scale)), /gl-shaft" d="M([\d.]+) [\d.]+L([\d.]+)/g);
    assert.equal(Math.sign(to - from), -Math.sign(x * scale));
  }
  assert.ok(texts(svg(tangent(1, 0))).includes("none"));
});
