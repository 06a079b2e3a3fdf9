// A stream that losses feed, step by step: an unrolled chain drawn with its backward pass.
//
// It draws arrays: `states`, `contributions` and `arrivals` (loss by application), `own`, `root`,
// `received`, `gates_in`, `gates_out`, and a few scalars.

import { html } from "../../common/html.js";
import { memoizeDrawn } from "../../common/memoize.js";
import { bands, bed, gates, limits, springs, torn } from "./backward.js";
import { branches, heads, lane } from "./forward.js";
import { BED, geometry, LAYOUTS, pen } from "./geometry.js";
import { diamonds, furniture, total } from "./readings.js";
import { bank, box, stands } from "./shapes.js";

/** @typedef {import("../../common/types.js").Drawing} Drawing */
/** @typedef {import("./geometry.js").Section} Section */
/** @typedef {import("./geometry.js").Layout} Layout */

/** Two rooms, whatever is drawn. */
export const layouts = () => LAYOUTS;

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { settings, values, ghost, lit, id } = drawing;
  const layout = /** @type {any} */ (LAYOUTS)[drawing.layout];
  const at = pen(layout);
  const flow = geometry(values, settings, layout);
  const before = ghost && geometry(ghost, { steps: ghost.steps }, layout);
  const context = { ...drawing, layout, at, flow };
  const { placement, steps } = settings;
  const shape = [drawing.layout, steps, placement, values.gates_in, values.gates_out, values.own];
  const light = lit && `${lit.kind} ${lit.index}`;
  // most of it stays as it is while s is dragged
  const still = (/** @type {string} */ name, /** @type {any[]} */ key, /** @type {() => any} */ make) =>
    memoizeDrawn(drawing, name, key, make);
  const clips = () => html`
    <defs>
      <clipPath id=${`${id}-bed`}>${box(layout, 0, layout.turned ? layout.height : layout.width, -20, BED * layout.unit)}</clipPath>
      <linearGradient id=${`${id}-fade`} x1="0" y1="0" x2=${layout.turned ? 0 : 1} y2=${layout.turned ? 1 : 0}>
        <stop offset="0" class="gl-away" /><stop offset="1" class="gl-away" stop-opacity="0" />
      </linearGradient>
    </defs>`;
  return html`
    ${still("clips", [drawing.layout], clips)}
    ${still("bed", shape, () => bed(context))}
    <g>${still("lane", [...shape, values.states, ghost?.states, ghost?.steps], () => lane(context))}</g>
    ${still("branches", shape, () => branches(context))}
    <g>${springs(context)}</g>
    <g clip-path=${`url(#${id}-bed)`}>${bands(context)}</g>
    <g>${still("heads", [...shape, light], () => heads(context))}</g>
    <g>${before && html`<path class="gl-halo" clip-path=${`url(#${id}-bed)`} d=${bank(before.sections, at)} /><path class="gl-ghost" clip-path=${`url(#${id}-bed)`} d=${bank(before.sections, at)} />`}</g>
    <g>${gates(context)}</g><g>${torn(context)}</g><g>${limits(context)}</g><g>${diamonds(context)}</g>
    <g>${still("furniture", shape, () => furniture(context))}</g>${total(context)}
  `;
}

/**
 * The points that can be dragged: the last loss's band just after its first gate, and the slope of
 * the last application. Where these are not drawn there is nothing to drag: what comes later moves
 * with higher powers of the control.
 * @param {Drawing} drawing
 */
export function handles(drawing) {
  const { settings, values, description } = drawing;
  /** @type {Layout} */
  const layout = /** @type {any} */ (LAYOUTS)[drawing.layout];
  const flow = geometry(values, settings, layout);
  const inSight = new Set([...description.sight, ...description.more]);
  const last = flow.steps - 1;
  /** @param {Section} section */
  const width = (section) => section.widths[last];
  /** @type {import("../../common/types.js").Handle[]} */
  const found = [];
  /**
   * @param {string} control
   * @param {number} u @param {number} across where the handle lies
   * @param {(across: number) => number} value
   */
  const add = (control, u, across, value) => {
    if (!inSight.has(control) || across > BED * layout.unit) return;
    const v = layout.v0 + across;
    const [x, y] = layout.turned ? [v, u] : [u, v];
    const inverse = (/** @type {number} */ px, /** @type {number} */ py) =>
      value((layout.turned ? px : py) - layout.v0);
    found.push({ control, x, y, axis: layout.turned ? "x" : "y", value: inverse });
  };
  const gated = flow.sections.findIndex(
    (s, i) =>
      s.side === "in" &&
      s.state >= last &&
      flow.sections[i + 1] &&
      stands(values, s.state) &&
      s.widths[last] > 0,
  );
  if (gated >= 0 && values.scales && !values.clips) {
    const [before, after] = flow.sections.slice(gated, gated + 2);
    add("scale", after.u, width(after), (v) => v / width(before));
  }
  const out = flow.sections.findIndex((s) => s.side === "out" && s.state > last && s.widths[last] > 0);
  if (out >= 0 && flow.sections[out + 1]?.side === "in") {
    const [right, left] = flow.sections.slice(out, out + 2);
    const middle = (width(right) + width(left)) / 2;
    add("gain", (right.u + left.u) / 2, middle, (v) => (2 * v - width(right)) / width(right));
  }
  return found;
}
