import assert from "node:assert/strict";
import test from "node:test";
import { drawing, known, LAYOUTS, layoutsOf, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const ROWS = ["zero", "inf, 1"];
const columns = Object.entries({ NumPy: "by hand", Optax: "global", PyTorch: "global" });
const OUTCOMES = [Array(3).fill("0, 0"), ["NaN, 0", "NaN", "error"]];
const SPEC = { kind: "corners", rows: ROWS, columns, texts: OUTCOMES };
const labels = { right: "right", lost: "wrong without a word", nan: "NaN", said: "says so" };
const RESULTS = { kinds: [0, 0, 0, 1, 2, 3], shown: [1, 1, 1, 0, 1, 1], row: 1 };
const corners = (more, rows = ROWS) => drawing({ ...SPEC, rows }, RESULTS, { labels, ...more });
const outcomes = (text) => text.match(/(?<=class="gl-number"[^>]*>)[^<]*/g);

test("every outcome is written in its cell, in the colour of its kind", () => {
  const text = svg(corners());
  assert.deepEqual(outcomes(text), OUTCOMES.flat());
  for (const [role, outcome] of Object.entries({ parameter: "0, 0", loss: "NaN", state: "error" }))
    assert.match(text, new RegExp(`gl-role-${role}" opacity="1"><rect[^>]*></rect><text[^>]*>${outcome}<`));
  assert.equal(count(text, /gl-role-cotangent" opacity="0.28"/g), 1);
});

test("until a guess is made neither outcomes nor colours are shown", () => {
  const text = svg(corners({ concealed: ["kinds"] }));
  assert.deepEqual(outcomes(text), Array(6).fill("?"));
  assert.equal(count(text, /gl-role-muted/g), 6);
});

test("a narrow picture shows only the chosen row, a line for each clip", () => {
  const text = svg(corners({ layout: "narrow" }));
  assert.deepEqual(outcomes(text), OUTCOMES[1]);
  assert.ok(texts(text).includes("inf, 1"));
});

test("everything lies within the picture, and rows have room", () => {
  for (const layout of LAYOUTS) wellDrawn(corners({ layout }));
  const [two, three] = [ROWS, [...ROWS, "NaN, 1"]].map((rows) => layoutsOf(corners({}, rows)).wide.height);
  assert.ok(two < three);
});

test("the chosen row is outlined", () => {
  assert.equal(count(svg(corners()), /gl-outline/g), 1);
});
