// The forward pass: states, and the heads between them and the losses.

import { html } from "../../html.js";
import { BED } from "./geometry.js";
import { box, indexed, shade, spring, zigzag } from "./shapes.js";

/** @typedef {import("./geometry.js").Layout} Layout */

/** The forward pass: one bar for each state, of a fixed scale. @param {any} context */
export function lane({ values, ghost, description, layout, flow }) {
  const most = 2 * layout.laneUnit;
  return Array.from({ length: flow.shown + 1 }, (_, j) => {
    const u = flow.state(j);
    const long = Math.min(values.states[j] * layout.laneUnit, most + 4);
    const cut = values.states[j] * layout.laneUnit > most + 4;
    const was = ghost && j <= ghost.steps ? Math.min(ghost.states[j] * layout.laneUnit, most + 4) : null;
    const next = flow.state(j + 1);
    const bar = (/** @type {number} */ size, /** @type {string} */ kind) =>
      layout.turned
        ? html`<rect class=${kind} x=${layout.lane} y=${u - 6} width=${size} height="12" />`
        : html`<rect class=${kind} x=${u - 7} y=${layout.lane - size} width="14" height=${size} />`;
    const [x, y] = layout.turned ? [layout.lane + most + 4, u] : [u, layout.lane - most - 4];
    return html`
      <g class="gl-state">
        ${bar(long, "gl-value")}
        ${cut && html`<path class="gl-tear" d=${layout.turned ? zigzag(x, y, 12, true) : zigzag(x, y, 14, false)} />`}
        ${was !== null && Math.abs(was - long) > 0.5 && bar(was, "gl-ghost")}
        ${
          layout.turned
            ? html`<text class="gl-forward" x=${layout.lane} y=${u + 20}>${indexed(description.labels.state, j)}</text>`
            : html`<text class="gl-forward" x=${u} y=${layout.lane + 17} text-anchor="middle">
                ${indexed(description.labels.state, j)}</text>`
        }
        ${j < flow.shown && arrow(layout, u, next)}
        ${j === flow.shown && flow.shown < flow.steps && html`<text x=${layout.lane + 2} y=${u + 36}>⋮</text>`}
      </g>
    `;
  });
}

/** @param {Layout} layout @param {number} from @param {number} to */
function arrow(layout, from, to) {
  if (layout.turned) {
    const x = layout.lane + 6;
    return html`<path class="gl-arrow" d=${`M${x} ${from + 26}V${to - 15}`} />
      <path class="gl-arrowhead" d=${`M${x} ${to - 9}l-4 -7h8z`} />`;
  }
  const y = layout.lane - 10;
  return html`<path class="gl-arrow" d=${`M${from + 10} ${y}H${to - 16}`} />
    <path class="gl-arrowhead" d=${`M${to - 10} ${y}l-7 -4v8z`} />`;
}

/** From each state the forward path to its head. @param {any} context */
export function branches(context) {
  const { layout, flow } = context;
  const foot = layout.v0 + BED * layout.unit + 2;
  return Array.from({ length: flow.shown + 1 }, (_, k) => {
    const u = spring(context, k).right + 5;
    const path = layout.turned
      ? `M${layout.lane + 44} ${u}H${foot + 5}`
      : `M${u} ${layout.lane - 10}V${foot + 16}`;
    return html`<path class="gl-branch" d=${path} />`;
  });
}

/** Each loss with the head between it and its state. @param {any} context */
export function heads(context) {
  const { layout, flow, description, lit } = context;
  const [head, low, loss, end] = layout.turned ? [5, 17, 25, 57] : [16, 36, 44, 67];
  const foot = BED * layout.unit;
  return Array.from({ length: flow.shown + 1 }, (_, k) => {
    const { left, right } = spring(context, k);
    const [start, stop] = [left - 6, right + 13];
    const middle = (start + stop) / 2;
    const link = right + 5;
    const down = layout.turned
      ? `M${layout.v0 + foot + low} ${link}h8`
      : `M${link} ${layout.v0 + foot + low}v8`;
    const [x, y] = layout.turned
      ? [layout.v0 + foot + (loss + end) / 2, middle + 5]
      : [middle, layout.v0 + foot + loss + 16];
    return html`
      <g class=${`gl-head${shade(lit, k)}`} data-part="loss" data-index=${k}>
        ${box(layout, start, stop, foot + head, foot + low, { class: "gl-headbox", rx: 4 })}
        ${
          !layout.turned &&
          html`<text class="gl-headtext" x=${middle} y=${layout.v0 + foot + low - 5.5} text-anchor="middle">
            ${description.labels.head}</text>`
        }
        <path class="gl-branch" d=${down} />
        ${box(layout, start, stop, foot + loss, foot + end, { class: "gl-loss", rx: 3 })}
        <text x=${x} y=${y} text-anchor="middle">${indexed(description.labels.loss, k)}</text>
      </g>
    `;
  });
}
