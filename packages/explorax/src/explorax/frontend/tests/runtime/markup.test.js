import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { html } from "../../src/common/html.js";
import { markup, parse } from "../../src/runtime/markup.js";

const shown = (text, values, lit = null, hidden = []) =>
  renderToString(html`<p>${markup(text, { values, lit, concealed: new Set(hidden) })}</p>`);

test("the present numbers stand in the slots", () => {
  const formula = (x) => `<math><mi>x</mi><mo>=</mo><mn>${x}</mn></math>`;
  assert.equal(shown(formula("{x:,.2f}"), { x: 0.125 }), `<p>${formula("0.13")}</p>`);
});

test("a sign that markup escapes is the sign", () => {
  const relation = '<math data-part="a &gt; b"><mo>&lt;</mo></math> R&amp;D';
  assert.deepEqual(parse(relation)[0].properties, { "data-part": "a > b" });
  assert.equal(parse(relation)[0].children[0].children[0], "<");
  assert.equal(shown("R&amp;D &amp;lt; 1", {}), "<p>R&amp;D &amp;lt; 1</p>");
});

test("a term lights with its part, and one of several with its index", () => {
  const text = '<mi data-part="a">a</mi><mi data-part="b" data-index="2">b</mi>';
  const classes = (lit) => [...shown(text, {}, lit).matchAll(/class="([^"]*)"/g)].map(([, names]) => names);
  assert.deepEqual(classes({ kind: "a", index: 3 }), ["gl-term gl-lit", "gl-term"]);
  assert.deepEqual(classes({ kind: "b", index: 2 }), ["gl-term", "gl-term gl-lit"]);
  assert.deepEqual(classes({ kind: "b", index: 1 }), ["gl-term", "gl-term"]);
  assert.deepEqual(classes({ kind: "b", index: null }), ["gl-term", "gl-term gl-lit"]);
});

test("what is repeated has a place for each number, filled as far as is counted, and words between", () => {
  const text = '<span data-each="v" data-count="k" data-between=" + " data-part="v">{value:,.2f}</span>';
  assert.equal(
    shown(text, { v: Float64Array.of(1, 20.5, 3), k: 2 }).replaceAll(/ class="[^"]*"/g, ""),
    '<p><span><span data-part="v" data-index="1">1.00</span></span>' +
      '<span> + <span data-part="v" data-index="2">20.50</span></span><span></span></p>',
  );
});

test("of many terms the middle is left out, but for the one that is lit", () => {
  const text = '<span data-each="v" data-between=" + " data-part="v">{value}</span>';
  const plain = (count, lit) =>
    shown(text, { v: Array.from({ length: count }, (_, i) => i + 1) }, lit).replaceAll(/<[^>]*>/g, "");
  assert.equal(plain(6, null), "1 + 2 + 3 + 4 + 5 + 6");
  assert.equal(plain(12, null), "1 + 2 + 3 + … + 11 + 12");
  assert.equal(plain(12, { kind: "v", index: 7 }), "1 + 2 + 3 + … + 7 + … + 11 + 12");
  assert.equal(plain(12, { kind: "v", index: 4 }), "1 + 2 + 3 + 4 + … + 11 + 12");
});

test("what has a condition is there when it holds", () => {
  const text =
    '<i data-when="on">a</i><i data-when="!on">b</i><i data-when="where=here !off">c</i><i data-when="!where=here">d</i>';
  assert.equal(shown(text, { on: 1, where: "here", off: 0 }), "<p><i>a</i><i>c</i></p>");
  assert.equal(shown(text, { on: 0, where: "there", off: 0 }), "<p><i>b</i><i>d</i></p>");
  assert.throws(() => shown(text, { on: 1 }), /asks for "where", which there is not/);
});

test("what is to be predicted is a question mark", () => {
  assert.equal(shown("<mn>{y:,.2f}</mn>", { y: 1 }, null, ["y"]), "<p><mn>?</mn></p>");
  assert.match(shown('<span data-each="v">{value}</span>', { v: [1] }, null, ["v"]), />\?</);
});

test("markup that is not well formed is refused", () => {
  for (const text of ["<math>", "<a></b>", "a < b", "<mi data-part=a>x</mi>"])
    assert.throws(() => parse(text), /closes|cannot be read/, text);
});
