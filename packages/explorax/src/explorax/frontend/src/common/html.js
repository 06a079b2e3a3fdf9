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
