// The renderer: Preact's elements, written as tagged templates.

import htm from "htm";
import { Component, h } from "preact";

export const html = htm.bind(h);

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

/** @type {WeakMap<object, Map<string, {key: string, made: any}>>} */
const remembered = new WeakMap();

/**
 * What was drawn last under a name, as long as its key is the same: an element that is the same
 * object is not looked at again. It is remembered with a drawing's description and id.
 * @param {{description: object, id: string}} drawing
 * @param {string} name
 * @param {any[]} key everything that it is drawn from
 * @param {() => any} make
 */
export function kept({ description, id }, name, key, make) {
  const all = remembered.get(description) ?? new Map();
  remembered.set(description, all);
  const [place, now] = [`${id} ${name}`, key.join()];
  const last = all.get(place);
  if (last?.key === now) return last.made;
  const made = make();
  all.set(place, { key: now, made });
  return made;
}

/** Whether something is lit, given by its part and, among several, its index. @param {import("./types.js").Lit | undefined} lit @param {string} part @param {number | null} [index] */
export function isLit(lit, part, index = null) {
  return Boolean(
    lit && lit.kind === part && (index === null || lit.index === null || lit.index === Number(index)),
  );
}
