// Where everything of a chain lies: u along the unroll, v across it; turned where it is narrow.

import { bothLayouts, clamp, html, memoizeDrawn, r1, read, shapeOf } from "../../view.js";

/** The rows across a wide chain, as v: those that a spec does not have take no room. @param {any} spec */
function rows(spec) {
  const lane = spec.losses ? 62 : 14;
  const box = 64;
  const named = lane + box + 20;
  const stream = named + (spec.passed ? 60 : 32);
  const below = spec.cotangents ? stream + 34 : named;
  const diamond = below + 20;
  const sum = diamond + 40;
  const end = spec.total ? sum + 16 : spec.received ? diamond + 30 : below + 6;
  return { loss: 30, lane, box, named, stream, below, diamond, sum, end };
}

const COLUMNS = { lane: 96, box: 46, stream: 174, below: 198, diamond: 258 };
const SUMMED = { diamond: 267, sum: 305 };

/** Steps of a long chain stand closer; a narrow one has a least pitch. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const steps = Math.max(1, shapeOf(description, spec.states)[0] - 1);
  const even = 560 / steps;
  const pitch = layout === "wide" ? even : clamp(even, 44, 84);
  const place =
    layout === "wide"
      ? rows(spec)
      : { ...COLUMNS, ...(spec.total && SUMMED), end: Math.ceil(2 * 30 + steps * pitch + 12) };
  const common = { ...place, height: place.end, pitch };
  return layout === "wide"
    ? { ...common, width: 688, turned: false, u0: 72, half: Math.min(30, pitch * 0.3) }
    : { ...common, width: 320, turned: true, u0: 34, half: Math.min(17, pitch * 0.3) };
});

/** A drawing's geometry. @param {any} drawing */
export function spaceOf(drawing) {
  const { spec, description } = drawing;
  const room = roomOf(drawing);
  const { lane, box, turned, u0, pitch } = room;
  const [states, entries = 1] = shapeOf(description, spec.states);
  const count = states - 1;
  const passed = (/** @type {string} */ name) => (name ? Number(read(drawing, name)) : count + 1);
  const [forward, backward] = [passed(spec.forward), passed(spec.backward)];
  const [low, high] = spec.span;
  const [zero, side] = turned ? [lane, 1] : [lane + box, -1];
  const state = (/** @type {number} */ j) => u0 + j * pitch;
  const level = (/** @type {number} */ value) => zero + side * (((value - low) / (high - low)) * box);
  const value = (/** @type {number} */ v) => low + ((side * (v - zero)) / box) * (high - low);
  const [length, start] = [(states - 1) * pitch, u0 + 0.15 * (states - 1) * pitch]; // a sum begins here
  const played = { count, entries, forward, backward };
  return { ...room, ...played, zero: start, unit: length / spec.longest, low, high, state, level, value };
}

/** A point of (u, v) as SVG coordinates. @param {{turned: boolean}} space @param {number} u @param {number} v */
export const at = ({ turned }, u, v) => (turned ? [v, u] : [u, v]).map(r1).join(" ");

/** A path through points of (u, v). @param {{turned: boolean}} space @param {[number, number][]} points */
export const path = (space, ...points) => `M${points.map(([u, v]) => at(space, u, v)).join("L")}`;

/** A rectangle from (u, v) to (u, v) as a path. @param {any} space @param {number} u0 @param {number} u1 @param {number} v0 @param {number} v1 */
export const box = (space, u0, u1, v0, v1) => `${path(space, [u0, v0], [u1, v0], [u1, v1], [u0, v1])}Z`;

/** An element, the same until what it's drawn from changes: a move changes few. @param {any} drawing @param {string} name @param {any[]} key @param {() => any} make */
export const kept = (drawing, name, key, make) => memoizeDrawn(drawing, name, [...key, drawing.lit], make);

/** The attributes of a part; until it's reached it's hidden, as nodes that come and go cost a frame. @param {unknown} reached @param {any} [attributes] */
export const shown = (reached, attributes = {}) => (reached ? attributes : { visibility: "hidden" });

/** The fill of what is as wide as it is large: hatched where it is negative. @param {any} drawing @param {string} d @param {number} value @param {any} [more] */
export const Filled = ({ id }, d, value, more = {}) => html`
  <path class="gl-flow" d=${d} ...${more} />
  ${value < 0 && html`<g fill=${`url(#${id}-hatch)`}><path class="gl-negative" d=${d} /></g>`}`;
