// Markup with slots for numbers, read once and rendered with the numbers of the moment.
//
// An element with `data-part` lights with that part, and is a question mark until that is predicted. `data-each="result"` repeats an element for
// each of a result's numbers, `{value}` and `{n}` in it, `data-count` of them, and the text
// `data-between` between two; of many, those in the middle only when they are lit. `data-when="name"`, or `"name=value"`, several of them with spaces, shows an element
// only then; with `!` before it, otherwise. What asks for something concealed is not shown.

import { h } from "preact";
import { asked, fill } from "../common/template.js";
import { isLit } from "../views/common/read.js";

/** @typedef {{tag: string, properties: Record<string, string>, children: (Node | string)[], same?: any}} Node what stays as it is has its element */
/** @typedef {{values: Record<string, any>, lit: import("../common/types.js").Lit, concealed: Set<string>}} Context */

const MANY = 6; // numbers of a sum that are all written
const TOKEN = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;
const PROPERTY = /([\w-]+)="([^"]*)"/g;
const ESCAPED = /&(lt|gt|quot|amp);/g;
/** @type {Record<string, string>} */
const CHARACTERS = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** The text that markup stands for: "<" for "&lt;". @param {string} text */
const unescaped = (text) => text.replace(ESCAPED, (_, name) => CHARACTERS[name]);

/** @type {Map<string, (Node | string)[]>} */
const known = new Map();

/** Reads markup. @param {string} text @returns {(Node | string)[]} */
export function parse(text) {
  const found = known.get(text);
  if (found) return found;
  /** @type {Node[]} */
  const open = [{ tag: "", properties: {}, children: [] }];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== end) break;
    end += match[0].length;
    const [whole, closes, tag, properties, empty] = match;
    /** @type {any} */
    const inside = open.at(-1);
    if (!tag) inside.children.push(unescaped(whole));
    else if (closes) {
      if (inside.tag !== tag) throw new Error(`</${tag}> closes <${inside.tag}> in ${text}`);
      open.pop();
    } else {
      const node = {
        tag,
        properties: Object.fromEntries(
          [...properties.matchAll(PROPERTY)].map(([, n, v]) => [n, unescaped(v)]),
        ),
        children: [],
      };
      inside.children.push(node);
      if (!empty) open.push(node);
    }
  }
  if (end !== text.length || open.length > 1) throw new Error(`This markup cannot be read: ${text}`);
  known.set(text, open[0].children);
  return open[0].children;
}

/** Renders markup. @param {string} text @param {Context} context */
export function markup(text, context) {
  return parse(text).map((node) => rendered(node, context));
}

/** Tell if nothing in it depends on the moment. @param {Node | string} node @returns {boolean} */
function stays(node) {
  if (typeof node === "string") return !asked(node).length;
  return !Object.keys(node.properties).some((name) => name.startsWith("data-")) && node.children.every(stays);
}

/** @param {Node | string} node @param {Context} context @returns {any} */
function rendered(node, context) {
  if (typeof node === "string") return filled(node, context);
  if (node.same === undefined) node.same = stays(node) ? element(node, node.properties, context) : null;
  if (node.same) return node.same;
  const { "data-each": each, "data-count": count, "data-between": between, ...rest } = node.properties;
  const { "data-when": when, ...properties } = rest;
  if (when && !holds(when, context)) return null;
  if (!each) return element(node, properties, context);
  const numbers = context.values[each];
  const wanted = count ? Number(context.values[count] ?? count) || 0 : numbers.length;
  const many = Math.min(Math.max(Math.floor(wanted), 0), numbers.length);
  // in text there is a place for each that there may be: one that comes leaves the others as they are
  const place = node.tag === "span";
  const away = (/** @type {number} */ i) =>
    many > MANY && i > 2 && i < many - 2 && !isLit(context.lit, properties["data-part"], i + 1);
  return Array.from({ length: place ? numbers.length : many }, (_, i) => {
    if (i >= many || away(i)) return h("span", null, i < many && !away(i - 1) ? `${between}…` : null);
    const n = i + 1;
    const value = context.concealed.has(each) ? "?" : numbers[i];
    const own = { ...context, values: { ...context.values, n: String(n), value } };
    const numbered = { ...properties, "data-index": String(n) };
    const both = [i && between ? between : null, element(node, numbered, own)];
    return place ? h("span", null, both) : both;
  });
}

/** @param {Node} node @param {Record<string, string>} properties @param {Context} context */
function element(node, properties, context) {
  const { "data-part": part, "data-index": index, class: kind = "" } = properties;
  const lit = part && isLit(context.lit, part, index === undefined ? undefined : Number(index));
  const hidden = part && context.concealed.has(part) && index === undefined;
  const classes = part ? `${kind} gl-term${lit ? " gl-lit" : ""}`.trim() : kind;
  return h(
    node.tag,
    classes ? { ...properties, class: classes } : properties,
    ...(hidden
      ? [node.tag === "span" ? "?" : h("mtext", null, "?")]
      : node.children.map((child) => rendered(child, context))),
  );
}

/** @param {string} text @param {Context} context */
function filled(text, { values, concealed }) {
  const hidden = asked(text).filter((name) => concealed.has(name));
  if (!hidden.length) return fill(text, values);
  return fill(text, { ...values, ...Object.fromEntries(hidden.map((name) => [name, "?"])) });
}

/** @param {string} when @param {Context} context */
function holds(when, { values, concealed }) {
  return when.split(" ").every((condition) => {
    const [name, wanted] = condition.replace(/^!/, "").split("=");
    const value = values[name];
    if (concealed.has(name)) return false;
    if (value === undefined) throw new Error(`"${when}" asks for "${name}", which there is not.`);
    const is = wanted === undefined ? Boolean(Number(value)) : String(value) === wanted;
    return is !== condition.startsWith("!");
  });
}
