// Lines of code, one of which is dragged to other places. Its spec is Listing of views/listing.py.

import { html } from "../../common/html.js";
import { fill } from "../../common/template.js";
import { r1 } from "../common/numbers.js";
import { part, stance, templateValues } from "../common/read.js";
import { linesOf, roomOf } from "./room.js";

export { layouts } from "./room.js";

const KNOB = 24; // the room of the knob at the end of the moving line
const TOKEN = /(\b(?:def|for|in|return)\b)|([^a-z]+|[a-z]\w*|.)/gs;

/** @param {any} drawing */
export function draw(drawing) {
  const here = drawing.settings[drawing.spec.control];
  const lines = linesOf(drawing);
  const found = lines.find(({ slot }) => slot === here);
  return html`
    ${lines.map((line) => (line.slot ? line.slot !== here && Place(drawing, line) : Still(drawing, line)))}
    ${found && Moving(drawing, found)}`;
}

/** One text at a fixed pitch, whatever the reader's font. @param {any} drawing @param {any} content @param {string} text @param {number} x @param {number} y @param {string | undefined} [kind] */
const Text = (drawing, content, text, x, y, kind) =>
  html`<text class=${kind === undefined ? "gl-codetext" : `gl-codetext ${kind}`} x=${r1(x)} y=${r1(y + 4.7)} textLength=${r1(text.length * roomOf(drawing).letter)} lengthAdjust="spacingAndGlyphs">${content}</text>`;

/** The same with its keywords told. @param {any} drawing @param {string} text @param {number} x @param {number} y */
function Code(drawing, text, x, y) {
  const pieces = [...text.matchAll(TOKEN)].map(([whole, word]) =>
    word ? html`<tspan class="gl-keyword">${whole}</tspan>` : whole,
  );
  return Text(drawing, pieces, text, x, y);
}

/** A line that stays; lit with its part. @param {any} drawing @param {any} line */
function Still(drawing, { x, y, text, note, part: name, index }) {
  const { letter, width, pitch } = roomOf(drawing);
  if (!text) return html`<path class="gl-rule" d=${`M0 ${y}H${width}`} />`;
  const comment = note ? fill(note, templateValues(drawing)) : "";
  return html`
    <g class=${`gl-codeline${stance(drawing, name, index || undefined)}`} ...${part(name, index || undefined)}>
      ${name && html`<rect class="gl-hit" x="0" y=${y - pitch / 2} width=${width} height=${pitch} />`}
      ${Code(drawing, text, x, y)}
      ${comment && Text(drawing, comment, comment, x + (text.length + 2) * letter, y, "gl-muted")}
    </g>`;
}

/** A place where the line is not. @param {any} drawing @param {any} line */
function Place(drawing, { x, y, text }) {
  const { letter, pitch } = roomOf(drawing);
  return html`
    <g class="gl-codeplace">
      <rect x=${r1(x - 3)} y=${r1(y - pitch / 2 + 2.5)} width=${r1(text.length * letter + 16)} height=${pitch - 5} rx="4" />
      ${Text(drawing, text, text, x + 5, y, "gl-muted")}
    </g>`;
}

/** The line that moves, where it is. @param {any} drawing @param {any} line */
function Moving(drawing, { x, y }) {
  const { letter, pitch } = roomOf(drawing);
  const text = fill(drawing.spec.moving, templateValues(drawing));
  return html`
    <g class="gl-moving" data-handle=${drawing.spec.control} data-handle-index="0">
      <rect x=${r1(x - 5)} y=${r1(y - pitch / 2 + 1)} width=${r1(text.length * letter + 10 + KNOB)} height=${pitch - 2} rx="5" />
      ${Code(drawing, text, x, y)}
    </g>`;
}

/** The line is taken with the hand, and laid into the nearest place. @param {any} drawing */
export function handles(drawing) {
  const { control, moving } = drawing.spec;
  const places = linesOf(drawing).filter(({ slot }) => slot);
  const here = places.find(({ slot }) => slot === drawing.settings[control]);
  if (!here) return [];
  const long = fill(moving, templateValues(drawing)).length * roomOf(drawing).letter;
  const value = (/** @type {number} */ _, /** @type {number} */ y) =>
    places.reduce((best, place) => (Math.abs(place.y - y) < Math.abs(best.y - y) ? place : best)).slot;
  return [{ control, index: 0, x: here.x + long + KNOB / 2 + 2, y: here.y, axis: "y", role: "ink", value }];
}
