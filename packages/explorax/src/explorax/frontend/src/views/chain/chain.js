// An unrolled chain: states forward, cotangents backward, what the parameter receives.
//
// Its spec is packages/explorax/src/explorax/views/chain.py's Chain. It draws arrays and knows no subject.

import { before, concealed, emphasis, html, marker, part, read, short } from "../../view.js";
import { Received, Stream } from "./backward.js";
import { Applications, barred, Losses, States, Uses } from "./forward.js";
import { at, box, Filled, kept, path, shown, spaceOf } from "./room.js";

export { layouts } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const { spec } = drawing;
  const space = spaceOf(drawing);
  const shows = (/** @type {string} */ name) => name && !concealed(drawing, name);
  return html`
    <defs><pattern id=${`${drawing.id}-hatch`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="gl-hatch" d="M0 2.5H5" /></pattern></defs>
    ${spec.uses && Uses(drawing, space)}
    ${shows(spec.losses) && Losses(drawing, space)}
    ${Applications(space)}
    ${shows(spec.states) && States(drawing, space)}
    ${shows(spec.cotangents) && Stream(drawing, space)}
    ${shows(spec.received) && (spec.total ? Sum : Received)(drawing, space)}
    ${shows(spec.cotangents) && Hatched(drawing, space)}
  `;
}

/** What hatching means, where some is. @param {any} drawing @param {any} space */
const Hatched = (drawing, { turned, backward }) =>
  backward > 0 &&
  read(drawing, drawing.spec.cotangents).some((/** @type {number} */ value) => value < 0) &&
  html`
  <g class="gl-role-cotangent" transform=${`translate(${turned ? 176 : 8} 5)`}>${Filled(drawing, "M0 0h18v12h-18z", -1)}<text class="gl-muted" x="24" y="11">hatched: negative</text></g>`;

/** The first state's bar. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  if (!spec.drag || concealed(drawing, spec.states)) return [];
  const { low, high, state, level, turned, value } = spaceOf(drawing);
  const first = read(drawing, spec.states)[0];
  if (!(first >= low && first <= high)) return [];
  const [u, v] = [state(0), level(first)];
  const place = turned ? { x: v, y: u, axis: "x" } : { x: u, y: v, axis: "y" };
  const inverse = (/** @type {number} */ px, /** @type {number} */ py) => value(turned ? px : py);
  return [{ control: spec.drag, label: "h₀", role: "state", ...place, value: inverse }];
}

const [THIN, THICK] = [4, 8]; // half of how thick a share is, and the bar

/** A band that leads from a share to its place in the bar. @param {any} space @param {number[]} from @param {number[]} to */
function band(space, [a, b], [c, d]) {
  const [high, low] = [space.diamond + THIN + 1, space.sum - THICK - 1];
  const middle = (high + low) / 2;
  const spots = (/** @type {[number, number][]} */ ...all) => all.map(([u, v]) => at(space, u, v)).join(" ");
  const there = spots([a, middle], [c, middle], [c, low]);
  return `M${at(space, a, high)}C${there}L${at(space, d, low)}C${spots([d, middle], [b, middle], [b, high])}Z`;
}

/** The shares that have been received, and their sum unless it is not to be seen yet. @param {any} drawing @param {any} space */
function Sum(drawing, space) {
  const { spec } = drawing;
  const { state, stream, diamond, sum, zero, unit, count, backward, turned } = space;
  const hidden = concealed(drawing, spec.total);
  const values = [...read(drawing, spec.received)].slice(0, count);
  const heard = values.map((value, i) => (count - i <= backward && Number.isFinite(value) ? value : 0));
  const was = before(drawing, spec.received);
  const first = (/** @type {number} */ n) => heard.slice(0, n).reduce((all, share) => all + share, 0);
  const places = heard.map((_, i) => [zero + first(i) * unit, zero + first(i + 1) * unit]);
  const total = first(count);
  const old = was && zero + [...was].reduce((all, share, i) => all + (heard[i] && share), 0) * unit;
  const end = Math.max(zero, ...places.map(([, to]) => to));
  const moved = !hidden && old && Math.abs(old - zero - total * unit) > 0.5;
  const said = `${hidden ? "?" : short(total)}${!hidden && !turned && backward < count ? " so far" : ""}`;
  const whole = backward >= count && !hidden ? part(spec.total) : {};
  const shares = values.map((value, i) => {
    const u = (state(i) + state(i + 1)) / 2;
    const half = Math.abs(heard[i] * unit) / 2;
    const come = count - i <= backward;
    const [from, to] = places[i];
    const strength = {
      class: "gl-flow gl-summand",
      "fill-opacity": (1 - (0.5 * i) / Math.max(1, count - 1)).toFixed(2),
    };
    const fall = turned ? [stream + 19, diamond - 42] : [stream + 19, diamond - THIN - 2];
    const share = () => html`
      <g class=${`gl-role-parameter${emphasis(drawing, spec.received, i + 1)}`} ...${shown(come, part(spec.received, i + 1))}>
        <path class="gl-fall" d=${path(space, [u, fall[0]], [u, fall[1]])} />
        ${!hidden && html`<path class="gl-strand" d=${band(space, [u - half, u + half], [Math.min(from, to), Math.max(from, to)])} />`}
        ${Number.isNaN(value) ? html`<path class="gl-lost" d=${turned ? marker("limit", diamond, u, 4) : marker("limit", u, diamond, 4)} />` : Filled(drawing, box(space, u - half, u + half, diamond - THIN, diamond + THIN), value, strength)}
        <text class="gl-named" x=${turned ? diamond - 9 : (u + half + 6).toFixed(1)} y=${((turned ? u : diamond) + 4.7).toFixed(1)} text-anchor=${turned ? "end" : "start"}>${short(value)}</text>
        ${!hidden && Filled(drawing, box(space, from, to, sum - THICK, sum + THICK), value, strength)}
      </g>`;
    return kept(drawing, `share ${i}`, [come, value, from, to, hidden], share);
  });
  return html`
    ${shares}
    <g class=${`gl-role-parameter${emphasis(drawing, spec.total)}`} ...${whole}>
      ${moved && html`<path class="gl-ghost" d=${box(space, zero, old, sum - THICK, sum + THICK)} />`}
      ${(hidden || backward > 0) && Total(space, "θ̄", said, hidden ? zero : moved ? Math.max(end, old) : end)}
    </g>`;
}

/** The sum's name and number at the bar: beside it, or where it is turned at its two ends. @param {any} space @param {string} name @param {string} said @param {number} end */
function Total(space, name, said, end) {
  const { sum, zero, turned } = space;
  const rule = html`<path class="gl-rule" d=${path(space, [zero, sum - THICK - 5], [zero, sum + THICK + 5])} />`;
  if (!turned)
    return html`${rule}<text class="gl-named" x=${(end + 10).toFixed(1)} y=${sum + 4.7} text-anchor="start">${barred(`${name} = ${said}`)}</text>`;
  return html`${rule}
    <text class="gl-named" x=${sum} y=${(zero - 8).toFixed(1)} text-anchor="middle">${barred(name)}</text>
    <text class="gl-named" x=${sum} y=${(end + 18).toFixed(1)} text-anchor="middle">${said}</text>`;
}
