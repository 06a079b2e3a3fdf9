import assert from "node:assert/strict";
import test from "node:test";
import { close } from "explorax/tests/drawings.js";
import { description, drawer } from "explorax/tests/runtime/fixtures.js";
import { html } from "explorax/view";
import { renderToString } from "preact-render-to-string";
import { edge, geometry, LAYOUTS, pen } from "./geometry.js";
import { compact } from "./shapes.js";
import { draw, handles } from "./view.js";

const draws = await drawer(description);
const drawing = (scale, steps, layout = "wide", lit = null) => draws({ scale, steps }, { layout, lit });
const svg = (...args) => renderToString(html`<svg>${draw(drawing(...args))}</svg>`);
const flow = (scale, steps) => geometry(drawing(scale, steps).values, steps, LAYOUTS.wide);

test("the stream is as wide as what arrives, and leaves as wide as what is received", () => {
  const { received } = drawing(0.7, 5).values;
  for (const { side, state, bottom } of flow(0.7, 5).sections)
    if (side === "out" && state > 0) close(bottom, received[state - 1] * LAYOUTS.wide.unit);
});

test("sections run from right to left, and bands lie on one another without gaps", () => {
  const { sections } = flow(0.7, 12);
  for (let i = 1; i < sections.length; i++) assert.ok(sections[i].u < sections[i - 1].u);
  for (const { tops, widths } of sections)
    for (let i = 0; i + 1 < tops.length; i++) close(tops[i + 1] - tops[i], widths[i]);
});

test("a gate narrows each band to s of itself before the next loss joins it", () => {
  const { sections } = flow(0.7, 5);
  for (const [i, { side, state, widths }] of sections.entries())
    if (side === "in" && state > 0)
      widths.forEach((width, k) => {
        close(sections[i + 1].widths[k], 0.7 * width);
      });
  for (const { side, state, widths } of sections)
    if (side === "mid" && state > 0) close(widths[state - 1], 0);
});

test("an edge is level at every cut, and straight where nothing changes", () => {
  const places = [
    { u: 300, v: 10 },
    { u: 200, v: 10 },
    { u: 100, v: 30 },
  ];
  const { v0 } = LAYOUTS.wide;
  assert.equal(
    edge(places, pen(LAYOUTS.wide)),
    `300 ${v0 + 10}L200 ${v0 + 10}C150 ${v0 + 10} 150 ${v0 + 30} 100 ${v0 + 30}`,
  );
});

