// Three steps of boxes: what is seen, what the record says, and what to try first, with its code.
//
// It draws the result `case`, which row is chosen; its spec is packages/sccbook/src/sccbook/figures/which_one/figure.py's Chooser.

import { clamp, html, r1, read, wrapped } from "explorax/view";

export const kind = "chooser";

/** Records of a symptom. */
const EACH = 3;
const ROLES = ["state", "cotangent", "parameter", "muted"];
const LINE = 18;
const GAP = 10;

/** Roles of lines in a sketch; others are states. @type {Record<string, string>} */
const LINES = { norm: "cotangent", loss: "loss", update: "parameter", limit: "limit" };

/**
 * Of symptoms and records: how many are beside each other, the height of a box and the letters of its lines; of records
 * how much of the height is for words, and the room of a sketch; of the remedy also its heading's, the pitch of a letter
 * of code, and the boxes of the code and of what copies it.
 */
const SIZES = {
  wide: {
    ...{ width: 688, height: 411 },
    symptom: { top: 26, across: 3, height: 34, letters: 30 },
    record: { top: 142, across: 3, height: 100, letters: 31, tall: 50, room: [12, 52, 142, 34] },
    remedy: { top: 280, across: 1, height: 130, letters: 33, heading: 53, pitch: 8.1 },
    code: { x: 332, y: 292, width: 349, height: 106 },
    copy: { x: 13, y: 370, width: 92, height: 28 },
  },
  narrow: {
    ...{ width: 320, height: 699 },
    symptom: { top: 26, across: 2, height: 44, letters: 18 },
    record: { top: 214, across: 1, height: 70, letters: 24, tall: 70, room: [190, 18, 58, 34] },
    remedy: { top: 480, across: 1, height: 218, letters: 35, heading: 72, pitch: 7.3 },
    code: { x: 6, y: 585, width: 308, height: 106 },
    copy: { x: 217, y: 487, width: 95, height: 44 },
  },
};

export const layouts = () => SIZES;

/** @param {any} drawing @returns {typeof SIZES.wide} */
const sizeOf = ({ layout }) => SIZES[/** @type {"wide" | "narrow"} */ (layout)];

/** @typedef {{x: number, y: number, width: number, height: number, tall?: number, room?: number[]}} Box */

/** The i-th box of a step. @param {{top: number, across: number, height: number, tall?: number, room?: number[]}} step @param {number} i @param {number} width @returns {Box} */
function boxOf({ top, across, height, ...more }, i, width) {
  const each = (width - 2 - (across - 1) * GAP) / across;
  const [x, y] = [1 + (i % across) * (each + GAP), top + Math.floor(i / across) * (height + GAP)];
  return { ...more, x, y, width: each, height };
}

/** @param {Box} box @param {boolean} [chosen] */
const Field = ({ x, y, width, height }, chosen) =>
  html`<rect class=${chosen ? "gl-ellipse" : "gl-box"} x=${x} y=${y} width=${width} height=${height} rx="5" />`;

/** What a record looks like: lines from step to step, their names beside them. @param {string} sketch @param {Box} box */
const Sketch = (sketch, { x: left, y: top, room: [right, down, width, height] = [] }) =>
  sketch.split(", ").map((line, n) => {
    const [name, digits] = line.split(" ");
    const x = (/** @type {number} */ i) => left + right + (i * width) / digits.length;
    const y = (/** @type {string} */ digit) => top + down + height * (1 - Number(digit) / 9);
    const ringed = digits.includes("."); // places of another line
    const path = [...digits].map((digit, i) => {
      if (digit === "x") return "m4 -4l8 8m0 -8l-8 8";
      const spot = `${r1(x(i))} ${r1(y(digit))}`;
      if (!ringed) return `${i ? "L" : "M"}${spot}`;
      return digit === "." ? "" : `M${spot}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0`;
    });
    return html`<g class=${`gl-role-${LINES[name] ?? "state"}`}><path class="gl-line" d=${path.join("")} /><text class="gl-named gl-number" x=${r1(x(digits.length) + 10)} y=${top + down + 14 + LINE * n}>${name}</text></g>`;
  });

