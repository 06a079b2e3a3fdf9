import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = { kind: "remembered", symbols: "AB", steps: [1, 4, 20] };
const WORDS = ["shown", "kept", "before", "thin", "named", "boxed", "first", "noise", "last"];
const labels = Object.fromEntries(WORDS.map((word) => [word, word]));
/** Give each symbol the same distance from the other at every step, and what is named. */
function results(apart, a, b) {
  const traces = { apart_a: [apart, apart, apart], apart_b: [apart, apart, apart], named_a: a, named_b: b };
  return Object.fromEntries(
    Object.entries(traces).flatMap(([name, all]) => all.map((x, i) => [`last_${name}_${i + 1}`, x])),
  );
}
const shown = (apart, a, b, layout = "wide") =>
  wellDrawn(drawing(SPEC, results(apart, a, b), { labels, layout }));

test("both symbols have their trace, and what is named in per cent", () => {
  for (const layout of LAYOUTS) {
    const drawn = shown(4, [0.9, 0.1], [0.6, 0.4], layout);
    assert.equal(count(drawn, /gl-bar/g), 2);
    assert.ok(["90", "10", "60", "40"].every((share) => texts(drawn).includes(share)));
    assert.deepEqual([count(drawn, /gl-role-parameter/g), count(drawn, /gl-role-loss/g)], [1, 1]);
  }
});

test("a trace is as thick as the state is far from the others", () => {
  const thickness = (apart) => {
    const [, top, low] = /gl-bar" d="M[\d.]+ ([\d.]+)L[^"]* ([\d.]+)Z"/.exec(shown(apart, [1, 0], [0, 1]));
    return low - top;
  };
  assert.ok(Math.abs(thickness(4) - 2 * thickness(2)) < 0.15);
  assert.equal(thickness(0), 0);
});

test("before the first step there is neither trace nor answer", () => {
  const drawn = shown(Number.NaN, [Number.NaN, Number.NaN], [Number.NaN, Number.NaN]);
  assert.equal(count(drawn, /gl-bar|gl-shaft/g), 0);
});

test("until a run has something to show, the one before it is there, faintly", () => {
  const run = { earlier: [{ values: results(4, [1, 0], [0, 1]) }] };
  const blank = results(Number.NaN, [Number.NaN, Number.NaN], [Number.NaN, Number.NaN]);
  const drawn = wellDrawn(drawing(SPEC, { ...blank, steps: 0 }, { labels, run }));
  assert.ok(count(drawn, /gl-bar/g) === 2 && drawn.includes("gl-dim") && texts(drawn).includes("before"));
});
