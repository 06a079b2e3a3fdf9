// Drawings for the tests of views: a spec with arrays, as a page would give them.

import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { html } from "../src/common/html.js";
import { register, VIEWS } from "../src/common/views.js";
import { broken, close, numbers } from "./pictures.js";
import "../src/runtime/allViews.js";

export const LAYOUTS = ["wide", "narrow"];

/**
 * Make a drawing of a spec. Results are nested arrays or numbers, from which shapes follow; `concealed` is a list.
 * @param {any} spec @param {Record<string, any>} results @param {any} [more] of the drawing
 */
export function drawing(spec, results, more = {}) {
  const { settings = {}, ghost = null, prediction = null, labels = {}, concealed = [], ...rest } = more;
  const outputs = Object.entries(results).map(([name, value]) => ({ name, shape: shape(value) }));
  return {
    description: { view: spec, outputs, prediction, controls: [], labels, parts: {} },
    spec,
    settings,
    values: flat(results),
    layout: "wide",
    id: "x",
    lit: null,
    guess: null,
    concealed: new Set(concealed),
    ghost: ghost && { ...settings, ...flat(ghost) },
    ...rest,
  };
}

const shape = (value) => (Array.isArray(value) ? [value.length, ...shape(value[0])] : []);
const number = (value) => (Array.isArray(value) ? Float64Array.from(value.flat(3)) : value);
const flat = (results) => Object.fromEntries(Object.entries(results).map(([name, v]) => [name, number(v)]));

/** Let a view be drawn that is not the engine's. @param {any} view */
export const known = (view) => register(view.kind, view);

const viewOf = (drawn) => VIEWS[drawn.spec.kind];
/** Return what a view draws, as text. */
export const svg = (drawn) => renderToString(html`<svg>${viewOf(drawn).draw(drawn)}</svg>`);
export const draw = (...args) => svg(drawing(...args));
export const handles = (drawn) => viewOf(drawn).handles(drawn);
export const layoutsOf = (drawn) => viewOf(drawn).layouts(drawn.spec, drawn.description);

/** Name the controls of a drawing's handles. */
export const controls = (drawn) => handles(drawn).map(({ control }) => control);
/** Check that a handle, where it lies, gives back a value. */
export const givesBack = ({ x, y, value }, expected, by) => close(value(x, y), expected, by);

/** Check that a view draws only numbers, with its words and boxes within its layout; return what it draws. */
export function wellDrawn(drawn) {
  const text = svg(drawn);
  assert.equal(broken(text), null);
  const { width, height } = layoutsOf(drawn)[drawn.layout];
  const boxes =
    /<rect class="gl-(?:cell|field)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g;
  const spots = numbers(text, /<text[^>]* x="([-\d.]+)" y="([-\d.]+)"/g);
  for (const [x, y, w = 0, h = 0] of [...spots, ...numbers(text, boxes)])
    assert.ok(x >= 0 && x + w <= width + 0.01 && y >= 0 && y + h <= height, `${drawn.spec.kind} ${x} ${y}`);
  return text;
}
