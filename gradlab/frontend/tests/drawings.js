// Drawings for the tests of views: a spec with arrays, as a page would hand them over.

import { renderToString } from "preact-render-to-string";
import { html } from "../src/common/html.js";
import { VIEWS } from "../src/runtime/views.js";

export const LAYOUTS = ["wide", "narrow"];

/**
 * A drawing of a spec. Results are given as nested arrays or numbers; shapes follow from them.
 * @param {any} spec @param {Record<string, any>} results @param {any} [more] of the drawing
 */
export function drawing(
  spec,
  results,
  { settings = {}, layout = "wide", ghost = null, prediction = null, ...more } = {},
) {
  const outputs = Object.entries(results).map(([name, value]) => ({
    name,
    shape: shape(value),
    dtype: "float64",
  }));
  return {
    description: { view: spec, outputs, prediction, labels: {}, parts: {} },
    spec,
    settings,
    values: flat(results),
    layout,
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

/** What a view draws, as text. */
export const svg = (one) => renderToString(html`<svg>${VIEWS[one.spec.kind].draw(one)}</svg>`);
export const handles = (one) => VIEWS[one.spec.kind].handles(one);
export const layoutsOf = (one) => VIEWS[one.spec.kind].layouts(one.spec, one.description);

/** Attributes that hold what is no number. */
export const broken = (text) => text.match(/="[^"]*(NaN|undefined|Infinity)[^"]*"/g);

/** All that stands in the picture as text. */
export const texts = (text) => [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);

/** Whether all places of a path lie in a box, give or take. */
export function pathWithin(path, { left, right, top, bottom }, slack = 1) {
  const numbers = [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  return numbers.every(
    ([x, y]) => x >= left - slack && x <= right + slack && y >= top - slack && y <= bottom + slack,
  );
}

// Specs as gradlab/figure/views describes them.

export const vector = (value, more = {}) => ({
  kind: "vector",
  value,
  label: "",
  role: "cotangent",
  tail: [0, 0],
  chained: false,
  columns: false,
  before: false,
  unless: "",
  drag: "",
  along: "",
  key: "",
  ...more,
});
export const ring = (radius, more = {}) => ({
  kind: "ring",
  radius,
  center: [0, 0],
  label: "",
  role: "limit",
  drag: "",
  at: 45,
  filled: false,
  key: "",
  ...more,
});
export const plane = (...marks) => ({
  kind: "plane",
  marks,
  x: [-2, 2],
  y: [-2, 2],
  x_label: "",
  y_label: "",
  guess: "point",
  guess_label: "your guess",
});
export const axis = (span, more = {}) => ({ span, scale: "linear", band: 1, label: "", ...more });
export const series = (value, more = {}) => ({
  value,
  label: "",
  role: "cotangent",
  mark: "bars",
  low: "",
  high: "",
  ...more,
});
export const threshold = (value, more = {}) => ({
  value,
  label: "",
  role: "limit",
  drag: "",
  axis: "y",
  cuts: false,
  dots: [],
  ...more,
});
export const profile = (list, more = {}) => ({
  kind: "profile",
  series: list,
  y: axis([0, 10]),
  x: axis([0, 1]),
  at: "",
  start: 1,
  names: [],
  thresholds: [],
  count: "",
  level: false,
  guess_label: "your guess",
  ...more,
});
export const chain = (more = {}) => ({
  kind: "chain",
  states: "h",
  cotangents: "g",
  received: "theta",
  losses: "",
  span: [-1, 1],
  widest: 1,
  widths: "linear",
  count: "",
  forward: "",
  backward: "",
  drag: "",
  state: "h",
  cotangent: "h̄",
  loss: "ℓ",
  parameter: "θ̄",
  application: "f",
  ...more,
});
export const matrix = (more = {}) => ({
  kind: "matrix",
  value: "m",
  full: 1,
  decades: 0,
  role: "cotangent",
  negative: "state",
  rows: "{n}",
  columns: "{n}",
  row_part: "",
  column_part: "",
  row_label: "",
  column_label: "",
  triangle: false,
  count: "",
  row_sums: "",
  column_sums: "",
  digits: 2,
  ...more,
});
export const surface = (more = {}) => ({
  kind: "surface",
  field: "f",
  x: [0, 4],
  y: [0, 2],
  span: [0, 1],
  log: false,
  contours: 3,
  marks: [],
  role: "loss",
  negative: "state",
  x_label: "",
  y_label: "",
  legend: "",
  equal: false,
  guess: "point",
  guess_label: "your guess",
  ...more,
});
