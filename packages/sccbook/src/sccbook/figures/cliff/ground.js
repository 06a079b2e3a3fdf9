// The ground of the relief: two plateaus with lines of equal loss, and the wall between them. No control changes it.

import { html, r1 } from "explorax/view";

/** @typedef {import("./room.js").Relief} Relief */
/** @typedef {[number, number][]} Course */

const PARTS = 36; // of the wall
const NAMED = 27; // of them, where its name is

/** The wall's upper edge and its foot. @param {any} spec @param {Relief} relief @returns {Course[]} */
export const wallOf = ({ wall: [intercept, slope] }, { x, ground }) =>
  [-1, 1].map((side) =>
    Array.from({ length: PARTS + 1 }, (_, i) => {
      const w = x.low + ((x.high - x.low) * i) / PARTS;
      return ground(w, intercept + slope * w, side);
    }),
  );

/** The room of the wall's name. @param {Course[]} wall */
export function nameOf([edge, foot]) {
  const [x, y] = [foot[NAMED][0], (edge[NAMED][1] + foot[NAMED][1]) / 2];
  return { left: x - 32, right: x + 32, top: y - 16, bottom: y + 16 };
}

export const path = (/** @type {Course} */ course) =>
  `M${course.map(([x, y]) => `${r1(x)} ${r1(y)}`).join("L")}`;

/** @param {any} drawing @param {Relief} relief */
export function Ground({ id, spec, description: { labels } }, relief) {
  const { x, y, width, left, right, top, bottom, place, ground } = relief;
  const [edge, foot] = wallOf(spec, relief);
  const corners = (/** @type {number} */ b, /** @type {number} */ side) =>
    [x.high, x.low].map((w) => ground(w, b, side));
  /** @param {"low" | "high"} name @param {Course} outline @param {number} tint */
  const plateau = (name, outline, tint) => html`
    <clipPath id=${`${id}-${name}`}><path d=${`${path(outline)}Z`} /></clipPath>
    <path class="gl-bar" fill-opacity=${tint} d=${`${path(outline)}Z`} />
    <path class="gl-lead" clip-path=${`url(#${id}-${name})`} d=${spec[name].map((/** @type {number[]} */ [loss, intercept, slope]) => path([x.low, x.high].map((w) => place(w, intercept + slope * w, loss)))).join("")} />`;
  const [px, py] = [foot[NAMED][0], (edge[NAMED][1] + foot[NAMED][1]) / 2];
  const rise = foot[NAMED + 3][1] - foot[NAMED - 3][1];
  const turn = (Math.atan2(rise, foot[NAMED + 3][0] - foot[NAMED - 3][0]) * 180) / Math.PI;
  return html`
    <defs><clipPath id=${`${id}-relief`}><rect x=${left} y=${top} width=${right - left} height=${bottom + 1 - top} /></clipPath></defs>
    <g class="gl-role-loss">
      ${plateau("high", [...edge, ...corners(y.low, -1)], 0.32)}
      ${plateau("low", [...foot, ...corners(y.high, 1)], 0.07)}
      <path class="gl-bar" fill-opacity="0.62" d=${`${path([...edge, ...foot.toReversed()])}Z`} />
      <path class="gl-outline" stroke-opacity="0.5" d=${edge.map((spot, i) => path([spot, foot[i]])).join("")} />
      <path class="gl-line" d=${path(edge)} />
    </g>
    <text class="gl-symbolic" stroke="none" style="stroke:none" x=${r1(px)} y=${r1(py + 5)} text-anchor="middle" transform=${`rotate(${r1(turn)} ${r1(px)} ${r1(py)})`}>${labels.wall}</text>
    ${x.ticks.filter(({ at }) => at < right - 62).map(({ at, text }) => html`<text class="gl-muted" x=${r1(at)} y=${bottom + 20} text-anchor="middle">${text}</text>`)}
    <text class="gl-muted" x=${right} y=${bottom + 20} text-anchor="end">weight w</text>
    ${y.ticks.map(({ at, text }) => html`<text class="gl-muted" x=${right + 6} y=${r1(at - 8)}>${text}</text>`)}
    <text class="gl-muted" x=${width - 1} y=${r1(y.ticks[0].at - 30)} text-anchor="end">bias b</text>
    <text class="gl-muted" x=${width - 1} y=${top + 16} text-anchor="end">loss ↑</text>`;
}
