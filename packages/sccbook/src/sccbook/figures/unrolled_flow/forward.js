// The forward pass: states, and the heads between them and the losses.

import { emphasis, html } from "explorax/view";
import { box, indexed, places, Text, zigzag } from "./shapes.js";

/** @typedef {import("./geometry.js").Layout} Layout */

const round = (/** @type {number} */ u) => Math.round(u * 100) / 100;

/** The forward pass: one bar for each state, of a fixed scale. @param {any} context */
export function lane(context) {
  const { values, ghost, layout, flow, description } = context;
  const most = 2 * layout.laneUnit;
  const size = (/** @type {number} */ value) => Math.min(value * layout.laneUnit, most + 4);
  const states = places(context, "state", layout.steps + 1, (j) => {
    if (j > flow.shown) return null;
    const long = size(values.states[j]);
    const was = ghost && j <= ghost.steps ? size(ghost.states[j]) : null;
    const ghosted = was !== null && Math.abs(was - long) > 0.5 ? was : null;
    const cut = values.states[j] * layout.laneUnit > most + 4;
    const draw = () =>
      state(layout, { letter: indexed(description.labels.state, j), long, cut, ghosted, most });
    return { u: flow.state(j), key: [long, cut, ghosted], draw };
  });
  // three dots below each other, drawn, since each system takes the sign from another font
  const dots = [27, 32, 37].map((down) => `M${layout.lane + 4} ${flow.state(flow.shown) + down}h0`);
  return html`<g class="gl-states">${states}</g>${arrows(layout, flow)}
    ${layout.turned && flow.shown < flow.steps && html`<path class="gl-further" d=${dots.join("")} />`}`;
}

/** @param {Layout} layout @param {any} bar */
function state(layout, { letter, long, cut, ghosted, most }) {
  const { turned, lane } = layout;
  const bar = (/** @type {number} */ size, /** @type {string} */ kind) =>
    turned
      ? html`<rect class=${kind} x=${lane} y="-6" width=${size} height="12" />`
      : html`<rect class=${kind} x="-7" y=${lane - size} width="14" height=${size} />`;
  const tear = turned ? zigzag(lane + most + 4, 0, 12, true) : zigzag(0, lane - most - 4, 14, false);
  return html`
    ${bar(long, "gl-value")}
    ${cut && html`<path class="gl-tear" d=${tear} />`}
    ${ghosted !== null && bar(ghosted, "gl-ghost")}
    ${Text(layout, [lane, 20], [10, lane + 5], letter, "gl-forward")}
  `;
}

/** From each state to the next. @param {Layout} layout @param {any} flow */
function arrows({ turned, lane }, { shown, state }) {
  const [x, y] = [lane + 6, lane - 10];
  const each = (/** @type {(from: number, to: number) => string} */ draw) =>
    Array.from({ length: shown }, (_, j) => draw(round(state(j)), round(state(j + 1)))).join("");
  const lines = each((from, to) =>
    turned ? `M${x} ${from + 26}V${to - 15}` : `M${from + 10} ${y}H${to - 16}`,
  );
  const heads = each((_, to) => (turned ? `M${x} ${to - 9}l-4 -7h8z` : `M${to - 10} ${y}l-7 -4v8z`));
  return html`<path class="gl-arrow" d=${lines} /><path class="gl-arrowhead" d=${heads} />`;
}

/** Each loss with the head between it and its state. @param {any} context */
export function heads(context) {
  const { layout, flow, description } = context;
  return places(context, "head", layout.steps + 1, (k) => {
    if (k > flow.shown) return null;
    const kind = `gl-head${emphasis(context, "loss", k)}`;
    const draw = () => html`
      <g class=${kind} data-part="loss" data-index=${k}>
        ${head(layout, indexed(description.labels.loss, k))}
      </g>`;
    return { u: flow.state(k), key: [kind], draw };
  });
}

/** @param {Layout} layout @param {any} letter */
function head(layout, letter) {
  const { turned, v0, lane } = layout;
  const [[top, low], [start, end]] = [layout.head, layout.loss];
  const [x, y] = turned ? [(start + end) / 2, 5] : [0, (start + end) / 2 + 5];
  const link = turned ? `M${lane + 40} 0H${start}` : `M0 ${lane}V${start}`;
  return html`
    <path class="gl-branch" d=${link} />
    ${box(layout, -11, 11, top - v0, low - v0, { class: "gl-headbox", rx: 3 })}
    ${box(layout, turned ? -12 : -15, turned ? 12 : 15, start - v0, end - v0, { class: "gl-loss", rx: 3 })}
    <text x=${x} y=${y} text-anchor="middle">${letter}</text>
  `;
}
