// Where everything of a profile lies: the plot, its slots and its scales.

import { bothLayouts, clamp, keyRows, scaleOf, shapeOf, typeOf } from "../../view.js";
import { before, concealed, read } from "../common/read.js";

const SIZES = {
  wide: { width: 688, plot: 250, left: 54, right: 14, bottom: 44, letter: 7.7 },
  narrow: { width: 320, plot: 210, left: 48, right: 14, bottom: 46, letter: 8 },
};

/** As many letters as a label has at most, each number counted as six. @param {string} label */
const lettersOf = (label) => label.replace(/\{[^}]*\}/g, "000000").length;

/** A label with the longest words that a choice may put into it. @param {string} label @param {any} description */
export const worded = (label, { controls }) =>
  label.replace(/\{(\w+)\}/g, (all, name) => {
    /** @type {[string, string][]} */
    const options = controls.find((/** @type {any} */ control) => control.name === name)?.options ?? [];
    return options.reduce((most, [words]) => (words.length > most.length ? words : most), "") || all;
  });

/** Lines are named at their ends where there is room for it, all else in a key above; numbers of the moment at ends alone. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const size = { ...SIZES[layout], ...(spec.plot > 0 && { plot: spec.plot }) };
  /** @type {{label: string, mark: string, until?: string, named?: number | string}[]} */
  const named = spec.series.filter((/** @type {any} */ { label }) => label);
  const inside = named.filter((series) => (series.named ?? null) !== null);
  const ends =
    layout === "wide" || spec.ends ? named.filter((one) => one.mark === "line" && !inside.includes(one)) : [];
  const wordsOf = (/** @type {{label: string}} */ { label }) => worded(label, description);
  const beside = ends.length
    ? spec.thresholds.filter((/** @type {any} */ threshold) => threshold.beside)
    : [];
  const held = spec.thresholds.some((/** @type {any} */ { drag, axis }) => drag && axis === "y");
  const gap = held ? 16 : 10; // a knob stands at the end of a level
  const keyed = named.filter(
    (series) =>
      !ends.includes(series) &&
      !inside.includes(series) &&
      !series.until &&
      spec.series.length > 1 &&
      !wordsOf(series).includes("{"),
  );
  const beyond = [...beside, ...ends].map(wordsOf);
  if (spec.level) beyond.push(spec.guess_label);
  const longest = Math.max(0, ...beyond.map(lettersOf));
  /** The rows of a key. @param {any[]} series */
  const rows = (series) =>
    keyRows(series.map(wordsOf), typeOf({ layout }), layout === "wide" ? size.left : 6, size.width - 4);
  const key = rows(keyed);
  const strip = spec.thresholds.some((/** @type {any} */ { sides }) => sides?.length) ? 22 : 0;
  const top = key.height + (spec.y.label ? 28 : 12) + strip;
  const right = size.width - size.right - (longest ? gap + 2 + longest * size.letter : 0);
  const bottom = top + size.plot;
  const numbers = scaleOf(spec.y, bottom, top).ticks.map(({ text }) => text.length);
  const left = Math.max(size.left, 8 + Math.max(...numbers) * typeOf({ layout }).letter);
  const box = { width: size.width, height: bottom + size.bottom, left, right, top, bottom };
  return { ...box, gap, strip, ends, beside, keyed, rows };
});

/** A profile in a given box, such as one of small multiples. @param {any} spec @param {number} width */
export function small(spec, width) {
  const bottom = spec.plot || Math.round(clamp(width * 0.66, 84, 150));
  return { left: 0, right: width, top: 0, bottom, ends: [], beside: [], keyed: [], small: true, spec };
}

/**
 * The plot with its scales and slots: `place(i)` is the middle of the i-th step from 0, `placed(i)` where it was before a drag.
 * @param {any} drawing
 */
export function spaceOf(drawing) {
  const { spec, description, layout } = drawing;
  const room = roomOf(drawing);
  const { left, right, top, bottom } = room;
  const size = shapeOf(description, spec.at || spec.series[0]?.value)[0] ?? 1;
  const pitch = (right - left) / size;
  const y = scaleOf(spec.y, bottom, top, bottom - top < 120 ? 3 : 5);
  const space = { ...room, size, count: size, pitch, y };
  if (spec.at) {
    const [from, to] = spec.x.reverse ? [right, left] : [left, right];
    const x = scaleOf(spec.x, from, to, room.small || layout === "narrow" ? 4 : 7);
    const where = read(drawing, spec.at);
    const was = before(drawing, spec.at) ?? where;
    const at = (/** @type {any} */ places) => (/** @type {number} */ i) => x.at(places[i]);
    return { ...space, x, place: at(where), placed: at(was) };
  }
  const place = (/** @type {number} */ i) => left + (i + 0.5) * pitch;
  const [low, high] = [0.5, size + 0.5];
  const at = (/** @type {number} */ step) => place(step - 1);
  const invert = (/** @type {number} */ px) => (px - left) / pitch + 0.5;
  const ticks = stepsOf(spec, size, pitch, layout).map(([step, text]) => ({ at: at(step), text }));
  return { ...space, place, placed: place, x: { at, invert, ticks, low, high, zero: left, band: null } };
}

/** Tell if a series or a threshold is there at present. @param {any} drawing @param {{value?: any, when?: string}} one */
export const isThere = (drawing, { value, when }) =>
  !concealed(drawing, value) && (!when || Number(read(drawing, when)) !== 0);

/** The same for a series that has places of its own. @param {any} series @param {any} drawing @param {any} space */
export function placedOf({ at }, drawing, space) {
  if (!at) return space;
  const [where, was] = [read(drawing, at), before(drawing, at)];
  const placed = (/** @type {any} */ places) => (/** @type {number} */ i) => space.x.at(places[i]);
  return { ...space, count: where.length, place: placed(where), placed: placed(was ?? where) };
}

/** The steps that are named, as many as have room. @param {any} spec @param {number} size @param {number} pitch @param {string} layout @returns {[number, string][]} */
function stepsOf({ names }, size, pitch, layout) {
  if (names.length) return names.map((/** @type {string} */ text, /** @type {number} */ i) => [i + 1, text]);
  const widest = String(size).length * (layout === "narrow" ? 8 : 7) + 8;
  const each = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((step) => step * pitch >= widest) ?? size;
  const all = Array.from({ length: size }, (_, i) => i + 1);
  return all.filter((step) => step % each === 0).map((step) => [step, String(step)]);
}
