// Columns as arrows in a plane under a ring, the cap; beside it the matrix, and a bar for each norm that is capped.
//
// It draws `columns`, `capped` [m, 2], `norms`, `groups`, `cap` and `by`; `first` is the column that can be dragged.

import {
  arrow,
  before,
  clipOf,
  emphasis,
  html,
  memoizeDrawn,
  outlined,
  part,
  r1,
  scaleOf,
  sign,
} from "explorax/view";

export const kind = "capped";

/** @typedef {import("explorax/view").Drawing} Drawing */

const LAYOUTS = {
  wide: {
    width: 688,
    height: 312,
    plane: { left: 2, right: 391, top: 8, bottom: 281 },
    bars: { left: 420, cell: 32, title: 19, top: 119, bottom: 281 },
  },
  narrow: {
    width: 320,
    height: 458,
    plane: { left: 8, right: 312, top: 4, bottom: 218 },
    bars: { left: 28, cell: 34, title: 268, top: 366, bottom: 436 },
  },
};
export const layouts = () => LAYOUTS;

/** @type {[number, number][]} */
const [X, Y] = [
  [-3.7, 3.7],
  [-2.6, 2.6],
];
const RIM = [Math.cos(0.73), -Math.sin(0.73)]; // the direction of the ring's handle
const ROW = 27;

/** The scales of both parts, and the columns. @param {Drawing} drawing */
function roomOf({ layout, values }) {
  const { plane, bars } = LAYOUTS[layout === "wide" ? "wide" : "narrow"];
  const [x, y] = [scaleOf(X, plane.left, plane.right), scaleOf(Y, plane.bottom, plane.top)];
  const level = scaleOf(values.groups > 2 ? COLUMNS : ALL, bars.bottom, bars.top);
  const at = (/** @type {ArrayLike<number>} */ { 0: a, 1: b }) =>
    /** @type {[number, number]} */ ([r1(x.at(a)), r1(y.at(b))]);
  const rows = (/** @type {Float64Array} */ all) =>
    Array.from({ length: all.length / 2 }, (_, i) => all.subarray(2 * i, 2 * i + 2));
  const right = bars.left + (bars.cell * values.columns.length) / 2;
  return {
    plane,
    bars: { ...bars, right },
    x,
    y,
    at,
    level,
    columns: rows(values.columns),
    capped: rows(values.capped),
  };
}
/** @type {[number, number][]} */
const [COLUMNS, ALL] = [
  [0, 5],
  [0, 9],
];

/** @param {Drawing} drawing */
export function handles(drawing) {
  const { x, y, at, level, bars, columns } = roomOf(drawing);
  const { cap } = drawing.settings;
  const place = (/** @type {number} */ px, /** @type {number} */ py) => [x.invert(px), y.invert(py)];
  const [ring, first] = [at(RIM.map((u) => cap * u)), at(columns[0])];
  const to = (/** @type {number} */ px, /** @type {number} */ py) => Math.hypot(...place(px, py));
  return [
    { control: "cap", axis: "x", role: "limit", x: ring[0], y: ring[1], value: to },
    {
      control: "cap",
      axis: "y",
      role: "limit",
      x: bars.right,
      y: level.at(cap),
      value: (/** @type {number} */ _, /** @type {number} */ py) => level.invert(py),
    },
    { control: "first", axis: "both", role: "muted", x: first[0], y: first[1], value: place },
  ];
}

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { values, settings, lit } = drawing;
  const room = roomOf(drawing);
  const key = [drawing.layout, values.columns, settings.by, lit?.kind, lit?.index];
  return html`${Bars(drawing, room)}${memoizeDrawn(drawing, "still", key, () => Still(drawing, room))}${Arrows(drawing, room)}`;
}

