// Specs as packages/explorax/src/explorax/views describes them; what is empty there is left out.

export const AXES = [
  [1, 0],
  [0, 1],
];
const guess = { guess: "point", guess_label: "your guess" };

export const vector = (value, more) => ({ kind: "vector", value, role: "cotangent", tail: [0, 0], ...more });
export const ring = (radius, more) => ({ ...RING, radius, ...more });
const RING = { kind: "ring", center: [0, 0], role: "limit", at: 45 };
export const plane = (...marks) => ({ kind: "plane", marks, x: [-2, 2], y: [-2, 2], ...guess });
export const axis = (span, more) => ({ span, scale: "linear", band: 1, ...more });
export const series = (value, more) => ({ value, role: "cotangent", mark: "bars", ...more });
export const line = (value, more) => series(value, { mark: "line", ...more });
export const threshold = (value, more) => ({ value, role: "limit", axis: "y", dots: [], ...more });

const ends = { y: axis([0, 10]), x: axis([0, 1]) };
const bare = { names: [], thresholds: [], guess_label: "your guess" };
export const profile = (series, more) => ({ kind: "profile", series, ...ends, ...bare, ...more });

const results = { states: "h", cotangents: "g", received: "theta" };
const widths = { span: [-1, 1], widest: 1 };
export const chain = (more) => ({ kind: "chain", ...results, ...widths, ...more });

const cells = { value: "m", full: 1, decades: 0, rows: "{n}", columns: "{n}", digits: 2 };
export const matrix = (more) => ({ kind: "matrix", ...cells, ...more });

const field = { field: "f", x: [0, 4], y: [0, 2], span: [0, 1], contours: 3, marks: [] };
export const surface = (more) => ({ kind: "surface", ...field, ...guess, ...more });

const rows = { titles: "{n}", across: 4, across_narrow: 2 };
export const multiples = (of, over, more) => ({ kind: "multiples", of, over, ...rows, ...more });
