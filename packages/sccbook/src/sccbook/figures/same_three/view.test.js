import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { draw, handles, layouts } from "./view.js";

const spec = {
  kind: "places",
  names: [
    ["x", "inputs"],
    ["h", "state"],
    ["h̄", "cotangent"],
    ["w̄", "gradient"],
    ["Δw", "update"],
    ["w", "weights"],
  ],
};
const description = { labels: { acts: "acts", looks: "read" } };
const drawing = (acts, looks, more) => ({
  spec,
  description,
  values: { acts, looks },
  settings: {},
  layout: "wide",
  lit: null,
  concealed: new Set(),
  ...more,
});
const shown = (acts, looks, more) => renderToString(draw(drawing(acts, looks, more)));
const count = (html, what) => [...html.matchAll(what)].length;

test("the place that is acted on is framed and named, and those that are read are named", () => {
  const html = shown(2, [1, 1, 0, 0, 0, 0]);
  assert.equal(count(html, /gl-changed/g), 1);
  assert.match(html, /gl-role-cotangent gl-changed"/);
  assert.equal(count(html, />acts</g), 1);
  assert.equal(count(html, />read</g), 2);
  assert.equal(count(html, /opacity="0.55"/g), 3);
});

test("a way leads from each place that is read to the other, and none from a place to itself", () => {
  assert.equal(count(shown(2, [1, 1, 0, 0, 0, 0]), /stroke-dasharray/g), 2);
  assert.equal(count(shown(3, [0, 0, 0, 1, 0, 1]), /stroke-dasharray/g), 1);
  assert.equal(count(shown(4, [0, 0, 0, 0, 1, 0]), /stroke-dasharray/g), 0);
});

test("ways that end at one place end beside each other", () => {
  const html = shown(2, [1, 1, 0, 0, 0, 0]);
  const ends = [...html.matchAll(/V[\d.]+H([\d.]+)L/g)].map(([, x]) => Number(x));
  assert.equal(ends.length, 2);
  assert.ok(Math.abs(ends[0] - ends[1]) >= 8);
});

test("everything lies within the picture, in a narrow one by its symbol alone", () => {
  for (const [layout, { width, height }] of Object.entries(layouts())) {
    const html = shown(5, [1, 1, 1, 1, 1, 1], { layout });
    for (const [, x, y, w, h] of html.matchAll(
      /<rect class="gl-field" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      assert.ok(+x + +w <= width + 0.01 && +y + +h <= height);
    }
    assert.equal(html.includes("cotangent<"), layout === "wide");
  }
  for (const acts of [0, 1, 2, 3, 4, 5]) {
    // two at most are read besides, in the figure
    const html = shown(acts, [1, 0, 0, 0, 0, 1]);
    for (const [, below] of html.matchAll(/M[\d.]+ [\d.]+V([\d.]+)H/g))
      assert.ok(+below < layouts().wide.height);
  }
});

test("there is nothing to drag", () => {
  assert.deepEqual(handles(), []);
});
