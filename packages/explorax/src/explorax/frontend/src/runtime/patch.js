// A picture in the page is brought up to date by comparing the elements that it is made of with those of the
// frame before. It knows elements, text and lists, which is all that a picture has, and takes less time than
// Preact, whose elements they are.

import { Component, h } from "preact";

/**
 * What is in the page: the element, the text or the list it was made from, its node, and what is in it.
 * @typedef {{made: any, node: any, inside: Shown[]}} Shown nothing has no node: `null` or `false`
 */

/** @type {Record<string, string>} */
const NAMESPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };

/** @type {(made: any) => boolean} */
const isElement = (made) => Boolean(made?.type);
/** @type {(made: any) => boolean} */
const isNothing = (made) => made === null || made === undefined || typeof made === "boolean";

/** The children of an element, or the items of a list. @param {any} made @returns {any[]} */
function listed(made) {
  const children = Array.isArray(made) ? made : made.props?.children;
  return Array.isArray(children) ? children : children === undefined ? [] : [children];
}

/**
 * Takes over nodes that were made from an element, such as by Preact.
 * @param {any} made @param {Iterator<Node>} nodes @returns {Shown}
 */
export function adopt(made, nodes) {
  if (isNothing(made)) return { made, node: null, inside: [] };
  const node = Array.isArray(made) ? null : nodes.next().value;
  const within = isElement(made) ? node.childNodes.values() : nodes;
  return { made, node, inside: listed(made).map((child) => adopt(child, within)) };
}

/** The first node of what is shown, or of what comes after it. @param {Shown} shown @param {Node | null} next @returns {Node | null} */
function start({ node, inside }, next) {
  return node ?? inside.reduceRight((after, each) => start(each, after), next);
}

/** @param {Shown} shown */
function remove({ node, inside }) {
  if (node) node.remove();
  else inside.forEach(remove);
}

/** Tell if what is shown can become what is made. @param {Shown} shown @param {any} made */
function fits({ made: was }, made) {
  if (isElement(made)) return was?.type === made.type && was.key === made.key;
  if (Array.isArray(made)) return Array.isArray(was);
  return !isElement(was) && !Array.isArray(was) && isNothing(was) === isNothing(made);
}

/**
 * Brings what is shown up to date.
 * @param {any} parent @param {Shown | undefined} shown @param {any} made @param {Node | null} next the node that it stands before
 * @returns {Shown}
 */
export function patch(parent, shown, made, next) {
  if (!shown || !fits(shown, made)) {
    if (shown) remove(shown);
    shown = { made: undefined, node: created(parent, made), inside: [] };
  }
  const { node, made: was } = shown;
  if (was === made) return shown;
  shown.made = made;
  if (isElement(made)) {
    attributes(node, was?.props ?? {}, made.props);
    children(node, shown, listed(made), null);
  } else if (node) node.data = String(made);
  else if (!isNothing(made)) children(parent, shown, made, next);
  // complete, so that what is set on it is no change of the page
  if (node && !node.parentNode) parent.insertBefore(node, next);
  return shown;
}

/** @param {any} parent @param {any} made @returns {Node | null} */
function created({ namespaceURI }, made) {
  if (isElement(made)) return document.createElementNS(NAMESPACES[made.type] ?? namespaceURI, made.type);
  return isNothing(made) || Array.isArray(made) ? null : document.createTextNode("");
}

/** @param {any} parent @param {Shown} shown @param {any[]} made @param {Node | null} next */
function children(parent, shown, made, next) {
  const before = shown.inside;
  const was = keyed(before[0]?.made) || keyed(made[0]) ? made.map((child) => found(before, child)) : before;
  for (const each of was === before
    ? before.slice(made.length)
    : before.filter((each) => !was.includes(each))) {
    remove(each);
  }
  shown.inside = new Array(made.length);
  for (let i = made.length - 1; i >= 0; i--) {
    shown.inside[i] = patch(parent, was[i], made[i], next);
    next = start(shown.inside[i], next);
  }
}

/** Tell if a list is one whose elements have keys: any of these may go or come, and none overtakes another. @param {any} first */
const keyed = (first) => first?.key !== null && first?.key !== undefined;

/** @param {Shown[]} shown @param {any} made */
const found = (shown, made) => shown.find((each) => each.made?.key === made.key);

/** @param {any} node @param {Record<string, any>} was @param {Record<string, any>} is */
function attributes(node, was, is) {
  for (const name in was) if (!(name in is)) node.removeAttribute(name);
  for (const name in is) {
    const value = is[name];
    if (value === was[name] || name === "children") continue;
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (name === "style")
      node.style.cssText = value; // pages may forbid the attribute
    else node.setAttribute(name, value === true ? "" : value);
  }
}

/** An element, `made`, whose content is brought up to date by `patch`. */
export class Patched extends Component {
  /** @type {any} */
  node = null;

  componentDidMount() {
    this.shown = adopt(this.props.made, [this.node].values());
  }

  shouldComponentUpdate(/** @type {any} */ { made }) {
    patch(this.node.parentNode, this.shown, made, this.node.nextSibling);
    return false;
  }

  render(/** @type {any} */ { made: { type, props } }) {
    const ref = (/** @type {any} */ node) => {
      this.node = node ?? this.node;
    };
    return h(type, { ...props, ref });
  }
}
