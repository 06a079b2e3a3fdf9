import assert from "node:assert/strict";
import test from "node:test";
import { controls, drawing, givesBack, handles, known, svg } from "explorax/tests/drawings.js";
import { close, numbers } from "explorax/tests/pictures.js";
import { geometry, LAYOUTS } from "./geometry.js";
import { compact } from "./shapes.js";
import * as view from "./view.js";

known(view);

const SIZE = 12;
const TEMPLATES = { scale: "×{scale}", was: "before: s = {scale}", torn: "{n} wide" };
/** Each other label is its own name. */
const LABELS = new Proxy(TEMPLATES, { get: (templates, name) => templates[name] ?? name });
const each = (value) => Array.from({ length: SIZE }, (_, i) => value(i + 1));
const sum = (all) => all.reduce((a, b) => a + b, 0);

/** Unroll a chain of at most 12 steps, scaled by s between them. */
function results(scale, steps) {
  const sends = (k, j) => (j <= k && k <= steps ? scale ** (k - j) : 0);
  const contributions = each((k) => each((j) => sends(k, j)));
  const received = each((j) => sum(each((k) => sends(k, j))));
  const [own, root] = [each((k) => Number(k <= steps)), each((k) => sends(k, 1))];
  const [gates_in, gates_out] = [each((k) => Number(k > 1 && k <= steps)), Array(SIZE).fill(0)];
  const arrays = { states: Array(SIZE + 1).fill(1), contributions, arrivals: contributions, received };
  const bound = scale < 1 ? 1 / (1 - scale) : Infinity;
  const lines = { line: bound, bound, clip_line: Infinity };
  const flags = { acts: 0, weighs: Number(steps > 1), scales: 1, clips: 0, case: 0 };
  const [total, reference] = [sum(received) / steps, (steps + 1) / 2];
  const unscaled = each((j) => (scale === 1 ? Infinity : Math.max(0, steps - j + 1)));
  return { ...arrays, unscaled, own, root, gates_in, gates_out, total, reference, ...lines, ...flags };
}
/** Draw a river; `parts` are of its description. */
function river(scale, steps, { parts = [], results: others, settings, ...more } = {}) {
  const set = { settings: { scale, steps, gain: 1, ...settings }, labels: LABELS, ...more };
  const drawn = drawing({ kind: "stream" }, { ...results(scale, steps), ...others }, set);
  Object.assign(drawn.description, { parts, sight: ["scale", "steps"], more: [] });
  return drawn;
}
const picture = (...args) => svg(river(...args));
const gained = (steps) => ({ ...river(0.5, steps).description, sight: ["scale", "gain", "steps"] });
const narrow = (scale, steps) => picture(scale, steps, { layout: "narrow" });
const flow = (scale, steps) => geometry(river(scale, steps).values, steps, LAYOUTS.wide).sections;

test("the stream is as wide as what arrives, and leaves as wide as what is received", () => {
  const { received } = river(0.7, 5).values;
  for (const { side, state, bottom } of flow(0.7, 5))
    if (side === "out" && state > 0) close(bottom, received[state - 1] * LAYOUTS.wide.unit);
});

test("sections run from right to left, and bands lie on one another without gaps", () => {
  const sections = flow(0.7, 12);
  for (let i = 1; i < sections.length; i++) assert.ok(sections[i].u < sections[i - 1].u);
  for (const { tops, widths } of sections)
    for (let i = 0; i + 1 < tops.length; i++) close(tops[i + 1] - tops[i], widths[i]);
});

test("a gate narrows each band to s of itself before the next loss joins it", () => {
  const sections = flow(0.7, 5);
  for (const [i, { side, state, widths }] of sections.entries()) {
    const narrowed = widths.map((width) => 0.7 * width);
    if (side === "in" && state > 0) close(sections[i + 1].widths.slice(0, widths.length), narrowed);
    if (side === "mid" && state > 0) close(widths[state - 1], 0);
  }
});

test("the factors of the last gate and application are written: s by its value where it is alone", () => {
  const said = (...args) => picture(...args).match(/(?<=gl-factor[^>]*>)[^<]+/g);
  assert.deepEqual(said(0.5, 6), ["×0.5"]);
  const both = (steps) =>
    svg(Object.assign(river(0.5, steps), { description: gained(steps) })).match(/(?<=gl-factor[^>]*>)[^<]+/g);
  assert.deepEqual([both(5), both(12)], [["×s", "×ρ"], ["×s ×ρ"]]);
});

