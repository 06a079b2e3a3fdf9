// What rows and columns add up to: their cells slid together to bars, the bound beyond which none goes, and the mean.

import { before, emphasis, fill, html, marker, number, part, r1, read, widthOf } from "explorax/view";
import { closer, litAt } from "./cells.js";
import { guessOf } from "./guessed.js";
import { below, exact } from "./numerals.js";

const LETTER = 8.4; // at most, of a sum

/** Where the cells of a row or column end, one after another, up to the longest bar. @param {number[]} cells @param {number} most */
function ends(cells, most) {
  let sum = 0;
  return cells.map((value) => {
    sum += value;
    return Math.min(sum, most);
  });
}

/** The cells of loss i, from its own application back. @param {any} values @param {number} full @param {number} i */
const ofRow = (values, full, i) => Array.from({ length: i + 1 }, (_, lag) => values[i * full + i - lag]);

/** The cells of application j, from its own loss on. @param {any} values @param {number} full @param {number} j @param {number} n */
const ofColumn = (values, full, j, n) =>
  Array.from({ length: n - j }, (_, lag) => values[(j + lag) * full + j]);

/** A bar of cells, along x or downwards, with page between them; the part of one cell framed. @param {any} bar */
function Bar({ cells, across, from, wide, unit, most, lit, old }) {
  const stops = ends(cells, most).map((end) => r1(end * unit));
  const total = stops.at(-1) ?? 0;
  const box = (/** @type {number} */ a, /** @type {number} */ b) =>
    across
      ? `M${r1(from[0] + a)} ${from[1]}h${r1(b - a)}v${wide}h${r1(a - b)}z`
      : `M${from[0]} ${r1(from[1] + a)}h${wide}v${r1(b - a)}h${-wide}z`;
  const line = (/** @type {number} */ a) =>
    across ? `M${r1(from[0] + a)} ${from[1]}v${wide}` : `M${from[0]} ${r1(from[1] + a)}h${wide}`;
  const seams = stops.slice(0, -1).filter((stop, i) => (stops[i + 1] ?? stop) - stop > 0.6);
  const was = old === null ? 0 : r1(old * unit);
  return html`
    ${was > total + 0.5 && html`<path class="gl-was" d=${box(total, was)} />`}
    <path class="gl-slid" d=${box(0, total)} />
    <path class="gl-seam" d=${seams.map(line).join("")} />
    ${lit >= 0 && html`<path class="gl-outline gl-role-ink" d=${box(stops[lit - 1] ?? 0, stops[lit])} />`}
    ${was > 0 && was < total - 0.5 && html`<path class="gl-ghost" d=${line(was)} />`}`;
}

/** Where a bar goes on beyond the longest. @param {number} x @param {number} y @param {boolean} across */
const Torn = (x, y, across) =>
  html`<path class="gl-torn" d=${across ? `M${r1(x - 5)} ${y - 5}l5 5l-5 5` : `M${r1(x - 5)} ${y - 5}l5 5l5 -5`} />`;

/** Where a number begins that no line across the bars runs through. @param {number} start @param {string} text @param {number[]} lines */
const clear = (start, text, lines) =>
  lines
    .sort((a, b) => a - b)
    .reduce((x, line) => (line > x - 6 && line < x + widthOf(text, LETTER) + 4 ? line + 7 : x), start);

/** The sums before, all or none: a few beside torn ones would say nothing. @param {any} drawing @param {string} name @param {number} most @returns {number[] | null} */
function earlier(drawing, name, most) {
  const sums = before(drawing, name);
  return sums && Math.max(...sums) <= most ? sums : null;
}

/** @param {any} drawing @param {any} space */
export function Rows(drawing, space) {
  const { top, tall, n, full, unit, panel, end } = space;
  const [values, sent, bound] = [
    read(drawing, drawing.spec.cells),
    read(drawing, "sent"),
    read(drawing, "bound"),
  ];
  const old = earlier(drawing, "sent", full);
  const at = litAt(drawing, full);
  const lines = [bound, guessOf(drawing)]
    .filter((value) => value <= full)
    .map((value) => panel + unit * value);
  return Array.from({ length: n }, (_, i) => {
    const [y, middle] = [r1(top + i * tall + 3), r1(top + (i + 0.5) * tall)];
    const tip = panel + unit * Math.min(sent[i], full);
    const lit = at.j ? i + 1 - at.j : -1;
    const cells = ofRow(values, full, i);
    const text = exact(sent[i], bound, unit > 0 ? 4 : 2);
    const x = unit > 0 ? clear(tip + (i === n - 1 ? 15 : 9), text, lines) : end + 4;
    const on = at.k && at.j ? (at.k === i + 1 ? " gl-lit" : " gl-dim") : emphasis(drawing, "loss", i + 1);
    return html`
      <g class=${`gl-role-cotangent${on}`} ...${part("loss", i + 1)}>
        ${unit > 0 && Bar({ cells, across: true, from: [panel, y], wide: tall - 6, unit, most: full, lit: at.k === i + 1 && at.j ? lit : -1, old: old?.[i] ?? null })}
        ${unit > 0 && sent[i] > full && Torn(tip, middle, true)}
        <text class=${unit > 0 ? "gl-margin" : "gl-margin gl-close"} x=${r1(x)} y=${middle + 4.6}>${text}</text>
      </g>`;
  });
}

