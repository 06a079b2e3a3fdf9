// Three steps of boxes: what is seen, what the record says, and what to try first, with its code.
//
// It draws the result `case`, which row is chosen; its spec is packages/sccbook/src/sccbook/figures/which_one/figure.py's Chooser.

import { clamp, html, read, wrapped } from "explorax/view";

export const kind = "chooser";

/** Rows of a symptom. */
const ROWS = 3;
/** What a remedy is. */
const ROLES = ["muted", "state", "cotangent", "parameter"];
const LINE = 18;

/**
 * Of symptoms and records: how many stand beside each other, the height of a box and the letters of its lines; of the
 * remedy: the letters of its heading, where its code stands, the pitch of a letter of code, and the height.
 */
const SIZES = {
  wide: {
    width: 688,
    symptom: { top: 26, across: 3, height: 34, letters: 30 },
    record: { top: 142, across: 3, height: 62, letters: 28 },
    remedy: { top: 242, letters: 33, code: { x: 332, y: 12, letter: 8.1 }, height: 130 },
  },
  narrow: {
    width: 320,
    symptom: { top: 26, across: 2, height: 44, letters: 18 },
    record: { top: 214, across: 1, height: 46, letters: 40 },
    remedy: { top: 408, letters: 35, code: { x: 6, y: 85, letter: 7.3 }, height: 198 },
  },
};
const GAP = 10;

export const layouts = () => ({
  wide: { ...SIZES.wide, height: 373 },
  narrow: { ...SIZES.narrow, height: 607 },
});

/** The box of the i-th of several. @param {{top: number, across: number, height: number}} step @param {number} i @param {number} width */
function boxOf({ top, across, height }, i, width) {
  const each = (width - 2 - (across - 1) * GAP) / across;
  const [x, y] = [1 + (i % across) * (each + GAP), top + Math.floor(i / across) * (height + GAP)];
  return { x, y, width: each, height };
}

/** @param {{x: number, y: number, width: number, height: number}} box */
const Field = ({ x, y, width, height }) =>
  html`<rect class="gl-field" x=${x} y=${y} width=${width} height=${height} rx="5" />`;

/** A box to press. @param {{x: number, y: number, width: number, height: number}} box @param {string[]} lines @param {boolean} chosen */
const Option = (box, lines, chosen) => html`
  <g class=${chosen ? "gl-option gl-chosen" : "gl-option"} data-handle="record">
    ${Field(box)}
    ${lines.map((line, n) => html`<text x=${box.x + 10} y=${box.y + box.height / 2 + 5 + (n - (lines.length - 1) / 2) * LINE}>${line}</text>`)}
  </g>`;

/** Mark the code and copy it, and say so for a while. @param {any} event @param {string} code @param {Record<string, string>} labels */
async function copy({ currentTarget }, code, { copy, copied }) {
  const word = currentTarget.querySelector("text").firstChild;
  getSelection()?.selectAllChildren(currentTarget.previousElementSibling);
  const done = await navigator.clipboard?.writeText(code).then(
    () => true,
    () => false,
  );
  if (!done) return; // what is marked can be copied by hand
  word.data = copied;
  setTimeout(() => {
    word.data = copy;
  }, 1500);
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, layout, description } = drawing;
  const { labels } = description;
  const { width, symptom, record, remedy } = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  const at = read(drawing, "case");
  const row = Math.floor(at / ROWS);
  const [, what, heading, code] = spec.rows[at];
  const { top, height } = remedy;
  const snippet = { x: remedy.code.x, y: top + remedy.code.y, width: width - remedy.code.x - 7, height: 106 };
  const button = { x: width - 103, y: top + 7, width: 92, height: 28 };
  if (layout === "wide") Object.assign(button, { x: 13, y: top + height - 40 });
  return html`
    <g class="gl-chooser">
      ${Object.entries({ symptom, record, remedy }).map(([name, { top }]) => html`<text class="gl-paneltitle" x="1" y=${top - 10}>${labels[name]}</text>`)}
      ${spec.symptoms.map((/** @type {string} */ words, /** @type {number} */ i) => Option(boxOf(symptom, i, width), wrapped(words, symptom.letters), i === row))}
      ${spec.rows.slice(ROWS * row, ROWS * (row + 1)).map((/** @type {string[]} */ [words], /** @type {number} */ i) => Option(boxOf(record, i, width), wrapped(words, record.letters), ROWS * row + i === at))}
      <g class=${`gl-remedy gl-role-${ROLES[what]}`}>
        ${Field({ x: 1, y: top, width: width - 2, height })}
        <text class="gl-named gl-symbolic" x="13" y=${top + 24}>${labels[`kind ${what}`]}</text>
        ${wrapped(heading, remedy.letters).map((line, n) => html`<text class="gl-paneltitle" x="13" y=${top + 53 + n * 20}>${line}</text>`)}
        <g class="gl-snippet">
          ${Field(snippet)}
          ${code.split("\n").map((/** @type {string} */ line, /** @type {number} */ n) => html`<text class="gl-codetext" x=${snippet.x + 8} y=${snippet.y + 21 + n * LINE} textLength=${line.length * remedy.code.letter} lengthAdjust="spacingAndGlyphs">${line}</text>`)}
        </g>
        <g class="gl-option" onClick=${(/** @type {any} */ event) => copy(event, code, labels)}>
          ${Field(button)}
          <text x=${button.x + button.width / 2} y=${button.y + 19} text-anchor="middle">${labels.copy}</text>
        </g>
      </g>
    </g>`;
}

/** A box is chosen by a press; a symptom leads to the first of its records. @param {any} drawing */
export function handles(drawing) {
  const { spec, layout, description, settings } = drawing;
  const { width, symptom, record } = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  const [control] = description.controls;
  const names = control.options.map((/** @type {[string, string]} */ [name]) => name);
  const here = names.indexOf(settings[control.name]);
  const row = Math.floor(here / ROWS);
  const boxes = [
    ...spec.symptoms.map((/** @type {string} */ _, /** @type {number} */ i) => ({
      ...boxOf(symptom, i, width),
      leads: i === row ? here : ROWS * i,
    })),
    ...[0, 1, 2].map((i) => ({ ...boxOf(record, i, width), leads: ROWS * row + i })),
  ];
  const value = (/** @type {number} */ x, /** @type {number} */ y) => {
    const away = boxes.map((box) =>
      Math.hypot(x - clamp(x, box.x, box.x + box.width), y - clamp(y, box.y, box.y + box.height)),
    );
    return names[boxes[away.indexOf(Math.min(...away))].leads];
  };
  return [{ control: control.name, index: 0, x: 0, y: 0, axis: "both", carried: true, value }];
}
