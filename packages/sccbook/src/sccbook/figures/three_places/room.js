// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

import { bothLayouts, points } from "explorax/view";

/** Left and top of each place, how long an arrow of length 1 is (`unit`), the loss, the lines by role, and the words beside them. */
const WIDE = {
  width: 688,
  height: 428,
  half: 72,
  tall: 68,
  unit: 44,
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
  /** @type {Record<string, any[]>} */
  words: { through: [655, 177, "end"], direct: [550, 202, "end"], optimizer: [345, 294], sum: [163, 294] },
  tray: { y: 413, across: 5 },
};

/** @type {typeof WIDE} */
const NARROW = {
  width: 320,
  height: 493,
  half: 60,
  tall: 42,
  unit: 31,
  places: points("0 22, 200 22, 200 190, 200 320, 0 320, 0 190"),
  loss: [237, 134, 83, 35],
  nodes: points("160 64, 212 148"),
  lines: {
    state: ["120 64, 142 64", "177 64, 198 64", "212 106, 212 130", "229 148, 236 148"],
    parameter: [
      "96 190, 96 148, 160 148, 160 82",
      "160 148, 194 148",
      "200 386, 122 386",
      "110 320, 110 276",
    ],
    cotangent: ["304 169, 304 188", "304 274, 304 318", "199 159, 184 159, 184 348, 198 348"],
  },
  words: { direct: [180, 238, "end"], optimizer: [152, 378], sum: [120, 302] },
  tray: { y: 445, across: 3 },
};

/** Two rooms, whatever is drawn. */
export const { layouts, roomOf } = bothLayouts((_, layout) => (layout === "wide" ? WIDE : NARROW));

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
