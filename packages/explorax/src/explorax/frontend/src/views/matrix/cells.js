// The cells of a matrix: a rectangle each with its number, or all as one image.

import { html } from "../../common/html.js";
import { bitmap, Shade } from "../common/image.js";
import { r1, short } from "../common/numbers.js";
import { before, part, read, stance } from "../common/read.js";
import { writer } from "./room.js";

const FULL = 0.58; // of the colour, so that ink is read on it

/** The strength of the colour of a value, 0 to 1. @param {any} spec @param {number} value */
export function strength({ full, decades }, value) {
  const share = Math.abs(value) / full;
  if (Number.isNaN(share) || share === 0) return 0;
  return Math.max(0, Math.min(1, decades ? 1 + Math.log10(share) / decades : share));
}

/** The class by which a cell stands out: by itself, with its row, or with its column. @param {any} drawing @param {number} i @param {number} j @param {number} index */
function cellStance({ spec, lit }, i, j, index) {
  const own = { [spec.column_part]: j + 1, [spec.row_part]: i + 1, [spec.value]: index };
  return lit && lit.kind in own ? stance({ lit }, lit.kind, own[lit.kind]) : "";
}

/** The values of the cells that are there. @param {any} drawing @param {any} space @returns {number[]} */
export function visible({ spec, values }, { n, m, full }) {
  return Array.from({ length: n }, (_, i) =>
    Array.from(values[spec.value].subarray(i * full, i * full + lengthOf(spec, { m }, i))),
  ).flat();
}

/** The number of cells of a row that are there. @param {any} spec @param {any} space @param {number} i */
const lengthOf = (spec, { m }, i) => (spec.triangle ? i + 1 : m);

/** @param {any} drawing @param {any} space */
export function Cells(drawing, space) {
  const { across, top, cell, tall, n, full } = space;
  const { spec } = drawing;
  const values = read(drawing, spec.value);
  const was = before(drawing, spec.value);
  const write = writer(space, visible(drawing, space));
  const [wide, high] = [r1(cell - 1), r1(tall - 1)];
  const draw = (/** @type {number} */ i, /** @type {number} */ j) => {
    const k = i * full + j;
    const value = values[k];
    const [x, y] = [r1(across(j)), r1(top + i * tall)];
    const [middle, line] = [x + cell / 2, y + tall / 2];
    const odd = !Number.isFinite(value);
    const amount = strength(spec, value);
    const changed = was && Math.abs(strength(spec, was[k]) - amount) > 0.004;
    return html`
        <g class=${`gl-role-${value < 0 ? "state" : "cotangent"}${cellStance(drawing, i, j, k + 1)}`} ...${part(spec.value, k + 1)}>
          <rect class=${odd ? "gl-cell gl-odd" : "gl-cell"} x=${x + 0.5} y=${y + 0.5} width=${wide} height=${high} fill-opacity=${odd ? 0 : (amount * FULL).toFixed(3)} />
          ${changed && html`<path class="gl-ghost" d=${`M${r1(x + cell - 6)} ${y + 2.5}h4v4`} />`}
          ${
            write || odd
              ? html`<text class="gl-number" x=${r1(middle)} y=${r1(line + 4.7)} text-anchor="middle">${odd ? short(value) : write?.(value)}</text>`
              : value < 0 &&
                html`<path class="gl-minus" d=${`M${r1(middle - Math.min(4, cell / 4))} ${r1(line)}h${r1(Math.min(8, cell / 2))}`} />`
          }
        </g>`;
  };
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: lengthOf(spec, space, i) }, (_, j) => draw(i, j)),
  ).flat();
}

/** @param {any} drawing @param {any} space */
export function Image(drawing, space) {
  const { spec, id, lit } = drawing;
  const { left, top, cell, tall, n, rows, full } = space;
  const values = read(drawing, spec.value);
  const box = { left, right: left + full * cell, top, bottom: top + rows * tall };
  /** The cells whose values have a sign, in the colour of a role. @param {string} name @param {string} role @param {number} sign */
  const shade = (name, role, sign) => {
    const found = new Float64Array(rows * full);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < lengthOf(spec, space, i); j++) {
        const value = values[i * full + j];
        if (value * sign > 0) found[(rows - 1 - i) * full + j] = strength(spec, value);
      }
    }
    return Shade({ id: `${id}-${name}`, role, href: bitmap(found, rows, full), box, sharp: true });
  };
  const odd = values.filter((/** @type {number} */ value) => !Number.isFinite(value)).length;
  const at = lit?.index ? lit.index - 1 : 0;
  const row = `M${left} ${top + at * tall}h${full * cell}v${tall}h${-full * cell}z`;
  const column = `M${left + at * cell} ${top}v${rows * tall}h${cell}v${-rows * tall}z`;
  const outline = { [spec.column_part]: column, [spec.row_part]: row }[lit?.index ? lit.kind : "none"];
  return html`
    <g ...${part(spec.value)}>
      <path class="gl-ground" d=${`M${left} ${top}H${box.right}V${box.bottom}H${left}Z`} />
      ${shade("above", "cotangent", 1)}
      ${values.some((/** @type {number} */ value) => value < 0) && shade("below", "state", -1)}
      ${outline && html`<path class="gl-outline" d=${outline} />`}
      ${odd > 0 && html`<text class="gl-muted" x=${box.right} y=${box.bottom + 16} text-anchor="end">${odd} not finite</text>`}
    </g>`;
}
