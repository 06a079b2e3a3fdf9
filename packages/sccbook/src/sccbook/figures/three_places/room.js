// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

import { bothLayouts, points } from "explorax/view";

/** Left and top of each place, how long an arrow of length 1 is (`unit`), the loss, the lines by role, and the words beside them. */
const WIDE = {
  width: 688,
  height: 452,
  key: [
    ["before", 108, 12],
    ["vector", 262, 12],
  ],
  half: 74,
  tall: 74,
  unit: 50,
  places: points("0 24, 364 24, 540 240, 364 240, 172 240, 0 240"),
  loss: [594, 78, 94, 40],
  nodes: points("256 98, 552 98"),
  lines: {
    state: ["148 98, 235 98", "276 98, 362 98", "512 98, 531 98", "572 98, 592 98"],
    parameter: [
      "74 240, 74 200, 256 200, 256 119",
      "256 200, 545 200, 545 119",
      "364 314, 322 314",
      "172 314, 150 314",
    ],
    cotangent: ["664 118, 664 238", "540 314, 514 314", "559 117, 559 214, 496 214, 496 238"],
  },
  /** @type {Record<string, any[]>} */
  words: {
    columns: [688, 440.7, "end"],
    through: [656, 184, "end"],
    direct: [565, 154, "start"],
    optimizer: [342, 306],
    sum: [160, 306],
  },
  tray: { y: 436, across: 5 },
};

/** @type {typeof WIDE} */
const NARROW = {
  width: 320,
  height: 602,
  key: [
    ["before", 0, 566],
    ["vector", 160, 566],
  ],
  half: 66,
  tall: 50,
  unit: 34,
  places: points("0 22, 188 22, 188 206, 188 352, 0 352, 0 206"),
  loss: [237, 150, 83, 35],
  nodes: points("160 72, 208 164"),
  lines: {
    state: ["132 72, 140 72", "180 72, 187 72", "208 122, 208 143", "228 164, 235 164"],
    parameter: [
      "96 206, 96 164, 160 164, 160 92",
      "160 164, 187 164",
      "188 426, 134 426",
      "110 352, 110 308",
    ],
    cotangent: ["304 185, 304 204", "304 306, 304 350", "195 178, 195 184, 174 184, 174 380, 186 380"],
  },
  words: { columns: [0, 594.7, "start"], direct: [169, 191, "end"], optimizer: [160, 418], sum: [120, 334] },
  tray: { y: 498, across: 3 },
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