/** What a drag of the cap leaves as it is: axes, key, the columns' numbers, the matrix, names of bars. @param {Drawing} drawing @param {ReturnType<typeof roomOf>} room */
function Still(drawing, { plane, bars, x, y, at, level, columns }) {
  const { values, settings, description } = drawing;
  const { left, right, top, bottom } = plane;
  const { labels } = description;
  const { norms, groups } = values;
  const single = groups > 2; // a column lights up with its arrow
  const [name, across, down] = single ? ["capped", 1, 2] : ["norms", columns.length, 3 - groups];
  const all = Array.from({ length: groups }, (_, i) => {
    const [px, py] = single ? [bars.left + i * bars.cell, bars.title] : [bars.left, bars.title + i * ROW];
    const middle = r1(bars.left + ((i + 0.5) * (bars.right - bars.left)) / groups);
    return html`<g class=${`gl-role-muted${emphasis(drawing, name, i + 1)}`} ...${part(name, i + 1)}>
      <rect class="gl-box" x=${px + 1.5} y=${py + 13.5} width=${across * bars.cell - 3} height=${down * ROW - 3} rx="4" />
      <text x=${middle} y=${r1(level.at(norms[i]) - 5)} text-anchor="middle">${norms[i].toFixed(1)}</text>
      <text class="gl-muted" x=${middle} y=${bars.bottom + 18} text-anchor="middle">${labels[`bar_${settings.by}`].replace("{n}", String(i + 1))}</text></g>`;
  });
  const each = columns.map((column, i) => {
    const far = 1 + (i ? 0.28 : 0.4) / (Math.hypot(...column) || 1); // the first has a handle
    const [px, py] = at(Array.from(column, (w) => far * w));
    const weight = (/** @type {number} */ w, /** @type {number} */ row) =>
      html`<text x=${bars.left + (i + 0.5) * bars.cell} y=${bars.title + 30 + row * ROW} text-anchor="middle">${w.toFixed(1).replace("-", "−")}</text>`;
    return html`<g class=${emphasis(drawing, "capped", i + 1)} ...${part("capped", i + 1)}>
      <text class="gl-muted" x=${px} y=${py + 5} text-anchor="middle">${i + 1}</text>${Array.from(column, weight)}</g>`;
  });
  const foot = bottom + 20;
  return html`
    <defs><clipPath id=${`${drawing.id}-capped`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <path class="gl-ground" d=${`M${left} ${top}H${right}V${bottom}H${left}Z`} /><path class="gl-zero" d=${`M${left} ${y.at(0)}H${right}M${x.at(0)} ${top}V${bottom}`} />
    <text class="gl-muted" x=${right - 5} y=${y.at(0) + 17} text-anchor="end">${labels.across}</text><text class="gl-muted" x=${x.at(0) + 7} y=${top + 16}>${labels.up}</text>
    <g class="gl-role-muted">${sign("before", "muted", left + 4, foot - 5)}<text x=${left + 36} y=${foot}>${labels.before}</text></g>
    <g class="gl-role-parameter">${sign("vector", "parameter", left + 150, foot - 5)}<text x=${left + 182} y=${foot}>${labels.after}</text></g>
    <text x=${bars.left} y=${bars.title}>${labels[settings.by]}</text><text class="gl-muted" x=${bars.left} y=${bars.title + 87}>${labels.norms}</text>
    ${all}${each}<path class="gl-zero" d=${`M${bars.left} ${bars.bottom}H${bars.right}`} />`;
}

/** The ring, and the columns before the cap, where it changes them, and after it. @param {Drawing} drawing @param {ReturnType<typeof roomOf>} room */
function Arrows(drawing, { plane, x, at, columns, capped }) {
  const { cap } = drawing.settings;
  const [cx, cy] = at([0, 0]);
  const unit = x.at(1) - x.at(0);
  const circle = (/** @type {string} */ name, /** @type {number} */ radius, /** @type {any} */ found) => {
    const r = r1(radius * unit);
    const clip = clipOf([cx - r, cy - r, cx + r, cy + r], plane, `${drawing.id}-capped`);
    return html`<circle class=${name} cx=${cx} cy=${cy} r=${r} clip-path=${clip} ...${found} />`;
  };
  const [was, first] = [before(drawing, "cap"), before(drawing, "first")];
  const old = columns.map((column, i) =>
    Math.hypot(column[0] - capped[i][0], column[1] - capped[i][1]) > 1e-9
      ? outlined([cx, cy], at(column))
      : "",
  );
  const moved = first && Math.hypot(first[0] - columns[0][0], first[1] - columns[0][1]) > 1e-9;
  const [rx, ry] = at(RIM.map((u) => Math.max(cap, 1.1) * u)); // not among short columns
  return html`
    ${was !== undefined && was !== cap && circle("gl-ghost", was, {})}${moved && html`<path class="gl-ghost" d=${outlined([cx, cy], at(first))} />`}
    ${circle(`gl-ring gl-role-limit${emphasis(drawing, "cap")}`, cap, part("cap"))}
    <g class="gl-vector gl-role-muted"><path class="gl-outline" d=${old.join("")} /></g>
    ${
      !drawing.concealed.has("capped") &&
      capped.map((column, i) => {
        const { shaft, head } = arrow([cx, cy], at(column), "parameter");
        return html`<path class=${`gl-shaft gl-tip gl-role-parameter${emphasis(drawing, "capped", i + 1)}`} d=${shaft + head} ...${part("capped", i + 1)} />`;
      })
    }
    <text class="gl-named gl-role-limit" x=${rx + 11} y=${Math.min(ry + 18, plane.bottom - 6)}>c = ${cap}</text>`;
}

/** A bar for each norm, outlined before the cap and solid after it. @param {Drawing} drawing @param {ReturnType<typeof roomOf>} room */
function Bars(drawing, { bars, level }) {
  const { norms, groups } = drawing.values;
  const { left, right, bottom } = bars;
  const { cap } = drawing.settings;
  const was = before(drawing, "cap");
  const bar = (/** @type {number} */ n, /** @type {number} */ i) =>
    `M${r1(left + ((i + 0.5) * (right - left)) / groups - 11)} ${bottom}V${r1(level.at(n))}h22V${bottom}z`;
  const all = Array.from(norms.subarray(0, groups));
  const line = (/** @type {number} */ at) => `M${left} ${r1(level.at(at))}H${right}`;
  return html`
    <path class="gl-bar gl-role-parameter" d=${all.map((n, i) => bar(Math.min(n, cap), i)).join("")} />
    <path class="gl-outline gl-role-muted" d=${all.map((n, i) => (n > cap ? bar(n, i) : "")).join("")} />
    ${was !== undefined && was !== cap && html`<path class="gl-ghost" d=${line(was)} />`}
    <g class="gl-role-limit" ...${part("cap")}><path class="gl-level" d=${line(cap)} /><text class="gl-named" x=${left - 5} y=${r1(level.at(cap)) + 5} text-anchor="end">c</text></g>`;
}
