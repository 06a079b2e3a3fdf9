// A stream that losses feed, step by step: an unrolled chain drawn with its backward pass.
//
// It draws arrays: `states`, `contributions` and `arrivals` (loss by application), `own`, `root`,
// `received`, `gates_in`, `gates_out`, and a few scalars.

import { fill, html, memoize, memoizeDrawn } from "explorax/view";
import { bands, gates, hits, limits, torn } from "./backward.js";
import { lane, losses } from "./forward.js";
import { BED, edge, geometry, LAYOUTS, pen, round } from "./geometry.js";
import { diamonds, furniture, sent, shares, taps, total } from "./readings.js";
import { stands, Text } from "./shapes.js";

export const kind = "stream";

/** @typedef {import("explorax/view").Drawing} Drawing */
/** @typedef {import("./geometry.js").Section} Section */
/** @typedef {import("./geometry.js").Layout} Layout */

/** Two rooms, whatever is drawn. */
export const layouts = () => LAYOUTS;

/** @param {{layout: string}} drawing @returns {Layout} */
const layoutOf = ({ layout }) => (layout === "wide" ? LAYOUTS.wide : LAYOUTS.narrow);

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { settings, values, ghost, lit } = drawing;
  const layout = layoutOf(drawing);
  const context = { ...drawing, layout, at: pen(layout), flow: geometry(values, settings.steps, layout) };
  const key = [settings.steps, settings.placement, values.gates_in, values.gates_out, values.own];
  const shape = [memoize(drawing.description, "shape", key, () => ({}))]; // to compare one thing instead of fifty
  // most of it stays as it is while s is dragged
  /** @param {string} name @param {any[]} key @param {(context: any) => any} make */
  const cached = (name, key, make) =>
    memoizeDrawn(drawing, name, [drawing.layout, ...key], () => make(context));
  // beneath all a sheet that never changes and is larger than what does: one layer is enough then
  return html`
    ${cached("sheet", [], sheet)}
    <g>${cached("lane", [...shape, values.states, ghost?.states, ghost?.steps], lane)}</g>
    <g>${cached("unscaled", [...shape, values.unscaled, settings.gain, values.weighs], unscaled)}</g>
    <path class="gl-drop" d=${shares(context)} />
    ${bands(context)}
    <g>${cached("losses", [...shape, lit?.kind, lit?.index], losses)}</g>
    <g>${ghost && cached("ghost", [ghost, narrowed(context), values.unscaled], Earlier)}</g>
    <g>${limits(context)}</g><g>${gates(context)}</g><g>${cached("hits", [...shape, lit?.kind, lit?.index], hits)}</g>
    <path class="gl-taps" d=${taps(context)} /><g>${torn(context)}</g>
    <g>${diamonds(context)}</g>${sent(context)}
    <g>${cached("furniture", [], furniture)}${Unscaled(context)}</g>${total(context)}
  `;
}

/** The river at s = 1, pale, where it is another. @param {any} context */
function unscaled({ layout, at, flow, values, settings }) {
  const width = (/** @type {number} */ j) =>
    j > 0 ? values.unscaled[j - 1] : settings.gain * values.unscaled[0];
  if (!Number.isFinite(width(1))) return null;
  const bank = flow.sections.map((/** @type {Section} */ { u, state, side, steep }) => {
    const arriving = state < flow.steps ? settings.gain * width(state + 1) : 0;
    const joined = side === "out" || (side === "mid" && values.gates_out[state - 1]);
    return { u, v: (joined ? width(state) : arriving) * layout.unit, steep };
  });
  const [start, end] = [bank[0], bank.at(-1)];
  return html`<path class="gl-unscaled" d=${`M${edge([...bank, { u: layout.exit, v: end.v }], at)}L${at(layout.exit, 0)}L${at(start.u, 0)}Z`} />`;
}

/** What the pale river is called, where it ends. @param {any} context */
function Unscaled({ layout, flow, values, settings, description: { labels } }) {
  const wide = settings.gain * values.unscaled[0] * layout.unit;
  if (!Number.isFinite(wide) || flow.sections.at(-1).bottom > wide - 1) return null;
  const v = Math.min(wide, flow.deep);
  return Text(
    layout,
    [Math.min(layout.v0 + v + 5, 222), layout.u0 + 4, "start"],
    [flow.cut(1, "out").u - 9, layout.v0 + v + 15, "end"],
    labels.unscaled,
    "gl-muted",
  );
}

