// One view many times on the same scales: once for each place of a leading axis.
//
// Its spec is packages/explorax/src/explorax/views/multiples.py's Multiples.

import { bothLayouts, html, memoize, viewNamed, widthOf } from "../../view.js";
import { part, shapeOf, templateValues } from "../common/read.js";
import { filled, keyRows, RowKey, typeOf } from "../common/text.js";
import { lineOf } from "../plane/plot.js";
import { worded } from "../profile/room.js";

/** One of the views that can be drawn small. @param {string} kind @returns {any} */
const smallView = (kind) => viewNamed(kind);

const SIZES = {
  wide: { width: 688, left: 40, right: 6, gap: 16, title: 24, bottom: 26 },
  narrow: { width: 320, left: 38, right: 10, gap: 14, title: 26, bottom: 28 },
};

/** The description of one picture: results that are gone over have one axis less. @param {any} spec @param {any} description */
const descriptionOf = (spec, description) =>
  memoize(spec, "description of one", [], () => {
    const outputs = description.outputs.map((/** @type {any} */ leaf) =>
      spec.over.includes(leaf.name) ? { ...leaf, shape: leaf.shape.slice(1) } : leaf,
    );
    return { ...description, view: spec.of, outputs, prediction: null };
  });

export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { width, left, right, gap, title, bottom } = SIZES[layout];
  const numbered = spec.of.kind !== "matrix";
  const start = numbered ? left : 4;
  const size = shapeOf(description, spec.over[0])[0];
  const across = Math.min(size, layout === "wide" ? spec.across : spec.across_narrow);
  const each = (width - start - right - gap * (across - 1)) / across;
  const of = layout === "narrow" && spec.plot_narrow ? { ...spec.of, plot: spec.plot_narrow } : spec.of;
  const small = smallView(spec.of.kind).small(of, each, descriptionOf(spec, description));
  const tall = small.bottom + title + 6;
  const labels = keyed(spec.of).map((mark) => mark.key || worded(mark.label, description));
  const type = typeOf({ layout });
  const axis = spec.of.y?.label ?? ""; // before the key, once for all
  const named = axis && widthOf(axis, type.letter) + 16;
  const key = keyRows(labels, type, (layout === "wide" ? start : 6) + named, width);
  const below = numbered ? bottom + (spec.of.x?.label ? 12 : 0) : 4;
  const height = Math.ceil(key.height + Math.ceil(size / across) * tall + below);
  return { width, height, start, across, each, gap, title, tall, size, small, key, axis };
});

/** The marks or series that the small pictures share a key for. @param {any} view @returns {any[]} */
function keyed({ kind, marks = [], series }) {
  if (kind !== "profile") return marks.filter((/** @type {any} */ mark) => mark.key);
  const named = series.length > 1 ? series.filter((/** @type {any} */ { label }) => label) : [];
  return [false, true].flatMap((last) =>
    named.filter((/** @type {any} */ { behind = false }) => behind === last),
  );
}

/** The drawing of the i-th picture, from 0. @param {any} drawing @param {any} space @param {number} i */
function pictureOf(drawing, space, i) {
  const { spec, description, values, ghost, lit } = drawing;
  const { across, start, each, gap, tall, title, small, size, key } = space;
  const left = start + (i % across) * (each + gap);
  const top = key.height + Math.floor(i / across) * tall + title;
  /** Its share of the results that are gone over. @param {any} all */
  const slice = (all) => {
    const own = { ...all };
    for (const name of spec.over.filter((/** @type {string} */ name) => all[name] !== undefined)) {
      const length = all[name].length / size;
      const share = all[name].subarray(i * length, (i + 1) * length);
      own[name] = shapeOf(description, name).length === 1 ? share[0] : share;
    }
    return own;
  };
  const here = lit?.index === null || lit?.index === i + 1 ? { kind: lit.kind, index: null } : null;
  const numbers = { left: i % across === 0, bottom: i + across >= size, named: i === size - 1 };
  return {
    ...drawing,
    spec: spec.of,
    description: descriptionOf(spec, description),
    values: slice(values),
    ghost: ghost && slice(ghost),
    lit: spec.over.includes(lit?.kind) ? here : lit,
    guess: null,
    id: `${drawing.id}-${i}`,
    room: { ...small, left, right: left + each, top, bottom: top + small.bottom, numbers },
  };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, lit } = drawing;
  const space = roomOf(drawing);
  const values = templateValues(drawing);
  const over = lit && spec.over.includes(lit.kind) && lit.index !== null;
  const pictures = Array.from({ length: space.size }, (_, i) => {
    const own = pictureOf(drawing, space, i);
    const { left, right, top, bottom } = own.room;
    const template = typeof spec.titles === "string" ? spec.titles : spec.titles[i];
    const title = filled(template, templateValues(own), i + 1);
    return html`
      <g class=${over && lit.index !== i + 1 ? "gl-dim" : ""}>
        <text x=${(left + right) / 2} y=${top - 8} text-anchor="middle">${title}</text>
        <rect class="gl-hit" x=${left} y=${top} width=${right - left} height=${bottom - top} ...${part(spec.over[0], i + 1)} />
        ${smallView(spec.of.kind).draw(own)}
      </g>`;
  });
  const entries = keyed(spec.of).map((mark) =>
    mark.key ? lineOf(mark, drawing, values) : smallView("profile").lineOf(pointed(mark, drawing), drawing),
  );
  return html`${space.axis && html`<text class="gl-foot" x=${10} y="13">${space.axis}</text>`}${RowKey(entries, space.key.places, drawing)}${pictures}`;
}

/** A series; for one behind, that which is pointed at, under the name of its part. @param {any} series @param {any} drawing */
function pointed(series, { spec, lit, description }) {
  const other = spec.of.series.find(
    (/** @type {any} */ { behind, value }) => behind && series.behind && value === lit?.kind,
  );
  const named = other && description.parts.find((/** @type {any} */ { name }) => name === other.value);
  return named ? { ...other, label: named.words } : series;
}

/** Those of the first picture: all are the same. @param {any} drawing */
export function handles(drawing) {
  const space = roomOf(drawing);
  return space.size ? smallView(drawing.spec.of.kind).handles(pictureOf(drawing, space, 0)) : [];
}
