import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const lines = (name) => [1, 2, 3].map((n) => [`${name} ${n}`, "and more"]);
const leads = { records: [lines("reads"), lines("says")], remedies: [lines("mend"), lines("clip")] };
const SPEC = { kind: "decision", symptoms: [["NaN"], ["The loss", "spikes"]], ...leads };
const choice = (name, ...names) => ({ name, options: names.map((each) => [each, each]) });
const labels = new Proxy({}, { get: (_, name) => `its ${name}` });
const decision = (more) => {
  const drawn = drawing(SPEC, { kinds: [0, 0, 0, 2, 2, 0], row: 1, chosen: 0 }, { labels, ...more });
  drawn.description.controls = [
    choice("symptom", "nan", "spikes"),
    choice("says", "first", "second", "third"),
  ];
  return drawn;
};

test("the chosen symptom has its three records and where they lead, and one path is lit", () => {
  const text = svg(decision());
  const expected = ["The loss", "spikes", "says 1", "says 3", "clip 1", "its clip", "its none"];
  for (const said of expected) assert.ok(texts(text).includes(said), said);
  assert.ok(!texts(text).includes("reads 1"));
  assert.equal(count(text, /class="gl-outline"/g), 3);
  assert.equal(count(text, /stroke-opacity="1"/g), 2);
});

test("until a guess is made neither remedies nor colours are shown", () => {
  const text = svg(decision({ concealed: ["kinds"] }));
  assert.doesNotMatch(text, /clip 1|its clip|gl-role-cotangent/);
  assert.equal(count(text, />\?</g), 3);
});

test("in a narrow picture the symptom stands above its records", () => {
  const said = texts(svg(decision({ layout: "narrow" })));
  assert.ok(said.includes("The loss spikes") && !said.includes("NaN"));
});

test("everything lies within the picture", () => {
  for (const layout of LAYOUTS) wellDrawn(decision({ layout }));
});

test("pressing a box chooses it", () => {
  const chosen = (layout) =>
    handles(decision({ layout })).map(({ control, x, y, value }) => `${control} ${value(x, y)}`);
  const says = ["says first", "says second", "says third"];
  assert.deepEqual(chosen("wide"), ["symptom nan", "symptom spikes", ...says]);
  assert.deepEqual(chosen("narrow"), says);
});
