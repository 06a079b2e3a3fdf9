import assert from "node:assert/strict";
import test from "node:test";
import { halfWidth } from "../../src/views/chain/backward.js";
import { broken, chain, drawing, handles, LAYOUTS, layoutsOf, svg, texts } from "../drawings.js";

const results = (n, value = (i) => 0.9 ** i) => ({
  h: Array.from({ length: n + 1 }, (_, i) => 0.8 * value(i)),
  g: Array.from({ length: n + 1 }, (_, i) => value(n - i)),
  theta: Array.from({ length: n }, (_, i) => value(i)),
  l: Array.from({ length: n }, (_, i) => value(i)),
});
const count = (text, what) => [...text.matchAll(what)].length;

test("a cotangent is as wide as it is large, or as its logarithm", () => {
  const linear = { widest: 2, widths: "linear" };
  assert.ok(Math.abs(halfWidth(linear, 1) * 2 - halfWidth(linear, 2)) < 1e-9);
  assert.equal(halfWidth(linear, 20), halfWidth(linear, 2));
  assert.equal(halfWidth(linear, -1), halfWidth(linear, 1));
  assert.equal(halfWidth(linear, 0), 0);
  const log = { widest: 1, widths: "log" };
  const step = halfWidth(log, 1) - halfWidth(log, 0.1);
  assert.ok(Math.abs(halfWidth(log, 0.1) - halfWidth(log, 0.01) - step) < 1e-9);
});

test("forward runs to the right and backward to the left; turned, down and up", () => {
  for (const layout of LAYOUTS) {
    const text = svg(drawing(chain(), results(3), { layout }));
    const along = layout === "wide" ? 1 : 2;
    const arrow = text.match(/gl-arrow" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/);
    assert.ok(Number(arrow[along + 2]) > Number(arrow[along]));
    const flow = text.match(/gl-flow" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/);
    assert.ok(Number(flow[along + 2]) < Number(flow[along]));
  }
});

test("from one step to sixteen, in both layouts, all that is drawn is a number and has its part", () => {
  for (const layout of LAYOUTS) {
    for (const n of [1, 2, 3, 7, 12, 16]) {
      const one = drawing(chain({ losses: "l" }), results(n), { layout });
      const text = svg(one);
      assert.equal(broken(text), null);
      assert.equal(count(text, /data-part="h"/g), n + 1);
      assert.equal(count(text, /data-part="theta"/g), n);
      assert.equal(count(text, /data-part="l"/g), n);
      for (const [, y] of text.matchAll(/<text[^>]* y="([\d.]+)"/g))
        assert.ok(Number(y) <= layoutsOf(one)[layout].height);
    }
  }
});

test("what the tape has not reached is not there", () => {
  const one = (forward, backward) =>
    svg(
      drawing(chain({ forward: "f", backward: "b" }), results(3), { settings: { f: forward, b: backward } }),
    );
  assert.equal(count(one(2, 0), /gl-empty/g), 2);
  assert.equal(count(one(2, 0), /gl-arrow"/g), 1);
  assert.equal(count(one(4, 0), /data-part="g"/g), 0);
  assert.equal(count(one(4, 2), /data-part="g"/g), 2);
  assert.equal(count(one(4, 2), /data-part="theta"/g), 2);
});

test("a negative cotangent is hollow, one of nothing a dotted line, and what is no number is marked", () => {
  const text = svg(
    drawing(chain(), { h: [0.5, Number.NaN, 9], g: [-0.5, 0, Infinity], theta: [Number.NaN, 1] }),
  );
  assert.equal(broken(text), null);
  assert.match(text, /gl-negative/);
  assert.match(text, /gl-dry/);
  assert.ok(texts(text).some((t) => /NaN/.test(t)));
  assert.ok(texts(text).some((t) => /∞/.test(t)));
  assert.equal(count(text, /gl-torn/g), 2);
});

test("the first bar's handle gives back its value, and is gone where its bar is cut", () => {
  for (const layout of LAYOUTS) {
    const one = (h0) => drawing(chain({ drag: "x" }), { ...results(1), h: [h0, 0] }, { layout });
    const [handle] = handles(one(-0.35));
    assert.ok(Math.abs(handle.value(handle.x, handle.y) + 0.35) < 1e-9);
    assert.deepEqual(handles(one(3)), []);
  }
});

test("concealed cotangents are not in the markup", () => {
  const text = svg(drawing(chain(), results(3), { concealed: new Set(["g"]) }));
  assert.doesNotMatch(text, /data-part="g"|h̄/);
});
