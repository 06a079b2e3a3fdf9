// What the parts of the stream's picture are made of.

import { html, memoizeDrawn, number } from "explorax/view";
import { BED, round } from "./geometry.js";

/** @typedef {import("./geometry.js").Layout} Layout */

/** A whole number, or two decimals where there is room for them: 2, 1.97, 2.00, 31.5, 4,095. @param {number} value */
export function compact(value) {
  const size = Math.abs(value);
  const whole = Math.abs(size - Math.round(size)) <= 1e-9;
  return number(value, whole || size >= 99.95 ? ",.0f" : size < 9.995 ? ",.2f" : ",.1f");
}

/** Tell if a gate stands at state j. @param {any} values @param {number} j */
export function stands(values, j) {
  return Boolean(values.gates_in[j] || (j > 0 && values.gates_out[j - 1]));
}

/** A rectangle from (u, v) to (u, v). @param {Layout} layout */
export function box(layout, u1 = 0, u2 = 0, v1 = 0, v2 = 0, properties = {}) {
  const [x, y, width, height] = layout.turned
    ? [layout.v0 + v1, u1, v2 - v1, u2 - u1]
    : [u1, layout.v0 + v1, u2 - u1, v2 - v1];
  return html`<rect x=${round(x)} y=${round(y)} width=${round(width)} height=${round(height)} ...${properties} />`;
}

/**
 * A place for each of the steps that there may be, with what is drawn in it or nothing. Whatever comes
 * or goes among an element's children, browsers style all of these again: here it is the only one.
 * @param {{layout: Layout, description: object, id: string}} drawing
 * @param {string} name of what is drawn, for it to be remembered
 * @param {(i: number) => {fill?: string, key: any[], draw: () => any} | null} place drawn from what is in `key` alone
 */
export function places(drawing, name, place) {
  return Array.from({ length: BED + 1 }, (_, i) => {
    const { fill, key = [], draw } = place(i) ?? {};
    return memoizeDrawn(drawing, `${name} ${i}`, [drawing.layout.width, fill, ...key], () => {
      return html`<g style=${fill && `fill:${fill}`}>${draw?.()}</g>`;
    });
  });
}

/** A text at one of two places, by whether the stream is turned: x, y and what of it lies there. @param {Layout} layout @param {any[]} turned @param {any[]} wide @param {any} words @param {string} [kind] */
export function Text(layout, turned, wide, words, kind) {
  const [x, y, anchor] = layout.turned ? turned : wide;
  return html`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${words}</text>`;
}

/** A letter with an index below it. @param {string} letter @param {number} n */
export function indexed(letter, n) {
  return html`${letter}<tspan class="gl-index" dy="3">${n}</tspan>`;
}

/** The colour of loss k of `steps`, along one ramp. @param {number} k @param {number} steps */
export function ramp(k, steps) {
  const t = steps === 1 ? 1 : (k - 1) / (steps - 1);
  const [from, to, share] = t < 0.5 ? ["from", "middle", 2 * t] : ["middle", "to", 2 * t - 1];
  const percent = Math.round(share * 100);
  return `color-mix(in oklab, var(--gl-ramp-${to}) ${percent}%, var(--gl-ramp-${from}))`;
}

/** A torn edge: teeth of the page's colour. @param {number} x @param {number} y */
export function zigzag(x, y, length = 14, turned = false) {
  const teeth = Math.max(2, Math.round(length / 7));
  const step = length / teeth;
  const points = Array.from({ length: 2 * teeth + 1 }, (_, i) => {
    const along = (i * step) / 2 - length / 2;
    const deep = i % 2 ? 3 : -3;
    return turned ? `${x - 5 + deep} ${y + along}` : `${x + along} ${y + 5 - deep}`;
  });
  const close = turned
    ? `L${x + 2} ${y + length / 2}L${x + 2} ${y - length / 2}Z`
    : `L${x + length / 2} ${y - 2}L${x - length / 2} ${y - 2}Z`;
  return `M${points.join("L")}${close}`;
}
