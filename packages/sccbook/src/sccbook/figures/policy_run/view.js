// A policy as a table: how likely each action is in each situation, and how well it pays there.
//
// It draws the last records of a run, numbers: `last_policy_1_1`, ... for the first action in the first situation. What
// the actions pay stands in the spec.

import { bothLayouts, emphasis, html, marker, part, r1 } from "explorax/view";

export const kind = "policy";

/** @typedef {import("explorax/view").Drawing} Drawing */

const SIZES = {
  wide: { width: 688, left: 78, cell: 48, row: 30, key: 0 },
  narrow: { width: 320, left: 20, cell: 24.6, row: 22, key: 34 },
};
const HEAD = 48; // above the rows, with one line of a key
const FULL = 0.7; // of the colour
const SMALLEST = 1.5; // radius of a ring that is drawn

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const { key, ...size } = SIZES[layout];
  const top = HEAD + key;
  return { ...size, key, top, height: top + spec.pays[0].length * size.row + 4 };
});

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, values } = drawing;
  const { left, cell, row, top } = roomOf(drawing);
  /** @type {{pays: number[][]}} by situation */
  const { pays } = /** @type {any} */ (spec);
  const most = Math.min(row, cell) / 2 - 2;
  const cells = pays.map((each, i) =>
    each.map((_, j) => {
      const share = values[`last_policy_${i + 1}_${j + 1}`];
      return html`<rect class="gl-cell" x=${r1(left + i * cell + 0.5)} y=${top + j * row + 0.5} width=${r1(cell - 1)} height=${row - 1} fill-opacity=${r3(FULL * (share || 0))} />`;
    }),
  );
  /** The rings of the actions that pay best, or of the others. @param {boolean} best */
  const rings = (best) =>
    pays.flatMap((each, i) =>
      each.flatMap((pay, j) => {
        const size = most * Math.sqrt(Math.max(0, pay));
        const drawn = (pay === Math.max(...each)) === best && size > SMALLEST;
        return drawn ? marker("", left + (i + 0.5) * cell, top + (j + 0.5) * row, size) : [];
      }),
    );
  return html`<g class=${`gl-policy gl-role-state${emphasis(drawing, "policy")}`} ...${part("policy")}>
    ${Words(drawing)}
    ${cells}
    <path class="gl-rule" d=${rings(false).join("")} />
    <path class="gl-shaft gl-role-ink" d=${rings(true).join("")} />
  </g>`;
}

/** The key, and what rows and columns are. @param {Drawing} drawing */
function Words(drawing) {
  const { spec, description, layout } = drawing;
  const { left, cell, row, top } = roomOf(drawing);
  const { labels } = description;
  const [x, y] = layout === "wide" ? [left + 268, 11] : [4, 30];
  const start = layout === "wide" ? left : 4;
  const axes = layout === "wide" ? { x: left - 8, y: top - 7, "text-anchor": "end" } : { x: 4, y: 54 };
  const actions = spec.pays[0].map((/** @type {any} */ _, /** @type {number} */ j) => {
    const text = layout === "wide" && j === 0 ? `${labels.action} 1` : j + 1;
    return html`<text class="gl-heading" x=${left - 8} y=${top + (j + 0.5) * row + 5} text-anchor="end">${text}</text>`;
  });
  const situations = spec.pays.map(
    (/** @type {any} */ _, /** @type {number} */ i) =>
      html`<text class="gl-heading" x=${r1(left + (i + 0.5) * cell)} y=${top - 7} text-anchor="middle">${i + 1}</text>`,
  );
  return html`
    <rect class="gl-cell" x=${start} y="2" width="24" height="17" fill-opacity=${FULL} />
    <text x=${start + 32} y="16">${labels.likely}</text>
    <path class="gl-shaft gl-role-ink" d=${marker("", x + 11, y, 8)} /><text x=${x + 28} y=${y + 5}>${labels.pays}</text>
    <text class="gl-heading" ...${axes}>${layout === "wide" ? labels.situation : labels.across}</text>
    ${actions}${situations}`;
}

const r3 = (/** @type {number} */ share) => Math.round(share * 1000) / 1000;
