// The renderer: Preact's elements, written as tagged templates.

import htm from "htm";
import { Component, h } from "preact";

/**
 * An empty text is left out: Preact would write it into the page again with every frame, and a
 * text that is written has its surroundings laid out.
 * @param {any} type @param {any} properties @param {...any} children
 */
const element = (type, properties, ...children) =>
  h(type, properties, ...children.map((child) => (child === "" ? null : child)));

export const html = htm.bind(element);

/**
 * A part that is rendered again only where one of its properties is another.
 * @param {(properties: any) => any} part
 */
export function still(part) {
  return class extends Component {
    /** @param {any} next */
    shouldComponentUpdate(next) {
      const names = Object.keys(next);
      return names.length !== Object.keys(this.props).length || names.some((n) => next[n] !== this.props[n]);
    }

    /** @param {any} properties */
    render(properties) {
      return part(properties);
    }
  };
}

/** @type {WeakMap<object, Map<string, {key: any[], made: any}>>} */
const remembered = new WeakMap();

/** Whether two keys are the same, numbers and words in lists compared one by one. @param {any} a @param {any} b @returns {boolean} */
function alike(a, b) {
  if (Object.is(a, b)) return true;
  const lists = (Array.isArray(a) && Array.isArray(b)) || (ArrayBuffer.isView(a) && ArrayBuffer.isView(b));
  if (!lists) return false;
  const [one, other] = /** @type {[any, any]} */ ([a, b]);
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!alike(one[i], other[i])) return false;
  return true;
}

/**
 * What was drawn last under a name, as long as its key is the same: an element that is the same
 * object is not looked at again. It is remembered with a drawing's description and id.
 * @param {{description: object, id: string}} drawing
 * @param {string} name
 * @param {any[]} key everything that it is drawn from
 * @param {() => any} make
 */
export function kept({ description, id }, name, key, make) {
  let all = remembered.get(description);
  if (!all) {
    all = new Map();
    remembered.set(description, all);
  }
  const place = `${id} ${name}`;
  const last = all.get(place);
  if (last && alike(last.key, key)) return last.made;
  const made = make();
  all.set(place, { key, made });
  return made;
}

/** Whether something is lit, given by its part and, among several, its index. @param {import("./types.js").Lit | undefined} lit @param {string} part @param {number | null} [index] */
export function isLit(lit, part, index = null) {
  return Boolean(
    lit && lit.kind === part && (index === null || lit.index === null || lit.index === Number(index)),
  );
}
