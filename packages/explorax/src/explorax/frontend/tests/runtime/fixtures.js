// Descriptions whose programs are real, small JavaScript.

import { load } from "../../src/runtime/program.js";

const leaf = (name, ...shape) => ({ name, shape, dtype: "float64" });
const scalars = (...names) => names.map((name) => leaf(name));

/** A control of a kind; more of it as it is needed. */
export const control = (name, kind, more) => ({
  name,
  label: name,
  symbol: "",
  kind,
  minimum: 0,
  maximum: 1,
  step: 0.01,
  allowed: [0, 2],
  ...more,
});

/** What every description has. */
const figure = {
  python: ["Stream(", ")"],
  title: "A figure",
  look: "Look.",
  source: "def stream(scale, steps): ...",
  more: [],
  parts: [],
  presets: [],
  stills: [],
  equation: [],
  note: "",
  prediction: null,
};

/** A function from a figure's settings to a drawing of it, its program run. */
export async function drawer(description) {
  const evaluate = await load(description);
  return (settings, more) => {
    const values = evaluate(settings);
    return { description, settings, values, layout: "wide", id: "x", concealed: new Set(), ...more };
  };
}

/** An unrolled chain of at most 12 steps: the river. */
export const description = {
  ...figure,
  name: "Stream",
  view: { kind: "plane", marks: [{ kind: "ring", radius: "total", center: [0, 0] }], x: [0, 1], y: [0, 1] },
  program: `
export function evaluate(scale, steps) {
  const size = 12;
  const powers = new Float64Array(size * size);
  const own = new Float64Array(size), root = new Float64Array(size);
  const received = new Float64Array(size);
  const gatesIn = new Uint8Array(size), states = new Float64Array(size + 1).fill(1);
  let total = 0;
  for (let k = 1; k <= steps; k++) {
    own[k - 1] = 1;
    gatesIn[k - 1] = k > 1;
    for (let j = 1; j <= k; j++) {
      const value = scale ** (k - j);
      powers[(k - 1) * size + j - 1] = value;
      received[j - 1] += value;
      total += value / steps;
    }
    root[k - 1] = scale ** (k - 1);
  }
  const bound = scale < 1 ? 1 / (1 - scale) : Infinity;
  const scalars = [total, (steps + 1) / 2, 0, steps > 1, bound, bound, Infinity, 1, 0, 0];
  return [states, powers, powers, own, root, received, gatesIn, new Uint8Array(size),
    ...scalars.map((x) => Float64Array.of(x))];
}`,
  controls: [
    control("scale", "range", { symbol: "s" }),
    control("steps", "integer", { symbol: "K", minimum: 1, maximum: 12, step: 1, allowed: [1, 12] }),
  ],
  settings: { scale: 0.5, steps: 6 },
  sight: ["scale", "steps"],
  outputs: [
    leaf("states", 13),
    leaf("contributions", 12, 12),
    leaf("arrivals", 12, 12),
    ...["own", "root", "received", "gates_in", "gates_out"].map((name) => leaf(name, 12)),
    ...scalars(
      "total",
      "reference",
      "acts",
      "weighs",
      "line",
      "bound",
      "clip_line",
      "scales",
      "clips",
      "case",
    ),
  ],
  sentences: ["With s = {scale}, {total:,.2f}."],
  table: {
    columns: [["j = {n}", "contributions"]],
    rows: "ℓ{n}",
    count: "steps",
    caption: "Caption",
    triangle: true,
    row_part: "loss",
    column_part: "application",
  },
  labels: {
    picture: "The picture",
    walk: "Arrows",
    state: "h",
    loss: "ℓ",
    forward: "value",
    receives: "receives",
    unit: "one loss",
    scale: "×{scale}",
    plain: "no s",
    clip: "≤",
    reference: "at 1: {reference:,.2f}",
    added_one: "one",
    added: "{steps}",
    added_weighted: "{steps} weighted",
    exit: "← to the representation network",
    head: "head",
    hint: "Point at a loss",
    bound: "bound",
    was: "s = {scale}",
    before: "before",
    guess: "your guess",
    shown: "{n} of {steps} shown",
    torn: "{n} wide",
    torn_total: "{total:,.2f}, cut",
  },
  presets: [{ label: "one", settings: { scale: 1 } }],
  stills: [{ scale: 0 }, { scale: 1 }],
  equation: [
    '<math data-when="!acts"><mi>x</mi></math>',
    '<math data-each="received" data-count="steps" data-between=" + " data-part="application"><mn>{value:,.2f}</mn></math>',
  ],
  note: "A note with <em>markup</em>, and </script> in it.",
};

/** A parabola, its tangent, and a slope that is reported. */
export const tangent = {
  ...figure,
  name: "Tangent",
  view: { kind: "tangent" },
  program: `export function evaluate(scale, x) {
    const xs = Float64Array.from({ length: 21 }, (_, i) => i / 5 - 2);
    return [xs, xs.map((v) => v * v / 2), ...[x * x / 2, x, scale * x].map((v) => Float64Array.of(v))];
  }`,
  controls: [control("scale", "range"), control("x", "range", { minimum: -2, maximum: 2, allowed: [-2, 2] })],
  settings: { scale: 0.5, x: 0.5 },
  sight: ["scale", "x"],
  outputs: [leaf("abscissae", 21), leaf("ordinates", 21), ...scalars("value", "slope", "reported")],
  sentences: ["Slope {reported:,.2f}."],
  table: null,
  labels: {
    curve: "f(x)",
    value: "{value:,.2f}",
    slope: "slope {reported:,.2f}",
    rise: "{reported:,.2f}",
    true: "own",
    own: "own",
  },
};