test("one gate says what it does, the last or the one that is pointed at", () => {
  const said = (lit) =>
    [...svg(0.5, 6, "wide", lit).matchAll(/class="gl-gate[^"]*"[^>]*data-index="(\d)".*?<\/g>/gs)]
      .filter(([gate]) => gate.includes("×0.5"))
      .map(([, j]) => Number(j));
  assert.deepEqual(said(null), [5]);
  assert.deepEqual(said({ kind: "gate", index: 2 }), [2]);
});

test("a lit loss has its own numbers at the diamonds, and the picture says what it sends", () => {
  const numbers = (lit) =>
    [...svg(0.5, 4, "wide", lit).matchAll(/class="gl-diamond.*?<\/g>/gs)].map(
      ([drawn]) => /<text[^>]*>([^<]*)</.exec(drawn)?.[1] ?? "",
    );
  assert.deepEqual(numbers(null), ["1.88", "1.75", "1.50", "1.00"]);
  assert.deepEqual(numbers({ kind: "loss", index: 3 }), ["0.25", "0.50", "1.00", ""]);
  assert.match(svg(0.5, 4), /gl-hint"[^>]*>Point at a loss</);
  const parts = [{ name: "loss", result: "own", words: "ℓ{n} has {value:,.2f}." }];
  const lit = { ...drawing(0.5, 4, "wide", { kind: "loss", index: 3 }) };
  lit.description = { ...lit.description, parts };
  assert.match(renderToString(html`<svg>${draw(lit)}</svg>`), /gl-sent[^>]*>ℓ3 has 1.00.</);
});

test("what nears a whole number is not printed as one", () => {
  const near = Array.from({ length: 12 }, (_, k) => 2 - 0.5 ** k).map(compact);
  assert.equal(new Set(near).size, 12);
  assert.equal(compact(2), "2.00");
});

test("one loss has the same height everywhere, whatever is set", () => {
  for (const scale of [0, 1, 1.5]) {
    const steps = scale ? 12 : 1;
    const last = flow(scale, steps).sections.find(({ side }) => side === "out");
    assert.equal(last.widths[steps - 1], LAYOUTS.wide.unit);
  }
});

test("every number that is drawn is a number", () => {
  for (const layout of ["wide", "narrow"]) {
    for (const steps of [1, 2, 6, 7, 12]) {
      for (const scale of [0, 0.5, 1, 2]) {
        const text = svg(scale, steps, layout);
        assert.ok(text.length > 1000);
        assert.doesNotMatch(text, /NaN|undefined|Infinity/);
      }
    }
  }
});

test("the narrow layout shows six steps at most, and says that there are more", () => {
  assert.equal(svg(0.5, 9, "narrow").match(/class="gl-diamond/g).length, 6);
  assert.match(svg(0.5, 9, "narrow"), /gl-further.*6 of 9 shown/s);
  assert.doesNotMatch(svg(0.5, 6, "narrow"), /gl-further| shown/);
});

test("a stream that is wider than its bed is cut, with words", () => {
  assert.match(svg(2, 12), /4,095 wide/);
  assert.doesNotMatch(svg(0.5, 12), / wide/);
});

test("the bound is drawn where it is, and not when there is none", () => {
  assert.match(svg(0.5, 6), /gl-limit/);
  assert.doesNotMatch(svg(1, 6), /gl-limit/);
});

test("the bound's number and the hint, at the same edge, keep apart", () => {
  const level = (/** @type {RegExp} */ of, /** @type {string} */ text) => Number(text.match(of)?.[1]);
  for (const scale of [0.8, 0.83, 0.84, 0.85, 0.86, 0.88, 0.9]) {
    const text = svg(scale, 6);
    const hint = level(/gl-hint"[^>]* y="([\d.]+)"/, text);
    const bound = level(/gl-limit" d="M\S+ ([\d.]+)L/, text);
    assert.ok(Math.abs(hint - bound) > 15, `s = ${scale}: ${hint}, ${bound}`);
  }
});

test("a handle lies where its control is, and gives back the value that put it there", () => {
  for (const layout of ["wide", "narrow"]) {
    for (const scale of [0, 0.25, 0.5, 1]) {
      const [{ control, value, x, y }] = handles(drawing(scale, 6, layout));
      assert.equal(control, "scale");
      close(value(x, y), scale);
    }
  }
});

test("where the first gate of the last loss is not drawn, or nothing is scaled, there is no handle", () => {
  assert.equal(handles(drawing(0.5, 9, "wide")).length, 1);
  for (const without of [drawing(0.5, 9, "narrow"), drawing(0.5, 1)]) assert.deepEqual(handles(without), []);
});

test("what is lit stands out, and its peers step back", () => {
  const text = svg(0.5, 6, "wide", { kind: "loss", index: 3 });
  assert.match(text, /gl-band gl-lit" data-part="loss" data-index="3"/);
  assert.match(text, /gl-band gl-dim" data-part="loss" data-index="4"/);
});

test("its numbers are never longer than five characters below a hundred thousand", () => {
  for (const value of [0, 1.97, 9.994, 9.996, 31.5, 99.94, 99.96, 4095])
    assert.ok(compact(value).length <= 5, `${value} became ${compact(value)}`);
});

test("what flows to the bar ends where the bar ends, and lies side by side", () => {
  for (const [scale, steps] of [
    [0.5, 6],
    [1, 6],
    [0.9, 12],
  ]) {
    const text = svg(scale, steps);
    const feet = [...text.matchAll(/gl-drop"[^>]*d="M.*? ([\d.]+) [\d.]+H([\d.]+)C/gs)].map(([, l, r]) => [
      +l,
      +r,
    ]);
    assert.equal(feet.length, steps);
    for (const [i, [left]] of feet.entries()) close(left, i ? feet[i - 1][1] : LAYOUTS.wide.barStart);
    const bar = Number(/gl-name.*?<rect x="112" y="\d+" width="([\d.]+)"/s.exec(text)?.[1]);
    assert.ok(Math.abs(feet.at(-1)[1] - LAYOUTS.wide.barStart - bar) < 0.1);
  }
  assert.doesNotMatch(svg(0.5, 6, "narrow"), /gl-drop/);
});

/** A river whose reader was asked for a number or a choice, and has chosen. */
function asked(how, value) {
  const drawn = { ...drawing(0.5, 6), guess: { value, committed: true } };
  drawn.description = { ...drawn.description, prediction: { how } };
  return renderToString(html`<svg>${draw(drawn)}</svg>`);
}

test("a number that was guessed is a frame with its name; the place of an option is no number", () => {
  assert.match(asked("number", 3), /gl-guess" x="112" y="\d+" width="210".*your guess/s);
  assert.doesNotMatch(asked("number", null), /gl-guess|your guess/);
  assert.doesNotMatch(asked("choice", 1), /gl-guess|your guess/);
});

test("the bound is marked at the bar too, where the bar is a mean", () => {
  const marked = (text) => [...text.matchAll(/gl-limit" d="M([\d.]+) [\d.]+v/g)].map(([, x]) => Number(x));
  assert.deepEqual(marked(svg(0.5, 6)), [LAYOUTS.wide.barStart + 2 * LAYOUTS.wide.barUnit]);
  assert.deepEqual(marked(svg(0.5, 6, "narrow")), [LAYOUTS.narrow.barStart + 2 * LAYOUTS.narrow.barUnit]);
  assert.deepEqual(marked(svg(1, 6)), []);
  const sum = drawing(0.5, 6);
  sum.settings.weights = "1";
  assert.deepEqual(marked(renderToString(html`<svg>${draw(sum)}</svg>`)), []);
  const hidden = drawing(0.5, 6);
  hidden.values = { ...hidden.values, bound: Number.NaN, line: Number.NaN };
  assert.doesNotMatch(renderToString(html`<svg>${draw(hidden)}</svg>`), /gl-limit|bound/);
});

test("the edge of the stream before is named where it ends: by s if nothing else was another", () => {
  const after = (scale, steps, ghost) => {
    const now = drawing(scale, steps);
    const was = drawing(...ghost);
    return renderToString(html`<svg>${draw({ ...now, ghost: { ...was.values, ...was.settings } })}</svg>`);
  };
  assert.match(after(0.5, 6, [1, 6]), />s = 1</);
  assert.match(after(0.5, 12, [1, 6]), />before</);
  assert.doesNotMatch(after(0.5, 6, [2, 12]), />before</, "it ends beyond the bed");
});
