// Three columns of boxes: symptoms, what a record may say of the chosen one, and where each leads.
//
// It draws the results `kinds`, [n, 3], `row` and `chosen`; its spec is packages/sccbook/src/sccbook/figures/which_one/figure.py's Decision.

import { bothLayouts, clamp, concealed, emphasis, html, part, read } from "explorax/view";

export const kind = "decision";

/** What a remedy is: its role, and its name among the labels. */
const KINDS = [
  ["muted", "none"],
  ["state", "scale"],
  ["cotangent", "clip"],
  ["parameter", "constrain"],
];
const ROWS = 3;
const LINE = 17;

/** Where the boxes are. @typedef {{width: number, height: number, top: number, symptoms: Box | null, records: Box, remedies: Box}} Room */
/** A column of boxes: its left edge, its width, and of a box the height and the way to the next. @typedef {{x: number, y: number, width: number, height: number, step: number}} Box */

/** A third of the symptoms' column, and the way to the next. @param {number} n */
function third(n) {
  const height = (n * 47 - 8 - 2 * 12) / ROWS;
  return { height, step: height + 12 };
}

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const n = spec.symptoms.length;
  /** @type {Record<string, Room>} */
  const rooms = {
    wide: {
      width: 688,
      height: 34 + n * 47,
      top: 12,
      symptoms: { x: 1, y: 28, width: 168, height: 39, step: 47 },
      records: { x: 203, y: 28, width: 232, ...third(n) },
      remedies: { x: 463, y: 28, width: 224, ...third(n) },
    },
    narrow: {
      width: 320,
      height: 26 + ROWS * 106,
      top: 14,
      symptoms: null,
      records: { x: 1, y: 26, width: 318, height: 44, step: 106 },
      remedies: { x: 33, y: 74, width: 286, height: 44, step: 106 },
    },
  };
  return rooms[layout];
});

/** A box with its lines. @param {Box} box @param {number} i @param {string[]} lines @param {{role: string, chosen: boolean, control?: string, filled?: boolean, named?: boolean}} how */
function Boxed({ x, y, width, height, step }, i, lines, { role, chosen, control, filled, named }) {
  const top = y + i * step;
  const first = top + height / 2 + (named ? -5 : 4.7) - ((lines.length - 1) * LINE) / 2;
  return html`
    <g class=${`gl-role-${role}`} data-handle=${control}>
      <rect class="gl-cell" x=${x} y=${top} width=${width} height=${height} rx="4" fill-opacity=${filled ? (chosen ? 0.34 : 0.14) : chosen ? 0.16 : 0.05} />
      ${chosen && html`<rect class="gl-outline" fill="none" x=${x} y=${top} width=${width} height=${height} rx="4" />`}
      ${lines.map((line, n) => html`<text class=${`gl-number ${chosen ? "gl-heading gl-lit" : "gl-heading"}`} x=${x + 10} y=${first + n * LINE}>${line}</text>`)}
    </g>`;
}

/** A line from one box to another, lit where both are chosen. @param {[number, number]} from @param {[number, number]} to @param {boolean} lit */
function Way([x1, y1], [x2, y2], lit) {
  const middle = (x1 + x2) / 2;
  return html`<path class="gl-course" fill="none" d=${`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} stroke-opacity=${lit ? 1 : 0.45} />`;
}

/** The middle of a box's left edge, or of its right. @param {Box} box @param {number} i @param {0 | 1} side @returns {[number, number]} */
const edge = ({ x, y, width, height, step }, i, side) => [x + side * width, y + i * step + height / 2];

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, description } = drawing;
  const { labels } = description;
  const room = roomOf(drawing);
  const { symptoms, records, remedies } = room;
  const [row, chosen] = [read(drawing, "row"), read(drawing, "chosen")];
  const hidden = concealed(drawing, "kinds");
  const kinds = read(drawing, "kinds");
  const order = [0, 1, 2].sort((a, b) => Number(a === chosen) - Number(b === chosen));
  const kindOf = (/** @type {number} */ i) => KINDS[hidden ? 0 : kinds[row * ROWS + i]];
  return html`
    ${
      symptoms && [
        html`<text class="gl-muted" x=${symptoms.x} y=${room.top}>${labels.symptom}</text>`,
        html`<text class="gl-muted" x=${records.x} y=${room.top}>${labels.record}</text>`,
        html`<text class="gl-muted" x=${remedies.x} y=${room.top}>${labels.remedy}</text>`,
        order.map(
          (i) =>
            html`<g class="gl-role-ink">${Way(edge(symptoms, row, 1), edge(records, i, 0), i === chosen)}</g>`,
        ),
        order.map(
          (i) =>
            html`<g class=${`gl-role-${kindOf(i)[0]}`}>${Way(edge(records, i, 1), edge(remedies, i, 0), i === chosen)}</g>`,
        ),
      ]
    }
    ${!symptoms && html`<text class="gl-heading gl-lit" x="1" y=${room.top}>${spec.symptoms[row].join(" ")}</text>`}
    ${
      symptoms &&
      spec.symptoms.map(
        (/** @type {string[]} */ lines, /** @type {number} */ i) => html`
      <g class=${emphasis(drawing, "row", i + 1).trim()} ...${part("row", i + 1)}>${Boxed(symptoms, i, lines, { role: "ink", chosen: i === row, control: "symptom" })}</g>`,
      )
    }
    ${spec.records[row].map((/** @type {string[]} */ lines, /** @type {number} */ i) => Boxed(records, i, lines, { role: "ink", chosen: i === chosen, control: "says" }))}
    ${spec.remedies[row].map((/** @type {string[]} */ lines, /** @type {number} */ i) => {
      const [role, name] = kindOf(i);
      const told = hidden ? ["?"] : lines;
      const { x, y, height, step } = remedies;
      return html`
        ${Boxed(remedies, i, told, { role, chosen: i === chosen, filled: true, named: Boolean(symptoms) && !hidden, control: "says" })}
        ${!hidden && symptoms && html`<g class=${`gl-role-${role}`}><text class="gl-muted gl-number" x=${x + 10} y=${y + i * step + height - 11}>${labels[name]}</text></g>`}`;
    })}`;
}

/** A box is chosen by a press anywhere on it. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  const { symptoms, records } = roomOf(drawing);
  const options = (/** @type {string} */ name) =>
    drawing.description.controls
      .find((/** @type {any} */ control) => control.name === name)
      .options.map((/** @type {[string, string]} */ [value]) => value);
  /** @param {string} control @param {Box} box @param {number} count */
  const column = (control, box, count) =>
    Array.from({ length: count }, (_, index) => {
      const [x, y] = edge(box, index, 0);
      const nearest = (/** @type {number} */ _x, /** @type {number} */ at) =>
        clamp(Math.floor((at - box.y) / box.step), 0, count - 1);
      return {
        control,
        index,
        x,
        y,
        axis: /** @type {const} */ ("both"),
        carried: true,
        value: (/** @type {number} */ x, /** @type {number} */ y) => options(control)[nearest(x, y)],
      };
    });
  return [
    ...(symptoms ? column("symptom", symptoms, spec.symptoms.length) : []),
    ...column("says", records, ROWS),
  ];
}
