// The forward pass: states, and the heads between them and the losses.

import { html } from "../../common/html.js";
import { BED } from "./geometry.js";
import { box, indexed, places, shade, spring, Text, zigzag } from "./shapes.js";

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
  return html`<g class="gl-states">${states}</g>${arrows(layout, flow)}
    ${layout.turned && flow.shown < flow.steps && html`<text x=${layout.lane + 2} y=${flow.state(flow.shown) + 36}>⋮</text>`}`;
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
    ${Text(layout, [lane, 20], [undefined, lane + 17, "middle"], letter, "gl-forward")}
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

/** From each state the forward path to its head. @param {any} context */
export function branches(context) {
  const { layout, flow } = context;
  const foot = layout.v0 + BED * layout.unit + 2;
  const paths = Array.from({ length: flow.shown + 1 }, (_, k) => {
    const u = round(spring(context, k).right + 5);
    return layout.turned ? `M${layout.lane + 44} ${u}H${foot + 5}` : `M${u} ${layout.lane - 10}V${foot + 8}`;
  });
  return html`<path class="gl-branch" d=${paths.join("")} />`;
}

/** Each loss with the head between it and its state. @param {any} context */
export function heads(context) {
  const { layout, flow, description, lit } = context;
  return places(context, "head", layout.steps + 1, (k) => {
    if (k > flow.shown) return null;
    const kind = `gl-head${shade(lit, k)}`;
    const draw = () => html`
      <g class=${kind} data-part="loss" data-index=${k}>
        ${head(layout, description.labels.head, indexed(description.labels.loss, k))}
      </g>`;
    return { u: spring(context, k).left, key: [kind], draw };
  });
}

/** @param {Layout} layout @param {string} name @param {any} letter */
function head(layout, name, letter) {
  const [head, low, loss, end] = layout.turned ? [5, 17, 25, 57] : [8, 28, 36, 59];
  const foot = BED * layout.unit;
  const [start, stop, link] = [-6, layout.unit + 13, layout.unit + 5];
  const middle = (start + stop) / 2;
  const down = layout.turned
    ? `M${layout.v0 + foot + low} ${link}h8`
    : `M${link} ${layout.v0 + foot + low}v8`;
  const [x, y] = layout.turned
    ? [layout.v0 + foot + (loss + end) / 2, middle + 5]
    : [middle, layout.v0 + foot + loss + 16];
  return html`
    ${box(layout, start, stop, foot + head, foot + low, { class: "gl-headbox", rx: 4 })}
    ${
      !layout.turned &&
      html`<text class="gl-headtext" x=${middle} y=${layout.v0 + foot + low - 5.5} text-anchor="middle">
        ${name}</text>`
    }
    <path class="gl-branch" d=${down} />
    ${box(layout, start, stop, foot + loss, foot + end, { class: "gl-loss", rx: 3 })}
    <text x=${x} y=${y} text-anchor="middle">${letter}</text>
  `;
}
