// Columns as arrows in a plane under a ring, the cap; beside it the matrix, and a bar for each norm that is capped.
//
// It draws the spec's `plane` as the engine does, and `columns`, `capped` [m, 2], `norms`, `groups`, `cap` and `by`.

import { emphasis, html, part, r1, scaleOf, viewNamed } from "explorax/view";

export const kind = "capped";

/** @typedef {import("explorax/view").Drawing} Drawing */

const numbers = { left: false, bottom: false, named: false };
const key = { x: 0, y: 0, letters: 0 };
const LAYOUTS = {
  wide: {
    width: 688,
    height: 304,
    plane: { left: 2, right: 391, top: 8, bottom: 281, numbers, key },
    bars: { left: 420, cell: 33, title: 22, top: 118, bottom: 281 },
  },
  narrow: {
    width: 320,
    height: 441,
    plane: { left: 8, right: 312, top: 4, bottom: 218, numbers, key },
    bars: { left: 16, cell: 36, title: 246, top: 336, bottom: 419 },
  },
};
export const layouts = () => LAYOUTS;

const ROW = 27; // of the matrix

/** @param {Drawing} drawing */
const roomOf = ({ layout }) => LAYOUTS[layout === "wide" ? "wide" : "narrow"];
/** The drawing of the plane, in its room. @param {Drawing} drawing */
const planeOf = (drawing) => ({ ...drawing, spec: drawing.spec.plane, room: roomOf(drawing).plane });
/** The scale of the norms. @param {Drawing} drawing */
const heights = (drawing) =>
  scaleOf([0, drawing.spec.most], roomOf(drawing).bars.bottom, roomOf(drawing).bars.top);

/** @param {Drawing} drawing */
export const draw = (drawing) => html`
  ${viewNamed("plane").draw(planeOf(drawing))}
  ${Numbers(drawing)}
  ${Matrix(drawing)}
  ${Bars(drawing)}`;

/** The number of each column, beyond its head; and the ring before a drag. @param {Drawing} drawing */
function Numbers(drawing) {
  const { left, right, top, bottom } = roomOf(drawing).plane;
  const { spec, values, ghost, settings, id } = drawing;
  const unit = (right - left) / (spec.plane.x[1] - spec.plane.x[0]);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const all = Array.from({ length: values.columns.length / 2 }, (_, i) => {
    const [a, b] = values.columns.slice(2 * i, 2 * i + 2);
    const far = unit + (i ? 13 : 19) / (Math.hypot(a, b) || 1); // the first has a handle
    return html`<text class=${`gl-muted${emphasis(drawing, "capped", i + 1)}`} x=${r1(x + far * a)} y=${r1(y - far * b + 4.7)} text-anchor="middle" ...${part("capped", i + 1)}>${i + 1}</text>`;
  });
  const was = ghost && Number(ghost.cap) !== settings.cap && unit * Number(ghost.cap);
  return html`${was && html`<circle class="gl-ghost" cx=${x} cy=${y} r=${r1(was)} clip-path=${`url(#${id}-plane)`} />`}${all}`;
}

/** The groups of weights that have one norm: for each its first column and row, and how many of both. @param {Drawing} drawing */
function groupsOf({ values }) {
  const columns = values.columns.length / 2;
  const across = values.groups > 2 ? 1 : columns;
  const down = values.groups === 2 ? 1 : 2;
  return Array.from({ length: values.groups }, (_, i) => ({
    column: across === 1 ? i : 0,
    row: down === 1 ? i : 0,
    across,
    down,
    // a column's norm is its arrow's length: they light up together
    name: across === 1 ? "capped" : "norms",
  }));
}

/** The weights after the cap, and a frame about each group of them. @param {Drawing} drawing */
function Matrix(drawing) {
  const { left, cell, title } = roomOf(drawing).bars;
  const { values, settings, description, concealed } = drawing;
  const shown = concealed.has("capped") ? values.columns : values.capped;
  const weight = (/** @type {number} */ w) => w.toFixed(1).replace("-", "−");
  return html`
    <text x=${left} y=${title}>${description.labels[settings.by]}</text>
    ${groupsOf(drawing).map(
      ({ column, row, across, down, name }, i) => html`
        <rect class=${`gl-group${emphasis(drawing, name, i + 1)}`} x=${left + column * cell + 1.5} y=${title + 12 + row * ROW + 1.5}
          width=${across * cell - 3} height=${down * ROW - 3} rx="4" ...${part(name, i + 1)} />`,
    )}
    ${Array.from(shown, (/** @type {number} */ w, /** @type {number} */ i) => {
      const [column, row] = [i >> 1, i % 2];
      const [x, y] = [left + (column + 0.5) * cell, title + 12 + (row + 0.5) * ROW + 4.7];
      return html`<text class=${emphasis(drawing, "capped", column + 1)} x=${x} y=${y} text-anchor="middle" ...${part("capped", column + 1)}>${weight(w)}</text>`;
    })}`;
}

/** A bar for each norm: outlined before the cap, solid after it; under it which one it is. @param {Drawing} drawing */
function Bars(drawing) {
  const { left, cell, top, bottom } = roomOf(drawing).bars;
  const { values, settings, description } = drawing;
  const { at } = heights(drawing);
  const groups = groupsOf(drawing);
  const pitch = (cell * values.columns.length) / 2 / groups.length;
  const right = left + pitch * groups.length;
  const half = 11;
  const bar = (/** @type {number} */ i, /** @type {number} */ n) =>
    `M${r1(left + (i + 0.5) * pitch - half)} ${bottom}V${r1(at(n))}h${2 * half}V${bottom}z`;
  const level = r1(at(settings.cap));
  const cut = groups.map((_, i) => (values.norms[i] > settings.cap ? bar(i, values.norms[i]) : ""));
  return html`
    <text class="gl-muted" x=${left} y=${top - 4}>${description.labels.before}</text>
    <path class="gl-zero" d=${`M${left} ${bottom}H${right}`} />
    <path class="gl-outline gl-role-muted" d=${cut.join("")} />
    <g class="gl-role-parameter">${groups.map(({ name }, i) => html`<path class=${`gl-bar${emphasis(drawing, name, i + 1)}`} d=${bar(i, Math.min(values.norms[i], settings.cap))} ...${part(name, i + 1)} />`)}</g>
    <g class=${`gl-role-limit${emphasis(drawing, "cap")}`} ...${part("cap")}><path class="gl-level" d=${`M${left} ${level}H${right}`} /></g>
    ${groups.map((_, i) => html`<text class="gl-muted" x=${r1(left + (i + 0.5) * pitch)} y=${bottom + 18} text-anchor="middle">${groups.length > 2 ? i + 1 : `${description.labels[`${settings.by}_bar`]} ${groups.length > 1 ? i + 1 : ""}`.trim()}</text>`)}`;
}

/** The plane's own, and the cap's line over the bars. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { left, cell } = roomOf(drawing).bars;
  const { at, invert } = heights(drawing);
  const x = left + (cell * drawing.values.columns.length) / 2;
  const value = (/** @type {number} */ _, /** @type {number} */ py) => invert(py);
  return [
    ...viewNamed("plane").handles(planeOf(drawing)),
    { control: "cap", x, y: at(drawing.settings.cap), axis: "y", role: "limit", value },
  ];
}
