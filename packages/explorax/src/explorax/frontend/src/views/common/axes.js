// Axes: faint lines at round values, their numbers outside, the band of a symlog axis.

import { html } from "../../common/html.js";
import { memoizeDrawn } from "../../common/memoize.js";
import { r1 } from "./numbers.js";

/** @typedef {import("./scales.js").Scale} Scale */

const LETTER = 8; // of a number, at most
const EDGE = 14; // how far a number may reach beyond the right end

/**
 * The plot's ground, with grid and numbers; drawn once, for it does not change with values.
 * @param {any} drawing
 * @param {{left: number, right: number, top: number, bottom: number, strip?: number, x: Scale, y: Scale}} space
 * @param {{x: string, y: string, grid: "both" | "y" | "none"}} options names of the axes, and which lines are drawn
 */
export function Axes(drawing, { left, right, top, bottom, strip = 0, x, y }, { x: across, y: along, grid }) {
  // of small multiples those at the edges have numbers
  const numbers = drawing.room?.numbers ?? { left: true, bottom: true, named: true };
  const key = [left, right, top, bottom, numbers.left, numbers.bottom, numbers.named, across];
  return memoizeDrawn(drawing, "axes", key, () => {
    const upright = grid === "both" ? x.ticks.map((t) => `M${r1(t.at)} ${top}V${bottom}`) : [];
    const level = grid === "none" ? [] : y.ticks.map((t) => `M${left} ${r1(t.at)}H${right}`);
    return html`
    <g class="gl-plot">
      <path class="gl-ground" d=${`M${left} ${top}H${right}V${bottom}H${left}Z`} />
      ${y.band && html`<path class="gl-band0" d=${`M${left} ${r1(y.band[0])}H${right}V${r1(y.band[1])}H${left}Z`} />`}
      <path class="gl-lines" d=${[...upright, ...level].join("")} />
      ${grid !== "none" && html`<path class="gl-zero" d=${`M${left} ${r1(y.zero)}H${right}`} />`}
      ${numbers.bottom && thinned(x.ticks, false).map((t) => html`<text x=${r1(Math.min(t.at, right + EDGE - (t.text.length * LETTER) / 2))} y=${bottom + 18} text-anchor="middle">${t.text}</text>`)}
      ${numbers.left && thinned(y.ticks, true).map((t) => html`<text x=${left - 7} y=${r1(t.at) + 4.7} text-anchor="end">${t.text}</text>`)}
      ${across && numbers.bottom && numbers.named && html`<text x=${right} y=${bottom + 36} text-anchor="end">${across}</text>`}
      ${along && !drawing.room?.numbers && html`<text x=${left - 30} y=${top - 11 - strip} text-anchor="start">${along}</text>`}
    </g>`;
  });
}

/** Ticks whose numbers have room; zero has it before its neighbours. @param {Scale["ticks"]} ticks @param {boolean} upright */
function thinned(ticks, upright) {
  const zero = ticks.find(({ text }) => text === "0");
  const room = (/** @type {string} */ text) => (upright ? 17 : text.length * LETTER + 8);
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
