// A field over a plane as shades with contours, and marks over it.
//
// Its spec is gradlab/figure/views/surface.py's Surface. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { memoizeDrawn } from "../../common/memoize.js";
import { Axes } from "../common/axes.js";
import { GuessedPlace, guessLabels, knobs, placeHandles } from "../common/guess.js";
import { Shade } from "../common/image.js";
import { placeLabels, widthOf } from "../common/labels.js";
import { tick } from "../common/numbers.js";
import { concealed, part } from "../common/read.js";
import { scaleOf } from "../common/scales.js";
import { Key, keyRoom, Labels, typeOf, wrapped } from "../common/text.js";
import { markHandles } from "../plane/handles.js";
import { drawMarks } from "../plane/marks.js";
import { fieldOf, picture } from "./field.js";

const SIZES = {
  wide: { width: 688, tall: 380, left: 48, right: 14, side: 216, bottom: 44, pitch: 26 },
  narrow: { width: 320, tall: 290, left: 44, right: 14, side: 0, bottom: 46, pitch: 27 },
};

const SHADE = 0.75; // of a role's colour, at the fullest

/** @type {WeakMap<object, {rooms: {wide: any, narrow: any}, x: any, y: any}>} */
const known = new WeakMap();

/** What a spec decides: its rooms and its axes. @param {any} spec */
function decided(spec) {
  const found = known.get(spec) ?? {
    rooms: { wide: room(spec, "wide"), narrow: room(spec, "narrow") },
    x: { span: spec.x },
    y: { span: spec.y },
  };
  known.set(spec, found);
  return found;
}

/** @param {any} spec */
export function layouts(spec) {
  return decided(spec).rooms;
}

/** @param {any} spec @param {"wide" | "narrow"} layout */
function room(spec, layout) {
  const size = SIZES[layout];
  const type = typeOf({ layout });
  const templates = spec.marks.map((/** @type {any} */ mark) => mark.key).filter(Boolean);
  const key = keyRoom(templates, type, size.side || size.width - 12);
  const note =
    typeof spec.field === "string"
      ? []
      : wrapped(recorded(spec), Math.floor((size.side || 300) / type.letter));
  const legend = (spec.legend ? 52 : 0) + note.length * type.size;
  const lines = key.height + legend;
  const side = lines && size.side ? size.side : 0;
  const top = spec.y_label ? 28 : 12;
  const wide = size.width - size.left - size.right - side;
  const [dx, dy] = [spec.x[1] - spec.x[0], spec.y[1] - spec.y[0]];
  const unit = spec.equal ? Math.min(wide / dx, size.tall / dy) : 0;
  const spare = unit ? (wide - unit * dx) / 2 : 0;
  const left = size.left + spare;
  const right = left + (unit ? unit * dx : wide);
  const bottom = top + (unit ? unit * dy : size.tall);
  const axis = spec.x_label ? size.bottom : size.bottom - 16;
  const place = { x: side ? right + 24 : 8, y: side ? top + 4 : bottom + axis + 8, letters: key.letters };
  return {
    width: size.width,
    height: Math.ceil(Math.max(bottom + axis + (side ? 0 : lines + 8), side ? place.y + lines : 0)),
    left,
    right,
    top,
    bottom,
    key: place,
    keyHeight: key.height,
    note,
  }; // prettier-ignore
}

/** That a field was not computed here. @param {any} spec */
const recorded = (spec) => `Recorded: ${spec.field.note}`;

/** A surface in a given box, such as one of small multiples. @param {any} spec @param {number} width */
export function small(spec, width) {
  const ratio = spec.equal ? (spec.y[1] - spec.y[0]) / (spec.x[1] - spec.x[0]) : 0.8;
  return { left: 0, right: width, top: 0, bottom: width * ratio, small: true };
}

/** @param {any} drawing */
function spaceOf(drawing) {
  const { spec, layout } = drawing;
  const all = decided(spec);
  const found = drawing.room ?? all.rooms[/** @type {"wide"} */ (layout)];
  const few = found.small ? 3 : layout === "narrow" ? 5 : 7;
  const x = scaleOf(all.x, found.left, found.right, few);
  const y = scaleOf(all.y, found.bottom, found.top, few);
  return { ...found, x, y, unit: (found.right - found.left) / (spec.x[1] - spec.x[0]) };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, id } = drawing;
  const space = spaceOf(drawing);
  const { left, right, top, bottom } = space;
  const hidden = concealed(drawing, spec.field);
  const field = hidden ? null : picture(spec, fieldOf(drawing), space);
  const { shapes, labels, keys, taken } = drawMarks(drawing, space);
  taken.push(...knobs(markHandles(drawing, space)));
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  return html`
    <defs><clipPath id=${`${id}-plane`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${field && memoizeDrawn(drawing, "field", [field.serial], () => Field(drawing, field))}
    ${Axes(drawing, space, space.x, space.y, { x: spec.x_label, y: spec.y_label, numbers: drawing.room?.numbers, grid: "none" })}
    ${shapes}
    ${GuessedPlace(drawing, space)}
    ${Labels(placeLabels([...guessLabels(drawing, space), ...labels], bounds, typeOf(drawing), taken))}
    ${!space.small && Key(keys, space.key, typeOf(drawing).size)}
    ${!space.small && Legend(drawing, space, field)}
  `;
}

/** Shades and contours. @param {any} drawing @param {any} field */
function Field({ spec, id }, field) {
  const name = typeof spec.field === "string" ? part(spec.field) : {};
  return html`
    <g class=${`gl-field gl-role-${spec.role}`} ...${name} clip-path=${`url(#${id}-plane)`}>
      ${Shade({ id: `${id}-above`, role: spec.role, href: field.above, box: field.box, strength: SHADE })}
      ${field.below && Shade({ id: `${id}-below`, role: spec.negative, href: field.below, box: field.box, strength: SHADE })}
      <path class="gl-contour" d=${field.contours} />
      ${field.odd && html`<path class="gl-oddfield" d=${field.odd} />`}
    </g>`;
}

/** What the shades are, from the lightest to the fullest; and that they were recorded. @param {any} drawing @param {any} space @param {any} field */
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
        ${steps.map((step, i) => html`<rect class=${`gl-shade gl-role-${step < 0 ? spec.negative : spec.role}`} x=${from + i * 18} y=${y + 24} width="18" height="13" fill-opacity=${SHADE * Math.abs(step)} />`)}
        <rect class="gl-ground" x=${from} y=${y + 24} width=${18 * steps.length} height="13" />
        <text class="gl-muted" x=${x} y=${y + 35}>${low}</text>
        <text class="gl-muted" x=${from + 18 * steps.length + 6} y=${y + 35}>${high}</text>
      </g>`
    }
    ${note.map((/** @type {string} */ line, /** @type {number} */ i) => html`<text class="gl-muted" x=${x} y=${below + 13 + i * size}>${line}</text>`)}
    ${field?.odd && html`<text class="gl-over" x=${left + 8} y=${bottom - 8}>Hatched: not finite</text>`}`;
}

/** @param {any} drawing */
export function handles(drawing) {
  const space = spaceOf(drawing);
  return [...markHandles(drawing, space), ...placeHandles(drawing, space)];
}
