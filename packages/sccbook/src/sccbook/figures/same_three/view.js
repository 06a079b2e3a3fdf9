// Operations in pairs, a small plot each: what comes in across, what comes out upwards, and the line of what is left as it is.
//
// It draws the results `sizes`, [n], `curves`, [m, n], which follow from `limit`, and `out`, [m], and the controls `size`
// and `limit`; its spec is packages/sccbook/src/sccbook/figures/same_three/figure.py's Families.

import { arrow, before, clamp, html, isLit, memoizeDrawn, number, part, r1, read } from "explorax/view";

export const kind = "families";

const SIZES = {
  wide: { width: 688, across: 2, block: 330, plot: 106, head: 80, pitch: 226 },
  narrow: { width: 320, across: 1, block: 320, plot: 70, head: 98, pitch: 172 },
};
const GAP = 24; // between the two of a family
const FOOT = 44; // below a plot, for its caption

/** @param {any} spec */
export const layouts = ({ families }) => {
  const of = (/** @type {"wide" | "narrow"} */ layout) => {
    const { width, across, pitch, head, plot } = SIZES[layout];
    const rows = Math.ceil(families.length / across);
    return { width, height: (rows - 1) * pitch + head + plot + FOOT };
  };
  return { wide: of("wide"), narrow: of("narrow") };
};

/** The words of the i-th plot, its place and its scales. @param {any} drawing @param {number} i */
function plotOf({ layout, spec }, i) {
  const { across, block, plot, head, pitch, width } = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  const family = Math.floor(i / 2);
  const words = spec.families[family][1][i % 2];
  const each = (block - GAP) / 2;
  const left = (family % across) * (width - block) + (i % 2) * (each + GAP);
  const top = Math.floor(family / across) * pitch + head;
  const [right, bottom] = [left + each, top + plot];
  const x = (/** @type {number} */ v) => left + (v / spec.most) * each;
  const y = (/** @type {number} */ v) => bottom - (v / spec.most) * plot;
  const invert = (/** @type {number} */ px) => (clamp(px - left, 0, each) / each) * spec.most;
  return { words, left, right, top, bottom, x, y, invert };
}

/** What the signs mean, and the axes. @param {string} layout */
const Key = (layout) => html`
  <circle class="gl-spot gl-role-limit" cx="7" cy="9" r="5.5" /><text class="gl-muted" x="18" y="14">unchanged</text>
  <g class="gl-role-ink">${Ways([arrow([106, 1], [106, 17], "", 0.8)])}</g>
  <circle class="gl-spot gl-role-muted" cx="120" cy="9" r="6.5" /><text class="gl-muted" x="132" y="14">changed</text>
  <text class="gl-muted" x=${layout === "wide" ? 224 : 0} y=${layout === "wide" ? 14 : 36}>across: what comes in; up: what comes out; 0–3</text>`;

/** @param {{shaft: string, head: string}[]} ways */
const Ways = (ways) => html`
  <path class="gl-shaft" d=${ways.map(({ shaft }) => shaft).join("")} />
  <path class="gl-tip" d=${ways.map(({ head }) => head).join("")} />`;

/** The line of c, to be taken anywhere along it. @param {any} plot @param {number} at @param {number} i */
const Limit = ({ top, bottom }, at, i) => html`
  <path class="gl-level gl-role-limit" d=${`M${r1(at)} ${bottom}V${top}`} />
  <text class="gl-muted" x=${r1(at + 9)} y=${top + 15}>c</text>
  <rect class="gl-hit gl-along-x" x=${r1(at - 12)} y=${top} width="24" height=${bottom - top} data-handle="limit" data-handle-index=${i} />`;

/** Tell if an operation changes what comes in; same_three counts so. @param {number} out @param {number} size */
const isChanged = (out, size) => Math.abs(out - size) > 1e-9;

/** What stays while only the size changes. @param {any} drawing @param {any} plot @param {number} i */
function Plot(drawing, plot, i) {
  const { spec } = drawing;
  const { left, right, top, bottom, x, y } = plot;
  const [was, now] = [before, read].map((from) => {
    const [sizes, curves] = [from(drawing, "sizes") ?? [], from(drawing, "curves")];
    const spot = (/** @type {number} */ v, /** @type {number} */ k) =>
      `${r1(x(v))} ${r1(y(curves[i * sizes.length + k]))}`;
    return sizes.length && `M${Array.from(sizes, spot).join("L")}`;
  });
  return html`
    ${i % 2 === 0 && html`<text class=${`gl-named gl-role-${plot.words[2]}`} x=${left} y=${top - 35}>${spec.families[i / 2][0]}</text>`}
    <text class="gl-symbolic" x=${left} y=${top - 14}>${plot.words[0]}</text>
    <path class="gl-ground gl-hit" d=${`M${left} ${top}H${right}V${bottom}H${left}Z`} />
    <path class="gl-gap-to" d=${`M${left} ${bottom}L${right} ${top}`} />
    ${plot.words[0] !== spec.unlimited && Limit(plot, x(read(drawing, "limit")), i)}
    ${was && was !== now && html`<path class="gl-ghost" d=${was} />`}
    <path class="gl-line" d=${now} />`;
}

/** @param {any} drawing */
export function draw(drawing) {
  const [size, limit, outs] = ["size", "limit", "out"].map((name) => read(drawing, name));
  /** @type {any[]} */
  const ways = [];
  const plots = Array.from(outs, (/** @type {number} */ out, i) => {
    const plot = plotOf(drawing, i);
    const [{ words, left, bottom, x, y }, key] = [plot, [limit, before(drawing, "limit")]];
    const [from, to] = [y(size), y(out)];
    const end = to - 7 * Math.sign(to - from);
    if (Math.abs(from - to) >= 18) ways.push(arrow([x(size), from], [x(size), end], "", 0.8)); // it has room for a head
    return html`
      <g class=${`gl-role-${words[2]}${isLit(drawing.lit, "out", i + 1) ? " gl-lit" : ""}`} ...${part("out", i + 1)}>
        ${memoizeDrawn(drawing, `${drawing.layout} ${i}`, key, () => Plot(drawing, plot, i))}
        <text class="gl-muted" x=${left} y=${bottom + 20}>${words[1]} <tspan class="gl-named gl-symbolic">${number(out, ".3~g")}</tspan></text>
        <text x=${left} y=${bottom + 38}>${words[3]}</text>
      </g>`;
  });
  return html`${Key(drawing.layout)}${plots}<g class="gl-role-ink">${Ways(ways)}</g>`;
}

/** The point on each curve sets what comes in, and the dashed line c. @param {any} drawing */
export function handles(drawing) {
  const [size, limit, outs] = ["size", "limit", "out"].map((name) => read(drawing, name));
  return Array.from(outs, (/** @type {number} */ out, index) => {
    const { words, x, y, invert, top } = plotOf(drawing, index);
    const each = { index, axis: "x", value: invert };
    const role = `${words[2]}${isChanged(out, size) ? " gl-changed" : ""}`;
    const point = { ...each, control: "size", x: x(size), y: y(out), role };
    const line = { ...each, control: "limit", x: x(limit), y: top, role: "limit" };
    return words[0] === drawing.spec.unlimited ? [point] : [point, line];
  }).flat();
}
