import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { draw, handles, layouts } from "./view.js";

const lines = (/** @type {string} */ name) => [1, 2, 3].map((n) => [`${name} ${n}`, "and more"]);
const spec = {
  kind: "decision",
  symptoms: [["NaN"], ["The loss", "spikes"]],
  records: [lines("reads"), lines("says")],
  remedies: [lines("mend"), lines("clip")],
};
const options = (names) => names.map((name) => [name, name]);
const description = {
  labels: {
    symptom: "symptom",
    record: "the record says",
    remedy: "first remedy",
    none: "none of the three",
    scale: "scale",
    clip: "a clip",
    constrain: "constrain",
  },
  controls: [
    { name: "symptom", options: options(["nan", "spikes"]) },
    { name: "says", options: options(["first", "second", "third"]) },
  ],
};
const drawing = (more) => ({
  spec,
  description,
  values: { kinds: [0, 0, 0, 2, 2, 0], row: 1, chosen: 0 },
  settings: {},
  layout: "wide",
  concealed: new Set(),
  ...more,
});
const shown = (more) => renderToString(draw(drawing(more)));

test("the chosen symptom has its three records and where they lead, and one path is lit", () => {
  const html = shown();
  for (const text of ["The loss", "spikes", "says 1", "says 3", "clip 1", "a clip", "none of the three"])
    assert.ok(html.includes(`>${text}<`), text);
  assert.ok(!html.includes(">reads 1<"));
  assert.equal([...html.matchAll(/class="gl-outline"/g)].length, 3);
  assert.equal([...html.matchAll(/stroke-opacity="1"/g)].length, 2);
});

test("until a guess is made no remedy is told, and no colour", () => {
  const html = shown({ concealed: new Set(["kinds"]) });
  assert.ok(!html.includes("clip 1") && !html.includes("a clip"));
  assert.ok(!html.includes("gl-role-cotangent"));
  assert.equal([...html.matchAll(/>\?</g)].length, 3);
});

test("in a narrow picture the symptom stands above its records", () => {
  const html = shown({ layout: "narrow" });
  assert.ok(html.includes(">The loss spikes<") && !html.includes(">NaN<"));
});

test("everything lies within the picture", () => {
  for (const [layout, { width, height }] of Object.entries(layouts(spec))) {
    for (const [, x, y, w, h] of shown({ layout }).matchAll(
      /<rect class="gl-cell" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      assert.ok(+x + +w <= width && +y + +h <= height && +y >= 0);
    }
  }
});

test("a press on a box chooses it", () => {
  const all = handles(drawing());
  assert.deepEqual(
    all.map(({ control, x, y, value }) => [control, value(x, y)]),
    [
      ["symptom", "nan"],
      ["symptom", "spikes"],
      ["says", "first"],
      ["says", "second"],
      ["says", "third"],
    ],
  );
  assert.ok(handles(drawing({ layout: "narrow" })).every(({ control }) => control === "says"));
});
