// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

import { points } from "../../views/common/numbers.js";

/** Left and top of each place, how long an arrow of length 1 is (`unit`), the loss, the lines by role, and the words beside them. */
const WIDE = {
  width: 688,
  height: 448,
  half: 72,
  tall: 68,
  unit: 48,
  places: points("0 24, 363 24, 544 248, 363 248, 181 248, 0 248"),
  loss: [592, 72, 96, 40],
  nodes: points("253 92, 550 92"),
  lines: {
    state: ["144 92, 235 92", "270 92, 361 92", "507 92, 532 92", "567 92, 590 92"],
    parameter: [
      "72 248, 72 194, 253 194, 253 110",
      "253 194, 543 194, 543 110",
      "363 316, 327 316",
      "181 316, 146 316",
    ],
    cotangent: ["662 112, 662 246", "544 316, 509 316", "557 110, 557 216, 484 216, 484 246"],
  },
  words: { through: [655, 184, "end"], direct: [550, 211, "end"], optimizer: [345, 308], sum: [163, 308] },
  tray: { y: 432, across: 5 },
};

/** @type {typeof WIDE} */
const NARROW = {
  width: 320,
  height: 662,
  half: 64,
  tall: 58,
  unit: 40,
  places: points("0 24, 192 24, 192 250, 192 450, 0 450, 0 250"),
  loss: [238, 172, 82, 42],
  nodes: points("160 82, 212 193"),
  lines: {
    state: ["128 82, 143 82", "176 82, 190 82", "212 140, 212 175", "228 193, 237 193"],
    parameter: [
      "64 250, 64 185, 160 185, 160 100",
      "160 185, 196 185",
      "192 524, 130 524",
      "114 450, 114 368",
    ],
    cotangent: ["304 214, 304 248", "304 366, 304 448", "197 200, 160 200, 160 476, 190 476"],
  },
  words: { through: [297, 420, "end"], direct: [166, 403, "start"], optimizer: [160, 516], sum: [126, 414] },
  tray: { y: 606, across: 3 },
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
