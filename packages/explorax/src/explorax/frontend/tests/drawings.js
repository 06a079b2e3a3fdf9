// Drawings for the tests of views: a spec with arrays, as a page would hand them over.

import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { html } from "../src/common/html.js";
import { register, VIEWS } from "../src/common/views.js";
import "../src/runtime/allViews.js";

export const LAYOUTS = ["wide", "narrow"];

/**
 * A drawing of a spec. Results are given as nested arrays or numbers; shapes follow from them.
 * @param {any} spec @param {Record<string, any>} results @param {any} [more] of the drawing
 */
export function drawing(spec, results, { settings = {}, ghost = null, prediction = null, ...more } = {}) {
  const outputs = Object.entries(results).map(([name, value]) => ({ name, shape: shape(value) }));
  return {
    description: { view: spec, outputs, prediction, controls: [], labels: {}, parts: {} },
    spec,
    settings,
    values: flat(results),
    layout: "wide",
    id: "x",
    lit: null,
    guess: null,
    concealed: new Set(),
    ghost: ghost && { ...settings, ...flat(ghost) },
    ...more,
  };
}

const shape = (value) => (Array.isArray(value) ? [value.length, ...shape(value[0])] : []);
const flat = (results) =>
  Object.fromEntries(
    Object.entries(results).map(([name, value]) => [
      name,
      Array.isArray(value) ? Float64Array.from(value.flat(3)) : value,
    ]),
  );

/** Let a view be drawn that is not the engine's. @param {any} view */
export const known = (view) => register(view.kind, view);

const viewOf = (drawn) => VIEWS[drawn.spec.kind];
/** What a view draws, as text. */
export const svg = (drawn) => renderToString(html`<svg>${viewOf(drawn).draw(drawn)}</svg>`);
export const draw = (...args) => svg(drawing(...args));
export const handles = (drawn) => viewOf(drawn).handles(drawn);
export const layoutsOf = (drawn) => viewOf(drawn).layouts(drawn.spec, drawn.description);

/** How often a pattern is found. */
export const count = (text, what) => [...text.matchAll(what)].length;

/** That two numbers are as good as equal. */
export const close = (a, b, by = 1e-9) => {
  if (!(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)))) throw new Error(`${a} and ${b} are not close`);
};

/** Attributes that hold what is no number. */
export const broken = (text) => text.match(/="[^"]*(NaN|undefined|Infinity)[^"]*"/g);

/** Tell that all that a view draws is a number, and all words within its layout; return what it draws. */
export function wellDrawn(drawn) {
  const text = svg(drawn);
  assert.equal(broken(text), null);
  const { width, height } = layoutsOf(drawn)[drawn.layout];
  for (const [, x, y] of text.matchAll(/<text[^>]* x="([-\d.]+)" y="([-\d.]+)"/g))
    assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${drawn.spec.kind} ${drawn.layout} ${x} ${y}`);
  return text;
}

/** All that stands in the picture as text. */
export const texts = (text) => [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);

/** The numbers of a path, two by two. */
export const points = (path) =>
  [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

// Specs as packages/explorax/src/explorax/views describes them; what is empty there is left out.

export const AXES = [
  [1, 0],
  [0, 1],
];
export const vector = (value, more) => ({ kind: "vector", value, role: "cotangent", tail: [0, 0], ...more });
export const ring = (radius, more) => ({
  kind: "ring",
  radius,
  center: [0, 0],
  role: "limit",
  at: 45,
  ...more,
});
export const plane = (...marks) => ({
  kind: "plane",
  marks,
  x: [-2, 2],
  y: [-2, 2],
  guess: "point",
  guess_label: "your guess",
});
export const axis = (span, more) => ({ span, scale: "linear", band: 1, ...more });
export const series = (value, more) => ({ value, role: "cotangent", mark: "bars", ...more });
export const threshold = (value, more) => ({ value, role: "limit", axis: "y", dots: [], ...more });
export const profile = (series, more) => ({
  kind: "profile",
  series,
  y: axis([0, 10]),
  x: axis([0, 1]),
  start: 1,
  names: [],
  thresholds: [],
  guess_label: "your guess",
  ...more,
});
export const chain = (more) => ({
  kind: "chain",
  states: "h",
  cotangents: "g",
  received: "theta",
  span: [-1, 1],
  widest: 1,
  widths: "linear",
  state: "h",
  cotangent: "h̄",
  loss: "ℓ",
  parameter: "θ̄",
  application: "f",
  ...more,
});
export const matrix = (more) => ({
  kind: "matrix",
  value: "m",
  full: 1,
  decades: 0,
  role: "cotangent",
  negative: "state",
  rows: "{n}",
  columns: "{n}",
  digits: 2,
  ...more,
});
export const surface = (more) => ({
  kind: "surface",
  field: "f",
  x: [0, 4],
  y: [0, 2],
  span: [0, 1],
  contours: 3,
  marks: [],
  role: "loss",
  negative: "state",
  guess: "point",
  guess_label: "your guess",
  ...more,
});
