import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { html } from "../../src/common/html.js";
import { BED, geometry, LAYOUTS } from "../../src/figures/stream/geometry.js";
import { draw, handles } from "../../src/figures/stream/stream.js";
import { load } from "../../src/runtime/program.js";
import { description } from "../runtime/fixtures.js";

const evaluate = await load(description);
const drawing = (settings, layout = "wide", extra = {}) => ({
  description,
  settings,
  values: evaluate(settings),
  spec: description.view,
  layout,
  id: "x",
  concealed: new Set(),
  ...extra,
});
const svg = (...args) => renderToString(html`<svg>${draw(drawing(...args))}</svg>`);

test("the stream is as wide as what arrives, and leaves as wide as what is received", () => {
  const settings = { scale: 0.7, steps: 5 };
  const values = evaluate(settings);
  const flow = geometry(values, settings, LAYOUTS.wide);
  for (const section of flow.sections.filter((s) => s.side === "out" && s.state > 0)) {
    const received = values.received[section.state - 1] * LAYOUTS.wide.unit;
    assert.ok(Math.abs(section.bottom - received) < 1e-9);
  }
});

test("sections run from right to left, and bands lie on one another without gaps", () => {
  const settings = { scale: 0.7, steps: 12 };
  const { sections } = geometry(evaluate(settings), settings, LAYOUTS.wide);
  for (let i = 1; i < sections.length; i++) assert.ok(sections[i].u < sections[i - 1].u);
  for (const { tops, widths } of sections) {
    for (let i = 0; i + 1 < tops.length; i++)
      assert.ok(Math.abs(tops[i] - tops[i + 1] - widths[i + 1]) < 1e-9);
  }
});

test("one loss has the same height everywhere, whatever is set", () => {
  for (const settings of [
    { scale: 0, steps: 1 },
    { scale: 1, steps: 12 },
    { scale: 1.5, steps: 12 },
  ]) {
    const flow = geometry(evaluate(settings), settings, LAYOUTS.wide);
    const last = flow.sections.find((s) => s.side === "out");
    assert.equal(last.widths[settings.steps - 1], LAYOUTS.wide.unit);
  }
});

test("every number that is drawn is a number", () => {
  for (const layout of ["wide", "narrow"]) {
    for (const steps of [1, 2, 6, 7, 12]) {
      for (const scale of [0, 0.5, 1, 2]) {
        const text = svg({ scale, steps }, layout);
        assert.ok(text.length > 1000);
        assert.doesNotMatch(text, /NaN|undefined|Infinity/);
      }
    }
  }
});

test("the narrow layout shows six steps at most, and says that there are more", () => {
  const text = svg({ scale: 0.5, steps: 9 }, "narrow");
  assert.equal(text.match(/class="gl-diamond/g).length, 6);
  assert.match(text, /⋮/);
  assert.doesNotMatch(svg({ scale: 0.5, steps: 6 }, "narrow"), /⋮/);
});

test("a stream that is wider than its bed is cut, with words", () => {
  assert.match(svg({ scale: 2, steps: 12 }), /4,095 wide/);
  assert.doesNotMatch(svg({ scale: 0.5, steps: 12 }), / wide/);
});

test("the bound is drawn where it is, and not when there is none", () => {
  assert.match(svg({ scale: 0.5, steps: 6 }), /gl-limit/);
  assert.doesNotMatch(svg({ scale: 1, steps: 6 }), /gl-limit/);
});

test("a handle lies where its control is, and gives back the value that put it there", () => {
  for (const layout of ["wide", "narrow"]) {
    for (const scale of [0, 0.25, 0.5, 1]) {
      const [handle] = handles(drawing({ scale, steps: 6 }, layout));
      assert.equal(handle.control, "scale");
      assert.ok(Math.abs(handle.value(handle.x, handle.y) - scale) < 1e-9);
    }
  }
});

test("where the first gate of the last loss is not drawn, there is no handle", () => {
  assert.equal(handles(drawing({ scale: 0.5, steps: 9 }, "wide")).length, 1);
  assert.deepEqual(handles(drawing({ scale: 0.5, steps: 9 }, "narrow")), []);
});

test("with one step nothing is scaled on the way to the parameter, and there is no handle", () => {
  assert.deepEqual(handles(drawing({ scale: 0.5, steps: 1 })), []);
});

test("what is lit stands out, and its peers step back", () => {
  const text = svg({ scale: 0.5, steps: 6 }, "wide", { lit: { kind: "loss", index: 3 } });
  assert.match(text, /gl-band gl-lit" data-part="loss" data-index="3"/);
  assert.match(text, /gl-band gl-dim" data-part="loss" data-index="4"/);
});

test("the bed is as deep as it is said to be", () => {
  assert.equal(BED, 12);
  for (const layout of Object.values(LAYOUTS)) {
    const across = layout.turned ? layout.width : layout.height;
    assert.ok(layout.v0 + BED * layout.unit < across);
  }
});
