// The cells as squares, and what rows and columns of them add up to, as bars; the bound beyond which none goes, and their mean.

import {
  before,
  concealed,
  emphasis,
  fill,
  html,
  marker,
  memoizeDrawn,
  number,
  part,
  r1,
  read,
  templateValues,
  widthOf,
} from "explorax/view";
import { litAt } from "./cells.js";
import { exact } from "./numerals.js";

/** @param {number} x @param {number} y @param {number} wide @param {number} high */
const box = (x, y, wide, high) => `M${r1(x)} ${r1(y)}h${r1(wide)}v${r1(high)}h${r1(-wide)}z`;
const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

/** The cells' net, and all that a pointer can be on: it changes with their number alone. @param {any} drawing @param {any} space */
function net(drawing, { left, top, cell, tall, n, full, end, width, below, down }) {
  const cells = upTo(n).flatMap((i) =>
    upTo(i + 1).map((j) => ({ i, j, x: left + j * cell, y: top + i * tall })),
  );
  const hit = (/** @type {any} */ found, /** @type {string} */ d) =>
    html`<path class="gl-hit" d=${d} ...${found} />`;
  return html`
    <path class="gl-cell" fill-opacity="0" d=${cells.map(({ x, y }) => box(x, y, cell, tall)).join("")} />
    ${cells.map(({ i, j, x, y }) => hit(part(drawing.spec.cells, i * full + j + 1), box(x, y, cell, tall)))}
    ${upTo(n).map((i) => hit(part("loss", i + 1), box(end, top + i * tall, width - end, tall)))}
    ${upTo(n).map((j) => hit(part("application", j + 1), box(left + j * cell, below, cell, down)))}`;
}

/** Each cell as a square as large as its value: 1 fills it, and more than 1 is darker. @param {any} drawing @param {any} space */
export function Squares(drawing, space) {
  const { left, top, cell, tall, n, full } = space;
  const values = read(drawing, drawing.spec.cells);
  const filled = ["", ""];
  for (const i of upTo(n))
    for (const j of upTo(i + 1)) {
      const value = values[i * full + j];
      const side = Math.sqrt(Math.min(1, value));
      const [wide, high] = [side * (cell - 2), side * (tall - 2)];
      const [x, y] = [left + (j + 0.5) * cell - wide / 2, top + (i + 0.5) * tall - high / 2];
      if (value > 0) filled[Number(value > 1)] += box(x, y, wide, high);
    }
  const { k, j } = litAt(drawing, full);
  const [x, wide] = j ? [left + (j - 1) * cell, cell] : [left, k * cell];
  const [y, high] = k ? [top + (k - 1) * tall, tall] : [top + (j - 1) * tall, (n - j + 1) * tall];
  return html`
    <g class="gl-role-cotangent"><path class="gl-slid" d=${filled[0]} /><path class="gl-slid" style="fill-opacity:0.8" d=${filled[1]} /></g>
    ${memoizeDrawn(drawing, "net", [n], () => net(drawing, space))}
    <path class="gl-ring gl-role-ink" d=${k || j ? box(x, y, wide, high) : ""} />`;
}

/** Bars from their places along x, or downwards, as one path; one goes on where it is torn. The ends of those before a drag. @param {any} drawing @param {string} name @param {any} bars */
function Bars(drawing, name, { n, most, unit, across, place, wide }) {
  const [sums, old] = [read(drawing, name), before(drawing, name)];
  const long = (/** @type {number} */ sum) => Math.min(sum, most) * unit;
  /** A place of the i-th bar, so far along it and across it. @param {number} i @param {number} a @param {number} b */
  const at = (i, a, b) => {
    const [x, y] = place(i);
    return across ? `${r1(x + a)} ${r1(y + b)}` : `${r1(x + b)} ${r1(y + a)}`;
  };
  const bar = (/** @type {number} */ i, end = long(sums[i])) =>
    `M${at(i, 0, 0)}L${at(i, end, 0)}L${at(i, end, wide)}L${at(i, 0, wide)}z`;
  const torn = (/** @type {number} */ i, tip = long(most), b = wide / 2) =>
    sums[i] > most ? `M${at(i, tip - 5, b - 5)}L${at(i, tip, b)}L${at(i, tip - 5, b + 5)}` : "";
  const was = (/** @type {number} */ i, end = long(old[i])) =>
    end > 0 && Math.abs(end - long(sums[i])) > 0.5 ? `M${at(i, end, 0)}L${at(i, end, wide)}` : "";
  const all = (/** @type {(i: number) => string} */ draw) =>
    upTo(n)
      .map((i) => draw(i))
      .join("");
  return html`
    <g class="gl-role-cotangent"><path class="gl-slid" d=${all(bar)} /><path class="gl-torn" d=${all(torn)} /></g>
    <path class="gl-ghost" d=${old && Math.max(...old) <= most ? all(was) : ""} />`;
}

