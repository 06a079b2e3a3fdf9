// One view many times on the same scales: once for each place of a leading axis.
//
// Its spec is gradlab/figure/views/multiples.py's Multiples.

import { html } from "../../common/html.js";
import { part, read, shapeOf, words } from "../common/read.js";
import { filled, Key, keyRows, typeOf } from "../common/text.js";
import * as matrix from "../matrix/matrix.js";
import { lineOf } from "../plane/marks.js";
import * as plane from "../plane/plane.js";
import * as profile from "../profile/profile.js";
import * as surface from "../surface/surface.js";

/** The views that can be drawn small. @type {Record<string, any>} */
const SMALL = { plane, profile, matrix, surface };

const SIZES = {
  wide: { width: 688, left: 40, right: 6, gap: 16, title: 24, bottom: 26 },
  narrow: { width: 320, left: 38, right: 4, gap: 14, title: 26, bottom: 28 },
};

/** @type {WeakMap<object, {rooms: {wide: any, narrow: any}, one: any}>} */
const known = new WeakMap();

/** What a spec decides: its rooms, and the description of one picture. @param {any} spec @param {any} description */
function decided(spec, description) {
  const found = known.get(spec) ?? {
    rooms: { wide: room(spec, description, "wide"), narrow: room(spec, description, "narrow") },
    one: one(spec, description),
  };
  known.set(spec, found);
  return found;
}

/** @param {any} spec @param {any} description */
export function layouts(spec, description) {
  return decided(spec, description).rooms;
}

/** The description of one picture: results that are gone over have one axis less. @param {any} spec @param {any} description */
function one(spec, description) {
  const outputs = description.outputs.map((/** @type {any} */ leaf) =>
    spec.over.includes(leaf.name) ? { ...leaf, shape: leaf.shape.slice(1) } : leaf,
  );
  return { ...description, view: spec.of, outputs, prediction: null };
}

/** @param {any} spec @param {any} description @param {"wide" | "narrow"} layout */
function room(spec, description, layout) {
  const { width, left, right, gap, title, bottom } = SIZES[layout];
  const numbered = spec.of.kind !== "matrix";
  const start = numbered ? left : 4;
  const size = shapeOf(description, spec.over[0])[0];
  const across = Math.min(size, layout === "wide" ? spec.across : spec.across_narrow);
  const each = (width - start - right - gap * (across - 1)) / across;
  const small = SMALL[spec.of.kind].small(spec.of, each, one(spec, description));
  const tall = small.bottom + title + 6;
  const rows = Math.ceil(size / across);
  const key = keyRows(
    keyed(spec.of).map((/** @type {any} */ one) => one.key || one.label),
    typeOf({ layout }),
    layout === "wide" ? start : 6,
    width,
  );
  return {
    width,
    height: Math.ceil(key.height + rows * tall + (numbered ? bottom : 4)),
    start,
    across,
    each,
    gap,
    title,
    tall,
    size,
    small,
    key,
  };
}

/** What the small pictures share a key for: marks with one, or several series. @param {any} view @returns {any[]} */
function keyed({ kind, marks, series }) {
  if (kind === "profile")
    return series.length > 1 ? series.filter((/** @type {any} */ one) => one.label) : [];
  return (marks ?? []).filter((/** @type {any} */ mark) => mark.key);
}

/** The key above the pictures. @param {any} drawing @param {any} space @param {any} said */
const Shared = (drawing, { key }, said) =>
  keyed(drawing.spec.of).map((one, i) => {
    const entry = one.key ? lineOf(one, drawing, said) : profile.entryOf(one, drawing);
    return Key([entry], key.places[i], typeOf(drawing).size);
  });

/** The drawing of the i-th picture, from 0. @param {any} drawing @param {any} space @param {number} i */
function pictureOf(drawing, space, i) {
  const { spec, description, values, ghost, lit } = drawing;
  const { across, start, each, gap, tall, title, small, size, key } = space;
  const [x, y] = [start + (i % across) * (each + gap), key.height + Math.floor(i / across) * tall + title];
  /** @param {any} all */
  const slice = (all) => {
    const own = { ...all };
    for (const name of spec.over) {
      if (all[name] === undefined) continue;
      const length = all[name].length / size;
      own[name] =
        length === 1 && shapeOf(description, name).length === 1
          ? all[name][i]
          : all[name].subarray(i * length, (i + 1) * length);
    }
    return own;
  };
  const over = lit && spec.over.includes(lit.kind);
  return {
    ...drawing,
    spec: spec.of,
    description: decided(spec, description).one,
    values: slice(values),
    ghost: ghost ? slice(ghost) : null,
    lit: over ? (lit.index === null || lit.index === i + 1 ? { kind: lit.kind, index: null } : null) : lit,
    guess: null,
    id: `${drawing.id}-${i}`,
    room: {
      ...small,
      left: x,
      right: x + each,
      top: y,
      bottom: y + small.bottom,
      numbers: { left: i % across === 0, bottom: i + across >= size, named: i === size - 1 },
    },
  };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, description, layout, lit } = drawing;
  const space = layouts(spec, description)[/** @type {"wide"} */ (layout)];
  const count = spec.count
    ? Math.max(0, Math.min(space.size, Number(read(drawing, spec.count))))
    : space.size;
  const said = words(drawing);
  const over = lit && spec.over.includes(lit.kind) && lit.index !== null;
  const pictures = Array.from({ length: count }, (_, i) => {
    const own = pictureOf(drawing, space, i);
    const { left, right, top, bottom } = own.room;
    const n = spec.start + i;
    const title =
      typeof spec.titles === "string"
        ? filled(spec.titles, { ...said, ...scalars(own, spec.over) }, n)
        : spec.titles[i];
    return html`
      <g class=${over && lit.index !== i + 1 ? "gl-dim" : ""}>
        <text x=${(left + right) / 2} y=${top - 8} text-anchor="middle">${title}</text>
        ${SMALL[spec.of.kind].draw(own)}
        <rect class="gl-hit" x=${left} y=${top} width=${right - left} height=${bottom - top} ...${part(spec.over[0], i + 1)} />
      </g>`;
  });
  return html`${Shared(drawing, space, said)}${pictures}`;
}

/** The numbers of one picture that its title may say. @param {any} own @param {string[]} over */
const scalars = ({ values, concealed }, over) => {
  /** @type {Record<string, any>} */
  const found = {};
  for (const name of over) found[name] = concealed?.has(name) ? "?" : values[name];
  return found;
};

/** Those of the first picture: all are the same. @param {any} drawing */
export function handles(drawing) {
  const { spec, description, layout } = drawing;
  const space = layouts(spec, description)[/** @type {"wide"} */ (layout)];
  return space.size ? SMALL[spec.of.kind].handles(pictureOf(drawing, space, 0)) : [];
}
