// The forward pass of a chain: states as bars in boxes, applications between them, losses.

import { html } from "../../common/html.js";
import { short } from "../common/numbers.js";
import { before, part, read, shapeOf, stance } from "../common/read.js";
import { lowered } from "../common/text.js";
import { at, box } from "./room.js";

/** A symbol with its step: h₁₂. @param {string} symbol @param {number} step */
export const indexed = (symbol, step) => symbol + lowered(step);

/** A text beside (u, v): under it in the wide layout, from it on in the narrow one. @param {any} space @param {number} u @param {number} v @param {string} text @param {any} [options] */
export function text(space, u, v, text, { kind = "gl-named", dy = 0, anchor = "", part = {} } = {}) {
  const [x, y] = space.turned ? [v, u + 4.7 + dy] : [u, v + dy];
  return html`<text class=${kind} x=${x.toFixed(1)} y=${y.toFixed(1)} text-anchor=${anchor || (space.turned ? "start" : "middle")} ...${part}>${text}</text>`;
}

/** @param {any} drawing @param {any} space */
export function States(drawing, space) {
  const { spec } = drawing;
  const { turned, state, half, lane, box: deep, named, count, forward, width, pitch } = space;
  const values = read(drawing, spec.states);
  const was = before(drawing, spec.states);
  return Array.from({ length: count + 1 }, (_, j) => {
    const u = state(j);
    const reached = j < forward;
    const now = Array.from({ length: width }, (_, d) => values[j * width + d]);
    const old = was ? Array.from({ length: width }, (_, d) => was[j * width + d]) : null;
    const label = indexed(spec.state, j);
    const broken = now.some(Number.isNaN);
    const said = !reached || width > 1 ? label : `${label} ${short(now[0])}`;
    const shown = !turned && pitch < 66 ? label : said;
    return html`
      <g class=${`gl-chainstate gl-role-state${stance(drawing, spec.states, j + 1)}`} ...${part(spec.states, j + 1)}>
        <path class=${reached ? "gl-box" : "gl-box gl-empty"} d=${box(space, u - half, u + half, lane, lane + deep)} />
        ${reached && now.map((value, d) => Bar(space, u, d, value))}
        ${reached && old?.some((value, d) => Math.abs(value - now[d]) > 1e-9) && html`<path class="gl-ghost" d=${old.map((value, d) => (Number.isFinite(value) ? bar(space, u, d, value) : "")).join("")} />`}
        <path class="gl-rule" d=${`M${at(space, u - half, zero(space))}L${at(space, u + half, zero(space))}`} />
        ${broken && reached && html`<path class="gl-lost" d=${cross(space, u, lane + deep / 2)} />`}
        ${turned ? text(space, u, 4, shown, { dy: spec.losses ? -8 : 0 }) : text(space, u, named, shown)}
      </g>`;
  });
}

/** Where zero lies, or the end that is nearest to it. @param {any} space */
const zero = ({ level, low, high }) => level(Math.min(high, Math.max(low, 0)));

/** One entry of a state as a bar from zero. @param {any} space @param {number} u @param {number} d @param {number} value */
function bar(space, u, d, value) {
  const { half, width, level, low, high } = space;
  const each = (2 * half - 8) / width;
  const [a, b] = [u - half + 4 + d * each, u - half + 4 + (d + 1) * each - (width > 1 ? 1 : 0)];
  return box(space, a, b, zero(space), level(Math.min(high, Math.max(low, value))));
}

/** @param {any} space @param {number} u @param {number} d @param {number} value */
function Bar(space, u, d, value) {
  if (Number.isNaN(value)) return null;
  const { low, high, level, half } = space;
  const side = value > high ? 1 : value < low ? -1 : 0;
  const v = level(side > 0 ? high : low);
  const inward = (space.turned ? -1 : 1) * side * 6;
  return html`
    <path class="gl-bar" d=${bar(space, u, d, value)} />
    ${side !== 0 && d === 0 && html`<path class="gl-torn" d=${`M${at(space, u - half + 3, v + inward)}L${at(space, u, v)}L${at(space, u + half - 3, v + inward)}`} />`}`;
}

/** @param {any} space @param {number} u @param {number} v */
export function cross(space, u, v) {
  return `M${at(space, u - 5, v - 5)}L${at(space, u + 5, v + 5)}M${at(space, u - 5, v + 5)}L${at(space, u + 5, v - 5)}`;
}

/** The arrows from state to state. @param {any} drawing @param {any} space */
export function Applications(drawing, space) {
  const { state, half, lane, box: deep, count, forward, pitch, turned } = space;
  const middle = lane + deep / 2;
  return Array.from({ length: count }, (_, j) => {
    if (j + 1 >= forward) return null;
    const [from, to] = [state(j) + half + 4, state(j + 1) - half - 3];
    const head = Math.min(8, to - from - 1);
    return html`
      <path class="gl-arrow" d=${`M${at(space, from, middle)}L${at(space, Math.max(from, to - head), middle)}`} />
      <path class="gl-arrowhead" d=${`M${at(space, to, middle)}L${at(space, to - head, middle - 4.5)}L${at(space, to - head, middle + 4.5)}Z`} />
      ${pitch >= 70 && drawing.spec.application && html`<text class="gl-muted" x=${turned ? middle + 9 : (from + to) / 2 - 2} y=${turned ? (from + to) / 2 + 4 : middle - 9} text-anchor=${turned ? "start" : "middle"}>${drawing.spec.application}</text>`}`;
  });
}

/** Each loss over its state, with the head's line between them. @param {any} drawing @param {any} space */
export function Losses(drawing, space) {
  const { spec, description } = drawing;
  const { turned, state, loss, lane, count, forward, pitch } = space;
  const values = read(drawing, spec.losses);
  const skip = shapeOf(description, spec.states)[0] - shapeOf(description, spec.losses)[0];
  return Array.from({ length: count + 1 - skip }, (_, i) => {
    const j = i + skip;
    if (j >= forward) return null;
    const u = state(j);
    const label = `${indexed(spec.loss, j)}${!turned && pitch < 66 ? "" : ` ${short(values[i])}`}`;
    const [x, y] = turned ? [10, u + 11] : [u, loss];
    return html`
      <g class=${`gl-role-loss${stance(drawing, spec.losses, i + 1)}`} ...${part(spec.losses, i + 1)}>
        ${!turned && html`<path class="gl-branch" d=${`M${u} ${lane - 2}V${loss + 7}`} />`}
        <path class="gl-spot" d=${`M${x - 5.5} ${y - 5.5}h11v11h-11z`} />
        <text class="gl-named" x=${turned ? 21 : u} y=${turned ? u + 16 : loss - 12} text-anchor=${turned ? "start" : "middle"}>${label}</text>
      </g>`;
  });
}
