// Lines of code, one of which is dragged to other places. Its spec is Listing of views/listing.py.

import { html } from "../../common/html.js";
import { fill } from "../../common/template.js";
import { r1 } from "../common/numbers.js";
import { part, read, stance, words } from "../common/read.js";
import { linesOf, roomOf } from "./room.js";

export { layouts } from "./room.js";

const KNOB = 24; // the room of the knob at the end of the moving line
const TOKEN = /(\b(?:def|for|in|return)\b)|([^a-z]+|[a-z]\w*|.)/gs;

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, settings } = drawing;
  const here = settings[spec.control];
  const lines = linesOf(drawing);
  const found = lines.find(({ slot }) => slot === here);
  return html`
    ${lines.map((line) => (line.slot ? line.slot !== here && Place(drawing, line) : Still(drawing, line)))}
    ${found && Moving(drawing, found)}`;
}

/** A line that stays; lit with its part. @param {any} drawing @param {any} line */
function Still(drawing, line) {
  const { x, y, text, note, part: name, index } = line;
  const { letter, width, pitch } = roomOf(drawing);
  if (!text) return html`<path class="gl-rule" d=${`M0 ${y}H${width}`} />`;
  const lit = name ? stance(drawing, name, index || undefined) : "";
  const said = note ? fill(note, words(drawing)) : "";
  return html`
    <g class=${`gl-codeline${lit}`} ...${name ? part(name, index || undefined) : {}}>
      ${name && html`<rect class="gl-hit" x="0" y=${y - pitch / 2} width=${width} height=${pitch} />`}
      ${Code(text, x, y, letter)}
      ${said && html`<text class="gl-codetext gl-muted" x=${r1(x + (text.length + 2) * letter)} y=${r1(y + 4.7)} textLength=${r1(said.length * letter)} lengthAdjust="spacingAndGlyphs">${said}</text>`}
    </g>`;
}

/** A place where the line is not. @param {any} drawing @param {any} line */
function Place(drawing, { x, y, text }) {
  const { letter, pitch } = roomOf(drawing);
  const wide = text.length * letter + 16;
  return html`
    <g class="gl-codeplace">
      <rect x=${r1(x - 3)} y=${r1(y - pitch / 2 + 2.5)} width=${r1(wide)} height=${pitch - 5} rx="4" />
      ${Text(text, x + 5, y, letter, "gl-muted")}
    </g>`;
}

/** The line that moves, where it is. @param {any} drawing @param {any} line */
function Moving(drawing, { x, y }) {
  const { letter, pitch } = roomOf(drawing);
  const text = fill(drawing.spec.moving, words(drawing));
  const wide = text.length * letter + 10 + KNOB;
  return html`
    <g class="gl-moving" data-handle=${drawing.spec.control} data-handle-index="0">
      <rect x=${r1(x - 5)} y=${r1(y - pitch / 2 + 1)} width=${r1(wide)} height=${pitch - 2} rx="5" />
      ${Code(text, x, y, letter)}
    </g>`;
}

/** One text at a fixed pitch, whatever the reader's font. @param {string} text @param {number} x @param {number} y @param {number} letter @param {string} more */
const Text = (text, x, y, letter, more = "") =>
  html`<text class=${`gl-codetext ${more}`} x=${r1(x)} y=${r1(y + 4.7)} textLength=${r1(text.length * letter)} lengthAdjust="spacingAndGlyphs">${text}</text>`;

/** The same with its keywords told. @param {string} text @param {number} x @param {number} y @param {number} letter */
function Code(text, x, y, letter) {
  const pieces = [...text.matchAll(TOKEN)].map(([whole, word]) =>
    word ? html`<tspan class="gl-keyword">${whole}</tspan>` : whole,
  );
  return html`<text class="gl-codetext" x=${r1(x)} y=${r1(y + 4.7)} textLength=${r1(text.length * letter)} lengthAdjust="spacingAndGlyphs">${pieces}</text>`;
}

/** The line is taken with the hand, and laid into the nearest place. @param {any} drawing */
export function handles(drawing) {
  const { spec, settings } = drawing;
  const { letter } = roomOf(drawing);
  const places = linesOf(drawing).filter(({ slot }) => slot);
  const here = places.find(({ slot }) => slot === read({ settings, values: {} }, spec.control));
  if (!here) return [];
  const text = fill(spec.moving, words(drawing));
  return [
    {
      control: spec.control,
      index: 0,
      x: here.x + text.length * letter + KNOB / 2 + 2,
      y: here.y,
      axis: /** @type {const} */ ("y"),
      role: "ink",
      value: (/** @type {number} */ _, /** @type {number} */ y) =>
        places.reduce((best, one) => (Math.abs(one.y - y) < Math.abs(best.y - y) ? one : best)).slot,
    },
  ];
}
