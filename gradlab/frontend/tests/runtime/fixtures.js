// A description whose program is real, small JavaScript, and states to draw.

const program = `
export function evaluate(scale, steps) {
  const size = 12;
  const c = new Float64Array(size * size), a = new Float64Array(size * size);
  const own = new Float64Array(size), root = new Float64Array(size);
  const received = new Float64Array(size), sent = new Float64Array(size);
  const gatesIn = new Uint8Array(size), states = new Float64Array(size + 1).fill(1);
  let total = 0;
  for (let k = 1; k <= steps; k++) {
    own[k - 1] = 1;
    gatesIn[k - 1] = k > 1;
    for (let j = 1; j <= k; j++) {
      const value = scale ** (k - j);
      c[(k - 1) * size + j - 1] = value;
      a[(k - 1) * size + j - 1] = value;
      received[j - 1] += value;
      sent[k - 1] += value;
      total += value / steps;
    }
    root[k - 1] = scale ** (k - 1);
  }
  const bound = scale < 1 ? 1 / (1 - scale) : Infinity;
  const scalar = (x) => Float64Array.of(x);
  return [states, c, a, own, root, received, sent, gatesIn, new Uint8Array(size), scalar(total),
    scalar((steps + 1) / 2), scalar(0), scalar(steps > 1), scalar(bound), scalar(bound), scalar(Infinity), scalar(1), scalar(0), scalar(0)];
}`;

const leaf = (name, ...shape) => ({ name, shape, dtype: "float64" });

export const description = {
  name: "Stream",
  python: ["Stream(", ")"],
  view: { kind: "stream" },
  source: "def stream(scale, steps): ...",
  prediction: null,
  parts: [
    { name: "loss", result: "sent", words: "ℓ{n} sends {value:,.2f}." },
    { name: "application", result: "received", words: "{n} receives {value:,.2f}." },
  ],
  title: "A stream",
  look: "Look.",
  controls: [
    {
      name: "scale",
      label: "scale",
      symbol: "s",
      kind: "range",
      initial: 0.5,
      minimum: 0,
      maximum: 1,
      step: 0.01,
      allowed: [0, 2],
    },
    {
      name: "steps",
      label: "steps",
      symbol: "K",
      kind: "integer",
      initial: 6,
      minimum: 1,
      maximum: 12,
      step: 1,
      allowed: [1, 12],
    },
  ],
  settings: { scale: 0.5, steps: 6 },
  sight: ["scale", "steps"],
  more: [],
  outputs: [
    leaf("states", 13),
    leaf("contributions", 12, 12),
    leaf("arrivals", 12, 12),
    leaf("own", 12),
    leaf("root", 12),
    leaf("received", 12),
    leaf("sent", 12),
    leaf("gates_in", 12),
    leaf("gates_out", 12),
    leaf("total"),
    leaf("reference"),
    leaf("acts"),
    leaf("weighs"),
    leaf("bound"),
    leaf("line"),
    leaf("clip_line"),
    leaf("scales"),
    leaf("clips"),
    leaf("case"),
  ],
  program,
  sentences: ["With s = {scale}, {total:,.2f}."],
  table: {
    columns: [["j = {n}", "contributions"]],
    rows: "ℓ{n}",
    count: "steps",
    caption: "Caption",
    triangle: true,
    general: false,
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

export const tangent = {
  ...description,
  name: "Tangent",
  view: { kind: "tangent" },
  program: `export function evaluate(scale, x) {
    const xs = Float64Array.from({ length: 21 }, (_, i) => i / 5 - 2);
    const one = (v) => Float64Array.of(v);
    return [xs, xs.map((v) => v * v / 2), one(x * x / 2), one(x), one(scale * x), one(0)];
  }`,
  controls: [
    { ...description.controls[0], minimum: -1, allowed: [-2, 2] },
    {
      name: "x",
      label: "where",
      symbol: "x",
      kind: "range",
      initial: 0.5,
      minimum: -2,
      maximum: 2,
      step: 0.01,
      allowed: [-2, 2],
    },
  ],
  settings: { scale: 0.5, x: 0.5 },
  sight: ["scale", "x"],
  outputs: [
    leaf("abscissae", 21),
    leaf("ordinates", 21),
    leaf("value"),
    leaf("slope"),
    leaf("reported"),
    leaf("case"),
  ],
  sentences: ["Slope {reported:,.2f}."],
  table: {
    columns: [
      ["value", "value"],
      ["reported", "reported"],
    ],
    rows: "",
    count: "",
    caption: "",
    triangle: false,
    general: false,
    row_part: "",
    column_part: "",
  },
  parts: [],
  labels: {
    picture: "The picture",
    walk: "Arrows",
    curve: "f(x)",
    value: "{value:,.2f}",
    slope: "slope {reported:,.2f}",
  },
  equation: ['<math><mn data-part="reported">{reported:,.2f}</mn></math>'],
};
