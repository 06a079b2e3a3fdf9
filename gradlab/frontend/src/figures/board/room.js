// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

import { points } from "../../views/common/numbers.js";

/** Left and top of each place, how long an arrow of length 1 is (`unit`), the loss, the lines by role, and the words beside them. */
const WIDE = {
  width: 688,
  height: 422,
  half: 72,
  tall: 68,
  unit: 48,
  places: points("0 24, 363 24, 544 234, 363 234, 181 234, 0 234"),
  loss: [592, 72, 96, 40],
  nodes: points("253 92, 550 92"),
  lines: {
    state: ["144 92, 235 92", "270 92, 361 92", "507 92, 532 92", "567 92, 590 92"],
    parameter: [
      "72 234, 72 187, 253 187, 253 110",
      "253 187, 543 187, 543 110",
      "363 302, 327 302",
      "181 302, 146 302",
    ],
    cotangent: ["662 112, 662 232", "544 302, 509 302", "557 110, 557 206, 484 206, 484 232"],
  },
  words: { through: [655, 177, "end"], direct: [550, 202, "end"], optimizer: [345, 294], sum: [163, 294] },
  tray: { y: 407, across: 5 },
};

/** @type {typeof WIDE} */
const NARROW = {
  width: 320,
  height: 592,
  half: 64,
  tall: 52,
  unit: 40,
  places: points("0 24, 192 24, 192 222, 192 396, 0 396, 0 222"),
  loss: [238, 150, 82, 42],
  nodes: points("160 76, 212 171"),
  lines: {
    state: ["128 76, 143 76", "176 76, 190 76", "212 128, 212 153", "228 171, 237 171"],
    parameter: [
      "64 222, 64 163, 160 163, 160 94",
      "160 163, 196 163",
      "192 464, 130 464",
      "114 396, 114 328",
    ],
    cotangent: ["304 192, 304 220", "304 326, 304 394", "197 178, 160 178, 160 422, 190 422"],
  },
  words: { through: [297, 371, "end"], direct: [166, 354, "start"], optimizer: [160, 456], sum: [126, 366] },
  tray: { y: 540, across: 3 },
};

/** Two rooms, whatever is drawn. */
export const LAYOUTS = { wide: WIDE, narrow: NARROW };

/** @param {{layout: string}} drawing */
export const roomOf = ({ layout }) => (layout === "wide" ? WIDE : NARROW);

/** The lines of a room, each with its role. @param {typeof WIDE} room */
export const linesOf = ({ lines }) =>
  Object.entries(lines).flatMap(([role, all]) => all.map((line) => ({ role, points: points(line) })));

/** A place's edges, and its middle. @param {typeof WIDE} room @param {number} i */
export function fieldOf({ places, half, tall }, i) {
  const [left, top] = places[i];
  /** @type {[number, number]} */
  const middle = [left + half, top + tall];
  return { left, right: left + 2 * half, top, bottom: top + 2 * tall, middle };
}
