// What a drawing holds, by name: results, settings, the state before a drag, what is lit or concealed.

/** @typedef {import("../../common/types.js").Drawing} Drawing */

/** A result, or what a control is set to; a number stands for itself. @param {any} drawing @param {any} name */
export function read(drawing, name) {
  if (typeof name !== "string") return name;
  return name in drawing.values ? drawing.values[name] : drawing.settings[name];
}

/** The same before the drag; undefined where there was none. @param {any} drawing @param {any} name */
export function before(drawing, name) {
  if (!drawing.ghost) return undefined;
  return typeof name === "string" ? drawing.ghost[name] : name;
}

/** The shape of a result; a control has none. @param {any} description @param {string} name @returns {number[]} */
export function shapeOf(description, name) {
  const leaf = description.outputs.find((/** @type {any} */ output) => output.name === name);
  return leaf ? leaf.shape : [];
}

/** A place: two numbers, or the name of what holds them. @param {any} drawing @param {any} place @param {typeof read} [from] @returns {[number, number] | undefined} */
export function pair(drawing, place, from = read) {
  if (place === "") return [0, 0];
  const found = from(drawing, place);
  return found === undefined ? undefined : [found[0], found[1]];
}

/**
 * The rows of a result [2] or [n, 2].
 * @param {any} drawing @param {any} name @param {typeof read} [from]
 * @returns {[number, number][] | undefined}
 */
export function pairs(drawing, name, from = read) {
  const data = from(drawing, name);
  if (data === undefined) return undefined;
  return Array.from({ length: data.length / 2 }, (_, i) => [data[2 * i], data[2 * i + 1]]);
}

/** The number of so many that are there at present, where a spec has a count. @param {any} drawing @param {number} size */
export const countOf = (drawing, size) =>
  drawing.spec.count ? Math.max(0, Math.min(size, Number(read(drawing, drawing.spec.count)))) : size;

/** Tell if any of these is not to be shown yet. @param {any} drawing @param {...any} names */
export function concealed(drawing, ...names) {
  return names.some((name) => typeof name === "string" && Boolean(drawing.concealed?.has(name)));
}

/** The values that templates are filled from; "?" for one that is not to be shown yet. @param {any} drawing */
export function templateValues(drawing) {
  const all = { ...drawing.settings, ...drawing.values };
  for (const name of drawing.concealed ?? []) all[name] = "?";
  return all;
}

/**
 * The class by which a part stands out: it is lit, its peers step back, all others stay.
 * @param {any} drawing @param {string} name @param {number} [index] from 1
 */
export function emphasis({ lit }, name, index) {
  if (!lit || lit.kind !== name) return "";
  const itself = (lit.index ?? index) === index || index === undefined;
  return itself ? " gl-lit" : " gl-dim";
}

/** Tell if a part is lit. @param {any} lit @param {string} name @param {number} [index] from 1 */
export const isLit = (lit, name, index) => emphasis({ lit }, name, index) === " gl-lit";

/** The attributes by which a part is found; what has no name has none. @param {any} name @param {number} [index] from 1 */
export function part(name, index) {
  if (!name || typeof name !== "string") return {};
  return index === undefined ? { "data-part": name } : { "data-part": name, "data-index": index };
}

/** Tell if the reader is asked to guess in this way. @param {any} drawing @param {"place" | "sketch" | "number"} how */
export const asks = ({ guess, description }, how) => Boolean(guess) && description.prediction?.how === how;
