// Operations in pairs, a small plot each: what comes in across, what goes on upwards, and the line of what is left as it is.
//
// It draws the results `sizes`, [n], `curves`, [m, n], and `out`, [m], and the controls `size` and `limit`; its spec is
// packages/sccbook/src/sccbook/figures/same_three/figure.py's Families.

import { arrow, before, clamp, emphasis, html, part, r1, read, short } from "explorax/view";

export const kind = "families";

const SIZES = {
  wide: { width: 688, across: 2, block: 330, plot: 106, head: 48, pitch: 204 },
  narrow: { width: 320, across: 1, block: 320, plot: 70, head: 46, pitch: 152 },
};
const GAP = 24; // between the two of a family
const FOOT = 26; // below a plot, for its caption

/** @param {any} spec */
export const layouts = ({ families }) => {
  const of = (/** @type {"wide" | "narrow"} */ layout) => {
    const { width, across, pitch, head, plot } = SIZES[layout];
    const rows = Math.ceil(families.length / across);
    return { width, height: (rows - 1) * pitch + head + plot + FOOT };
  };
  return { wide: of("wide"), narrow: of("narrow") };
};

/** The place of the i-th plot, with its scales. @param {any} drawing @param {number} i */
function plotOf({ layout, spec }, i) {
  const { across, block, plot, head, pitch, width } = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  const family = Math.floor(i / 2);
  const each = (block - GAP) / 2;
  const left = (family % across) * (width - block) + (i % 2) * (each + GAP);
  const top = Math.floor(family / across) * pitch + head;
  const [right, bottom] = [left + each, top + plot];
  const x = (/** @type {number} */ v) => left + (v / spec.most) * each;
  const y = (/** @type {number} */ v) => bottom - (v / spec.most) * plot;
  const invert = (/** @type {number} */ px) => (clamp(px - left, 0, each) / each) * spec.most;
  return { left, right, top, bottom, x, y, invert };
}

/** The line of c, to be taken anywhere along it. @param {any} plot @param {number} limit @param {number} i */
const Limit = ({ x, y, top, bottom }, limit, i) => html`
  <path class="gl-level gl-role-limit" d=${`M${r1(x(limit))} ${bottom}V${r1(y(limit))}`} />
  <text class="gl-muted" x=${r1(x(limit) - 8)} y=${r1(y(limit) - 4)} text-anchor="end">c</text>
  <rect class="gl-hit gl-along-x" x=${r1(x(limit) - 12)} y=${top} width="24" height=${bottom - top} data-handle="limit" data-handle-index=${i} />`;

/** @param {any} drawing */
export function draw(drawing) {
  const { spec } = drawing;
  const [sizes, size, limit] = ["sizes", "size", "limit"].map((name) => read(drawing, name));
  const n = sizes.length;
  const all = spec.families.flatMap((/** @type {any} */ [, pair]) => pair);
  return all.map((/** @type {string[]} */ [title, caption, role], /** @type {number} */ i) => {
    const { left, right, top, bottom, x, y } = plotOf(drawing, i);
    /** The i-th curve. @param {any} across @param {any} curves */
    const path = (across, curves) =>
      Array.from(across, (v, k) => `${k ? "L" : "M"}${r1(x(v))} ${r1(y(curves[i * n + k]))}`).join("");
    const was = before(drawing, "curves") && path(before(drawing, "sizes"), before(drawing, "curves"));
    const now = path(sizes, read(drawing, "curves"));
    const out = Number(read(drawing, "out")[i]);
    const hidden = Number.isNaN(out);
    const way =
      hidden || Math.abs(y(size) - y(out)) < 16
        ? null
        : arrow([x(size), y(size)], [x(size), y(out) + 7 * Math.sign(out - size)], "", 0.8);
    return html`
      ${i % 2 === 0 && html`<text class="gl-muted" x=${left} y=${top - 32}>${spec.families[i / 2][0]}</text>`}
      <g class=${`gl-role-${role}${emphasis(drawing, "out", i + 1)}`} ...${part("out", i + 1)}>
        <text class="gl-symbolic" x=${left} y=${top - 9}>${title}</text>
        <text class="gl-muted" x=${left} y=${bottom + 20}>${caption}</text>
        <path class="gl-ground gl-hit" d=${`M${left} ${top}H${right}V${bottom}H${left}Z`} />
        <path class="gl-gap-to" d=${`M${left} ${bottom}L${right} ${top}`} />
        ${title !== spec.unlimited && Limit(plotOf(drawing, i), limit, i)}
        ${was && was !== now && html`<path class="gl-ghost" d=${was} />`}
        <path class="gl-line" d=${hidden ? "" : now} />
        ${way && html`<g class="gl-role-ink"><path class="gl-shaft" d=${way.shaft} /><path class="gl-tip" d=${way.head} /></g>`}
        <text class="gl-named gl-symbolic" x=${left + 6} y=${top + 17}>${hidden ? "?" : `${short(size)} → ${short(out)}`}</text>
      </g>`;
  });
}

/** The point on each curve sets what comes in, and the dashed line c. @param {any} drawing */
export function handles(drawing) {
  const [size, limit, out] = ["size", "limit", "out"].map((name) => read(drawing, name));
  const all = drawing.spec.families.flatMap((/** @type {any} */ [, pair]) => pair);
  return all.flatMap((/** @type {[string, string, string]} */ [, , role], /** @type {number} */ index) => {
    const { x, y, invert, bottom } = plotOf(drawing, index);
    const each = { index, axis: "x", value: invert };
    const line = { ...each, control: "limit", x: x(limit), y: bottom, carried: true };
    const point = { ...each, control: "size", x: x(size), y: y(out[index] || 0), role };
    return [point, line];
  });
}
