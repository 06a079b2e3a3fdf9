// A small drawing beside the key: arrows, bars and words that stay, and light up with their parts.

import { arrow, html, part, read, stance } from "../../view.js";

/** @typedef {[number, number]} Point */

/** @param {any} drawing @param {{x: number, y: number}} corner */
export function Inset(drawing, { x, y }) {
  const { arrows, bars, rings, words } = drawing.spec.inset;
  /** @param {Point} point @returns {Point} */
  const at = ([a, b]) => [x + a, y + b];
  const named = (/** @type {string} */ name, /** @type {string} */ role) => ({
    class: `gl-role-${role}${stance(drawing, name)}`,
    ...part(name),
  });
  return html`
    <g class="gl-inset">
      ${arrows.map((/** @type {[string, string, Point, Point]} */ [name, role, from, to]) => {
        const { shaft, head } = arrow(at(from), at(to), role, 0.8);
        return html`<g ...${named(name, role)}><path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} /></g>`;
      })}
      ${bars.map((/** @type {[string, string, Point, string | undefined]} */ [name, role, middle, when]) => {
        const [a, b] = at(middle);
        return (
          (!when || Number(read(drawing, when)) !== 0) &&
          html`<g ...${named(name, role)}><path class="gl-bar-across" d=${`M${a} ${b - 11}v22`} /></g>`
        );
      })}
      ${rings.map((/** @type {[string, Point]} */ [role, middle]) => {
        const [a, b] = at(middle);
        return html`<circle class=${`gl-inset-ring gl-role-${role}`} cx=${a} cy=${b} r="11" />`;
      })}
      ${words.map((/** @type {[string, string, Point, string]} */ [text, role, place, anchor]) => {
        const [a, b] = at(place);
        return html`<text class=${`gl-named gl-role-${role}`} x=${a} y=${b} text-anchor=${anchor}>${text}</text>`;
      })}
    </g>`;
}