/** Tell if nothing but s has changed. @param {any} context */
const narrowed = ({ ghost, settings }) =>
  Object.keys(settings).every((name) => name === "scale" || ghost[name] === settings[name]);

/** The edge of the earlier stream, and what it is called, where it ends; not where that is the river without the line. @param {any} context */
function Earlier(context) {
  const { layout, at, ghost, values, settings, description } = context;
  const { sections } = geometry(ghost, ghost.steps, layout);
  const d = `M${edge(sections, at, (section) => section.bottom)}`;
  const { u, bottom } = sections[sections.length - 1];
  const across = round(layout.v0 + bottom);
  const words = fill(description.labels[narrowed(context) ? "was" : "before"], ghost);
  const apart = Math.abs(settings.gain * values.unscaled[0] * layout.unit - bottom) >= 8;
  const room = layout.turned ? across < 190 : bottom <= BED * layout.unit;
  return html`<path class="gl-halo" d=${d} /><path class="gl-ghost" d=${d} />
    ${apart && room && Text(layout, [across, u - 7, "middle"], [u - 5, across + 4.5, "end"], words, "gl-muted")}`;
}

/** The page, and the gradient by which the stream fades where it leaves. @param {any} context */
const sheet = ({ layout: { width, height, turned }, id }) => html`
    <rect class="gl-paper" x="-8" y="-2" width=${width + 16} height=${height + 4} />
    <linearGradient id=${`${id}-fade`} x1="0" y1="0" x2=${turned ? 0 : 1} y2=${turned ? 1 : 0}>
      <stop offset="0" class="gl-away" /><stop offset="1" class="gl-away" stop-opacity="0" />
    </linearGradient>`;

/** How wide the stream arrives at h_0. @param {number} s @param {any} settings @param {number} own one loss */
const arriving = (s, { steps, gain, placement }, own) =>
  Array.from({ length: steps }, (_, k) => (s * gain) ** k).reduce((sum, x) => sum + x, 0) *
  (placement === "before_heads" ? s : 1) *
  gain *
  own;

/** Where a growing function takes a value, from 0 to 2. @param {(x: number) => number} of @param {number} value */
function solve(of, value) {
  let [low, high] = [0, 2];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (of(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The points that can be dragged: the bank near h_0, where s moves it most; where that lies beyond the bed, the last
 * loss's band just after its first gate; and the slope of the last application. What comes later than these two moves
 * with higher powers of the control.
 * @param {Drawing} drawing
 * @returns {import("explorax/view").Handle[]}
 */
export function handles(drawing) {
  const { settings, values, description } = drawing;
  const layout = layoutOf(drawing);
  const { turned, v0 } = layout;
  const { steps, sections, cut } = geometry(values, settings.steps, layout);
  const last = steps - 1;
  const width = (/** @type {Section} */ section) => section.widths[last];
  /** @param {string} control @param {number} u @param {number} across where it lies @param {(across: number) => number} value */
  const handle = (control, u, across, value) => {
    const shown = [...description.sight, ...description.more].includes(control);
    if (!shown || across > BED * layout.unit) return [];
    const inverse = (/** @type {number} */ px, /** @type {number} */ py) => value((turned ? px : py) - v0);
    const [x, y] = turned ? [v0 + across, u] : [u, v0 + across];
    /** @type {"x" | "y"} */
    const axis = turned ? "x" : "y";
    return [{ control, x, y, axis, value: inverse }];
  };
  const gated = sections.findIndex(
    (s, i) =>
      s.side === "in" && s.state >= last && sections[i + 1] && stands(values, s.state) && width(s) > 0,
  );
  const [before, after] = gated < 0 ? [] : sections.slice(gated, gated + 2);
  const out = sections.findIndex((s) => s.side === "out" && s.state > last && width(s) > 0);
  const [right, left] = out < 0 ? [] : sections.slice(out, out + 2);
  const scaled = before && values.scales && !values.clips;
  const { u: mouth, bottom: bank } = cut(0, "in");
  const wide = (/** @type {number} */ s) => arriving(s, settings, values.own[0]) * layout.unit;
  const first = scaled ? handle("scale", mouth, bank, (v) => solve(wide, v)) : [];
  const scale =
    scaled && !first.length ? handle("scale", after.u, width(after), (v) => v / width(before)) : first;
  if (left?.side !== "in") return scale;
  const [u, across] = [(right.u + left.u) / 2, (width(right) + width(left)) / 2];
  return [...scale, ...handle("gain", u, across, (v) => (2 * v - width(right)) / width(right))];
}
