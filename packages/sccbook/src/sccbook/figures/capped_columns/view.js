// Columns as arrows in a plane under a ring, the cap; beside it the matrix, and a bar for each norm that is capped.
//
// It draws `columns`, `capped` [m, 2], `norms`, `groups`, `cap` and `by`; `first` is the column that can be dragged.

import {
  arrow,
  clipOf,
  emphasis,
  fill,
  html,
  memoizeDrawn,
  outlined,
  part,
  r1,
  scaleOf,
} from "explorax/view";

export const kind = "capped";

/** @typedef {import("explorax/view").Drawing} Drawing */

/** Left, right, top and bottom of the plane, and of the bars; the foot of the matrix's title. @type {Record<string, number[]>} */
const PLANE = { wide: [2, 391, 8, 281], narrow: [8, 312, 4, 218] };
/** @type {Record<string, number[]>} */
const BARS = { wide: [410, 681, 119, 281, 19], narrow: [18, 308, 366, 436, 268] };
/** Of the plane's axes, and of the bars, where each column has a norm and where not. @type {Record<string, any>} */
const SPANS = { x: [-3.7, 3.7], y: [-2.6, 2.6], columns: [0, 5], others: [0, 9] };
export const layouts = () => ({ wide: { width: 688, height: 312 }, narrow: { width: 320, height: 458 } });
const ROW = 27;

/** Both boxes, their scales, and what depends on these. @param {Drawing} drawing */
function roomOf({ layout, values }) {
  const [[left, right, top, bottom], bars] = [PLANE[layout], BARS[layout]];
  const [start, end, high, foot] = bars;
  const [x, y] = [scaleOf(SPANS.x, left, right), scaleOf(SPANS.y, bottom, top)];
  const level = scaleOf(SPANS[values.groups > 2 ? "columns" : "others"], foot, high);
  /** @type {(point: ArrayLike<number>, far?: number) => [number, number]} */
  const at = (point, far = 1) => [r1(x.at(far * point[0])), r1(y.at(far * point[1]))];
  /** @type {(i: number, of: number) => number} */
  const middle = (i, of) => r1(start + ((i + 0.5) * (end - start)) / of);
  /** @type {(n: number, i: number) => string} */
  const bar = (n, i) => `M${middle(i, values.groups) - 11} ${foot}V${r1(level.at(n))}h22V${foot}z`;
  const [norms, ringed] = [Array.from(values.norms.subarray(0, values.groups)), values.groups > 2]; // a ring where norms are c
  const cut = rowsOf(values.columns).map((w, i) => w.some((x, j) => x !== values.capped[2 * i + j]));
  return { plane: { left, right, top, bottom }, bars, x, y, level, at, middle, bar, norms, ringed, cut };
}

const RIM = [0.745, -0.667]; // the direction of the ring's handle

/** How much farther out than its arrow a column's number is. @param {Float64Array} column */
const beyond = (column) => 1 + 0.36 / (Math.hypot(...column) || 1);

/** The rows of a result [m, 2]. @param {Float64Array} all */
const rowsOf = (all) => Array.from({ length: all.length / 2 }, (_, i) => all.subarray(2 * i, 2 * i + 2));

/** @param {Drawing} drawing */
export function handles(drawing) {
  const { x, y, at, level, bars, ringed } = roomOf(drawing);
  const { cap } = drawing.settings;
  /** @type {(at: number[], control: string, axis: string, role: string, value: any) => any} */
  const handle = ([x, y], control, axis, role, value) => ({ x, y, control, axis, role, value });
  const place = (/** @type {number[]} */ ...[px, py]) => [x.invert(px), y.invert(py)];
  const radius = (/** @type {number[]} */ ...px) => Math.hypot(...place(...px));
  const height = (/** @type {number[]} */ ...[, py]) => level.invert(py);
  return [
    ...(ringed ? [handle(at(RIM, cap), "cap", "x", "limit", radius)] : []),
    handle([bars[1], level.at(cap)], "cap", "y", "limit", height),
    handle(at(drawing.values.columns), "first", "both", "muted", place),
  ];
}

