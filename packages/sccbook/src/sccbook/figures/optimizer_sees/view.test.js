import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { close, paths, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = { kind: "shrinking", names: ["SGD", "Adam"], roles: ["cotangent", "parameter"] };
const of = (shares, more) => {
  const results = { shares, meets: 1e6, root_at_one: 0.01, divisor: 100 };
  return drawing(SPEC, results, { labels: { meets: "here" }, ...more });
};

test("a step's line ends at what it is divided by, on the scale of the loss", () => {
  for (const layout of LAYOUTS) {
    const at = of([1e-2, 0.5], { layout });
    const [all, half] = paths(wellDrawn(at), "gl-bar-across").map((path) => Number(path.split("H")[1]));
    close([all], [handles(at)[0].x], 0.1);
    assert.ok(half > 14 && half < all);
    assert.deepEqual(texts(svg(at)).slice(-3), ["100", "Adam", "2"]);
  }
  assert.deepEqual(texts(svg(of([1e-9, 3.7e-7]))).slice(-4), ["SGD", "1 billion", "Adam", "2.7 million"]);
});

test("the knobs set what the loss is divided by, and epsilon where Adam notices", () => {
  for (const layout of LAYOUTS) {
    const [divisor, epsilon] = handles(of([1, 1], { layout }));
    givesBack(divisor, 100, 1e-6);
    givesBack(epsilon, 1e-8, 1e-6);
  }
});