test("a lit loss stands out, has its own numbers at the diamonds, and what it sends is written", () => {
  const lit = { kind: "loss", index: 3 };
  const diamonds = (more) => {
    const all = picture(0.5, 4, more).match(/class="gl-diamond.*?<\/g>/gs);
    return all.map((one) => /<text[^>]*>([^<]*)</.exec(one)?.[1] ?? "");
  };
  assert.deepEqual(diamonds(), ["1.88", "1.75", "1.50", "1"]);
  assert.deepEqual(diamonds({ lit }), ["0.25", "0.50", "1", ""]);
  const parts = [{ name: "loss", result: "own", words: "ℓ{n} has {value:,.2f}." }];
  const text = picture(0.5, 4, { lit, parts });
  assert.match(
    text,
    /gl-band gl-lit" data-part="loss" data-index="3".*gl-band gl-dim.*gl-sent[^>]*>ℓ3 has 1.00.</s,
  );
});

test("only whole numbers have no decimals, and none has more than five characters below 100,000", () => {
  assert.deepEqual([2, 1.9995, 1.97, 31.46].map(compact), ["2", "2.00", "1.97", "31.5"]);
  for (const value of [0, 1.97, 9.994, 9.996, 31.5, 99.94, 99.96, 4095])
    assert.ok(compact(value).length <= 5, `${value} became ${compact(value)}`);
});

test("one loss has the same height everywhere, whatever is set", () => {
  for (const scale of [0, 1, 1.5]) {
    const steps = scale ? 12 : 1;
    const last = flow(scale, steps).find(({ side }) => side === "out");
    assert.equal(last.widths[steps - 1], LAYOUTS.wide.unit);
  }
});

test("every number that is drawn is finite", () => {
  for (const layout of ["wide", "narrow"])
    for (const steps of [1, 2, 6, 7, 12])
      for (const scale of [0, 0.5, 1, 2])
        assert.doesNotMatch(picture(scale, steps, { layout }), /NaN|undefined|Infinity/);
});

test("a stream that is wider than its bed is cut, with words", () => {
  assert.match(picture(2, 12), /4,095 wide/);
  assert.doesNotMatch(picture(0.5, 12), / wide/);
});

test("a handle lies where its control is, and gives back the value that put it there", () => {
  for (const layout of ["wide", "narrow"])
    for (const scale of [0, 0.25, 0.5, 1]) {
      const [handle] = handles(river(scale, 6, { layout }));
      assert.equal(handle.control, "scale");
      givesBack(handle, scale);
    }
});

test("where no gate is, there is no handle", () => {
  assert.deepEqual(controls(river(0.5, 9, { layout: "narrow" })), ["scale"]);
  assert.deepEqual(controls(river(0.5, 1)), []);
});

test("what flows to the bar ends where the bar ends, and lies side by side; where there is no room it's gone", () => {
  for (const [scale, steps] of [
    [0.5, 6],
    [1, 6],
    [0.9, 8],
  ]) {
    const text = picture(scale, steps);
    const feet = numbers(/gl-drop" d="([^"]*)/.exec(text)[1], / ([\d.]+) [\d.]+H([\d.]+)C/g);
    assert.equal(feet.length, steps);
    for (const [i, [left]] of feet.entries()) close(left, i ? feet[i - 1][1] : LAYOUTS.wide.barStart);
    const bar = Number(/<rect x="140" y="\d+" width="([\d.]+)"/.exec(text)?.[1]);
    assert.ok(Math.abs(feet.at(-1)[1] - LAYOUTS.wide.barStart - bar) < 0.2);
  }
  for (const text of [narrow(0.5, 6), picture(0.5, 12)]) assert.doesNotMatch(text, /gl-drop" d="M/);
});

test("a number that was guessed is a frame with its name; the place of an option is not", () => {
  const asked = (how, value) => picture(0.5, 6, { guess: { value, committed: true }, prediction: { how } });
  assert.match(asked("number", 3), /gl-guess" x="140" y="\d+" width="180".*>guess</s);
  assert.doesNotMatch(asked("number", null), /gl-guess/);
  assert.doesNotMatch(asked("choice", 1), /gl-guess/);
});

test("a width that rounds to the bound is said to be below it", () => {
  assert.match(picture(0.5, 12), />(<|&lt;)2</);
  assert.doesNotMatch(picture(0.5, 5), />(<|&lt;)2</);
});

test("the bound is marked at the bar too, where the bar is a mean", () => {
  const marked = (text) => numbers(text, /gl-limit" d="M([\d.]+) [\d.]+v/g).flat();
  const bar = ({ barStart, barUnit }) => [barStart + 2 * barUnit];
  assert.deepEqual(marked(picture(0.5, 6)), bar(LAYOUTS.wide));
  assert.deepEqual(marked(narrow(0.5, 6)), bar(LAYOUTS.narrow));
  assert.equal(picture(0.5, 6).match(/>bound/g)?.length, 1, "and named once");
  assert.deepEqual(marked(picture(1, 6)), []);
  assert.deepEqual(marked(picture(0.5, 6, { settings: { weights: "1" } })), []);
  const hidden = picture(0.5, 6, { results: { bound: Number.NaN, line: Number.NaN } });
  assert.doesNotMatch(hidden, /gl-limit" d="M|bound/);
});

test("the edge of the stream before is named where it ends: by s if nothing else has changed", () => {
  const after = (scale, steps, was) => {
    const before = river(...was);
    return svg({ ...river(scale, steps), ghost: { ...before.values, ...before.settings } });
  };
  assert.match(after(0.5, 6, [0.75, 6]), />before: s = 0.75</);
  assert.match(after(0.5, 12, [1, 6]), />before</);
  assert.doesNotMatch(after(0.5, 6, [1, 6]), />before/, "the river without the line is named there");
  assert.doesNotMatch(after(0.5, 6, [2, 12]), />before</, "it ends beyond the bed");
});
