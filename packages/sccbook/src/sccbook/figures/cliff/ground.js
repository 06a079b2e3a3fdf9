// The ground of the relief: two plateaus with lines of equal loss, and the wall between them. No control changes it.

import { html, r1 } from "explorax/view";

/** @typedef {import("./room.js").Relief} Relief */
/** @typedef {[number, number][]} Course */

const TINT = { low: 0.07, high: 0.32 }; // opacity
const PARTS = 24; // of an edge
const HATCH = 12; // pixels between the strokes down the wall
const NAMED = 0.74; // where the wall's name stands, of its length

/** Points between two places, on the ground of a side of the wall. @param {Relief} relief @param {number[]} from @param {number[]} to @param {number} side @returns {Course} */
const along = ({ place, lift }, from, to, side) =>
  Array.from({ length: PARTS + 1 }, (_, i) => {
    const [w, b] = from.map((x, n) => x + ((to[n] - x) * i) / PARTS);
    return place(w, b, lift(w, b, side));
  });

/** The wall's upper edge and its foot. @param {any} spec @param {Relief} relief @returns {{edge: Course, foot: Course}} */
export function wallOf({ wall: [intercept, slope] }, relief) {
  const ends = [relief.x.low, relief.x.high].map((w) => [w, intercept + slope * w]);
  return { edge: along(relief, ends[0], ends[1], -1), foot: along(relief, ends[0], ends[1], 1) };
}

const path = (/** @type {Course} */ course) => course.map(([x, y]) => `${r1(x)} ${r1(y)}`).join("L");

/** @param {any} drawing @param {Relief} relief */
export function Ground({ id, spec, description: { labels } }, relief) {
  const { x, y, left, right, bottom, place } = relief;
  const { edge, foot } = wallOf(spec, relief);
  const [start, end] = [x.low, x.high].map((w) => [w, spec.wall[0] + spec.wall[1] * w]);
  const corner = (/** @type {number} */ w, /** @type {number} */ b) => [w, b];
  const back = [
    ...along(relief, end, corner(x.high, y.low), -1),
    ...along(relief, corner(x.high, y.low), corner(x.low, y.low), -1),
    ...along(relief, corner(x.low, y.low), start, -1),
  ];
  const front = [
    ...along(relief, end, corner(x.high, y.high), 1),
    ...along(relief, corner(x.high, y.high), corner(x.low, y.high), 1),
    ...along(relief, corner(x.low, y.high), start, 1),
  ];
  /** @param {"low" | "high"} name @param {Course} outline */
  const plateau = (name, outline) => html`
    <clipPath id=${`${id}-${name}`}><path d=${`M${path(outline)}Z`} /></clipPath>
    <path class="gl-plateau" fill-opacity=${TINT[name]} d=${`M${path(outline)}Z`} />
    <path class="gl-contour" clip-path=${`url(#${id}-${name})`} d=${spec[name]
      .map(
        (/** @type {number[]} */ [loss, intercept, slope]) =>
          `M${path([x.low, x.high].map((w) => place(w, intercept + slope * w, loss)))}`,
      )
      .join("")} />`;
  const strokes = Array.from({ length: Math.floor((right - left) / HATCH) }, (_, i) => {
    const share = ((i + 0.5) * HATCH * PARTS) / (right - left);
    const [n, rest] = [Math.floor(share), share % 1];
    const on = (/** @type {Course} */ course) => course[n][1] + rest * (course[n + 1][1] - course[n][1]);
    return `M${r1(left + (i + 0.5) * HATCH)} ${r1(on(edge))}V${r1(on(foot))}`;
  });
  const at = Math.round(NAMED * PARTS);
  const [px, py] = [edge[at][0], (edge[at][1] + foot[at][1]) / 2];
  const turn = Math.atan2(foot[at + 2][1] - foot[at - 2][1], foot[at + 2][0] - foot[at - 2][0]);
  const rim = [...edge, ...foot.toReversed()];
  return html`
    <defs><clipPath id=${`${id}-relief`}><rect x=${left} y=${relief.top} width=${right - left} height=${bottom + 1 - relief.top} /></clipPath></defs>
    <g class="gl-role-loss">
      ${plateau("high", [...edge, ...back])}
      ${plateau("low", [...foot, ...front])}
      <path class="gl-face" d=${`M${path(rim)}Z`} />
      <path class="gl-strokes" d=${strokes.join("")} />
      <path class="gl-line" d=${`M${path(edge)}`} />
    </g>
    <text class="gl-walled" x=${r1(px)} y=${r1(py + 5)} text-anchor="middle" transform=${`rotate(${r1((turn * 180) / Math.PI)} ${r1(px)} ${r1(py)})`}>${labels.wall}</text>
    <text class="gl-muted" x=${left + 8} y=${r1(back[PARTS][1] + 22)}>${labels.high}</text>
    <text class="gl-muted" x=${right - 10} y=${bottom - 34} text-anchor="end">${labels.low}</text>
    ${x.ticks.map(({ at, text }) => html`<text class="gl-muted" x=${r1(at)} y=${bottom + 18} text-anchor="middle">${text}</text>`)}
    <text class="gl-muted" x=${right} y=${bottom + 18} text-anchor="end">w</text>
    ${y.ticks.map(({ at, text }) => html`<text class="gl-muted" x=${right + 6} y=${r1(at - 8)}>${text}</text>`)}
    <text class="gl-muted" x=${right + 6} y=${bottom - 4}>b</text>`;
}
