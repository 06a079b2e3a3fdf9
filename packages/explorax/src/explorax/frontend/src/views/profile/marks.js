// What a profile draws for each series: bars from zero, lines and points; marked where they leave the plot.

import { memoizeDrawn } from "../../common/memoize.js";
import { clamp, clamped, clipOf, html, marker, numbersOf, r1, short, typeOf, widthOf } from "../../view.js";
import { before, emphasis, part, read } from "../common/read.js";

const MANY = 64; // more bars than this are one path
const SEEN = 1.5; // pixels that a bar is high, at least, if it says its value by itself
const MARKED = ["parameter", "loss", "cotangent"]; // their lines carry markers, each from another step on

/** The start of a series' bars about the middle of their slot, and their width. @param {any[]} all that are drawn @param {any} series @param {number} pitch */
export function slot(all, series, pitch) {
  const solid = all.filter(({ mark, until }) => mark === "bars" && !until);
  const group = Math.min(solid.length > 1 ? 64 : 40, pitch * (pitch < 6 ? 0.9 : 0.74));
  const wide = group / Math.max(1, solid.length);
  const rank = solid.indexOf(series.until && solid.length ? solid[0] : series); // until then it stands in the first's place
  const rim = pitch > 12 ? 2.5 : 0;
  if (rank < 0) return { start: -group / 2 - rim, width: group + 2 * rim };
  return { start: -group / 2 + rank * wide, width: Math.max(0.7, wide - (solid.length > 1 ? 2 : 0)) };
}

/** One series of bars. @param {any} series @param {any} drawing @param {any} space */
export function Bars(series, drawing, space) {
  const { value: name, mark, role } = series;
  const { y, count, place, pitch } = space;
  const { start, width } = slot(drawing.spec.series, series, pitch);
  const values = read(drawing, name).slice(0, count);
  const was = before(drawing, name);
  const bar = (/** @type {number} */ i, /** @type {number} */ from, /** @type {number} */ to) =>
    `M${r1(place(i) + start)} ${r1(from)}h${r1(width)}V${r1(to)}h${-r1(width)}z`;
  const kind = mark === "outline" ? "gl-outline" : "gl-bar";
  let [all, ghost] = ["", ""];
  const singles = [];
  const marks = [];
  let written = Number.NEGATIVE_INFINITY;
  for (const [i, value] of values.entries()) {
    const middle = place(i) + start + width / 2;
    if (Number.isNaN(value)) {
      marks.push(html`<path class="gl-lost" d=${marker("limit", middle, y.zero - 4, 4)} />`);
      continue;
    }
    const { px, beyond } = clamped(y, value);
    const d = bar(i, y.zero, px);
    if (count > MANY) all += d;
    else
      singles.push(
        html`<path class=${kind + emphasis(drawing, name, i + 1)} d=${d} ...${part(name, i + 1)} />`,
      );
    const text = count <= 12 || !Number.isFinite(value) ? short(value) : "";
    const half = widthOf(text, typeOf(drawing).letter) / 2;
    if (beyond) marks.push(Beyond(middle, px, beyond, text, width));
    else if (value && text && !space.small && Math.abs(px - y.zero) < SEEN && middle - half > written) {
      marks.push(
        html`<text class="gl-losttext" x=${r1(Math.max(middle, space.left + half))} y=${y.zero - 7} text-anchor="middle">${text}</text>`,
      );
      written = middle + half;
    }
    const old = Number.isFinite(was?.[i]) ? clamped(y, was[i]).px : px;
    if (Math.abs(old - px) > 0.5) ghost += bar(i, y.zero, old);
  }
  const lost = values.findIndex(Number.isNaN);
  const { value: sketch, committed } = drawing.guess ?? {};
  const drawnOver = Array.isArray(sketch) && !committed && sketch.some((each) => each !== null);
  return html`
    <g class=${`gl-bars gl-role-${role}${drawnOver ? " gl-beneath" : ""}`}>
      ${all && html`<path class=${kind + emphasis(drawing, name)} d=${all} ...${part(name)} />`}
      ${singles}
      ${intervals(series, drawing, space, start + width / 2)}
      ${ghost && html`<path class="gl-ghost" d=${ghost} />`}
      ${marks}
      ${lost >= 0 && html`<text class="gl-losttext" x=${r1(place(lost) + start + width / 2)} y=${y.zero - 14} text-anchor="middle">NaN</text>`}
    </g>`;
}