/** @param {any} drawing @param {any} space */
export function Columns(drawing, space) {
  const { left, cell, n, full, below: top, per } = space;
  const [values, received, bound] = [
    read(drawing, drawing.spec.cells),
    read(drawing, "received"),
    read(drawing, "bound"),
  ];
  const old = earlier(drawing, "received", full);
  const at = litAt(drawing, full);
  return Array.from({ length: n }, (_, j) => {
    const x = r1(left + j * cell + 4);
    const middle = r1(left + (j + 0.5) * cell);
    const foot = top + per * Math.min(received[j], full);
    const beyond = received[j] > full;
    const on =
      at.k && at.j ? (at.j === j + 1 ? " gl-lit" : " gl-dim") : emphasis(drawing, "application", j + 1);
    const lit = at.j === j + 1 && at.k ? at.k - at.j : -1;
    const text = below(received[j], bound, 3);
    const line = top + per * bound;
    const start = bound <= full && line > foot - 1 && line < foot + 20 ? line + 1 : foot;
    return html`
      <g class=${`gl-role-cotangent${on}`} ...${part("application", j + 1)}>
        ${Bar({ cells: ofColumn(values, full, j, n), across: false, from: [x, top], wide: r1(cell - 8), unit: per, most: full, lit, old: old?.[j] ?? null })}
        ${beyond && Torn(middle, foot, false)}
        <text class="gl-margin gl-close" x=${middle} y=${r1(start + 14)} text-anchor="middle" ...${closer(text, cell)}>${text}</text>
      </g>`;
  });
}

/** The bound of all sums, across both kinds of bars. @param {any} drawing @param {any} space */
export function Bound(drawing, { panel, unit, top, bottom, below: start, per, full, left, end, layout }) {
  const bound = Number(read(drawing, "bound"));
  if (!(bound > 0 && bound <= full)) return null;
  const text = fill(drawing.description.labels.bound, { bound });
  const [x, y] = [r1(panel + unit * bound), r1(start + per * bound)];
  return html`
    <g class=${`gl-threshold gl-role-limit${emphasis(drawing, "bound")}`} ...${part("bound")}>
      ${unit > 0 && html`<path class="gl-level" d=${`M${x} ${top - 4}V${bottom + 2}`} /><text x=${r1(Math.max(panel, x - widthOf(text, LETTER) / 2))} y=${top - 8}>${text}</text>`}
      <path class="gl-level" d=${`M${left} ${y}H${end + 2}`} />
      ${layout === "narrow" && html`<text class="gl-close" x=${end + 6} y=${y + 4.6}>${number(bound)}</text>`}
    </g>`;
}

/** T of the first losses, for every length up to the present one. @param {any} drawing @param {any} space */
export function Means(drawing, { panel, unit, full, top, tall, n, width }) {
  if (!unit) return null;
  const sent = read(drawing, "sent");
  let sum = 0;
  const places = Array.from({ length: n }, (_, i) => {
    sum += sent[i];
    return [sum / (i + 1), r1(top + (i + 1) * tall)];
  })
    .filter(([mean]) => mean <= full)
    .map(([mean, y]) => [r1(panel + unit * mean), y]);
  const last = places.length === n ? places[n - 1] : null;
  const name = drawing.description.labels.means;
  const left = last && last[0] + 12 + widthOf(name, 7.2) > width ? -1 : 1;
  return html`
    <g class=${`gl-role-parameter${emphasis(drawing, "total")}`} ...${part("total")}>
      <path class="gl-line" d=${`M${places.map((place) => place.join(" ")).join("L")}`} />
      ${
        last &&
        html`<path class="gl-spot" d=${marker("parameter", last[0], last[1], 5.5)} />
        <text class="gl-named" x=${r1(last[0] + 11 * left)} y=${last[1] + 13} text-anchor=${left > 0 ? "start" : "end"}>${name}</text>`
      }
    </g>`;
}

/** In the corner where rows and columns meet: their common mean, and its bound. @param {any} drawing @param {any} space */
export function Corner(drawing, { panel, bottom, below: start, down, layout, width }) {
  const { labels } = drawing.description;
  const values = { ...drawing.settings, ...drawing.values };
  const [x, y] = layout === "wide" ? [panel, bottom + 38] : [0, start + down + 34];
  const { bound } = values;
  const line = (/** @type {string} */ text, /** @type {number} */ at, kind = "gl-muted") =>
    html`<text class=${kind} x=${x} y=${r1(y + at)}>${text}</text>`;
  return html`
    ${line(`${layout === "wide" ? "←" : "↑"} ${labels.columns}`, 0)}
    <g class=${emphasis(drawing, "total")} ...${part("total")}>
      ${line(fill(labels.total, values), 30, "gl-grand")}
    </g>
    ${bound === Number.POSITIVE_INFINITY && line(fill(labels.unbounded, values), 51)}
    <text class="gl-muted" x=${layout === "wide" ? panel : width} y="13" text-anchor=${layout === "wide" ? "start" : "end"}>${layout === "wide" ? labels.rows : labels.sent}</text>`;
}
