// The forward pass of a chain: states as bars in boxes, applications between them, losses.

import { clamp, clamped, html, lowered, marker, short } from "../../view.js";
import { before, emphasis, part, read, shapeOf } from "../common/read.js";
import { box, kept, path, shown } from "./room.js";

/** A symbol with its step: h₁₂. @param {string} symbol @param {number} step */
export const indexed = (symbol, step) => symbol + lowered(step);

/** A text beside (u, v): under it in the wide layout, from it on in the narrow one. @param {any} space @param {number} u @param {number} v @param {string} text @param {number} [dy] */
export function text(space, u, v, text, dy = 0) {
  const [x, y] = space.turned ? [v, u + 4.7 + dy] : [u, v + dy];
  return html`<text class="gl-named" x=${x.toFixed(1)} y=${y.toFixed(1)} text-anchor=${space.turned ? "start" : "middle"}>${barred(text)}</text>`;
}

/** A text whose first letter has a bar: drawn over it, as a font's own may run through an h. @param {string} text */
export const barred = (text) =>
  text[1] === "\u0304" ? html`<tspan class="gl-barred">${text[0]}</tspan>${text.slice(2)}` : text;

/** @param {any} drawing @param {any} space */
export function States(drawing, space) {
  const { spec } = drawing;
  const { turned, state, half, lane, box: deep, named, count, forward, entries, pitch } = space;
  const values = read(drawing, spec.states);
  const was = before(drawing, spec.states);
  const zero = space.level(clamp(0, space.low, space.high));
  return Array.from({ length: count + 1 }, (_, j) => {
    const u = state(j);
    const reached = j < forward;
    const own = (/** @type {any} */ all) => Array.from(all.slice(j * entries, (j + 1) * entries));
    const [now, old] = [own(values), was ? own(was) : []];
    const moved = old.some((value, d) => Math.abs(value - now[d]) > 1e-9);
    const ghost = old.map((value, d) => (Number.isFinite(value) ? bar(space, u, d, value, zero) : ""));
    const symbol = indexed("h", j);
    const bare = !reached || entries > 1 || (!turned && pitch < 66);
    const label = bare ? symbol : `${symbol} ${short(now[0])}`;
    const State = () => html`
      <g class=${`gl-chainstate gl-role-state${emphasis(drawing, spec.states, j + 1)}`} ...${part(spec.states, j + 1)}>
        <path class=${reached ? "gl-box" : "gl-box gl-empty"} d=${box(space, u - half, u + half, lane, lane + deep)} />
        <g ...${shown(reached)}>${now.map((value, d) => Bar(space, u, d, value, zero))}</g>
        ${reached && moved && html`<path class="gl-ghost" d=${ghost.join("")} />`}
        <path class="gl-rule" d=${path(space, [u - half, zero], [u + half, zero])} />
        ${now.some(Number.isNaN) && reached && html`<path class="gl-lost" d=${cross(space, u, lane + deep / 2)} />`}
        ${turned ? text(space, u, 4, label, spec.losses ? -8 : 0) : text(space, u, named, label)}
      </g>`;
    return kept(drawing, `state ${j}`, [reached, now, old], State);
  });
}

/** One entry of a state as a bar from zero. @param {any} space @param {number} u @param {number} d @param {number} value @param {number} zero */
function bar(space, u, d, value, zero) {
  const { half, entries, level, low, high } = space;
  const each = (2 * half - 8) / entries;
  const [a, b] = [u - half + 4 + d * each, u - half + 4 + (d + 1) * each - (entries > 1 ? 1 : 0)];
  return box(space, a, b, zero, level(clamp(value, low, high)));
}

/** @param {any} space @param {number} u @param {number} d @param {number} value @param {number} zero */
function Bar(space, u, d, value, zero) {
  if (Number.isNaN(value)) return null;
  const { low, high, level, half, turned } = space;
  const { px: v, beyond } = clamped({ at: level, low, high }, value);
  const inward = v + (turned ? -6 : 6) * beyond;
  return html`
    <path class="gl-bar" d=${bar(space, u, d, value, zero)} />
    ${beyond !== 0 && d === 0 && html`<path class="gl-torn" d=${path(space, [u - half + 3, inward], [u, v], [u + half - 3, inward])} />`}`;
}

/** A cross where a value is none. @param {any} space @param {number} u @param {number} v */
export const cross = ({ turned }, u, v) => (turned ? marker("limit", v, u) : marker("limit", u, v));

