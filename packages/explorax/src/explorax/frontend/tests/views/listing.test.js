import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, LAYOUTS, layoutsOf, svg, wellDrawn } from "../drawings.js";
import { count, numbers } from "../pictures.js";

const SLOTS = ["top", "end", "off"];
const LINES = [
  { text: "for a in actions:" },
  { text: "  # top", slot: "top" },
  { text: "  h = f(h, a)", part: "norms", index: 2 },
  { text: "  # end", slot: "end" },
  { text: "return L", note: "# {total:,.1f}" },
  { text: "# off", slot: "off" },
];
const SPEC = { kind: "listing", lines: LINES, moving: "h = scale(h, {s:,.2f})", control: "slot" };

const listing = ({ slot = "top", spec, results, ...more } = {}) => {
  const all = { norms: [1, 2, 3], total: 4.25, ...results };
  return drawing({ ...SPEC, ...spec }, all, { settings: { slot, s: 0.5 }, ...more });
};
const plain = (text) => text.replace(/<[^>]*>/g, "\n");

test("every line is there once, the moving one in its place, and all within the picture", () => {
  for (const layout of LAYOUTS) {
    const drawn = listing({ layout });
    const text = wellDrawn(drawn);
    assert.equal(count(text, /gl-moving/g), 1);
    assert.equal(count(text, /gl-codeplace/g), 2);
    assert.match(plain(text), /h = scale\(h, 0\.50\)/);
    assert.match(plain(text), /# 4\.3/);
    for (const [x, long] of numbers(text, /<text[^>]* x="([\d.]+)" y="[^"]*" textLength="([\d.]+)"/g))
      assert.ok(x + long <= layoutsOf(drawn)[layout].width);
  }
});

test("keywords are told from names that begin like them", () => {
  const lines = [{ text: "for index in before:" }, ...LINES.filter(({ slot }) => slot)];
  const found = svg(listing({ spec: { lines } })).match(/(?<=gl-keyword">)[^<]*/g);
  assert.deepEqual(found, ["for", "in"]);
});

test("the line is dropped into the nearest place, and stays where it is taken and let go", () => {
  for (const slot of SLOTS) {
    const drawn = listing({ slot, layout: "narrow" });
    const [{ x, y, value }, ...others] = handles(drawn);
    assert.deepEqual([value(x, y), value(0, -50), value(0, 5000)], [slot, "top", "off"]);
    assert.deepEqual(
      others.map(({ sets }) => sets.slot),
      SLOTS,
      "a place that is pressed takes it",
    );
    assert.ok(x < layoutsOf(drawn).narrow.width);
  }
});

test("in the hand the line goes with the pointer, and every place is shown", () => {
  const text = svg(listing({ hand: [50, 60] }));
  assert.match(text, /gl-moving gl-carried[^>]*translate\([\d.]+ 60\)/);
  assert.equal(count(text, /gl-codeplace/g), 3);
  assert.equal(count(text, /gl-waits/g), 1);
});

test("nothing else moves with the line", () => {
  const still = (slot) => svg(listing({ slot })).match(/<g class="gl-codeline.*?<\/g>/gs);
  assert.deepEqual(still("top"), still("off"));
});

test("a line lights up with its part, and other lines of that part step back", () => {
  const lit = (kind, index) => svg(listing({ lit: { kind, index } }));
  assert.match(lit("norms", 2), /gl-codeline gl-lit/);
  assert.match(lit("norms", 1), /gl-codeline gl-dim/);
  assert.doesNotMatch(lit("other", 1), /gl-dim|gl-lit/);
});

test("each place has its number, and that of the line's place is marked", () => {
  const numbered = (slot, more) => {
    const [spec, results] = [
      { values: "got", heading: "f gets", each: "{value:.2f}" },
      { got: [1.5, 0.75, 1.5] },
    ];
    const drawn = listing({ slot, spec, results, ...more });
    drawn.description.controls = [{ name: "slot", options: SLOTS.map((name) => [name, name]) }];
    return svg(drawn);
  };
  assert.match(plain(numbered("top")), /\n1\.50\n.*\n0\.75\n.*\n1\.50\n/s);
  assert.match(numbered("end"), /gl-sum"[^>]*>0\.75/);
  const hidden = plain(numbered("top", { concealed: ["got"] }));
  assert.equal(count(hidden, /\?/g), 3);
  assert.doesNotMatch(hidden, /1\.50/);
});
