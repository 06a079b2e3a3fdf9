// A field over a plane as shades with contours, and marks over it.
//
// Its spec is packages/explorax/src/explorax/views/surface.py's Surface. It draws arrays and knows no subject.

import { bothLayouts, html, memoizeDrawn, Shade, tick, widthOf } from "../../view.js";
import { concealed, part } from "../common/read.js";
import { keyRoom, typeOf, wrapped } from "../common/text.js";
import { Plot, plotHandles, plotSpace } from "../plane/plot.js";
import { fieldOf, picture } from "./field.js";

const SIZES = {
  wide: { width: 688, tall: 380, left: 48, right: 14, side: 216, bottom: 44 },
  narrow: { width: 320, tall: 290, left: 44, right: 14, side: 0, bottom: 46 },
};

const SHADE = 0.75; // of a role's colour, at the fullest

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const size = SIZES[layout];
  const type = typeOf({ layout });
  const templates = spec.marks.map((/** @type {any} */ mark) => mark.key).filter(Boolean);
  const key = keyRoom(templates, type, size.side || size.width - 12);
  // that a field was not computed here
  const words = typeof spec.field === "string" ? "" : `Recorded: ${spec.field.note}`;
  const note = words ? wrapped(words, Math.floor((size.side || 300) / type.letter)) : [];
  const lines = key.height + (spec.legend ? 52 : 0) + note.length * type.size;
  const side = lines && size.side;
  const top = spec.y_label ? 28 : 12;
  const { left } = size;
  const [right, bottom] = [size.width - size.right - side, top + size.tall];
  const foot = bottom + (spec.x_label ? size.bottom : size.bottom - 16);
  const place = { x: side ? right + 24 : 8, y: side ? top + 4 : foot + 8, letters: key.letters };
  const height = Math.ceil(Math.max(foot + (side ? 0 : lines + 8), side ? place.y + lines : 0));
  return { width: size.width, height, left, right, top, bottom, key: place, keyHeight: key.height, note };
});

/** A surface in a given box, such as one of small multiples. @param {any} _spec @param {number} width */
export function small(_spec, width) {
  return { left: 0, right: width, top: 0, bottom: width * 0.8, small: true };
}

/** @param {any} drawing */
const spaceOf = (drawing) => plotSpace(drawing, roomOf(drawing), drawing.layout === "narrow" ? 5 : 7);

/** @param {any} drawing */
export function draw(drawing) {
  const { spec } = drawing;
  const space = spaceOf(drawing);
  const field = concealed(drawing, spec.field) ? null : picture(spec, fieldOf(drawing), space);
  const beneath = field && memoizeDrawn(drawing, "field", [field], () => Field(drawing, field));
  return html`
    ${Plot(drawing, space, { beneath, grid: "none", above: null })}
    ${!space.small && memoizeDrawn(drawing, `legend ${drawing.layout}`, [field], () => Legend(drawing, space, field))}
  `;
}

/** Shades and contours. @param {any} drawing @param {any} field */
function Field({ spec, id }, field) {
  return html`
    <g class=${`gl-field gl-role-loss`} ...${part(spec.field)} clip-path=${`url(#${id}-plane)`}>
      ${Shade({ id: `${id}-above`, role: "loss", href: field.above, box: field.box, strength: SHADE })}
      ${field.below && Shade({ id: `${id}-below`, role: "state", href: field.below, box: field.box, strength: SHADE })}
      <path class="gl-contour" d=${field.contours} />
      ${field.odd && html`<path class="gl-oddfield" d=${field.odd} />`}
    </g>`;
}

/** The key to the shades, from the lightest to the fullest; and the note that they were recorded. @param {any} drawing @param {any} space @param {any} field */
function Legend(drawing, { key: { x, y: start }, keyHeight, note, left, bottom }, field) {
  const { spec } = drawing;
  const { letter, size } = typeOf(drawing);
  const y = start + keyHeight;
  const [low, high] = spec.span.map(tick);
  const from = x + widthOf(low, letter) + 10;
  const signed = spec.span[0] < 0 && spec.span[1] > 0 && !spec.log;
  const steps = signed ? [-1, -0.6, -0.2, 0.2, 0.6, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1];
  const below = y + (spec.legend ? 52 : 0);
  return html`
    ${
      spec.legend &&
      html`<g class="gl-legend">
        <text x=${x} y=${y + 13}>${spec.legend}</text>
        ${steps.map((step, i) => html`<rect class=${`gl-shade gl-role-${step < 0 ? "state" : "loss"}`} x=${from + i * 18} y=${y + 24} width="18" height="13" fill-opacity=${SHADE * Math.abs(step)} />`)}
        <rect class="gl-ground" x=${from} y=${y + 24} width=${18 * steps.length} height="13" />
        <text class="gl-muted" x=${x} y=${y + 35}>${low}</text>
        <text class="gl-muted" x=${from + 18 * steps.length + 6} y=${y + 35}>${high}</text>
      </g>`
    }
    ${note.map((/** @type {string} */ line, /** @type {number} */ i) => html`<text class="gl-muted" x=${x} y=${below + 13 + i * size}>${line}</text>`)}
    ${field?.odd && html`<text class="gl-foot" x=${left + 8} y=${bottom - 8}>Hatched: not finite</text>`}`;
}

/** @param {any} drawing */
export const handles = (drawing) => plotHandles(drawing, spaceOf(drawing));