/** The arrows from state to state. @param {any} space */
export function Applications(space) {
  const { state, half, lane, box: deep, count, forward, pitch, turned } = space;
  const middle = lane + deep / 2;
  const all = Array.from({ length: count }, (_, j) => [state(j) + half + 4, state(j + 1) - half - 3]);
  const taken = all.slice(0, Math.max(0, forward - 1)).map(([from, to]) => {
    const neck = to - Math.min(8, to - from - 1);
    const head = path(space, [to, middle], [neck, middle - 4.5], [neck, middle + 4.5]);
    return [path(space, [from, middle], [Math.max(from, neck), middle]), `${head}Z`];
  });
  return html`
    <path class="gl-arrow" d=${taken.map(([shaft]) => shaft).join("")} />
    <path class="gl-arrowhead" d=${taken.map(([, head]) => head).join("")} />
    ${
      pitch >= 70 &&
      all.map(
        ([from, to], j) => html`
      <text class="gl-muted" x=${turned ? middle + 9 : (from + to) / 2 - 2} y=${turned ? (from + to) / 2 + 4 : middle - 9} text-anchor=${turned ? "start" : "middle"} ...${shown(j < taken.length)}>f</text>`,
      )
    }`;
}

/** Each loss over its state, with the head's line between them. @param {any} drawing @param {any} space */
export function Losses(drawing, space) {
  const { spec, description } = drawing;
  const { turned, state, loss, lane, count, forward, pitch } = space;
  const values = read(drawing, spec.losses);
  const skip = shapeOf(description, spec.states)[0] - shapeOf(description, spec.losses)[0];
  return Array.from({ length: count + 1 - skip }, (_, i) => {
    const j = i + skip;
    const u = state(j);
    const label = `${indexed("ℓ", j)}${!turned && pitch < 66 ? "" : ` ${short(values[i])}`}`;
    const [x, y] = turned ? [10, u + 11] : [u, loss];
    const Loss = () => html`
      <g class=${`gl-role-loss${emphasis(drawing, spec.losses, i + 1)}`} ...${shown(j < forward, part(spec.losses, i + 1))}>
        ${!turned && html`<path class="gl-branch" d=${`M${u} ${lane - 2}V${loss + 7}`} />`}
        <path class="gl-spot" d=${`M${x - 5.5} ${y - 5.5}h11v11h-11z`} />
        <text class="gl-named" x=${turned ? 21 : u} y=${turned ? u + 16 : loss - 12} text-anchor=${turned ? "start" : "middle"}>${label}</text>
      </g>`;
    return kept(drawing, `loss ${j}`, [j < forward, label], Loss);
  });
}

/** The one parameter, with a line into each application that uses it. @param {any} drawing @param {any} space */
export function Uses(drawing, space) {
  const { spec } = drawing;
  const { state, count, forward, turned, lane, box: deep, loss } = space;
  const [rail, end, start] = turned
    ? [lane - 6, lane + deep / 2 - 6, state(0) - 25]
    : [lane - 13, lane + deep / 2 - 23, state(0)];
  const [x, y] = turned ? [rail, start] : [start, rail];
  const used = Array.from({ length: Math.min(count, forward - 1) }, (_, j) => {
    const [last, u] = [j - 0.5, j + 0.5].map((place) => state(place) - (turned ? 0 : 2));
    const stopped = Number(read(drawing, spec.stopped)) === j + 1;
    const bar = path(space, [u - 6, end - 7], [u + 6, end - 7]);
    const tip = `${path(space, [u, end + 3], [u - 3.5, end - 4], [u + 3.5, end - 4])}Z`;
    return [
      path(space, [Math.max(start, last), rail], [u, rail], [u, end]),
      stopped ? bar : "",
      stopped ? "" : tip,
    ];
  });
  const all = (/** @type {number} */ n) => used.map((each) => each[n]).join("");
  return html`
    <g class="gl-role-parameter">
      <path class="gl-use" d=${all(0)} /><path class="gl-bar-across" d=${all(1)} /><path class="gl-tip" d=${all(2)} />
      <path class="gl-spot" d=${marker("parameter", x, y, 5)} />
      <text class="gl-named" x=${turned ? x - 10 : x} y=${turned ? y + 4.7 : loss + 5} text-anchor=${turned ? "end" : "middle"}>${spec.uses}</text>
    </g>`;
}
