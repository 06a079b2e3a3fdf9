// A matrix as coloured cells with their numbers, or a triangle such as the ledger.
//
// Its spec is packages/explorax/src/explorax/views/matrix.py's Matrix. It draws arrays and knows no subject.

import { bitmap, filled, html, r1, Shade, short } from "../../view.js";
import { concealed, emphasis, part, templateValues } from "../common/read.js";
import { spaceOf, writer } from "./room.js";

export { layouts, small } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const space = spaceOf(drawing);
  if (concealed(drawing, drawing.spec.value)) return Headings(drawing, space);
  return html`
    ${Headings(drawing, space)}
    ${space.dense ? Image(drawing, space) : Cells(drawing, space)}
    ${drawing.spec.total && Total(drawing, space)}
  `;
}

/** Every so many, as places from 0. @param {number} length @param {number} each */
const every = (length, each) => Array.from({ length }, (_, i) => i).filter((i) => (i + 1) % each === 0);

/** @param {any} drawing @param {any} space */
function Headings(drawing, space) {
  const { spec } = drawing;
  const { left, across, top, cell, tall, n, m, small, each } = space;
  if (small) return null;
  const values = templateValues(drawing);
  /** @param {string} name @param {string} template @param {number} i @param {number} x @param {number} y @param {string} anchor */
  const heading = (name, template, i, x, y, anchor) => html`
    <text class=${`gl-heading${emphasis(drawing, name, i + 1)}`} x=${x} y=${y} text-anchor=${anchor}
      ...${part(name, i + 1)}>${filled(template, values, i + (spec.start ?? 1))}</text>`;
  const { rows, columns, row_part, column_part, column_label } = spec;
  return html`
    ${column_label && html`<text class="gl-muted" x=${left} y="14">${column_label}</text>`}
    ${rows && every(n, each.row).map((i) => heading(row_part, rows, i, left - 8, top + (i + 0.5) * tall + 4.7, "end"))}
    ${columns && every(m, each.column).map((j) => heading(column_part, columns, j, across(j) + cell / 2, top - 8, "middle"))}`;
}

/** What all columns but those apart come to, under a bracket that holds them. @param {any} drawing @param {any} space */
function Total(drawing, { across, top, cell, tall, n, m }) {
  const [from, to, y] = [across(drawing.spec.apart) + 1, across(m - 1) + cell - 1, top + n * tall + 5];
  return html`
    <path class="gl-rule" d=${`M${from} ${y}v4H${to}v-4`} />
    <text class="gl-sum" x=${(from + to) / 2} y=${y + 18} text-anchor="middle">${filled(drawing.spec.total, templateValues(drawing))}</text>`;
}

const FULL = 0.58; // of the colour, so that ink is read on it

/** The strength of the colour of a value, 0 to 1. @param {any} spec @param {number} value */
export function strength({ full, decades }, value) {
  const share = Math.abs(value) / full;
  if (Number.isNaN(share) || share === 0) return 0;
  return Math.max(0, Math.min(1, decades ? 1 + Math.log10(share) / decades : share));
}

/** The class by which a cell stands out: by itself, with its row, or with its column. @param {any} drawing @param {number} i @param {number} j @param {number} index */
function cellEmphasis({ spec, lit }, i, j, index) {
  const own = { [spec.column_part]: j + 1, [spec.row_part]: i + 1, [spec.value]: index };
  return lit && lit.kind in own ? emphasis({ lit }, lit.kind, own[lit.kind]) : "";
}

/** The cells that are there, row by row. @param {any} drawing @param {any} space @returns {{i: number, j: number, k: number, value: number}[]} */
function cellsOf({ spec, values }, { n, m, full }) {
  const cell = (/** @type {number} */ i, /** @type {number} */ j) => {
    const k = i * full + j;
    return { i, j, k, value: values[spec.value][k] };
  };
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: spec.triangle ? i + 1 : m }, (_, j) => cell(i, j)),
  ).flat();
}

/** @param {any} drawing @param {any} space */
export function Cells(drawing, space) {
  const { across, top, cell, tall } = space;
  const { spec } = drawing;
  const cells = cellsOf(drawing, space);
  const write = writer(
    space,
    cells.map(({ value }) => value),
  );
  const [wide, high] = [r1(cell - 1), r1(tall - 1)];
  return cells.map(({ i, j, k, value }) => {
    const [x, y] = [r1(across(j)), r1(top + i * tall)];
    const [middle, line] = [x + cell / 2, y + tall / 2];
    const odd = !Number.isFinite(value);
    const amount = strength(spec, value);
    return html`
        <g class=${`gl-role-${value < 0 ? "state" : "cotangent"}${cellEmphasis(drawing, i, j, k + 1)}`} ...${part(spec.value, k + 1)}>
          <rect class=${odd ? "gl-cell gl-odd" : "gl-cell"} x=${x + 0.5} y=${y + 0.5} width=${wide} height=${high} fill-opacity=${odd ? 0 : (amount * FULL).toFixed(3)} />
          ${
            write || odd
              ? html`<text class="gl-number" x=${r1(middle)} y=${r1(line + 4.7)} text-anchor="middle">${odd ? short(value) : write?.(value)}</text>`
              : value < 0 &&
                html`<path class="gl-minus" d=${`M${r1(middle - Math.min(4, cell / 4))} ${r1(line)}h${r1(Math.min(8, cell / 2))}`} />`
          }
        </g>`;
  });
}

/** @param {any} drawing @param {any} space */
export function Image(drawing, space) {
  const { spec, id, lit } = drawing;
  const { left, top, cell, tall, rows, full } = space;
  const cells = cellsOf(drawing, space);
  const box = { left, right: left + full * cell, top, bottom: top + rows * tall };
  /** The cells whose values have a sign, in the colour of a role. @param {string} name @param {string} role @param {number} sign */
  const shade = (name, role, sign) => {
    const found = new Float64Array(rows * full);
    for (const { i, j, value } of cells)
      if (value * sign > 0) found[(rows - 1 - i) * full + j] = strength(spec, value);
    return Shade({ id: `${id}-${name}`, role, href: bitmap(found, rows, full), box, sharp: true });
  };
  const odd = cells.filter(({ value }) => !Number.isFinite(value)).length;
  const at = lit?.index ? lit.index - 1 : 0;
  const row = `M${left} ${top + at * tall}h${full * cell}v${tall}h${-full * cell}z`;
  const column = `M${left + at * cell} ${top}v${rows * tall}h${cell}v${-rows * tall}z`;
  const outline = { [spec.column_part]: column, [spec.row_part]: row }[lit?.index ? lit.kind : "none"];
  return html`
    <g ...${part(spec.value)}>
      <path class="gl-ground" d=${`M${left} ${top}H${box.right}V${box.bottom}H${left}Z`} />
      ${shade("above", "cotangent", 1)}
      ${cells.some(({ value }) => value < 0) && shade("below", "state", -1)}
      ${outline && html`<path class="gl-outline" d=${outline} />`}
      ${odd > 0 && html`<text class="gl-muted" x=${box.right} y=${box.bottom + 16} text-anchor="end">${odd} not finite</text>`}
    </g>`;
}
