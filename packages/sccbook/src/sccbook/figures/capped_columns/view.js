// Columns as arrows in a plane under a ring, the cap; beside it the matrix, and a bar for each norm that is capped.
//
// It draws the spec's `plane` as the engine does, and `columns`, `capped` [m, 2], `norms`, `groups`, `cap` and `by`.

import { emphasis, html, part, r1, scaleOf, viewNamed } from "explorax/view";

export const kind = "capped";

/** @typedef {import("explorax/view").Drawing} Drawing */

const bare = { numbers: { left: false, bottom: false, named: false }, key: { x: 0, y: 0, letters: 0 } };
const LAYOUTS = {
  wide: {
    width: 688,
    height: 304,
    plane: { left: 2, right: 391, top: 8, bottom: 281, ...bare },
    bars: { left: 420, cell: 33, title: 22, top: 118, bottom: 281 },
  },
  narrow: {
    width: 320,
    height: 441,
    plane: { left: 8, right: 312, top: 4, bottom: 218, ...bare },
    bars: { left: 16, cell: 36, title: 246, top: 336, bottom: 419 },
  },
};
export const layouts = () => LAYOUTS;
/** @param {Drawing} drawing */
const roomOf = ({ layout }) => LAYOUTS[layout === "wide" ? "wide" : "narrow"];
/** The drawing of the plane, in its room. @param {Drawing} drawing */
const planeOf = (drawing) => ({ ...drawing, spec: drawing.spec.plane, room: roomOf(drawing).plane });

/** @param {Drawing} drawing */
export const handles = (drawing) => viewNamed("plane").handles(planeOf(drawing));
/** @param {Drawing} drawing */
export const draw = (drawing) =>
  html`${viewNamed("plane").draw(planeOf(drawing))}${Numbers(drawing)}${Norms(drawing)}`;

/** The number of each column, beyond its head. @param {Drawing} drawing */
function Numbers(drawing) {
  const { left, right, top, bottom } = roomOf(drawing).plane;
  const { x, y } = drawing.spec.plane;
  const [across, up] = [scaleOf(x, left, right), scaleOf(y, bottom, top)];
  return columnsOf(drawing).map(([a, b], i) => {
    const far = 1 + (i ? 0.28 : 0.4) / (Math.hypot(a, b) || 1); // the first has a handle
    return html`<text class=${`gl-muted${emphasis(drawing, "capped", i + 1)}`} x=${r1(across.at(far * a))} y=${r1(up.at(far * b) + 4.7)} text-anchor="middle" ...${part("capped", i + 1)}>${i + 1}</text>`;
  });
}

/** The columns before the cap, or after it. @param {Drawing} drawing @param {string} [name] @returns {number[][]} */
const columnsOf = ({ values }, name = "columns") =>
  Array.from({ length: values.columns.length / 2 }, (_, i) => values[name].slice(2 * i, 2 * i + 2));

const ROW = 27;
/** @type {[number, number]} */
const NORMS = [0, 7.5];

/** The weights after the cap; about those that have one norm a frame, and its bar below: outlined before the cap, solid after it. @param {Drawing} drawing */
function Norms(drawing) {
  const { left, cell, title, top, bottom } = roomOf(drawing).bars;
  const { values, settings, description, concealed } = drawing;
  const { labels } = description;
  const { at } = scaleOf(NORMS, bottom, top);
  const { norms, groups } = values;
  const shown = columnsOf(drawing, concealed.has("capped") ? "columns" : "capped");
  const single = groups > 2; // a column lights up with its arrow
  const [name, across, down] = single ? ["capped", 1, 2] : ["norms", shown.length, 3 - groups];
  const right = left + cell * shown.length;
  const all = Array.from({ length: groups }, (_, i) => {
    const [x, y] = single ? [left + i * cell, title] : [left, title + i * ROW];
    const middle = left + ((i + 0.5) * (right - left)) / groups;
    const bar = (/** @type {number} */ n) => `M${r1(middle - 11)} ${bottom}V${r1(at(n))}h22V${bottom}z`;
    const text = labels[`bar_${settings.by}`].replace("{n}", String(i + 1));
    return html`<g class=${`gl-role-parameter${emphasis(drawing, name, i + 1)}`} ...${part(name, i + 1)}>
      <rect class="gl-box gl-role-muted" x=${x + 1.5} y=${y + 13.5} width=${across * cell - 3} height=${down * ROW - 3} rx="4" />
      ${norms[i] > settings.cap && html`<path class="gl-outline gl-role-muted" d=${bar(norms[i])} />`}<path class="gl-bar" d=${bar(Math.min(norms[i], settings.cap))} />
      <text class="gl-muted" x=${r1(middle)} y=${bottom + 18} text-anchor="middle">${text}</text></g>`;
  });
  const weights = shown.map((column, i) => {
    const weight = (/** @type {number} */ w, /** @type {number} */ row) =>
      html`<text x=${left + (i + 0.5) * cell} y=${title + 30 + row * ROW} text-anchor="middle">${w.toFixed(1).replace("-", "−")}</text>`;
    return html`<g class=${emphasis(drawing, "capped", i + 1)} ...${part("capped", i + 1)}>${Array.from(column, weight)}</g>`;
  });
  return html`
    <text x=${left} y=${title}>${labels[settings.by]}</text><text class="gl-muted" x=${left} y=${top - 4}>${labels.before}</text>
    ${all}${weights}
    <path class="gl-zero" d=${`M${left} ${bottom}H${right}`} /><g class="gl-role-limit" ...${part("cap")}><path class="gl-level" d=${`M${left} ${r1(at(settings.cap))}H${right}`} /></g>`;
}
