import assert from "node:assert/strict";
import test from "node:test";
import { halfWidth } from "../../src/views/chain/backward.js";
import {
  broken,
  chain,
  close,
  count,
  draw,
  drawing,
  handles,
  LAYOUTS,
  texts,
  wellDrawn,
} from "../drawings.js";

const results = (n) => {
  const row = (length, value) => Array.from({ length }, (_, i) => value(i));
  return {
    h: row(n + 1, (i) => 0.8 * 0.9 ** i),
    g: row(n + 1, (i) => 0.9 ** (n - i)),
    theta: row(n, (i) => 0.9 ** i),
    l: row(n, (i) => 0.9 ** i),
  };
};

test("a cotangent is as wide as it is large, or as its logarithm", () => {
  const linear = { widest: 2, widths: "linear" };
  close(halfWidth(linear, 1) * 2, halfWidth(linear, 2));
  assert.equal(halfWidth(linear, 20), halfWidth(linear, 2));
  assert.equal(halfWidth(linear, -1), halfWidth(linear, 1));
  assert.equal(halfWidth(linear, 0), 0);
  const log = { widest: 1, widths: "log" };
  close(halfWidth(log, 0.1) - halfWidth(log, 0.01), halfWidth(log, 1) - halfWidth(log, 0.1));
});

test("forward runs to the right and backward to the left; turned, down and up", () => {
  for (const layout of LAYOUTS) {
    const text = draw(chain(), results(3), { layout });
    const along = layout === "wide" ? 0 : 1;
    const course = (kind) => {
      const found = text.match(new RegExp(`${kind}" d="M([\\d.]+) ([\\d.]+)L([\\d.]+) ([\\d.]+)`));
      return found.slice(1).map(Number)[along + 2] - Number(found[along + 1]);
    };
    assert.ok(course("gl-arrow") > 0);
    assert.ok(course("gl-flow") < 0);
  }
});

test("from one step to sixteen, in both layouts, all that is drawn is a number and has its part", () => {
  for (const layout of LAYOUTS) {
    for (const n of [1, 2, 3, 7, 12, 16]) {
      const text = wellDrawn(drawing(chain({ losses: "l" }), results(n), { layout }));
      const parts = ["h", "theta", "l"].map((name) => count(text, new RegExp(`data-part="${name}"`, "g")));
      assert.deepEqual(parts, [n + 1, n, n]);
    }
  }
});

test("what the tape has not reached is not there", () => {
  const at = (f, b, what) =>
    count(draw(chain({ forward: "f", backward: "b" }), results(3), { settings: { f, b } }), what);
  assert.equal(at(2, 0, /gl-empty/g), 2);
  assert.equal(at(2, 0, /gl-arrow"/g), 1);
  assert.equal(at(4, 0, /data-part="g"/g), 0);
  assert.equal(at(4, 2, /data-part="g"/g), 2);
  assert.equal(at(4, 2, /data-part="theta"/g), 2);
});

test("a negative cotangent is hatched, one of nothing a dotted line, and what is no number is marked", () => {
  const text = draw(chain(), { h: [0.5, Number.NaN, 9], g: [-0.5, 0, Infinity], theta: [Number.NaN, 1] });
  assert.equal(broken(text), null);
  assert.match(text, /gl-negative/);
  assert.match(text, /gl-dry/);
  assert.match(texts(text).join(), /NaN/);
  assert.match(said(text).join(), /∞/);
  assert.equal(count(text, /gl-torn/g), 2);
});

test("the first bar's handle gives back its value, and is gone where its bar is cut", () => {
  for (const layout of LAYOUTS) {
    const from = (h0) => handles(drawing(chain({ drag: "x" }), { ...results(1), h: [h0, 0] }, { layout }));
    const [{ x, y, value }] = from(-0.35);
    close(value(x, y), -0.35);
    assert.deepEqual(from(3), []);
  }
});

test("concealed cotangents are not in the markup", () => {
  assert.doesNotMatch(draw(chain(), results(3), { concealed: new Set(["g"]) }), /data-part="g"|h̄/);
});

const summed = (results, more = {}, layout = "wide") => {
  const drawn = drawing(
    chain({ total: "t", longest: 4, backward: "b" }),
    { t: 0, b: 4, ...results },
    { layout, ...more },
  );
  drawn.description.outputs.push({ name: "t", shape: [] });
  return wellDrawn(drawn);
};
/** All texts, without the tags in them. */
const said = (text) =>
  [...text.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, t]) => t.replace(/<[^>]+>/g, ""));
