import assert from "node:assert/strict";
import test from "node:test";
import { html } from "../../src/common/html.js";
import { adopt, patch } from "../../src/runtime/patch.js";

/** As much of a page as patch asks for. */
class FakeNode {
  data = "";
  parentNode = null;
  childNodes = [];
  attributes = new Map();

  constructor(name) {
    this.name = name;
  }
  remove() {
    const { childNodes } = this.parentNode;
    childNodes.splice(childNodes.indexOf(this), 1);
    this.parentNode = null;
  }
  insertBefore(node, next) {
    if (node.parentNode) node.remove();
    const at = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    assert.ok(at >= 0, "what it is put before is elsewhere");
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  toString() {
    if (this.name === "#text") return this.data;
    const attributes = [...this.attributes].sort().map(([name, value]) => ` ${name}=${value}`);
    return `<${this.name}${attributes.join("")}>${this.childNodes.join("")}</${this.name}>`;
  }
}
globalThis.document = {
  createElementNS: (_, name) => new FakeNode(name),
  createTextNode: () => new FakeNode("#text"),
};

/** A page with what was made of each of these in turn. */
function page(...made) {
  const root = new FakeNode("g");
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

test("one of several with keys goes, and the others are the nodes that they were", () => {
  const made = (keys) => html`<g>${keys.map((key) => html`<circle key=${key} />`)}</g>`;
  const { root, shown } = page(made(["a", "b", "c"]));
  const [a, , c] = root.childNodes[0].childNodes;
  patch(root, shown, made(["a", "c"]), null);
  assert.deepEqual(root.childNodes[0].childNodes, [a, c]);
  patch(root, shown, made(["b", "c"]), null);
  assert.equal(root.childNodes[0].childNodes[1], c);
  assert.equal(root.childNodes[0].childNodes.length, 2);
});

test("nodes that were there are taken over", () => {
  const next = chance(3);
  for (let i = 0; i < 300; i++) {
    const [first, second] = [html`<g>${any(next, 3)}</g>`, html`<g>${any(next, 3)}</g>`];
    const { root } = page(first);
    const node = root.childNodes[0];
    const shown = adopt(first, root.childNodes.values());
    patch(root, shown, second, null);
    assert.equal(root.childNodes[0], node);
    assert.equal(root.toString(), drawn(second));
  }
});
