// The history of a run: lines that grow with its steps, those of earlier runs behind them.
//
// Its spec is gradlab/figure/views/history.py's History. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { memoize } from "../../common/memoize.js";
import { marker } from "../common/arrows.js";
import { Axes } from "../common/axes.js";
import { spread } from "../common/labels.js";
import { r1 } from "../common/numbers.js";
import { concealed, part, read, stance } from "../common/read.js";
import { clamp, clamped } from "../common/scales.js";
import { typeOf } from "../common/text.js";
import { roomOf } from "./room.js";

export { layouts } from "./room.js";

export const handles = () => [];

/**
 * A path through so many values, with the lowest and the highest of each column of the plot.
 * @param {ArrayLike<number>} values @param {number} taken @param {any} room
 */
export function path(values, taken, { x, y, left, right }) {
  const columns = Math.max(1, Math.floor(right - left));
  const each = Math.max(1, Math.ceil(x.high / columns));
  let drawn = "";
  const go = (/** @type {number} */ i) => {
    drawn += `${drawn ? "L" : "M"}${r1(x.at(i + 1))} ${r1(clamp(y.at(values[i]), -2e4, 2e4))}`;
  };
  for (let first = 0; first < taken; first += each) {
    let [low, high] = [first, first];
    for (let i = first + 1; i < Math.min(first + each, taken); i++) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    go(Math.min(low, high));
    if (low !== high) go(Math.max(low, high));
  }
  return taken === 1 ? `${drawn}Z` : drawn; // one alone is a dot
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, id, values } = drawing;
  const room = roomOf(drawing);
  const { left, right, top, bottom, x } = room;
  const { earlier, label } = drawing.run ?? { earlier: [], label: "" };
  const shown = spec.series.filter((/** @type {any} */ { value }) => !concealed(drawing, value));
  const clip = `url(#${id}-history)`;
  /** An earlier run does not change. @param {any} run @param {string} value */
  const before = (run, value) =>
    memoize(run.values, `${id} ${value}`, [room], () => path(run.values[value], run.values.steps, room));
  return html`
    <defs><clipPath id=${`${id}-history`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, room, { x: spec.label, y: spec.y.label, grid: "y" })}
    ${earlier.map(
      (/** @type {any} */ run, /** @type {number} */ i) => html`
        <g class=${`gl-earlier gl-earlier-${i + 1}`} clip-path=${clip}>
          ${shown.map((/** @type {any} */ { value, role }) => html`<path class=${`gl-line gl-role-${role}`} d=${before(run, value)} />`)}
        </g>`,
    )}
    ${shown.map((/** @type {any} */ series) => Present(series, drawing, room, clip))}
    ${shown.length > 0 && values.case === 3 && Lost(x.at(values.steps + 1), bottom)}
    ${Ends(shown, drawing, room)}
    ${shown.length > 0 && room.keys.length > 0 && earlier.length > 0 && Runs([label, ...earlier.map((/** @type {any} */ run) => run.label)], drawing, room)}
  `;
}

/** The line of this run, with a dot where it is now. @param {any} series @param {any} drawing @param {any} room @param {string} clip */
function Present({ value, role }, drawing, room, clip) {
  const taken = Number(read(drawing, "steps"));
  const now = read(drawing, value);
  const { px } = clamped(room.y, now[taken - 1]);
  return html`
    <g class=${`gl-role-${role}${stance(drawing, value)}`} ...${part(value)}>
      <path class="gl-line" d=${path(now, taken, room)} clip-path=${clip} />
      ${taken > 0 && html`<path class="gl-spot" d=${marker(role, room.x.at(taken), px, 4)} />`}
    </g>`;
}

/** The place where a record was no finite number. @param {number} x @param {number} bottom */
const Lost = (x, bottom) => html`
  <g class="gl-role-limit">
    <path class="gl-lost" d=${marker("limit", x, bottom - 6, 4)} />
    <text class="gl-losttext" x=${r1(x) + 8} y=${bottom - 2}>stopped</text>
  </g>`;

/** The names of the lines at their ends. @param {any[]} shown @param {any} drawing @param {any} room */
function Ends(shown, drawing, { y, right, top, bottom }) {
  const taken = Number(read(drawing, "steps"));
  const named = shown.filter(({ label }) => label);
  const wanted = named.map(({ value }) => (taken ? clamped(y, read(drawing, value)[taken - 1]).px : bottom));
  const heights = spread(wanted, top + 6, bottom - 4, 17);
  return named.map(
    ({ role, value, label }, i) => html`
      <text class=${`gl-named gl-role-${role}${stance(drawing, value)}`} x=${right + 10} y=${r1(heights[i]) + 4.5} ...${part(value)}>${label}</text>`,
  );
}

/** The runs, each by the settings in which it differs. @param {string[]} labels @param {any} drawing @param {any} room */
function Runs(labels, drawing, { keys }) {
  const { size } = typeOf(drawing);
  return labels.map((label, i) => {
    const { x, y, letters } = keys[i];
    const text = label.length > letters ? `${label.slice(0, letters - 1)}…` : label;
    return html`
      <g class=${`gl-runkey ${i ? `gl-earlier gl-earlier-${i}` : ""}`}>
        <path class="gl-line" d=${`M${r1(x)} ${y + size / 2}h26`} />
        <text x=${r1(x) + 34} y=${y + size / 2 + 4.7}>${text}</text>
      </g>`;
  });
}
