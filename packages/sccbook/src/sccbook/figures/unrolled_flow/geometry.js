// Where everything of the stream lies: u along time, v across the stream from its upper bank.

import { memoize } from "explorax/view";

/** @typedef {import("explorax/view").Values} Values */

/** The bed holds so many losses, always; what is wider is cut. */
export const BED = 12;

/**
 * The two layouts. `u0`, `u1`: h_0 and the last state; `v0`: the upper bank; `unit`: one loss; `exit`: where the
 * stream leaves; `lane`: where the states stand; `loss`: their boxes; `bar`: what θ receives.
 */
export const LAYOUTS = {
  wide: {
    width: 688,
    height: 322,
    u0: 124,
    u1: 604,
    v0: 90,
    unit: 12.5,
    exit: 72,
    turned: false,
    lane: 31,
    laneUnit: 11,
    loss: [47, 67],
    barUnit: 60,
    barStart: 140,
    barEnd: 676,
    barTop: 283,
  },
  narrow: {
    width: 320,
    height: 484,
    u0: 128,
    u1: 452,
    v0: 112,
    unit: 12.5,
    exit: 104,
    turned: true,
    lane: 4,
    laneUnit: 10,
    loss: [68, 98],
    barUnit: 38,
    barStart: 4,
    barEnd: 312,
    barTop: 22,
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
  const pitch = (layout.u1 - layout.u0) / steps;
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
    let bottom = 0;
    for (let i = 0; i < steps; i++) {
      tops[i] = bottom;
      bottom += widths[i];
    }
    return { u, tops, widths, bottom, state, side, steep: 0 };
  };

  /** @type {Section[]} */
  const sections = [];
  for (let j = steps; j >= 0; j--) {
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
  // the stream's depth, and at least that of an unscaled one, so that what lies beneath rests while s is dragged
  const pale = Number.isFinite(values.unscaled[0]) ? values.unscaled[0] * unit : 0;
  const deep = Math.min(BED * unit, Math.max(steps * unit, pale, ...sections.map(({ bottom }) => bottom)));
  return { steps, pitch, bend, deep, state, sections, cut, entry };
}

/** A number with one decimal at most. @param {number} x */
export const round = (x) => Math.round(x * 10) / 10;

/**
 * A function that writes points of (u, v) as SVG coordinates, none beyond the bed.
 * @param {Layout} layout
 */
export function pen(layout) {
  const most = BED * layout.unit + 2;
  return (/** @type {number} */ u, /** @type {number} */ v) => {
    const across = round(layout.v0 + Math.min(v, most));
    return layout.turned ? `${across} ${round(u)}` : `${round(u)} ${across}`;
  };
}

/** @typedef {ReturnType<typeof pen>} Pen */
/** @typedef {{u: number, v: number, steep?: number}} Place of an edge; `steep` of the way to the next */
/** @param {any} place */
const own = ({ v }) => v;

/**
 * An edge from place to place, level at each, so that what lies between two edges widens and narrows smoothly; where
 * it is steep it comes down from the first. `back` it goes from the last place to the first.
 * @param {any[]} places @param {Pen} at @param {(place: any) => number} [across] where it lies at a place
 */
export function edge(places, at, across = own, back = false) {
  const last = places.length - 1;
  let d = at(places[back ? last : 0].u, across(places[back ? last : 0]));
  for (let n = 0; n < last; n++) {
    const [from, to] = back ? [places[last - n - 1], places[last - n]] : [places[n], places[n + 1]];
    d += between(from, to, across(from), across(to), at, back);
  }
  return d;
}

/** @param {Place} from @param {Place} to @param {number} v @param {number} next @param {Pen} at @param {boolean} back */
function between(from, to, v, next, at, back) {
  const end = back ? at(from.u, v) : at(to.u, next);
  if (Math.abs(v - next) < 0.05) return `L${end}`;
  const [half, steep] = [(from.u - to.u) / 2, from.steep ?? 0];
  const first = at(from.u - half * (1 - steep), v + ((next - v) * steep) / 2);
  const last = at(to.u + half, next);
  return back ? `C${last} ${first} ${end}` : `C${first} ${last} ${end}`;
}
