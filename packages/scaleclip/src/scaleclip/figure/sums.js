// What rows and columns add up to, as bars; the bound beyond which none goes, and their mean.

import {
  before,
  concealed,
  emphasis,
  fill,
  html,
  marker,
  number,
  part,
  r1,
  read,
  templateValues,
  widthOf,
} from "explorax/view";
import { closer, litAt } from "./cells.js";
import { guessOf } from "./guessed.js";
import { below, exact } from "./numerals.js";

const LETTER = 9.6; // at most, of a sum

/** A bar along x or downwards, and what it was before a drag. @param {any} bar */
function Bar({ sum, old, across, from, wide, unit, most }) {
  const [now, was] = [sum, old ?? 0].map((value) => r1(Math.min(value, most) * unit));
  const box = (/** @type {number} */ a, /** @type {number} */ b) =>
    across
      ? `M${r1(from[0] + a)} ${from[1]}h${r1(b - a)}v${wide}h${r1(a - b)}z`
      : `M${from[0]} ${r1(from[1] + a)}h${wide}v${r1(b - a)}h${-wide}z`;
  return html`
    ${was > now + 0.5 && html`<path class="gl-was" d=${box(now, was)} />`}
    <path class="gl-slid" d=${box(0, now)} />
    ${was > 0 && was < now - 0.5 && html`<path class="gl-ghost" d=${box(was, was)} />`}`;
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

/** How a bar stands out: it is lit itself, or is one of the two of a lit cell. @param {any} drawing @param {any} at @param {"loss" | "application"} name @param {number} n */
function standing(drawing, at, name, n) {
  if (!(at.k && at.j)) return emphasis(drawing, name, n);
  return (name === "loss" ? at.k : at.j) === n ? " gl-lit" : " gl-dim";
}

/** @param {any} drawing @param {any} space */
export function Rows(drawing, space) {
  const { top, tall, n, full, unit, panel, end } = space;
  const [sent, bound, mean, together] = ["sent", "bound", "total", "together"].map((name) =>
    read(drawing, name),
  );
  const old = earlier(drawing, "sent", full);
  const at = litAt(drawing, full);
  const lines = [bound, mean, together, guessOf(drawing)]
    .filter((value) => value <= full)
    .map((value) => panel + unit * value);
  return Array.from({ length: n }, (_, i) => {
    const middle = r1(top + (i + 0.5) * tall);
    const tip = panel + unit * Math.min(sent[i], full);
    const text = exact(sent[i], bound, unit > 0 ? 4 : 2);
    const x = unit > 0 ? clear(tip + (i === n - 1 ? 15 : 9), text, lines) : end + 4;
    return html`
      <g class=${`gl-role-cotangent${standing(drawing, at, "loss", i + 1)}`} ...${part("loss", i + 1)}>
        ${unit > 0 && Bar({ sum: sent[i], old: old?.[i], across: true, from: [panel, r1(top + i * tall + 3)], wide: tall - 6, unit, most: full })}
        ${unit > 0 && sent[i] > full && Torn(tip, middle, true)}
        <text class="gl-margin" x=${r1(x)} y=${middle + 5.4}>${text}</text>
      </g>`;
  });
}

/** @param {any} drawing @param {any} space */
export function Columns(drawing, space) {
  const { left, cell, n, full, below: top, per } = space;
  const [received, bound] = [read(drawing, "received"), read(drawing, "bound")];
  const old = earlier(drawing, "received", full);
  const at = litAt(drawing, full);
  return Array.from({ length: n }, (_, j) => {
    const x = r1(left + j * cell + 4);
    const middle = r1(left + (j + 0.5) * cell);
    const foot = top + per * Math.min(received[j], full);
    const text = below(received[j], bound, 3);
    const line = top + per * bound;
    const start = bound <= full && line > foot - 1 && line < foot + 21 ? line + 1 : foot;
    return html`
      <g class=${`gl-role-cotangent${standing(drawing, at, "application", j + 1)}`} ...${part("application", j + 1)}>
        ${Bar({ sum: received[j], old: old?.[j], across: false, from: [x, top], wide: r1(cell - 8), unit: per, most: full })}
        ${received[j] > full && Torn(middle, foot, false)}
        <text class="gl-margin gl-entry" x=${middle} y=${r1(start + 15)} text-anchor="middle" ...${closer(text, cell)}>${text}</text>
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
      ${unit > 0 && html`<path class="gl-level" d=${`M${x} ${top - 4}V${bottom + 2}`} /><text x=${r1(Math.max(panel, x - widthOf(text, 8.4) / 2))} y=${top - 8}>${text}</text>`}
      <path class="gl-level" d=${`M${left} ${y}H${end + 2}`} />
      ${layout === "narrow" && html`<text x=${end + 6} y=${y + 4.6}>${number(bound)}</text>`}
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
export function Corner(drawing, { panel, bottom, below: start, down, layout, width }) {
  const { labels } = drawing.description;
  const values = templateValues(drawing);
  const [x, y] = layout === "wide" ? [panel, bottom + 46] : [0, start + down + 34];
  const line = (/** @type {string} */ text, /** @type {number} */ at, kind = "gl-muted") =>
    html`<text class=${kind} x=${x} y=${r1(y + at)}>${text}</text>`;
  return html`
    ${line(`${layout === "wide" ? "←" : "↑"} ${labels.columns}`, 0)}
    <g class=${emphasis(drawing, "total")} ...${part("total")}>
      ${line(fill(labels.total, values), 30, "gl-grand")}
    </g>
    ${values.bound === Number.POSITIVE_INFINITY && line(fill(labels.unbounded, values), 53)}
    ${values.together >= 0 && html`<g class=${emphasis(drawing, "together")} ...${part("together")}>${line(fill(labels.together, values), 53, "gl-margin")}</g>`}
    <text class="gl-muted" x=${layout === "wide" ? panel : width} y="13" text-anchor=${layout === "wide" ? "start" : "end"}>${layout === "wide" ? labels.rows : labels.sent}</text>`;
}
