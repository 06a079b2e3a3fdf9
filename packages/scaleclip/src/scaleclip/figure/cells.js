// The triangle: a cell for each loss and each step that it reaches, and what is said of the one pointed at.

import { emphasis, html, number, part, r1, read } from "explorax/view";
import { brief } from "./numerals.js";

/** How full the colour of a cell is: half at one loss, and fuller still for what has grown. @param {any} spec @param {number} value */
function shade({ full, decades }, value) {
  const share = value / full;
  if (!(share > 0)) return 0;
  if (share > 1) return Math.min(0.8, 0.5 + 0.03 * Math.log2(share));
  return 0.5 * (decades ? Math.max(0, 1 + Math.log10(share) / decades) : share);
}

/** The loss and the step that are lit, each from 1; 0 for none. @param {any} drawing @param {number} full */
export function litAt({ lit, spec }, full) {
  const index = lit?.index ?? 0;
  if (lit?.kind === "loss") return { k: index, j: 0 };
  if (lit?.kind === "application") return { k: 0, j: index };
  if (lit?.kind !== spec.cells || !index) return { k: 0, j: 0 };
  return { k: Math.floor((index - 1) / full) + 1, j: ((index - 1) % full) + 1 };
}

/** @param {any} drawing @param {any} space */
export function Cells(drawing, { left, top, cell, tall, n, full, digits }) {
  const { spec } = drawing;
  const values = read(drawing, spec.cells);
  const at = litAt(drawing, full);
  const some = at.k > 0 || at.j > 0;
  const [wide, high] = [r1(cell - 1), r1(tall - 1)];
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) => {
      const value = values[i * full + j];
      const [x, y] = [left + j * cell, top + i * tall];
      const lit = (!at.k || at.k === i + 1) && (!at.j || at.j === j + 1);
      const text = brief(value / spec.unit, digits);
      return html`
        <g class=${`gl-role-cotangent${some ? (lit ? " gl-lit" : " gl-dim") : ""}`} ...${part(spec.cells, i * full + j + 1)}>
          <rect class="gl-cell" x=${r1(x) + 0.5} y=${r1(y) + 0.5} width=${wide} height=${high} fill-opacity=${Number.isFinite(value) ? shade(spec, value).toFixed(3) : 0} />
          <text class="gl-number gl-entry" x=${r1(x + cell / 2)} y=${r1(y + tall / 2 + 5.2)} text-anchor="middle" ...${closer(text, cell)}>${text}</text>
        </g>`;
    }),
  );
}

/** What is too wide for a cell is set closer. @param {string} text @param {number} cell */
export const closer = (text, cell) =>
  [...text].reduce((wide, sign) => wide + (sign === "." ? 4.2 : 8.3), 0) > cell - 2.5
    ? { textLength: r1(cell - 2.5), lengthAdjust: "spacingAndGlyphs" }
    : {};

/** The numbers of losses and steps, and what they count. @param {any} drawing @param {any} space */
export function Headings(drawing, { left, top, cell, tall, n, full }) {
  const at = litAt(drawing, full);
  const { start } = drawing.spec;
  const heading = (
    /** @type {string} */ name,
    /** @type {number} */ i,
    /** @type {number} */ lit,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ anchor,
  ) => html`
    <text class=${`gl-heading${lit === i + 1 ? " gl-lit" : emphasis(drawing, name, i + 1)}`} x=${r1(x)} y=${r1(y)} text-anchor=${anchor} ...${part(name, i + 1)}>${i + start}</text>`;
  const all = Array.from({ length: n }, (_, i) => i);
  return html`
    <text class="gl-muted" x="0" y=${top - 25}>${"loss ↓   step →"}</text>
    ${all.map((i) => heading("loss", i, at.k, left - 8, top + (i + 0.5) * tall + 4.6, "end"))}
    ${all.map((i) => heading("application", i, at.j, left + (i + 0.5) * cell, top - 7, "middle"))}`;
}

/** A number as a power: ³, ¹¹. @param {number} n */
const raised = (n) => String(n).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);

/** In the empty half: what is pointed at, or what a square means. @param {any} drawing @param {any} space */
export function Readout(drawing, { end, top, cell, tall, n, full }) {
  const { k, j } = litAt(drawing, full);
  const { settings, spec, description } = drawing;
  const [loss, step] = [k, j].map((place) => place - 1 + spec.start);
  const lawful = spec.sums && !Number.isNaN(read(drawing, "bound"));
  const back = () => number(read(drawing, "product"), ".3~g");
  const law = () =>
    `${settings.placement === "before_heads" ? `${number(settings.scale)} × ` : ""}${back()}${raised(k - j)} = `;
  const values = read(drawing, spec.cells);
  /** The cell, or the sum of the row or column. */
  const value = () => {
    const picked = values.filter(
      (/** @type {number} */ _, /** @type {number} */ i) =>
        (!k || Math.floor(i / full) === k - 1) && (!j || i % full === j - 1),
    );
    return number(
      picked.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) / spec.unit,
      ".3~g",
    );
  };
  const more = spec.sums && values.some((/** @type {number} */ one) => one > 1);
  const lines =
    k && j
      ? [`loss ${loss} through step ${step}:`, `${lawful ? law() : ""}${value()}`]
      : k
        ? [`loss ${loss} sends ${value()}`]
        : j
          ? [`step ${step} gets ${value()}`]
          : spec.sums
            ? [
                description.labels.square,
                lawful && `each step back: ×${back()}`,
                more && "darker: more than 1",
              ]
            : [description.labels.measured];
  if (full < 5) return null;
  const keyed = spec.sums && !k && !j; // with a full square in the corner
  const square = html`<path class="gl-slid gl-role-cotangent" d=${`M${r1(end - cell + 1)} ${top + 1}h${r1(cell - 2)}v${tall - 2}h${r1(2 - cell)}z`} />`;
  const texts = lines
    .filter((line, i) => line && (!keyed || i < n)) // beneath lie the names of the bars
    .map(
      (line, i) =>
        html`<text class=${k || j ? null : "gl-muted"} x=${r1(end - 3 - (keyed && !i ? cell : 0))} y=${r1(top + (i + 0.5) * tall + 4.6)} text-anchor="end">${line}</text>`,
    );
  return keyed ? [square, texts] : texts;
}
