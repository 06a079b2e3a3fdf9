// Lines and points: broken where a value is none, marked where they leave the plot.

import { html } from "../../common/html.js";
import { marker } from "../common/arrows.js";
import { clipOf, numbersOf } from "../common/clips.js";
import { r1 } from "../common/numbers.js";
import { before, part, read, stance } from "../common/read.js";
import { clamp, clamped } from "../common/scales.js";
import { Beyond, intervals } from "./bars.js";

const MARKED = ["parameter", "loss", "cotangent"]; // their lines carry markers, each from another step on

/**
 * A path through what is finite and has a place, broken at a jump: where places are as good as one, and values are not.
 * Far beyond is as good as far beyond, as the plot cuts it.
 * @param {ArrayLike<number>} values @param {any} space @param {(i: number) => number} place
 */
function trace(values, { y, count }, place) {
  let [path, drawn, x, level] = ["", false, Number.NaN, Number.NaN];
  for (let i = 0; i < count; i++) {
    const [px, py] = [place(i), clamp(y.at(values[i]), -2e4, 2e4)];
    const jumps = Math.abs(px - x) < 1e-3 && Math.abs(py - level) > 1;
    const shown = Number.isFinite(values[i]) && !Number.isNaN(px + py);
    if (shown) path += `${drawn && !jumps ? "L" : "M"}${r1(px)} ${r1(py)}`;
    [drawn, x, level] = [shown, px, py];
  }
  return path.replace(/M[^ML]+(?=M|$)/g, "$&Z"); // one alone is a dot
}

/** Tell if a value lies in the plot. @param {any} y @param {number} value */
const shows = (y, value) => Number.isFinite(value) && clamped(y, value).beyond === 0;

/** Where the line to value i crosses an edge of the plot; at i itself where no line comes from within. @param {ArrayLike<number>} values @param {any} space @param {number} i @param {number} edge */
function crossing(values, { y, place }, i, edge) {
  const [from, to] = [y.at(values[i - 1]), y.at(values[i])];
  const share = i > 0 && shows(y, values[i - 1]) ? (edge - from) / (to - from) : 1;
  return place(i) + (Number.isFinite(to) ? (share - 1) * (place(i) - place(i - 1)) : 0);
}

/** Marks at the edge for what leaves the plot or is no number, the first of each run with a word. @param {ArrayLike<number>} values @param {any} space */
function edges(values, { y, place, count, top, bottom }) {
  let last = "";
  return Array.from({ length: count }, (_, i) => {
    const value = values[i];
    const { beyond } = clamped(y, value);
    const word = Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? "" : value > 0 ? "∞" : "−∞";
    const state = `${beyond}${word}`;
    const again = state === last;
    last = state;
    if (again || state === "0") return null;
    if (word === "NaN")
      return html`<path class="gl-lost" d=${marker("limit", place(i), bottom - 6, 4)} />
          <text class="gl-losttext" x=${r1(place(i)) + 8} y=${bottom - 2}>NaN</text>`;
    const edge = beyond > 0 ? top : bottom;
    return Beyond(crossing(values, { y, place }, i, edge), edge, beyond, word);
  });
}

/** @param {any} series @param {any} drawing @param {any} space */
export function Line(series, drawing, space) {
  const { value, role, behind } = series;
  const { y, place, count, small } = space;
  const values = read(drawing, value);
  const was = behind ? undefined : before(drawing, value);
  const [now, old] = [trace(values, space, place), was ? trace(was, space, space.placed) : ""];
  const clipped = (/** @type {string} */ d) => clipOf(numbersOf(d), space, `${drawing.id}-profile`);
  const each = Math.max(1, Math.ceil(count / (small ? 6 : 12)));
  const rank = MARKED.indexOf(role);
  const first = Math.min(rank, count - 1);
  const beads = Array.from({ length: count }, (_, i) => i)
    .filter((i) => i >= first && (i - first) % each === 0 && shows(y, values[i]))
    .map((i) => marker(role, place(i), y.at(values[i]), small ? 2.5 : 4));
  return html`
    <g class=${`gl-role-${role}${behind ? " gl-behind" : ""}${stance(drawing, value)}`} ...${part(value)}>
      ${old && old !== now && html`<path class="gl-ghost" d=${old} clip-path=${clipped(old)} />`}
      ${behind && html`<path class="gl-reach" d=${now} clip-path=${clipped(now)} />`}
      <path class="gl-line" d=${now} clip-path=${clipped(now)} />
      ${rank >= 0 && !drawing.spec.at && beads.length > 0 && html`<path class="gl-spot" d=${beads.join("")} />`}
      ${intervals(series, drawing, space)}
      ${edges(values, space)}
    </g>`;
}

/** @param {any} series @param {any} drawing @param {any} space */
export function Points(series, drawing, space) {
  const { value, role } = series;
  const { y, place, count } = space;
  const values = read(drawing, value);
  const shown = Array.from({ length: count }, (_, i) => i).filter(
    (i) => shows(y, values[i]) && !Number.isNaN(place(i)),
  );
  const spot = (/** @type {number} */ i) => marker(role, place(i), y.at(values[i]), count > 40 ? 2.5 : 5);
  const dust = (/** @type {number} */ i) => marker("ink", place(i), y.at(values[i]), 3); // each seen through the others
  const single = (/** @type {number} */ i) =>
    html`<path class=${`gl-spot${stance(drawing, value, i + 1)}`} d=${spot(i)} ...${part(value, i + 1)} />`;
  return html`
    <g class=${`gl-role-${role}`}>
      ${intervals(series, drawing, space)}
      ${count > 64 ? html`<path class="gl-dust" d=${shown.map(dust).join("")} ...${part(value)} />` : shown.map(single)}
      ${edges(values, space)}
    </g>`;
}
