// The sheet that marks are drawn on: shapes, labels to place, and words for what cannot be drawn.

import { clamp, html, marker, r1 } from "../../view.js";

/** @typedef {{shapes: any[], labels: any[], keys: any[], taken: any[], words: any, unsaid: Set<string>}} Sheet */

/** @param {number[]} numbers */
export const broken = (numbers) => (numbers.some(Number.isNaN) ? "NaN" : "infinite");

/** Words in the plot's corner for what cannot be drawn. @param {Sheet} sheet @param {any} mark @param {any} space @param {string} text */
export function unsaid(sheet, mark, space, text) {
  if (sheet.unsaid.has(text)) return;
  const y = space.top + 17 + 18 * sheet.unsaid.size;
  sheet.unsaid.add(text);
  sheet.shapes.push(html`
    <g class=${`gl-unsaid gl-role-${mark.role}`}>
      <path d=${marker("limit", space.left + 12, y - 4.5, 4)} /><text x=${space.left + 22} y=${y}>${text}</text>
    </g>`);
}

/**
 * A mark's label, to be placed about a point; one that has less choice chooses its place first.
 * @param {Sheet} sheet @param {any} mark
 * @param {{text: string, x: number, y: number, towards: [number, number], gap?: number, near?: boolean, part: any}} label
 */
export const label = (sheet, mark, label) =>
  sheet.labels[mark.towards || label.near ? "unshift" : "push"]({
    ...label,
    class: `gl-named gl-role-${mark.role}`,
  });

/** A coordinate that SVG can take, however far away. @param {number} x */
export const far = (x) => r1(clamp(x, -1e5, 1e5));