/** What a drag of the cap leaves as it is, but for which columns are cut: all before the cap, the matrix, and words. @param {Drawing} drawing @param {ReturnType<typeof roomOf>} room */
function Still(drawing, { plane, bars, x, y, at, middle, bar, norms, cut }) {
  const [start, end, , foot, title] = bars;
  const { left, right, top, bottom } = plane;
  const [{ by }, { labels }] = [drawing.settings, drawing.description];
  const columns = rowsOf(drawing.values.columns);
  const [name, rows] = norms.length > 2 ? ["capped", 2] : ["norms", 3 - norms.length]; // a column lights up with its arrow
  const wide = (end - start) / (rows < 2 || norms.length < 2 ? 1 : norms.length);
  const frames = norms.map(
    (n, i) => html`<g class=${`gl-role-muted${emphasis(drawing, name, i + 1)}`} ...${part(name, i + 1)}>
    <rect class="gl-box" x=${wide < end - start ? start + i * wide + 1 : start - 3} y=${title + 13.5 + (rows < 2 ? i * ROW : 0)} width=${wide < end - start ? wide - 2 : wide + 6} height=${rows * ROW - 3} rx="4" />
    <text x=${middle(i, norms.length)} y=${bars[2] + 8} text-anchor="middle">${n.toFixed(1)}</text>
    <text class="gl-muted" x=${middle(i, norms.length)} y=${foot + 18} text-anchor="middle">${labels[`bar_${by}`].replace("{n}", `${i + 1}`)}</text></g>`,
  );
  const numbers = columns.map((column, i) => {
    const [px, py] = at(column, beyond(column));
    return html`<g class=${emphasis(drawing, "capped", i + 1)} ...${part("capped", i + 1)}><text class="gl-named gl-role-muted" x=${px} y=${py + 5} text-anchor="middle">${i + 1}</text>
      ${Array.from(column, (w, row) => html`<text style="font-size:13px" x=${middle(i, columns.length)} y=${title + 30 + row * ROW} text-anchor="middle">${w.toFixed(1).replace("-", "−")}</text>`)}</g>`;
  });
  return html`
    <defs><clipPath id=${`${drawing.id}-capped`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <path class="gl-ground" d=${`M${left} ${top}H${right}V${bottom}H${left}Z`} /><path class="gl-zero" d=${`M${left} ${y.at(0)}H${right}M${x.at(0)} ${top}V${bottom}M${start} ${foot}H${end}`} />
    <g class="gl-plot"><text x=${right} y=${bottom + 20} text-anchor="end">${labels.across}</text><text x=${x.at(0) + 7} y=${top + 16}>${labels.up}</text><text x=${start} y=${title + 87}>${labels.norms}</text></g>
    <path class="gl-outline gl-role-muted" d=${[...columns.map((column, i) => (cut[i] || by !== "columns" ? outlined(at([0, 0]), at(column)) : "")), ...norms.map(bar), outlined([left + 4, bottom + 15], [left + 28, bottom + 15])].join("")} />
    <text x=${left + 36} y=${bottom + 20}>${labels.before}</text><text x=${left + 182} y=${bottom + 20}>${labels.after}</text><text x=${start} y=${title}>${labels[by]}</text>${frames}${numbers}`;
}

/** The column that's short as it is: how much is left of it, and how far it turns. @param {Drawing} drawing @param {any} room */
function Told({ values, spec, description }, { at }) {
  const column = rowsOf(values.columns)[spec.told];
  const [px, py] = at(column, beyond(column));
  return html`<g class="gl-role-ink"><path class="gl-outline" stroke-width="2" style="stroke-width:2" d=${outlined(at([0, 0]), at(column))} />
    ${[22, 37].map((down, i) => html`<text class="gl-named" x=${px} y=${py + down} text-anchor="middle">${fill(description.labels.kept, values).split(", ")[i]}</text>`)}</g>`;
}

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { values, settings, layout, lit, ghost, concealed, id } = drawing;
  const room = roomOf(drawing);
  const { plane, bars, x, level, at, bar, norms, ringed } = room;
  const [{ cap }, [cx, cy], [px, py]] = [settings, at([0, 0]), at(RIM, Math.max(settings.cap, 1.1))]; // its name, not among short columns
  const low = py + 24 > plane.bottom; // its name is inside the ring there
  const line = (/** @type {any} */ to) => `M${bars[0]} ${r1(level.at(to))}H${bars[1]}`;
  const circle = (/** @type {string} */ name, /** @type {any} */ radius) => {
    const r = r1(x.at(radius) - x.at(0));
    return html`<circle class=${name} cx=${cx} cy=${cy} r=${r} clip-path=${clipOf([cx - r, cy - r, cx + r, cy + r], plane, `${id}-capped`)} ...${part("cap")} />`;
  };
  const after = (/** @type {[number, number]} */ from, /** @type {[number, number]} */ to, i = 0) => {
    const { shaft, head } = arrow(from, to, "parameter");
    return html`<path class=${`gl-shaft gl-tip gl-role-parameter${emphasis(drawing, "capped", i)}`} d=${shaft + head} ...${part(i && "capped", i)} />`;
  };
  const key = [layout, values.columns, settings.by, lit?.kind, lit?.index, `${room.cut}`];
  return html`
    <path class="gl-bar gl-role-parameter" d=${norms.map((n, i) => bar(Math.min(n, cap), i)).join("")} />
    <g class="gl-role-limit" ...${part("cap")}><path class="gl-level" d=${line(cap)} /><text class="gl-named" x=${bars[0] - 5} y=${r1(level.at(cap)) + 5} text-anchor="end">c</text></g>
    ${ringed && circle(`gl-ring gl-role-limit${emphasis(drawing, "cap")}`, cap)}${memoizeDrawn(drawing, "still", key, () => Still(drawing, room))}
    ${ghost && html`${ringed && circle("gl-ghost", ghost.cap)}<path class="gl-ghost" d=${line(ghost.cap) + outlined([cx, cy], at(/** @type {any} */ (ghost.first)))} />`}
    ${!concealed.has("capped") && rowsOf(values.capped).map((to, i) => after([cx, cy], at(to), i + 1))}
    ${settings.by !== "columns" && !concealed.has("capped") && Told(drawing, room)}
    ${after([plane.left + 150, plane.bottom + 15], [plane.left + 174, plane.bottom + 15])}${ringed && html`<text class="gl-named gl-role-limit" x=${px + (low ? -14 : 11)} y=${py + (low ? 5 : 18)} text-anchor=${low ? "end" : "start"}>c = ${cap}</text>`}`;
}
