import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SKETCH = "norm 12, output 345x, #417 .7.";
const row = (n) => [`record ${n}`, SKETCH, (n + 3) % 4, `remedy ${n}`, `f(${n})\n    second(${n})`];
const SPEC = { kind: "chooser", symptoms: ["NaN", "spikes"], rows: [0, 1, 2, 3, 4, 5].map(row) };
const names = ["a", "b", "c", "d", "e", "f"];
const labels = new Proxy({}, { get: (_, name) => `its ${name}` });
const chooser = (at, layout = "wide") => {
  const drawn = drawing(SPEC, { case: at }, { labels, layout, settings: { record: names[at] } });
  drawn.description.controls = [{ name: "record", options: names.map((name) => [name, name]) }];
  return drawn;
};

test("the chosen symptom has its three records, and the chosen record its remedy and code", () => {
  for (const layout of LAYOUTS) {
    const text = wellDrawn(chooser(4, layout));
    for (const said of ["NaN", "record 3", "record 5", "#417", "remedy 4", "its kind 3", "    second(4)"])
      assert.ok(texts(text).includes(said), said);
    assert.ok(!texts(text).includes("record 2"));
    assert.equal(count(text, /gl-role-state"><rect/g), 2);
  }
});

test("a symptom that is pressed leads to its first record, and the one that is chosen stays", () => {
  const [{ value }] = handles(chooser(4));
  assert.deepEqual([value(20, 40), value(300, 40), value(600, 170)], ["a", "e", "f"]);
  const [narrow] = handles(chooser(1, "narrow"));
  assert.deepEqual([narrow.value(200, 40), narrow.value(100, 300)], ["d", "b"]);
});