/** A mark where a bar goes on beyond the plot, with its value. @param {number} x @param {number} y @param {number} side @param {string} text @param {number} width */
function Beyond(x, y, side, text, width = 14) {
  const half = clamp(width / 2 - 1, 3, 7);
  return html`
    <path class="gl-torn" d=${`M${r1(x - half)} ${r1(y) + side * half}L${r1(x)} ${r1(y)}L${r1(x + half)} ${r1(y) + side * half}`} />
    ${text && html`<text class="gl-losttext" x=${r1(x)} y=${r1(y) + (side > 0 ? 23 : -13)} text-anchor="middle">${text}</text>`}`;
}

/** The interval about each value, as a whisker. @param {any} series @param {any} drawing @param {any} space @param {number} [shift] */
function intervals(series, drawing, { y, count, place }, shift = 0) {
  if (!series.low || !series.high) return null;
  const [low, high] = [read(drawing, series.low), read(drawing, series.high)];
  let path = "";
  for (let i = 0; i < count; i++) {
    if (Number.isNaN(low[i]) || Number.isNaN(high[i])) continue;
    const [a, b, x] = [r1(clamped(y, low[i]).px), r1(clamped(y, high[i]).px), r1(place(i) + shift)];
    path += `M${x} ${a}V${b}M${x - 4} ${a}h8M${x - 4} ${b}h8`;
  }
  return html`<path class="gl-whisker" d=${path} />`;
}

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
  if (!i || !shows(y, values[i - 1]) || !Number.isFinite(to)) return place(i);
  return place(i) + ((edge - from) / (to - from) - 1) * (place(i) - place(i - 1));
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

/** What is drawn anew where it has changed. @param {(series: any, drawing: any, space: any) => any} draw @returns {(series: any, drawing: any, space: any) => any} */
const anew = (draw) => (series, drawing, space) => {
  const { mark, value, at, role, low, high } = series;
  const from = [value, at || drawing.spec.at, low, high].filter(Boolean);
  const given = from.map((name) => [read(drawing, name), before(drawing, name)]);
  const { left, right, top, bottom } = space;
  const key = [given, [left, right, top, bottom], role, emphasis(drawing, value)];
  return memoizeDrawn(drawing, `${mark} ${value}`, key, () => draw(series, drawing, space));
};

export const Line = anew(lineOf);
export const Band = anew(bandOf);

/** @param {any} series @param {any} drawing @param {any} space */
function lineOf(series, drawing, space) {
  const { value, role, behind } = series;
  const { y, place, count, small } = space;
  const values = read(drawing, value);
  const was = behind ? undefined : before(drawing, value);
  const [now, old] = [trace(values, space, place), was ? trace(was, space, space.placed) : ""];
  const clipped = (/** @type {string} */ d) => clipOf(numbersOf(d), space, `${drawing.id}-profile`);
  const each = Math.max(1, Math.ceil(count / (small ? 6 : 12)));
  const rank = MARKED.indexOf(role);
  const first = Math.min(rank, count - 1);
  const beads = Array.from({ length: rank < 0 || drawing.spec.at ? 0 : count }, (_, i) => i)
    .filter((i) => i >= first && (i - first) % each === 0 && shows(y, values[i]))
    .map((i) => marker(role, place(i), y.at(values[i]), small ? 2.5 : 4));
  return html`
    <g class=${`gl-role-${role}${behind ? " gl-behind" : ""}${emphasis(drawing, value)}`} ...${part(value)}>
      ${old && old !== now && html`<path class="gl-ghost" d=${old} clip-path=${clipped(old)} />`}
      ${behind && html`<path class="gl-reach" d=${now} clip-path=${clipped(now)} />`}
      <path class="gl-line" d=${now} clip-path=${clipped(now)} />
      ${beads.length > 0 && html`<path class="gl-spot" d=${beads.join("")} />`}
      ${intervals(series, drawing, space)}
      ${edges(values, space)}
    </g>`;
}

/** The ground from `low` to the value. @param {any} series @param {any} drawing @param {any} space */
function bandOf({ value, low, role }, drawing, { y, place, count }) {
  const edge = (/** @type {ArrayLike<number>} */ values) =>
    Array.from({ length: count }, (_, i) => `${r1(place(i))} ${r1(clamped(y, values[i]).px)}`);
  const [far, near] = [read(drawing, value), read(drawing, low)].map(edge);
  const d = `M${far.join("L")}L${near.reverse().join("L")}Z`;
  return html`<path class=${`gl-span gl-role-${role}${emphasis(drawing, value)}`} d=${d} ...${part(value)} />`;
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
    html`<path class=${`gl-spot${emphasis(drawing, value, i + 1)}`} d=${spot(i)} ...${part(value, i + 1)} />`;
  return html`
    <g class=${`gl-role-${role}`}>
      ${intervals(series, drawing, space)}
      ${count > 64 ? html`<path class="gl-dust" d=${shown.map(dust).join("")} ...${part(value)} />` : shown.map(single)}
      ${edges(values, space)}
    </g>`;
}
