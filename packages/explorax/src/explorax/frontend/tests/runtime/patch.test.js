import assert from "node:assert/strict";
import test from "node:test";
import { html } from "../../src/common/html.js";
import { adopt, patch } from "../../src/runtime/patch.js";

/** As much of a page as patch asks for. */
class FakeNode {
  constructor(name, space) {
    Object.assign(this, { name, namespaceURI: space, data: "", parent: null });
    Object.assign(this, { children: [], attributes: new Map(), style: { cssText: "" }, written: 0 });
  }
  get parentNode() {
    return this.parent;
  }
  get childNodes() {
    return this.children;
  }
  remove() {
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
  }
  insertBefore(node, next) {
    if (node.parent) node.remove();
    const at = next ? this.children.indexOf(next) : this.children.length;
    assert.ok(at >= 0, "what it is put before is elsewhere");
    this.children.splice(at, 0, node);
    node.parent = this;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    this.written++;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  toString() {
    if (this.name === "#text") return this.data;
    const attributes = [...this.attributes].sort().map(([name, value]) => ` ${name}=${value}`);
    return `<${this.name}${attributes.join("")}>${this.children.join("")}</${this.name}>`;
  }
}
globalThis.document = {
  createElementNS: (space, name) => new FakeNode(name, space),
  createTextNode: () => new FakeNode("#text", null),
};

/** A page with what was made of each of these in turn. */
function page(...made) {
  const root = new FakeNode("g", "http://www.w3.org/2000/svg");
  let shown;
  for (const each of made) shown = patch(root, shown, each, null);
  return { root, shown };
}
const drawn = (...made) => page(...made).root.toString();

/** Numbers below `most`, the same each time. */
function chance(seed) {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

/** Something to draw: elements, words, lists, nothing. */
function any(next, deep) {
  const kind = next(deep ? 6 : 3);
  if (kind === 0) return null;
  if (kind === 1) return ["a", "b", ""][next(3)];
  if (kind === 2) return html`<path d=${next(3)} class=${next(2) ? "x" : undefined} />`;
  const inside = Array.from({ length: next(4) }, () => any(next, deep - 1));
  if (kind === 3) return inside;
  return html`<${["g", "text"][next(2)]} x=${next(3)}>${inside}${any(next, deep - 1)}</>`;
}

test("whatever was there before, what is made is what is shown", () => {
  const next = chance(7);
  for (let i = 0; i < 3000; i++) {
    const [first, second, third] = [any(next, 3), any(next, 3), any(next, 3)];
    assert.equal(drawn(first, second), drawn(second));
    assert.equal(drawn(first, second, third), drawn(third));
  }
});

test("what stays the same is the same node, and is not written again", () => {
  const made = (d) => html`<g><text>k</text><path class="a" d=${d} /></g>`;
  const { root, shown } = page(made("M0"));
  const path = root.children[0].children[1];
  const before = path.written;
  patch(root, shown, made("M0"), null);
  assert.equal(path.written, before);
  patch(root, shown, made("M1"), null);
  assert.equal(root.children[0].children[1], path);
  assert.equal(path.written, before + 1);
});

test("one of several with keys goes, and the others are the nodes that they were", () => {
  const made = (keys) => html`<g>${keys.map((key) => html`<circle key=${key} />`)}</g>`;
  const { root, shown } = page(made(["a", "b", "c"]));
  const [a, , c] = root.children[0].children;
  patch(root, shown, made(["a", "c"]), null);
  assert.deepEqual(root.children[0].children, [a, c]);
  patch(root, shown, made(["b", "c"]), null);
  assert.equal(root.children[0].children[1], c);
  assert.equal(root.children[0].children.length, 2);
});

test("nodes that were there are taken over", () => {
  const next = chance(3);
  for (let i = 0; i < 300; i++) {
    const [first, second] = [html`<g>${any(next, 3)}</g>`, html`<g>${any(next, 3)}</g>`];
    const { root } = page(first);
    const node = root.children[0];
    const shown = adopt(first, root.children.values());
    patch(root, shown, second, null);
    assert.equal(root.children[0], node);
    assert.equal(root.toString(), drawn(second));
  }
});

test("formulas and pictures are of their own kinds, and what is in them with them", () => {
  const { root } = page(html`<div><svg><path /></svg><math><mi>x</mi></math></div>`);
  const [svg, math] = root.children[0].children;
  assert.match(svg.children[0].namespaceURI, /svg$/);
  assert.match(math.children[0].namespaceURI, /MathML$/);
});

test("what is new is put into the page when it is complete", () => {
  const { root, shown } = page(html`<g />`);
  const [group] = root.children;
  let found = "";
  const insert = group.insertBefore;
  group.insertBefore = function (node, next) {
    found = String(node);
    insert.call(this, node, next);
  };
  patch(root, shown, html`<g><path class="a" d="M0" /></g>`, null);
  assert.equal(found, "<path class=a d=M0></path>");
});