/** A box to press. @param {Box} box @param {string[]} lines @param {boolean} chosen @param {string} [sketch] @param {any} [more] what a press does */
const Option = (box, lines, chosen, sketch = "", more = { "data-handle": "record" }) => html`
  <g class="gl-option" ...${more}>
    <g class=${`gl-role-${chosen ? "state" : "muted"}`}>${Field(box, chosen)}</g>
    ${lines.map((line, n) => html`<text class="gl-number" x=${box.x + 10} y=${box.y + (box.tall ?? box.height) / 2 + 5 + (n - (lines.length - 1) / 2) * LINE}>${line}</text>`)}
    ${sketch && Sketch(sketch, box)}
  </g>`;

/** Mark the code and copy it, and say so for a while; where a page may not, what is marked can be copied by hand. @param {any} event @param {string} code @param {Record<string, string>} labels */
async function copy({ currentTarget }, code, { copy, copied }) {
  const word = currentTarget.querySelector("text").firstChild;
  getSelection()?.selectAllChildren(currentTarget.previousElementSibling);
  await navigator.clipboard.writeText(code);
  word.data = copied;
  setTimeout(() => Object.assign(word, { data: copy }), 1500);
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, description } = drawing;
  const { labels } = description;
  const { width, symptom, record, remedy, ...boxes } = sizeOf(drawing);
  const at = read(drawing, "case");
  const first = at - (at % EACH);
  const [, , what, heading, code] = spec.rows[at];
  const onClick = (/** @type {any} */ event) => copy(event, code, labels);
  return html`
    ${Object.entries({ symptom, record, remedy }).map(([name, { top }]) => html`<text class="gl-paneltitle" x="1" y=${top - 10}>${labels[name]}</text>`)}
    ${spec.symptoms.map((/** @type {string} */ words, /** @type {number} */ i) => Option(boxOf(symptom, i, width), wrapped(words, symptom.letters), EACH * i === first))}
    ${spec.rows.slice(first, first + EACH).map((/** @type {string[]} */ [words, sketch], /** @type {number} */ i) => Option(boxOf(record, i, width), wrapped(words, record.letters), first + i === at, sketch))}
    <g class=${`gl-remedy gl-role-${ROLES[what]}`}>
      ${Field(boxOf(remedy, 0, width), true)}
      <text class="gl-named gl-symbolic gl-number" x="13" y=${remedy.top + 24}>${labels[`kind ${what}`]}</text>
      ${wrapped(heading, remedy.letters).map((line, n) => html`<text class="gl-paneltitle gl-number" x="13" y=${remedy.top + remedy.heading + n * 20}>${line}</text>`)}
      <g class="gl-snippet">
        ${Field(boxes.code)}
        ${code.split("\n").map((/** @type {string} */ line, /** @type {number} */ n) => html`<text class="gl-codetext" x=${boxes.code.x + 8} y=${boxes.code.y + 21 + n * LINE} textLength=${line.length * remedy.pitch} lengthAdjust="spacingAndGlyphs">${line}</text>`)}
      </g>
      ${Option(boxes.copy, [labels.copy], false, "", { onClick })}
    </g>`;
}

/** A box is chosen by a press; a symptom leads to the first of its records. @param {any} drawing */
export function handles(drawing) {
  const [{ name: control, options }] = drawing.description.controls;
  const { width, symptom, record } = sizeOf(drawing);
  const names = options.map((/** @type {[string, string]} */ [name]) => name);
  const at = names.indexOf(drawing.settings[control]);
  const first = at - (at % EACH);
  const boxes = [
    ...names.map((/** @type {string} */ _, /** @type {number} */ i) =>
      i % EACH ? null : [boxOf(symptom, i / EACH, width), i === first ? at : i],
    ),
    ...[0, 1, 2].map((i) => [boxOf(record, i, width), first + i]),
  ].filter(Boolean);
  const value = (/** @type {number} */ px, /** @type {number} */ py) => {
    const away = boxes.map(([{ x, y, width, height }]) =>
      Math.hypot(px - clamp(px, x, x + width), py - clamp(py, y, y + height)),
    );
    return names[boxes[away.indexOf(Math.min(...away))][1]];
  };
  return [{ control, index: 0, x: 0, y: 0, axis: "both", carried: true, value }];
}
