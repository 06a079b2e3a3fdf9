import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { close, count, paths, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = { kind: "shrinking", names: ["SGD", "Adam"], roles: ["cotangent", "parameter"], most: 1e9 };
const labels = { loss: "divided by {divisor}", before: "as it was", step: "step", meets: "here" };
const of = (shares, more) =>
  drawing(
    SPEC,
    { shares, meets: 1e6, root_at_one: 0.01 },
    { labels, settings: { divisor: 100, epsilon: 1e-8 }, ...more },
  );
const long = (path) => Number(path.match(/h([\d.]+)/)[1]);

test("a bar is as long as its step is a share of what it was, and always seen", () => {
  const text = wellDrawn(of([1e-6, 0.5]));
  const [tiny, half] = paths(text, "gl-bar").map(long);
  close(half, long(paths(text, "gl-outline")[0]) / 2, 0.1);
  assert.equal(tiny, 1);
  for (const said of ["× 10⁻⁶", "× 0.5", "divided by 100"]) assert.ok(texts(text).includes(said), said);
  assert.equal(count(svg(of([Number.NaN, Number.NaN])), /gl-bar"|>\?</g), 2);
});

test("the knobs set what the loss is divided by, and epsilon where Adam notices", () => {
  for (const layout of LAYOUTS) {
    const [divisor, epsilon] = handles(of([1, 1], { layout }));
    givesBack(divisor, 100, 1e-6);
    givesBack(epsilon, 1e-8, 1e-6);
    assert.equal(divisor.value(-100), 1);
  }
});

test("what was before a drag stays as an outline", () => {
  const ghost = { shares: [1, 1], divisor: 1 };
  assert.equal(count(svg(of([0.1, 1], { ghost })), /gl-ghost/g), 2);
});
