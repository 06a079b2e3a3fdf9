import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { draw, handles, layouts } from "./view.js";

const spec = {
  kind: "corners",
  rows: ["zero", "inf, 1"],
  columns: [
    ["NumPy", "by hand"],
    ["Optax", "global"],
    ["PyTorch", "global"],
  ],
  texts: [
    ["0, 0", "0, 0", "0, 0"],
    ["NaN, 0", "NaN", "error"],
  ],
};
const description = { labels: { right: "right", lost: "wrong without a word", nan: "NaN", said: "says so" } };
const values = { kinds: [0, 0, 0, 1, 2, 3], shown: [1, 1, 1, 0, 1, 1], row: 1 };
const drawing = (more) => ({
  spec,
  description,
  values,
  settings: {},
  layout: "wide",
  concealed: new Set(),
  ...more,
});
const shown = (more) => renderToString(draw(drawing(more)));
const texts = (html) => [...html.matchAll(/class="gl-number"[^>]*>([^<]*)</g)].map(([, text]) => text);

test("every outcome is written in its cell, in the colour of its kind", () => {
  const html = shown();
  assert.deepEqual(texts(html), spec.texts.flat());
  for (const [role, text] of [
    ["parameter", "0, 0"],
    ["loss", "NaN"],
    ["state", "error"],
  ]) {
    assert.match(html, new RegExp(`gl-role-${role}" opacity="1"><rect[^>]*></rect><text[^>]*>${text}<`));
  }
  assert.equal([...html.matchAll(/gl-role-cotangent" opacity="0.28"/g)].length, 1);
});

test("until a guess is made no outcome is told, and no colour", () => {
  const html = shown({ concealed: new Set(["kinds"]) });
  assert.deepEqual(texts(html), Array(6).fill("?"));
  assert.equal([...html.matchAll(/gl-role-muted/g)].length, 6);
});

test("in a narrow picture the chosen row alone is shown, a line for each clip", () => {
  const html = shown({ layout: "narrow" });
  assert.deepEqual(texts(html), spec.texts[1]);
  assert.ok(html.includes(">inf, 1<"));
});

test("everything lies within the picture, and rows and columns have room", () => {
  const both = layouts(spec);
  for (const [layout, { width, height }] of Object.entries(both)) {
    for (const [, x, y, w, h] of shown({ layout }).matchAll(
      /<rect class="gl-cell" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      assert.ok(+x + +w <= width && +y + +h <= height && +y >= 0);
    }
  }
  assert.ok(both.wide.height < layouts({ ...spec, rows: [...spec.rows, "NaN, 1"] }).wide.height);
});

test("the chosen row is outlined, and there is nothing to drag", () => {
  assert.equal([...shown().matchAll(/gl-outline/g)].length, 1);
  assert.deepEqual(handles(), []);
});