/** The two ends along the bar of each share in it. */
const bars = (text, along) =>
  [...text.matchAll(/gl-arrives"[^>]*><path[^>]* d="M([^"]+)Z"/g)].map(([, d]) => {
    const all = d.split("L").map((spot) => Number(spot.split(" ")[along]));
    return [Math.min(...all), Math.max(...all)];
  });

test("shares stand in one bar, each from where the one before it ends, and as long as it is large", () => {
  for (const [layout, along] of [
    ["wide", 0],
    ["narrow", 1],
  ]) {
    const [a, b, c] = bars(summed({ ...results(3), theta: [1, 0.5, 0.25] }, {}, layout), along);
    assert.deepEqual([a[1], b[1]], [b[0], c[0]]);
    close((b[1] - b[0]) / (a[1] - a[0]), 0.5, 0.01);
    close((c[1] - c[0]) / (a[1] - a[0]), 0.25, 0.01);
  }
});

test("a share is in the bar once it is received, and the sum says what it is so far", () => {
  const text = summed({ ...results(3), theta: [1, 0.5, 0.25], b: 2 });
  assert.equal(bars(text, 0).length, 2);
  assert.ok(said(text).includes("θ = 0.75 so far"));
  assert.ok(said(summed({ ...results(3), theta: [1, 0.5, 0.25] })).includes("θ = 1.75"));
  assert.doesNotMatch(summed({ ...results(3), b: 0 }), /data-part="t"[^>]*>.*gl-barred|gl-arrives/);
  assert.match(summed({ ...results(3), theta: [1, -0.5, Number.NaN] }), /gl-negative/);
});

test("a concealed sum has no bar and no number", () => {
  const text = summed({ ...results(3), theta: [1, 0.5, 0.25] }, { concealed: new Set(["t"]) });
  assert.equal(count(text, /gl-arrives|gl-strand|data-part="t"/g), 0);
  assert.equal(count(text, /data-part="theta"/g), 3);
  assert.ok(said(text).includes("θ = ?"));
});

test("an arrow ends as wide as what comes through, and the rest of a cotangent comes from the loss there", () => {
  const drawn = (g, layout = "wide") =>
    draw(
      chain({ passed: "p", losses: "l" }),
      { h: [0, 0, 0], g, theta: [1, 1], l: [1, 1], p: [0.2, -0.3] },
      { layout },
    );
  for (const layout of LAYOUTS) {
    const text = drawn([0.2, 0.5, -0.6], layout);
    assert.equal(count(text, /gl-role-own/g), 2);
    assert.equal(count(text, /data-part="p"/g), 2);
  }
  const text = drawn([0.2, 0.5, -0.6]);
  assert.ok(
    ["0.80", "−0.60", "0.20", "−0.30"].every((share) => said(text).includes(share)),
    said(text).join(),
  );
  assert.equal(count(drawn([0.2, -0.3, -0.6]), /gl-role-own/g), 1, "no loss, no share of its own");
});

test("the one parameter leads into each application that has been played, and a stop stands in its line", () => {
  for (const layout of LAYOUTS) {
    const uses = (f, stopped) =>
      wellDrawn(
        drawing(chain({ uses: "θ = 1.4", forward: "f", stopped: "k" }), results(3), {
          layout,
          settings: { f, k: stopped },
        }),
      );
    assert.equal(count(uses(4, "nowhere"), /gl-use/g), 3);
    assert.equal(count(uses(2, "nowhere"), /gl-use/g), 1);
    assert.equal(count(uses(4, "2"), /gl-bar-across/g), 1);
    assert.equal(count(uses(4, "nowhere"), /gl-bar-across/g), 0);
  }
});
