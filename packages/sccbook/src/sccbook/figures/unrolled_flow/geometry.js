// Where everything of the stream lies: u along time, v across the stream from its upper bank.

import { memoize } from "explorax/view";

/** @typedef {import("explorax/view").Values} Values */

/** The bed holds so many losses, always; what is wider is cut. */
export const BED = 12;

/**
 * The two layouts. `u0`, `u1`: h_0 and the last state; `v0`: the upper bank; `unit`: one loss; `exit`: where the
 * stream leaves; `steps`: the most that are drawn; `lane`: where the states stand; `head`, `loss`: their boxes.
 */
export const LAYOUTS = {
  wide: {
    width: 688,
    height: 320,
    u0: 128,
    u1: 624,
    v0: 95,
    unit: 13,
    exit: 32,
    steps: 12,
    turned: false,
    lane: 32,
    laneUnit: 11,
    head: [40, 47],
    loss: [51, 71],
    barUnit: 70,
    barStart: 112,
    barEnd: 668,
  },
  narrow: {
    width: 320,
    height: 502,
    u0: 82,
    u1: 388,
    v0: 114,
    unit: 13,
    exit: 42,
    steps: 6,
    turned: true,
    lane: 6,
    laneUnit: 17,
    head: [52, 59],
    loss: [65, 93],
    barUnit: 38,
    barStart: 8,
    barEnd: 312,
  },
};

/** @typedef {typeof LAYOUTS.wide} Layout */
/**
 * A cut across the stream: arrays by loss, 1..K at 0..K-1. `steep`, from 0 to 1: how far a loss that joins between
 * this cut and the next bends of itself, as nothing else flows there.
 * @typedef {{u: number, tops: number[], widths: number[], bottom: number, state: number,
 *   side: "in" | "mid" | "out", steep: number}} Section
 */

/** The stream's cross-sections from right to left, once for a picture and its handles. @param {Values} values @param {number} steps @param {Layout} layout */
export const geometry = (values, steps, layout) =>
  memoize(values, `stream ${layout.width}`, [steps], () => measured(values, steps, layout));

/** @param {Values} values @param {number} steps @param {Layout} layout */
function measured(values, steps, layout) {
  const size = values.own.length;
  const { unit } = layout;
  const shown = Math.min(steps, layout.steps);
  const pitch = (layout.u1 - layout.u0) / shown;
  /** @param {number} j */
  const state = (j) => layout.u0 + j * pitch;
  /** @param {string} name @param {number} k @param {number} j losses and applications from 1 */
  const entry = (name, k, j) => values[name][(k - 1) * size + (j - 1)];
  // a loss falls in across `unit` and bends within `bend`; a gate narrows within `taper`
  const bend = Math.min(9, pitch * 0.1);
  const taper = Math.min(60, (pitch - unit - bend) * 0.6);

  /** @param {number} u @param {number} state @param {Section["side"]} side @param {(k: number) => number} width @returns {Section} */
  const section = (u, state, side, width) => {
    const widths = Array.from({ length: steps }, (_, i) => width(i + 1) * unit);
    const tops = Array(steps).fill(0);
    let bottom = state === 0 && side === "out" ? unit : 0; // the initial state's own loss has joined
    for (let i = 0; i < steps; i++) {
      tops[i] = bottom;
      bottom += widths[i];
    }
    return { u, tops, widths, bottom, state, side, steep: 0 };
  };

  /** @type {Section[]} */
  const sections = [];
  if (shown < steps) {
    const far = (/** @type {number} */ k) => (k > shown ? entry("contributions", k, shown + 1) : 0);
    sections.push(section(state(shown) + unit / 2 + taper + 6, shown, "in", far));
  }
  for (let j = shown; j >= 0; j--) {
    const before = Boolean(j > 0 && values.gates_out[j - 1]); // the gate stands after the joining
    const arriving = (/** @type {number} */ k) => (k > j ? entry("arrivals", k, j + 1) : 0);
    const leaving = (/** @type {number} */ k) =>
      j === 0 ? values.root[k - 1] : k >= j ? entry("contributions", k, j) : 0;
    const joined = (/** @type {number} */ k) => (k === j ? values.own[k - 1] : arriving(k));
    const gated = (/** @type {number} */ k) => (k === j ? 0 : leaving(k));
    const [right, left] = [state(j) + unit / 2, state(j) - unit / 2 - bend];
    const cuts = before
      ? [
          section(right, j, "in", arriving),
          section(left, j, "mid", joined),
          section(left - taper, j, "out", leaving),
        ]
      : [
          section(right + taper, j, "in", arriving),
          section(right, j, "mid", gated),
          section(left, j, "out", leaving),
        ];
    const joins = cuts[before ? 0 : 1];
    joins.steep = 1 - Math.min(1, joins.bottom / unit);
    sections.push(...(j < steps ? cuts : cuts.slice(before ? 0 : 1)));
  }
  /** @param {number} state @param {Section["side"]} side @returns {any} */
  const cut = (state, side) => sections.find((s) => s.state === state && s.side === side);
  return { steps, shown, pitch, bend, state, sections, cut, entry };
}

/**
 * A function that writes points of (u, v) as SVG coordinates.
 * @param {Layout} layout
 */
export function pen(layout) {
  const round = (/** @type {number} */ x) => Math.round(x * 10) / 10;
  return (/** @type {number} */ u, /** @type {number} */ v) =>
    layout.turned ? `${round(layout.v0 + v)} ${round(u)}` : `${round(u)} ${round(layout.v0 + v)}`;
}

/** @typedef {ReturnType<typeof pen>} Pen */
/** @typedef {{u: number, v: number, steep?: number}} Place of an edge; `steep` of the way to the next */

/**
 * An edge from place to place, level at each, so that what lies between two edges widens and narrows smoothly; where
 * it is steep it comes down from the first. `back` it goes from the last place to the first.
 * @param {Place[]} places @param {Pen} at
 */
export function edge(places, at, back = false) {
  const { u, v } = places[back ? places.length - 1 : 0];
  const course = places.slice(1).map((to, i) => between(places[i], to, at, back));
  return at(u, v) + (back ? course.reverse() : course).join("");
}

/** @param {Place} from @param {Place} to @param {Pen} at @param {boolean} back */
function between(from, to, at, back) {
  const end = back ? from : to;
  if (Math.abs(from.v - to.v) < 0.05) return `L${at(end.u, end.v)}`;
  const [half, steep] = [(from.u - to.u) / 2, from.steep ?? 0];
  const first = at(from.u - half * (1 - steep), from.v + ((to.v - from.v) * steep) / 2);
  const last = at(to.u + half, to.v);
  return back ? `C${last} ${first} ${at(end.u, end.v)}` : `C${first} ${last} ${at(end.u, end.v)}`;
}
