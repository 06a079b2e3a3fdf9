import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { close, count, paths, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = { kind: "shrinking", names: ["SGD", "Adam"], roles: ["cotangent", "parameter"] };
const of = (shares, more) => {
  const results = { shares, meets: 1e6, root_at_one: 0.01, divisor: 100 };
  return drawing(SPEC, results, { labels: { meets: "here" }, ...more });
};

test("a bar is as long as its step is a share of what it was, and always seen", () => {
  const text = wellDrawn(of([1e-6, 0.5]));
  const [whole, tiny, half] = [...paths(text, "gl-outline"), ...paths(text, "gl-bar")].map((path) =>
    Number(path.match(/h([\d.]+)/)[1]),
  );
  close([tiny, half], [1, whole / 2], 0.1);
  assert.deepEqual(texts(text).slice(-3), ["× 10⁻⁶", "Adam", "× 0.5"]);
  assert.equal(count(svg(of([Number.NaN, Number.NaN])), />\?</g), 2);
});

test("the knobs set what the loss is divided by, and epsilon where Adam notices", () => {
  for (const layout of LAYOUTS) {
    const [divisor, epsilon] = handles(of([1, 1], { layout }));
    givesBack(divisor, 100, 1e-6);
    givesBack(epsilon, 1e-8, 1e-6);
  }
});
