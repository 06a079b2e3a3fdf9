// Words in a table: what each clip makes of each corner; in a narrow picture the chosen row, as a list.
//
// It draws the results `kinds` and `shown`, [n, m], and `row`; its spec is packages/sccbook/src/sccbook/figures/clip_corners/figure.py's Corners.

import { concealed, emphasis, html, part, read } from "explorax/view";

export const kind = "corners";

/** What an outcome is: its role, and its name among the labels. */
const KINDS = [
  ["parameter", "right"],
  ["cotangent", "lost"],
  ["loss", "nan"],
  ["state", "said"],
  ["muted", ""],
];
const FADED = 0.28; // of what a filter leaves out
const LEFT = 132;
const LINE = { wide: 24, narrow: 29 };
const TOP = { wide: 60, narrow: 34 };

/** @param {any} spec */
export const layouts = ({ rows, columns }) => ({
  wide: { width: 688, height: TOP.wide + rows.length * LINE.wide + 4 },
  narrow: { width: 320, height: TOP.narrow + columns.length * LINE.narrow + 4 },
});

/** One outcome. @param {any} drawing @param {number} i @param {number} j @param {{x: number, y: number, width: number, height: number}} box */
function Outcome(drawing, i, j, { x, y, width, height }) {
  const { spec } = drawing;
  const k = i * spec.columns.length + j;
  const hidden = concealed(drawing, "kinds");
  const [role] = hidden ? ["muted"] : KINDS[read(drawing, "kinds")[k]];
  const strength = hidden || read(drawing, "shown")[k] ? 1 : FADED;
  return html`
    <g class=${`gl-role-${role}`} opacity=${strength}>
      <rect class="gl-cell" x=${x + 1} y=${y + 1} width=${width - 2} height=${height - 2} fill-opacity=${hidden || role === "muted" ? 0.06 : 0.3} />
      <text class="gl-number" x=${x + width / 2} y=${y + height / 2 + 4.7} text-anchor="middle">${hidden ? "?" : spec.texts[i][j]}</text>
    </g>`;
}

/** What the colours are, in a line. @param {any} drawing @param {number} y */
function Key({ description }, y) {
  const named = KINDS.filter(([, name]) => name);
  const widths = named.map(([, name]) => 7 * description.labels[name].length + 36);
  return named.map(([role, name], n) => {
    const x = LEFT + widths.slice(0, n).reduce((sum, width) => sum + width, 0);
    return html`
      <g class=${`gl-role-${role}`}>
        <rect class="gl-cell" x=${x} y=${y - 11} width="14" height="14" fill-opacity="0.3" />
        <text class="gl-muted" x=${x + 20} y=${y}>${description.labels[name]}</text>
      </g>`;
  });
}

/** @param {any} drawing */
function Wide(drawing) {
  const { spec } = drawing;
  const width = (688 - LEFT) / spec.columns.length;
  const chosen = read(drawing, "row");
  const top = (/** @type {number} */ i) => TOP.wide + i * LINE.wide;
  return html`
    ${Key(drawing, 12)}
    ${spec.columns.map(
      (/** @type {[string, string]} */ [library, clip], /** @type {number} */ j) => html`
        <text class="gl-heading" x=${LEFT + (j + 0.5) * width} y="34" text-anchor="middle">${library}</text>
        <text class="gl-muted" x=${LEFT + (j + 0.5) * width} y="51" text-anchor="middle">${clip}</text>`,
    )}
    ${spec.rows.map(
      (/** @type {string} */ name, /** @type {number} */ i) => html`
        <g class=${emphasis(drawing, "row", i + 1).trim()} ...${part("row", i + 1)}>
          <text class=${i === chosen ? "gl-heading gl-lit" : "gl-heading"} x=${LEFT - 10} y=${top(i) + LINE.wide / 2 + 4.7} text-anchor="end">${name}</text>
          ${spec.columns.map((/** @type {any} */ _, /** @type {number} */ j) => Outcome(drawing, i, j, { x: LEFT + j * width, y: top(i), width, height: LINE.wide }))}
        </g>`,
    )}
    <path class="gl-outline" d=${`M${LEFT} ${top(chosen)}h${688 - LEFT - 1}v${LINE.wide}H${LEFT}z`} />`;
}

/** @param {any} drawing */
function Narrow(drawing) {
  const { spec } = drawing;
  const i = read(drawing, "row");
  return html`
    <text class="gl-heading gl-lit" x="0" y="20">${spec.rows[i]}</text>
    ${spec.columns.map((/** @type {[string, string]} */ [library, clip], /** @type {number} */ j) => {
      const y = TOP.narrow + j * LINE.narrow;
      return html`
        <text class="gl-heading" x="0" y=${y + LINE.narrow / 2 + 4.7}>${library}</text>
        <text class="gl-muted" x="96" y=${y + LINE.narrow / 2 + 4.7}>${clip}</text>
        ${Outcome(drawing, i, j, { x: 190, y, width: 130, height: LINE.narrow })}`;
    })}`;
}

/** @param {any} drawing */
export const draw = (drawing) => (drawing.layout === "narrow" ? Narrow(drawing) : Wide(drawing));
