// The cells of a matrix: a rectangle each with its number, or all as one image.

import { html } from "../../common/html.js";
import { bitmap, Shade } from "../common/image.js";
import { r1, short } from "../common/numbers.js";
import { before, part, read, stance } from "../common/read.js";
import { writer } from "./room.js";

const FULL = 0.58; // of the colour, so that ink is read on it

/** How strongly a value is coloured, 0 to 1. @param {any} spec @param {number} value */
export function strength({ full, decades }, value) {
  const share = Math.abs(value) / full;
  if (Number.isNaN(share) || share === 0) return 0;
  return Math.max(0, Math.min(1, decades ? 1 + Math.log10(share) / decades : share));
}

/** How a cell stands out: by itself, with its row, or with its column. @param {any} drawing @param {number} i @param {number} j @param {number} index */
function cellStance(drawing, i, j, index) {
  const { spec } = drawing;
  for (const [name, n] of /** @type {[string, number][]} */ ([
    [spec.value, index],
    [spec.row_part, i + 1],
    [spec.column_part, j + 1],
  ])) {
    if (name && drawing.lit?.kind === name) return stance(drawing, name, n);
  }
  return "";
}

/** The values of the cells that are there. @param {any} drawing @param {any} space @returns {number[]} */
export function visible({ spec, values }, { n, m, full }) {
  return Array.from({ length: n }, (_, i) =>
    Array.from(values[spec.value].subarray(i * full, i * full + (spec.triangle ? i + 1 : m))),
  ).flat();
}

/** @param {any} drawing @param {any} space */
export function Cells(drawing, space) {
  const { spec } = drawing;
  const { left, top, cell, tall, n, m, full } = space;
  const values = read(drawing, spec.value);
  const was = before(drawing, spec.value);
  const write = writer(space, visible(drawing, space));
  const cells = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < (spec.triangle ? i + 1 : m); j++) {
      const value = values[i * full + j];
      const [x, y] = [r1(left + j * cell), r1(top + i * tall)];
      const role = value < 0 ? spec.negative : spec.role;
      const amount = strength(spec, value) * FULL;
      const changed = was && Math.abs(strength(spec, was[i * full + j]) - strength(spec, value)) > 0.004;
      const odd = !Number.isFinite(value);
      cells.push(html`
        <g class=${`gl-role-${role}${cellStance(drawing, i, j, i * full + j + 1)}`} ...${part(spec.value, i * full + j + 1)}>
          <rect class=${odd ? "gl-cell gl-odd" : "gl-cell"} x=${x + 0.5} y=${y + 0.5} width=${r1(cell - 1)} height=${r1(tall - 1)} fill-opacity=${odd ? 0 : amount.toFixed(3)} />
          ${changed && html`<rect class="gl-ghost" x=${x + 3} y=${y + 3} width=${r1(cell - 6)} height=${r1(tall - 6)} />`}
          ${
            write || odd
              ? html`<text class="gl-number" x=${r1(x + cell / 2)} y=${r1(y + tall / 2 + 4.7)} text-anchor="middle">${odd ? short(value) : write?.(value)}</text>`
              : value < 0 &&
                html`<path class="gl-minus" d=${`M${r1(x + cell / 2 - Math.min(4, cell / 4))} ${r1(y + tall / 2)}h${r1(Math.min(8, cell / 2))}`} />`
          }
        </g>`);
    }
  }
  return cells;
}

/** @param {any} drawing @param {any} space */
export function Image(drawing, space) {
  const { spec, id } = drawing;
  const { left, top, cell, tall, n, m, rows, full } = space;
  const values = read(drawing, spec.value);
  const box = { left, right: left + full * cell, top, bottom: top + rows * tall };
  /** @param {number} sign */
  const shades = (sign) => {
    const found = new Float64Array(rows * full);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < (spec.triangle ? i + 1 : m); j++) {
        const value = values[i * full + j];
        if (value * sign > 0) found[(rows - 1 - i) * full + j] = strength(spec, value);
      }
    }
    return found;
  };
  const below = values.some((/** @type {number} */ value) => value < 0);
  const odd = values.reduce(
    (/** @type {number} */ sum, /** @type {number} */ value) => sum + (Number.isFinite(value) ? 0 : 1),
    0,
  );
  const lit = drawing.lit;
  const row =
    spec.row_part && lit?.kind === spec.row_part && lit.index
      ? `M${left} ${top + (lit.index - 1) * tall}h${full * cell}v${tall}h${-full * cell}z`
      : "";
  const column =
    spec.column_part && lit?.kind === spec.column_part && lit.index
      ? `M${left + (lit.index - 1) * cell} ${top}v${rows * tall}h${cell}v${-rows * tall}z`
      : "";
  return html`
    <g ...${part(spec.value)}>
      <path class="gl-ground" d=${`M${left} ${top}H${box.right}V${box.bottom}H${left}Z`} />
      ${Shade({ id: `${id}-above`, role: spec.role, href: bitmap(shades(1), rows, full), box, sharp: true, strength: 1 })}
      ${below && Shade({ id: `${id}-below`, role: spec.negative, href: bitmap(shades(-1), rows, full), box, sharp: true, strength: 1 })}
      ${(row || column) && html`<path class="gl-outline" d=${row + column} />`}
      ${odd > 0 && html`<text class="gl-muted" x=${box.right} y=${box.bottom + 16} text-anchor="end">${odd} not finite</text>`}
    </g>`;
}
