import assert from "node:assert/strict";
import test from "node:test";
import { controls, drawing, givesBack, handles, known, svg } from "explorax/tests/drawings.js";
import { numbers, paths, points } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const [value, slope] = ["{value:,.2f}", "slope {reported:,.2f}"];
const labels = {
  curve: "f(x)",
  value,
  slope,
  rise: "{reported:,.2f}",
  true: "own",
  own: "own",
  step: "a step",
};
/** Draw a parabola, its tangent, and a slope that is reported. */
function tangent(x, scale, more) {
  const abscissae = Array.from({ length: 21 }, (_, i) => i / 5 - 2);
  const point = { value: x ** 2 / 2, slope: x, reported: scale * x };
  const curve = { abscissae, ordinates: abscissae.map((v) => v ** 2 / 2) };
  return drawing({ kind: "tangent" }, { ...curve, ...point }, { settings: { scale, x }, labels, ...more });
}
/** Return where the reported slope is written, and the picture. */
function label(...args) {
  const text = svg(tangent(...args));
  const place = /gl-slope" data-part="reported" x="([^"]+)" y="([^"]+)"\s*text-anchor="(\w+)"[^>]*>([^<]+)</;
  const [, x, y, anchor, words] = place.exec(text);
  const width = 8 * words.length;
  return { text, words, y: Number(y), width, left: anchor === "start" ? Number(x) : Number(x) - width };
}

test("the tangent's handles give back the values that put them there", () => {
  for (const [x, scale] of Object.entries({ 0.5: 0.5, "-1.2": -1, 1.4: 0.3 }))
    for (const handle of handles(tangent(Number(x), scale)))
      givesBack(handle, { scale, x: Number(x) }[handle.control]);
});

test("where the slope is zero the tangent can't be tilted", () => {
  assert.deepEqual(controls(tangent(0, 0.5)), ["x"]);
});

test("the reported slope is written inside the picture, however near its edge the tangent ends", () => {
  for (const [x, scale] of Object.entries({ 0.59: 1, "-2": -2, 2: 0.5 })) {
    const { left, width, words } = label(Number(x), scale, { layout: "narrow" });
    assert.ok(left >= 0 && left + width <= 320, `${words} from ${left}`);
  }
});

test("no label lies on the curve at the ends of x", () => {
  for (const x of [-2, -1.9, 1.9, 2]) {
    const { text, left, width, y, words } = label(x, 0.5);
    const curve = points(paths(text, "gl-curve")[0]);
    const crossed = curve.some(([a, b]) => a > left && a < left + width && b > y - 10 && b < y + 3);
    assert.ok(!crossed, `${words} at x = ${x}`);
  }
});

test("a step of descent goes against the reported slope", () => {
  for (const [x, scale] of Object.entries({ 1: 0.5, 1.2: -1, "-2": 1 })) {
    const [[from, to]] = numbers(svg(tangent(Number(x), scale)), /gl-shaft" d="M([\d.]+) [\d.]+L([\d.]+)/g);
    assert.equal(Math.sign(to - from), -Math.sign(x * scale));
  }
});
