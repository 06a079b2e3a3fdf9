// Where everything of a chain lies: u along the unroll, v across it; turned where it is narrow.

import { read, shapeOf } from "../common/read.js";

/** The rows across a chain, as v: those that a spec does not have take no room. @param {any} spec */
function rows(spec) {
  const lane = spec.losses ? 62 : 14;
  const box = 64;
  const named = lane + box + 18;
  const stream = named + 34;
  const below = spec.cotangents ? stream + 38 : named;
  const diamond = below + 24;
  const end = spec.received ? diamond + 30 : below + 6;
  return { loss: 30, lane, box, named, stream, below, diamond, end };
}

const COLUMNS = { lane: 96, box: 46, stream: 174, below: 198, diamond: 258 };

/** @type {WeakMap<object, Map<number, any>>} */
const known = new WeakMap();

/** How many steps a narrow chain is made for; longer ones stand closer. */
const PITCH = { least: 44, most: 84, all: 560 };

/** @param {any} spec @param {any} description */
export function layouts(spec, description) {
  const { end } = rows(spec);
  const steps = Math.max(1, shapeOf(description, spec.states)[0] - 1);
  const pitch = Math.max(PITCH.least, Math.min(PITCH.most, PITCH.all / steps));
  return {
    wide: { width: 688, height: end },
    narrow: { width: 320, height: Math.ceil(2 * 30 + steps * pitch + 12) },
  };
}

/**
 * A drawing's geometry.
 * @param {any} drawing
 */
export function spaceOf(drawing) {
  const { spec, description } = drawing;
  const turned = drawing.layout === "narrow";
  const states = shapeOf(description, spec.states)[0];
  const steps = states - 1;
  const by = known.get(spec) ?? new Map();
  known.set(spec, by);
  const key = turned ? 1 : 0;
  if (!by.has(key)) {
    const narrowest = Math.max(PITCH.least, Math.min(PITCH.most, PITCH.all / Math.max(1, steps)));
    const [u0, pitch] = turned ? [34, narrowest] : [72, 560 / Math.max(1, steps)];
    const place = turned ? COLUMNS : rows(spec);
    const half = turned ? Math.min(17, pitch * 0.3) : Math.min(30, pitch * 0.3);
    by.set(key, { ...place, turned, u0, pitch, half });
  }
  const room = by.get(key);
  const count = spec.count ? Math.max(0, Math.min(steps, Number(read(drawing, spec.count)))) : steps;
  const state = (/** @type {number} */ j) => room.u0 + j * room.pitch;
  const [low, high] = spec.span;
  const { lane, box } = room;
  /** A state's value as v. @param {number} value */
  const level = (value) =>
    turned ? lane + ((value - low) / (high - low)) * box : lane + box - ((value - low) / (high - low)) * box;
  /** @param {number} v */
  const value = (v) => low + ((turned ? v - lane : lane + box - v) / box) * (high - low);
  return {
    ...room,
    steps,
    count,
    width: shapeOf(description, spec.states)[1] ?? 1,
    state,
    level,
    value,
    low,
    high,
    forward: spec.forward ? Number(read(drawing, spec.forward)) : count + 1,
    backward: spec.backward ? Number(read(drawing, spec.backward)) : count + 1,
  };
}

/** A point of (u, v) as SVG coordinates. @param {{turned: boolean}} space @param {number} u @param {number} v */
export const at = ({ turned }, u, v) =>
  (turned ? [v, u] : [u, v]).map((x) => Math.round(x * 10) / 10).join(" ");

/** A rectangle from (u, v) to (u, v) as a path. @param {any} space @param {number} u0 @param {number} u1 @param {number} v0 @param {number} v1 */
export const box = (space, u0, u1, v0, v1) =>
  `M${at(space, u0, v0)}L${at(space, u1, v0)}L${at(space, u1, v1)}L${at(space, u0, v1)}Z`;
