// Where everything of the stream lies: u along time, v across the stream from its upper bank.

import { memoize } from "../../common/memoize.js";

/** @typedef {import("../../common/types.js").Values} Values */

/** The bed holds so many losses, always; what is wider is cut. */
export const BED = 12;

/**
 * The two layouts. `u0`, `u1`: h_0 and the last state; `v0`: the upper bank; `unit`: one loss;
 * `gate`: half a gate's length; `exit`: where the stream leaves; `steps`: the most that are drawn.
 */
export const LAYOUTS = {
  wide: {
    width: 688,
    height: 390,
    u0: 132,
    u1: 634,
    v0: 104,
    unit: 14,
    gate: 7,
    exit: 32,
    steps: 12,
    turned: false,
    lane: 34,
    laneUnit: 14,
    barUnit: 70,
    barStart: 112,
    barEnd: 668,
  },
  narrow: {
    width: 320,
    height: 564,
    u0: 92,
    u1: 404,
    v0: 112,
    unit: 12,
    gate: 6,
    exit: 44,
    steps: 6,
    turned: true,
    lane: 6,
    laneUnit: 17,
    barUnit: 38,
    barStart: 8,
    barEnd: 312,
  },
};

/** @typedef {typeof LAYOUTS.wide} Layout */
/** @typedef {{u: number, tops: number[], widths: number[], bottom: number, state: number,
 *   side: "in" | "out"}} Section a cut across the stream; arrays by loss, 1..K at 0..K-1 */

/** The stream's cross-sections from right to left, once for a picture and its handles. @param {Values} values @param {number} steps @param {Layout} layout */
export const geometry = (values, steps, layout) =>
  memoize(values, `stream ${layout.width}`, [steps], () => measured(values, steps, layout));

/** @param {Values} values @param {number} steps @param {Layout} layout */
function measured(values, steps, layout) {
  const size = values.own.length;
  const shown = Math.min(steps, layout.steps);
  const pitch = (layout.u1 - layout.u0) / shown;
  /** @param {number} j */
  const state = (j) => layout.u0 + j * pitch;
  /** @param {string} name @param {number} k @param {number} j losses and applications from 1 */
  const entry = (name, k, j) => values[name][(k - 1) * size + (j - 1)];

  /** @param {number} u @param {number} j @param {"in" | "out"} side @param {(k: number) => number} width @returns {Section} */
  const section = (u, j, side, width) => {
    const widths = Array.from({ length: steps }, (_, i) => width(i + 1) * layout.unit);
    const tops = Array(steps).fill(0);
    let top = 0;
    for (let i = steps - 1; i >= 0; i--) {
      tops[i] = top;
      top += widths[i];
    }
    return { u, tops, widths, bottom: top, state: j, side };
  };

  /** @type {Section[]} */
  const sections = [];
  if (shown < steps) {
    const far = (/** @type {number} */ k) => (k > shown ? entry("contributions", k, shown + 1) : 0);
    sections.push(section(state(shown) + layout.gate + 26, shown, "in", far));
  }
  for (let j = shown; j >= 0; j--) {
    const before = Boolean(j > 0 && values.gates_out[j - 1]);
    const arriving = (/** @type {number} */ k) =>
      k > j ? entry("arrivals", k, j + 1) : k === j && before ? values.own[k - 1] : 0;
    const leaving = (/** @type {number} */ k) =>
      j === 0 ? values.root[k - 1] : k >= j ? entry("contributions", k, j) : 0;
    if (j < steps || before) sections.push(section(state(j) + layout.gate, j, "in", arriving));
    sections.push(section(state(j) - layout.gate, j, "out", leaving));
  }
  return { steps, shown, pitch, state, sections, entry };
}

/**
 * The section at which loss k joins the stream: just before the gate of its state, or after it.
 * @param {ReturnType<typeof geometry>} flow
 * @param {Values} values
 * @param {number} k
 */
export function joining(flow, values, k) {
  const side = values.gates_out[k - 1] ? "in" : "out";
  const found = flow.sections.find((s) => s.state === k && s.side === side);
  if (!found) throw new Error(`Loss ${k} joins no section of the stream.`);
  return found;
}

/**
 * A function that writes points of (u, v) as SVG coordinates.
 * @param {Layout} layout
 */
export function pen(layout) {
  const round = (/** @type {number} */ x) => Math.round(x * 100) / 100;
  return (/** @type {number} */ u, /** @type {number} */ v) =>
    layout.turned ? `${round(layout.v0 + v)} ${round(u)}` : `${round(u)} ${round(layout.v0 + v)}`;
}
