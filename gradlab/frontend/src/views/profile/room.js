// Where everything of a profile lies: the plot, its slots and its scales.

import { bothLayouts } from "../common/layouts.js";
import { read, shapeOf } from "../common/read.js";
import { scaleOf } from "../common/scales.js";
import { keyRows, typeOf } from "../common/text.js";

const SIZES = {
  wide: { width: 688, plot: 250, left: 54, right: 14, bottom: 44, letter: 7.2 },
  narrow: { width: 320, plot: 210, left: 48, right: 14, bottom: 46, letter: 8 },
};

export const layouts = bothLayouts(room);

/** Lines are named at their ends where there is room, all else in a key above. @param {any} spec @param {"wide" | "narrow"} layout */
function room(spec, layout) {
  const size = SIZES[layout];
  const named = spec.series.filter((/** @type {any} */ one) => one.label);
  const ends = layout === "wide" ? named.filter((/** @type {any} */ one) => one.mark === "line") : [];
  const keyed = named.filter((/** @type {any} */ one) => !ends.includes(one) && spec.series.length > 1);
  const longest = Math.max(0, ...ends.map((/** @type {any} */ one) => one.label.length));
  const labels = keyed.map((/** @type {any} */ one) => one.label);
  const key = keyRows(labels, typeOf({ layout }), layout === "wide" ? size.left : 6, size.width - 4);
  const top = key.height + (spec.y.label ? 28 : 12);
  const right = size.width - size.right - (longest ? 12 + longest * size.letter : 0);
  return {
    width: size.width,
    height: top + size.plot + size.bottom,
    left: size.left,
    right,
    top,
    bottom: top + size.plot,
    ends,
    keyed,
    places: key.places,
  }; // prettier-ignore
}

/** A profile in a given box, such as one of small multiples. @param {any} spec @param {number} width */
export function small(spec, width) {
  const height = Math.round(Math.min(150, Math.max(84, width * 0.66)));
  return { left: 0, right: width, top: 0, bottom: height, ends: [], keyed: [], small: true, spec };
}

/**
 * The plot with its scales and slots: `place(i)` is the middle of the i-th step from 0.
 * @param {any} drawing
 */
export function spaceOf(drawing) {
  const { spec, description } = drawing;
  const room = drawing.room ?? layouts(spec)[/** @type {"wide"} */ (drawing.layout)];
  const { left, right, top, bottom } = room;
  const size = shapeOf(description, spec.series[0]?.value ?? spec.at)[0] ?? 1;
  const count = spec.count ? Math.max(0, Math.min(size, Number(read(drawing, spec.count)))) : size;
  const y = scaleOf(spec.y, bottom, top, room.small ? 3 : 5);
  const pitch = (right - left) / size;
  if (!spec.at) {
    const place = (/** @type {number} */ i) => left + (i + 0.5) * pitch;
    const at = (/** @type {number} */ step) => place(step - spec.start);
    const ticks = steps(spec, size, pitch, drawing).map((/** @type {any} */ { step, text }) => ({
      at: at(step),
      text,
    }));
    return {
      ...room,
      size,
      count,
      pitch,
      place,
      y,
      x: {
        at,
        invert: (/** @type {number} */ px) => (px - left) / pitch - 0.5 + spec.start,
        ticks,
        low: spec.start - 0.5,
        high: spec.start + size - 0.5,
        zero: left,
        band: null,
      },
    };
  }
  const x = scaleOf(spec.x, left, right, room.small || drawing.layout === "narrow" ? 4 : 7);
  const where = read(drawing, spec.at);
  return { ...room, size, count, pitch, place: (/** @type {number} */ i) => x.at(where[i]), y, x };
}

/** The steps that are named, as many as have room. @param {any} spec @param {number} size @param {number} pitch @param {any} drawing */
function steps(spec, size, pitch, drawing) {
  if (spec.names.length)
    return spec.names.map((/** @type {string} */ text, /** @type {number} */ i) => ({
      step: spec.start + i,
      text,
    }));
  const letter = drawing.layout === "narrow" ? 8 : 7;
  const widest = String(spec.start + size - 1).length * letter + 8;
  const each = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((step) => step * pitch >= widest) ?? size;
  return Array.from({ length: size }, (_, i) => spec.start + i)
    .filter((step) => each === 1 || step % each === 0)
    .map((step) => ({ step, text: String(step) }));
}