/** @param {any} drawing @param {any} space */
export function Rows(drawing, { top, tall, n, full, unit, panel, sum }) {
  const [sent, bound] = [read(drawing, "sent"), read(drawing, "bound")];
  const place = (/** @type {number} */ i) => [panel, top + i * tall + 3];
  return html`
    ${unit > 0 && Bars(drawing, "sent", { n, most: full, unit, across: true, place, wide: tall - 6 })}
    ${upTo(n).map((i) => html`<text class=${`gl-margin${emphasis(drawing, "loss", i + 1)}`} x=${sum} y=${r1(top + (i + 0.5) * tall + 5.4)} text-anchor="end">${exact(sent[i], bound)}</text>`)}`;
}

/** @param {any} drawing @param {any} space */
export function Columns(drawing, { left, cell, n, full, below, per }) {
  const place = (/** @type {number} */ j) => [left + j * cell + 4, below];
  return Bars(drawing, "received", { n, most: full, unit: per, across: false, place, wide: r1(cell - 8) });
}

/** The bound of all sums, across both kinds of bars. @param {any} drawing @param {any} space */
export function Bound(drawing, { panel, unit, top, bottom, below: start, per, full, left, end, sum }) {
  const bound = Number(read(drawing, "bound"));
  if (!(bound > 0 && bound <= full)) return null;
  const text = fill(drawing.description.labels.bound, { bound });
  const [x, y] = [r1(panel + unit * bound), r1(start + per * bound)];
  return html`
    <g class=${`gl-threshold gl-role-limit${emphasis(drawing, "bound")}`} ...${part("bound")}>
      ${unit > 0 && html`<path class="gl-level" d=${`M${x} ${top - 4}V${bottom + 2}`} /><text x=${r1(Math.max(panel, x - widthOf(text, 8.4) / 2))} y=${top - 8}>${text}</text>`}
      <path class="gl-level" d=${`M${left} ${y}H${unit ? end + 2 : sum - widthOf(number(bound), 8) - 4}`} />
      ${!unit && html`<text x=${sum} y=${y + 4.6} text-anchor="end">${number(bound)}</text>`}
    </g>`;
}

/** The mean of all rows, across them; of vectors the norm of their mean too. @param {any} drawing @param {any} space */
export function Means(drawing, { panel, unit, full, top, bottom }) {
  if (!unit) return null;
  const line = (/** @type {string} */ name) => {
    const value = Number(read(drawing, name));
    if (concealed(drawing, name) || !(value <= full)) return null;
    const x = r1(panel + unit * value);
    const kind = name === "total" ? "gl-spot" : "gl-outline";
    return html`
      <g class=${`gl-role-parameter${emphasis(drawing, name)}`} ...${part(name)}>
        <path class="gl-line" d=${`M${x} ${top - 2}V${bottom + 8}`} />
        <path class=${kind} d=${marker("parameter", x, bottom + 14, 5.5)} />
      </g>`;
  };
  return [line("together"), line("total")];
}

/** In the corner where rows and columns meet: their common mean, and its bound. @param {any} drawing @param {any} space */
export function Corner(drawing, { left, panel, bottom, below: start, down, layout, sum }) {
  const { labels } = drawing.description;
  const values = templateValues(drawing);
  const [x, y] = layout === "wide" ? [panel, bottom + 50] : [0, start + down + 26];
  const line = (/** @type {string} */ text, /** @type {number} */ at, kind = "gl-grand") =>
    html`<text class=${kind} x=${x} y=${r1(y + at)}>${text}</text>`;
  return html`
    <text class="gl-muted" x=${left} y=${r1(start - 7)}>↓ ${labels.columns}</text>
    <g class=${emphasis(drawing, "total")} ...${part("total")}>
      ${line(fill(labels.total, values), 0)}
    </g>
    ${values.together >= 0 && html`<g class=${emphasis(drawing, "together")} ...${part("together")}>${line(fill(labels.together, values), 23, "gl-margin")}</g>`}
    <text class="gl-muted" x=${sum} y="13" text-anchor="end">${labels.sent}</text>
    ${layout === "wide" && html`<text class="gl-muted" x=${panel} y="13">${labels.rows}</text>`}`;
}
