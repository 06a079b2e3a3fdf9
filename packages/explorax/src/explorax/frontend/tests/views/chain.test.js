import assert from "node:assert/strict";
import test from "node:test";
import { halfWidth } from "../../src/views/chain/backward.js";
import { controls, draw, drawing, givesBack, handles, LAYOUTS, wellDrawn } from "../drawings.js";
import { close, count, numbers, paths, texts } from "../pictures.js";
import { chain } from "../specs.js";

const row = (length, value) => Array.from({ length }, (_, i) => value(i));
const results = (n) => ({
  h: row(n + 1, (i) => 0.8 * 0.9 ** i),
  g: row(n + 1, (i) => 0.9 ** (n - i)),
  theta: row(n, (i) => 0.9 ** i),
  l: row(n, (i) => 0.9 ** i),
});
const THIRDS = { ...results(3), theta: [1, 0.5, 0.25] };

test("a cotangent's width is proportional to its size", () => {
  const linear = { widest: 2 };
  close(halfWidth(linear, 1) * 2, halfWidth(linear, 2));
  assert.equal(halfWidth(linear, 20), halfWidth(linear, 2));
  assert.equal(halfWidth(linear, -1), halfWidth(linear, 1));
  assert.equal(halfWidth(linear, 0), 0);
});

test("the first state's handle gives back the setting that puts it there", () => {
  for (const layout of LAYOUTS)
    givesBack(handles(drawing(chain({ drag: "x" }), results(3), { layout, settings: { x: 0.8 } }))[0], 0.8);
});

test("forward runs to the right and backward to the left; in the narrow layout, down and up", () => {
  for (const [along, layout] of LAYOUTS.entries()) {
    const text = draw(chain(), results(3), { layout });
    const course = (kind) => {
      const [ends] = numbers(text, new RegExp(`${kind}" d="M([\\d.]+) ([\\d.]+)L([\\d.]+) ([\\d.]+)`, "g"));
      return ends[along + 2] - ends[along];
    };
    assert.ok(course("gl-arrow") > 0);
    assert.ok(course("gl-flow") < 0);
  }
});

test("chains of one to sixteen steps are well drawn, with a part for each result", () => {
  for (const layout of LAYOUTS)
    for (const n of [1, 2, 3, 7, 12, 16]) {
      const text = wellDrawn(drawing(chain({ losses: "l" }), results(n), { layout }));
      const parts = ["h", "theta", "l"].map((name) => count(text, new RegExp(`data-part="${name}"`, "g")));
      assert.deepEqual(parts, [n + 1, n, n]);
    }
});

test("a negative cotangent is hatched, a zero one dotted, and what is beyond its bar or arrow is torn", () => {
  const text = draw(chain(), { h: [0.5, 0, 9], g: [-0.5, 0, Infinity], theta: [1, 1] });
  assert.match(text, /gl-negative/);
  assert.match(text, /gl-dry/);
  assert.equal(count(text, /gl-torn/g), 2);
});

test("the first bar's handle is gone where its bar is cut", () => {
  const from = (h0) => controls(drawing(chain({ drag: "x" }), { ...results(1), h: [h0, 0] }));
  assert.deepEqual([from(-0.35), from(3)], [["x"], []]);
});

const summed = (results, more) => {
  const settings = { t: 0, b: 4, ...results };
  return wellDrawn(drawing(chain({ total: "t", longest: 4, backward: "b" }), settings, more));
};
/** Return the two ends along the bar of each share in it. */
const bars = (text, along = 0) =>
  [...text.matchAll(/gl-named"[^<]*<\/text><path[^>]*gl-summand[^>]* d="M([^"]+)Z"/g)].map(([, d]) => {
    const all = d.split("L").map((spot) => Number(spot.split(" ")[along]));
    return [Math.min(...all), Math.max(...all)];
  });

test("shares stand in one bar, each as large as its value and from where the one before it ends", () => {
  for (const [along, layout] of LAYOUTS.entries()) {
    const [a, b, c] = bars(summed(THIRDS, { layout }), along);
    assert.deepEqual([a[1], b[1]], [b[0], c[0]]);
    close((b[1] - b[0]) / (a[1] - a[0]), 0.5, 0.01);
    close((c[1] - c[0]) / (a[1] - a[0]), 0.25, 0.01);
  }
});

test("a share is in the bar once it is received, and the sum so far is written", () => {
  const text = summed({ ...THIRDS, b: 2 });
  assert.equal(count(text, /gl-role-parameter" visibility/g), 1);
  assert.ok(texts(text).includes("θ = 0.75 so far"));
  assert.ok(texts(summed(THIRDS)).includes("θ = 1.75"));
  assert.doesNotMatch(summed({ ...results(3), b: 0 }), /data-part="t"[^>]*>.*gl-barred/);
  assert.match(summed({ ...results(3), theta: [1, -0.5, Number.NaN] }), /gl-negative/);
});

test("where nothing has come back yet there is an empty box", () => {
  for (const layout of LAYOUTS)
    assert.equal(count(summed({ ...THIRDS, b: 1 }, { layout }), /gl-box gl-empty" d="[^"]*"(?! vis)/g), 3);
});

test("a concealed sum has no bar and no number", () => {
  const text = summed(THIRDS, { concealed: ["t"] });
  assert.equal(count(text, /gl-strand|data-part="t"/g), 0);
  assert.equal(count(text, /data-part="theta"/g), 3);
  assert.ok(texts(text).includes("θ = ?"));
});

test("an arrow ends as wide as what comes through, and the rest of a cotangent comes from the loss there", () => {
  const spec = chain({ passed: "p", losses: "l" });
  const constant = { h: [0, 0, 0], theta: [1, 1], l: [1, 1], p: [0.2, -0.3] };
  const shares = (...g) => {
    const text = draw(spec, { ...constant, g });
    assert.equal(count(text, /data-part="p"/g), 2);
    return [count(text, /gl-role-own/g), texts(text).join()];
  };
  const [both, words] = shares(0.2, 0.5, -0.6);
  assert.equal(both, 2);
  for (const share of ["0.80", "−0.60", "−0.60 × 0.50 = −0.30", "0.50 × 0.40 = 0.20"])
    assert.ok(words.includes(share), share);
  assert.equal(shares(0.2, -0.3, -0.6)[0], 1, "no loss, no share of its own");
});

test("the one parameter leads into each use that has been played, and a stop cuts its line", () => {
  const spec = chain({ uses: "θ = 1.4", forward: "f", stopped: "k" });
  for (const layout of LAYOUTS) {
    const uses = (f, k) => {
      const text = wellDrawn(drawing(spec, results(3), { layout, settings: { f, k } }));
      return ["gl-use", "gl-bar-across"].map((kind) => count(paths(text, kind)[0] ?? "", /M/g));
    };
    const all = [uses(4, "nowhere"), uses(2, "nowhere"), uses(4, "2")];
    assert.deepEqual(all.flat(), [3, 0, 1, 0, 3, 1]);
  }
});
