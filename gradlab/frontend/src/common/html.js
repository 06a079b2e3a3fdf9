// The renderer: Preact's elements, written as tagged templates.

import htm from "htm";
import { h } from "preact";

/**
 * An empty text is left out: Preact would write it into the page again with every frame, and a
 * text that is written has its surroundings laid out.
 * @param {any} type @param {any} properties @param {...any} children
 */
const element = (type, properties, ...children) =>
  h(type, properties, ...children.map((child) => (child === "" ? null : child)));

export const html = htm.bind(element);

/** Whether something is lit, given by its part and, among several, its index. @param {import("./types.js").Lit | undefined} lit @param {string} part @param {number | null} [index] */
export function isLit(lit, part, index = null) {
  return Boolean(
    lit && lit.kind === part && (index === null || lit.index === null || lit.index === Number(index)),
  );
}
