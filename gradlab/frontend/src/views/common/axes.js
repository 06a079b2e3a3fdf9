// Axes: faint lines at round values, their numbers outside, the band of a symlog axis.

import { html } from "../../common/html.js";
import { memoizeDrawn } from "../../common/memoize.js";
import { r1 } from "./numbers.js";

/**
 * @typedef {import("./scales.js").Scale} Scale
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 * @typedef {{x?: string, y?: string, numbers?: {left?: boolean, bottom?: boolean, named?: boolean},
 *   grid?: "both" | "y" | "none"}} Options names of the axes, which numbers are written, which lines drawn
 */

/**
 * The plot's ground, with grid and numbers; drawn once, for it does not change with values.
 * @param {any} drawing
 * @param {Box} box
 * @param {Scale | null} x @param {Scale | null} y
 * @param {Options} [options]
 */
export function Axes(drawing, box, x, y, options = {}) {
  const { left, right, top, bottom } = box;
  const { left: l, bottom: b, named: n } = options.numbers ?? {};
  return memoizeDrawn(drawing, "axes", [left, right, top, bottom, l, b, n], () => drawn(box, x, y, options));
}

/** @param {Box} box @param {Scale | null} x @param {Scale | null} y @param {Options} options */
function drawn(
  { left, right, top, bottom },
  x,
  y,
  { x: xName = "", y: yName = "", numbers = { left: true, bottom: true }, grid = "both" } = {},
) {
  const ground = `M${left} ${top}H${right}V${bottom}H${left}Z`;
  const across = grid === "both" && x ? x.ticks.map((t) => `M${r1(t.at)} ${top}V${bottom}`).join("") : "";
  const along = grid !== "none" && y ? y.ticks.map((t) => `M${left} ${r1(t.at)}H${right}`).join("") : "";
  return html`
    <g class="gl-plot">
      <path class="gl-ground" d=${ground} />
      ${y?.band && html`<path class="gl-band0" d=${`M${left} ${r1(y.band[0])}H${right}V${r1(y.band[1])}H${left}Z`} />`}
      <path class="gl-lines" d=${across + along} />
      ${y && grid !== "none" && html`<path class="gl-zero" d=${`M${left} ${r1(y.zero)}H${right}`} />`}
      ${numbers.bottom && x && thinned(x.ticks, false).map((t) => html`<text x=${r1(t.at)} y=${bottom + 18} text-anchor="middle">${t.text}</text>`)}
      ${numbers.left && y && thinned(y.ticks, true).map((t) => html`<text x=${left - 7} y=${r1(t.at) + 4.7} text-anchor="end">${t.text}</text>`)}
      ${xName && numbers.bottom && numbers.named !== false && html`<text x=${right} y=${bottom + (numbers.bottom ? 36 : 18)} text-anchor="end">${xName}</text>`}
      ${yName && numbers.left && html`<text x=${left - 30} y=${top - 11} text-anchor="start">${yName}</text>`}
    </g>`;
}

/** Ticks whose numbers have room; zero has it before its neighbours. @param {Scale["ticks"]} ticks @param {boolean} upright */
function thinned(ticks, upright) {
  const zero = ticks.find(({ text }) => text === "0");
  const room = (/** @type {string} */ text) => (upright ? 17 : text.length * 7.6 + 8);
  let last = Number.NEGATIVE_INFINITY;
  return [...ticks]
    .sort((a, b) => a.at - b.at)
    .filter((tick) => {
      const { at, text } = tick;
      const near = zero && tick !== zero && Math.abs(at - zero.at) < room(text);
      if (near || (at - last < room(text) && tick !== zero)) return false;
      last = at;
      return true;
    });
}
