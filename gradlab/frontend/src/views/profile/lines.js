// Lines and points: broken where a value is none, marked where they leave the plot.

import { html } from "../../common/html.js";
import { marker } from "../common/arrows.js";
import { spread } from "../common/labels.js";
import { r1 } from "../common/numbers.js";
import { before, part, read, stance } from "../common/read.js";
import { held } from "../common/scales.js";
import { Beyond, intervals } from "./bars.js";

const MARKED = ["parameter", "loss", "cotangent"]; // their lines carry markers

/** A path through what is finite. @param {ArrayLike<number>} values @param {any} space */
function trace(values, { y, place, count }) {
  let [path, open] = ["", false];
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(values[i])) {
      open = false;
      continue;
    }
    // far beyond is as good as far beyond: the plot cuts it
    const py = Math.min(2e4, Math.max(-2e4, y.at(values[i])));
    if (Number.isNaN(py)) open = false;
    else {
      path += `${open ? "L" : "M"}${r1(place(i))} ${r1(py)}`;
      open = true;
    }
  }
  return path;
}

/** Where a series leaves the plot or is no number: a mark at the edge, the first of each run with a word. @param {ArrayLike<number>} values @param {any} space */
function edges(values, { y, place, count, top, bottom }) {
  const marks = [];
  let last = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i];
    const nan = Number.isNaN(value);
    const state = nan ? 3 : held(y, value).beyond * (Number.isFinite(value) ? 1 : 2);
    if (state !== 0 && state !== last) {
      if (nan) {
        marks.push(html`<path class="gl-lost" d=${`M${r1(place(i)) - 4} ${bottom - 10}l8 8m0 -8l-8 8`} />
          <text class="gl-losttext" x=${r1(place(i)) + 8} y=${bottom - 2}>NaN</text>`);
      } else
        marks.push(
          Beyond(
            place(i),
            state > 0 ? top : bottom,
            Math.sign(state),
            Math.abs(state) === 2 ? (state > 0 ? "∞" : "−∞") : "",
          ),
        );
    }
    last = state;
  }
  return marks;
}

/** @param {any} one @param {any} drawing @param {any} space */
export function Line(one, drawing, space) {
  const { y, place, count } = space;
  const values = read(drawing, one.value);
  const now = trace(values, space);
  const was = before(drawing, one.value);
  const old = was ? trace(was, space) : "";
  const clipped = `url(#${drawing.id}-profile)`;
  const each = Math.max(1, Math.ceil(count / (space.small ? 6 : 12)));
  const offset = { parameter: 0, loss: 1, cotangent: 2 }[/** @type {"loss"} */ (one.role)] ?? 0;
  let beads = "";
  if (MARKED.includes(one.role) && !drawing.spec.at) {
    for (let i = Math.min(offset, count - 1); i < count; i += each) {
      if (held(y, values[i]).beyond === 0 && Number.isFinite(values[i]))
        beads += marker(one.role, place(i), y.at(values[i]), space.small ? 2.5 : 4);
    }
  }
  return html`
    <g class=${`gl-role-${one.role}${stance(drawing, one.value)}`} ...${part(one.value)}>
      ${old && old !== now && html`<path class="gl-ghost" d=${old} clip-path=${clipped} />`}
      <path class="gl-line" d=${now} clip-path=${clipped} />
      ${beads && html`<path class="gl-spot" d=${beads} />`}
      ${intervals(one, drawing, space)}
      ${edges(values, space)}
    </g>`;
}

/** @param {any} one @param {any} drawing @param {any} space */
export function Points(one, drawing, space) {
  const { y, place, count } = space;
  const values = read(drawing, one.value);
  const shown = Array.from({ length: count }, (_, i) => i).filter(
    (i) => Number.isFinite(values[i]) && held(y, values[i]).beyond === 0,
  );
  const spot = (/** @type {number} */ i) => marker(one.role, place(i), y.at(values[i]), count > 40 ? 2.5 : 5);
  return html`
    <g class=${`gl-role-${one.role}`}>
      ${intervals(one, drawing, space)}
      ${
        count > 64
          ? html`<path class="gl-spot" d=${shown.map(spot).join("")} ...${part(one.value)} />`
          : shown.map(
              (i) =>
                html`<path class=${`gl-spot${stance(drawing, one.value, i + 1)}`} d=${spot(i)} ...${part(one.value, i + 1)} />`,
            )
      }
      ${edges(values, space)}
    </g>`;
}

/** The names of lines at their right ends, apart from each other. @param {any[]} shown @param {any} drawing @param {any} space */
export function Ends(shown, drawing, space) {
  const { ends, y, count, right, top, bottom } = space;
  const named = ends.filter((/** @type {any} */ one) => shown.includes(one));
  const wanted = named.map((/** @type {any} */ one) => {
    const values = read(drawing, one.value);
    let i = count - 1;
    while (i > 0 && !Number.isFinite(values[i])) i--;
    return Number.isFinite(values[i]) ? held(y, values[i]).px : bottom;
  });
  const heights = spread(wanted, top + 6, bottom - 4, 17);
  return named.map(
    (/** @type {any} */ one, /** @type {number} */ i) => html`
      <text class=${`gl-named gl-role-${one.role}${stance(drawing, one.value)}`} x=${right + 10} y=${r1(heights[i]) + 4.5} ...${part(one.value)}>${one.label}</text>`,
  );
}
