// Lines of code, one of which is dragged to other places. Its spec is Listing of views/listing.py.

import { at, concealed, emphasis, fill, html, part, r1, read, templateValues } from "../../view.js";
import { bothLayouts } from "../common/layouts.js";

const KNOB = 16; // the room of the knob at the end of the moving line
const TOKEN = /(\b(?:def|for|in|return)\b)|([^a-z]+|[a-z]\w*|.)/gs;

/** @param {any} drawing */
export function draw(drawing) {
  const here = drawing.settings[drawing.spec.control];
  const lines = linesOf(drawing);
  const found = lines.find(({ slot }) => slot === here);
  const { hand } = drawing;
  return html`
    ${lines.map((line) => (line.slot ? (hand || line !== found) && Place(drawing, line, line === found) : Still(drawing, line)))}
    ${found && Moving(drawing, hand ? inHand(drawing, lines, hand[1]) : found)}
    ${drawing.spec.values && Numbers(drawing, lines)}`;
}

/** A number at every place; that of the line's place is marked. @param {any} drawing @param {any[]} lines */
function Numbers(drawing, lines) {
  const { spec, settings, description } = drawing;
  const { options } = description.controls.find((/** @type {any} */ { name }) => name === spec.control);
  const { width, pitch } = roomOf(drawing);
  const hidden = concealed(drawing, spec.values);
  const values = hidden ? [] : read(drawing, spec.values);
  const place = (/** @type {string} */ slot) =>
    options.findIndex((/** @type {[string, string]} */ [name]) => name === slot);
  return html`
    <text class="gl-muted" x=${width} y=${r1(1.5 * pitch + 6.7)} text-anchor="end">${spec.heading}</text>
    ${lines.map(({ slot, y }) => {
      if (!slot) return null;
      const i = place(slot);
      const text = hidden ? "?" : fill(spec.each, { value: values[i] });
      return html`<text class=${`${slot === settings[spec.control] ? "gl-sum" : "gl-muted"}${emphasis(drawing, spec.values, i + 1)}`} x=${width} y=${r1(y + 4.7)} text-anchor="end" ...${part(spec.values, i + 1)}>${text}</text>`;
    })}`;
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
    <g class=${`gl-codeline${emphasis(drawing, name, index || undefined)}`} ...${part(name, index || undefined)}>
      ${name && html`<rect class="gl-hit" x="0" y=${y - pitch / 2} width=${width} height=${pitch} />`}
      ${Code(drawing, text, x, y)}
      ${comment && Text(drawing, comment, comment, x + (text.length + 2) * letter, y, "gl-muted")}
    </g>`;
}

/** Where the hand holds the line: its indent goes with its height, from place to place. @param {any} drawing @param {any[]} lines @param {number} y */
function inHand(drawing, lines, y) {
  const places = lines.filter(({ slot }) => slot);
  const low = places.findLast((place) => place.y <= y) ?? places[0];
  const next = places.find((place) => place.y > y) ?? low;
  const share = next.y > low.y ? (y - low.y) / (next.y - low.y) : 0;
  const { height, pitch } = roomOf(drawing);
  return { x: low.x + share * (next.x - low.x), y: Math.max(pitch / 2, Math.min(height - pitch / 2, y)) };
}

/** A place where the line is not, or where it is to lie when the hand lets go. @param {any} drawing @param {any} line @param {boolean} waits */
function Place(drawing, { x, y, text, slot }, waits) {
  const { letter, pitch } = roomOf(drawing);
  return html`
    <g class=${waits ? "gl-codeplace gl-waits" : "gl-codeplace"} data-handle=${drawing.spec.control} data-handle-index=${slot}>
      <rect x=${r1(x - 3)} y=${r1(y - pitch / 2 + 2.5)} width=${r1(text.length * letter + 16)} height=${pitch - 5} rx="4" />
      ${Text(drawing, text, text, x + 5, y, "gl-muted")}
    </g>`;
}

/** The line that moves, where it is. @param {any} drawing @param {any} line */
function Moving(drawing, { x, y }) {
  const { letter, pitch } = roomOf(drawing);
  const text = fill(drawing.spec.moving, templateValues(drawing));
  const long = text.length * letter;
  return html`
    <g class=${drawing.hand ? "gl-moving gl-carried" : "gl-moving"} data-handle=${drawing.spec.control} data-handle-index="0" ...${at(x, y)}>
      <rect x="-5" y=${1 - pitch / 2} width=${r1(long + 10 + KNOB)} height=${pitch - 2} rx="5" />
      ${Code(drawing, text, 0, 0)}
      <circle class="gl-knob" cx=${r1(long + KNOB / 2 + 2)} cy="0" r="6" />
    </g>`;
}

/** The line is taken with the hand, and laid into the nearest place; one that is pressed takes it. @param {any} drawing */
export function handles(drawing) {
  const { control, moving } = drawing.spec;
  const places = linesOf(drawing).filter(({ slot }) => slot);
  const here = places.find(({ slot }) => slot === drawing.settings[control]);
  if (!here) return [];
  const long = fill(moving, templateValues(drawing)).length * roomOf(drawing).letter;
  const value = (/** @type {number} */ _, /** @type {number} */ y) =>
    places.reduce((best, place) => (Math.abs(place.y - y) < Math.abs(best.y - y) ? place : best)).slot;
  const way = { control, axis: /** @type {"y"} */ ("y"), carried: true, value };
  return [
    { ...way, index: 0, x: here.x + long + KNOB / 2 + 2, y: here.y },
    ...places.map(({ slot, x, y }) => ({ ...way, index: slot, x, y, sets: { [control]: slot } })),
  ];
}

const SIZES = {
  wide: { width: 688, letter: 7.9, pitch: 23, left: 10 },
  narrow: { width: 320, letter: 7.8, pitch: 23, left: 6 },
};
const EMPTY = 9; // pixels: how high an empty line is

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const size = SIZES[layout];
  return { ...size, height: tall(spec.lines, size.pitch) + 4 };
});

/** How high some lines are together. @param {any[]} lines @param {number} pitch */
const tall = (lines, pitch) => lines.reduce((sum, { text }) => sum + (text ? pitch : EMPTY), 0);

/**
 * Every line with its place: `x` where it starts, `y` its middle.
 * @param {any} drawing
 * @returns {{text: string, slot: string, part: string, index: number, note: string, x: number, y: number}[]}
 */
export function linesOf(drawing) {
  const { left, letter, pitch } = roomOf(drawing);
  const { lines } = drawing.spec;
  return lines.map((/** @type {any} */ line, /** @type {number} */ i) => {
    const text = line.text.trimStart();
    const x = left + (line.text.length - text.length) * letter;
    const y = tall(lines.slice(0, i), pitch) + tall([line], pitch) / 2 + 2;
    return { ...line, text, x, y };
  });
}
