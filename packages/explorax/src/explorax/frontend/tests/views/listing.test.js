import assert from "node:assert/strict";
import test from "node:test";
import { count, drawing, handles, LAYOUTS, layoutsOf, svg, wellDrawn } from "../drawings.js";

const line = (text, more) => ({ text, ...more });
const SPEC = {
  kind: "listing",
  lines: [
    line("for a in actions:"),
    line("  # top", { slot: "top" }),
    line("  h = f(h, a)", { part: "norms", index: 2 }),
    line("  # end", { slot: "end" }),
    line("return L", { note: "# {total:,.1f}" }),
    line("# off", { slot: "off" }),
  ],
  moving: "h = scale(h, {s:,.2f})",
  control: "slot",
};

const listing = ({ layout = "wide", slot = "top", ...more } = {}) =>
  drawing(SPEC, { norms: [1, 2, 3], total: 4.25 }, { settings: { slot, s: 0.5 }, layout, ...more });
const plain = (text) => text.replace(/<[^>]*>/g, "\n");

test("every line is there once, the moving one in its place, and all within the picture", () => {
  for (const layout of LAYOUTS) {
    const drawn = listing({ layout });
    const text = wellDrawn(drawn);
    assert.equal(count(text, /gl-moving/g), 1);
    assert.equal(count(text, /gl-codeplace/g), 2);
    assert.match(plain(text), /h = scale\(h, 0\.50\)/);
    assert.match(plain(text), /# 4\.3/);
    for (const [, x, long] of text.matchAll(/<text[^>]* x="([\d.]+)" y="[^"]*" textLength="([\d.]+)"/g))
      assert.ok(Number(x) + Number(long) <= layoutsOf(drawn)[layout].width);
  }
});

test("keywords are told from names that begin like them", () => {
  const drawn = listing();
  drawn.spec = { ...SPEC, lines: [line("for index in before:"), ...SPEC.lines.filter(({ slot }) => slot)] };
  const found = [...svg(drawn).matchAll(/gl-keyword">([^<]*)</g)].map(([, word]) => word);
  assert.deepEqual(found, ["for", "in"]);
});

test("the line is laid into the nearest place, and stays where it is taken and let go", () => {
  for (const layout of LAYOUTS) {
    for (const slot of ["top", "end", "off"]) {
      const [handle, ...others] = handles(listing({ layout, slot }));
      assert.equal(others.length, 0);
      assert.equal(handle.value(handle.x, handle.y), slot);
      assert.equal(handle.value(0, -50), "top");
      assert.equal(handle.value(0, 5000), "off");
      assert.ok(handle.x < layoutsOf(listing({ layout }))[layout].width);
    }
  }
});

test("in the hand the line goes with the pointer, and every place is seen", () => {
  const text = svg(listing({ slot: "top", hand: [50, 60] }));
  assert.match(text, /gl-moving gl-carried[^>]*translate\([\d.]+ 60\)/);
  assert.equal(count(text, /gl-codeplace/g), 3);
  assert.equal(count(text, /gl-waits/g), 1);
});

test("a line that is held by an open question has no handle", () => {
  assert.doesNotMatch(svg(listing({ held: { slot: "top" } })), /data-handle/);
  assert.match(svg(listing()), /data-handle/);
});

test("nothing else moves with the line", () => {
  const still = (slot) =>
    [...svg(listing({ slot })).matchAll(/<g class="gl-codeline.*?<\/g>/gs)].map(([text]) => text);
  assert.deepEqual(still("top"), still("off"));
});

test("a line is lit with its part, and others of that part step back", () => {
  assert.match(svg(listing({ lit: { kind: "norms", index: 2 } })), /gl-codeline gl-lit/);
  assert.match(svg(listing({ lit: { kind: "norms", index: 1 } })), /gl-codeline gl-dim/);
  assert.doesNotMatch(svg(listing({ lit: { kind: "other", index: 1 } })), /gl-dim|gl-lit/);
});

test("at every place stands its number, and a sign marks those that equal that of the line's place", () => {
  const options = ["top", "end", "off"].map((name) => [name, name]);
  const numbered = (slot, more) => {
    const drawn = listing({ slot, ...more });
    drawn.spec = { ...SPEC, values: "got", heading: "f gets" };
    drawn.values.got = Float64Array.of(1.5, 0.75, 1.5);
    drawn.description = { ...drawn.description, controls: [{ name: "slot", options }] };
    return plain(svg(drawn));
  };
  assert.match(numbered("top"), /\n=\s1\.50\n.*\n0\.75\n.*\n=\s1\.50\n/s);
  assert.doesNotMatch(numbered("end"), /=\s\d/);
  const hidden = numbered("top", { concealed: new Set(["got"]) });
  assert.equal(count(hidden, /\?/g), 3);
  assert.doesNotMatch(hidden, /1\.50/);
});
