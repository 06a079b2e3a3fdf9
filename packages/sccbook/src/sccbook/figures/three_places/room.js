// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

import { bothLayouts, points } from "explorax/view";

/** Left and top of each place, how long an arrow of length 1 is (`unit`), the loss, the lines by role, and where the words beside them end. */
const WIDE = {
  width: 688,
  height: 462,
  key: [
    ["before", 162, 36],
    ["vector", 162, 61],
  ],
  half: 74,
  tall: 74,
  unit: 47,
  places: points("0 24, 364 24, 540 240, 364 240, 172 240, 0 240"),
  loss: [594, 78, 94, 40],
  nodes: points("256 98, 552 98"),
  lines: {
    state: ["148 98, 235 98", "276 98, 362 98", "512 98, 531 98", "572 98, 592 98"],
    parameter: [
      "110 238, 110 204, 256 204, 256 119",
      "256 204, 545 204, 545 119",
      "364 314, 322 314",
      "172 314, 150 314",
    ],
    cotangent: ["664 118, 664 238", "540 314, 514 314", "559 117, 559 212, 496 212, 496 238"],
  },
  words: points("688 450.7, 656 184, 649 150, 359 306, 165 306"),
  tray: { y: 446, across: 5 },
};

/** @type {typeof WIDE} */
const NARROW = {
  width: 320,
  height: 629,
  key: [
    ["before", 0, 595],
    ["vector", 176, 595],
  ],
  half: 66,
  tall: 50,
  unit: 31,
  places: points("0 22, 188 22, 188 206, 188 372, 0 372, 0 206"),
  loss: [237, 150, 83, 36],
  nodes: points("160 72, 208 166"),
  lines: {
    state: ["132 72, 140 72", "180 72, 187 72", "200 122, 200 147", "228 167, 235 167"],
    parameter: [
      "60 184, 60 164, 160 164, 160 92",
      "160 164, 187 164",
      "188 446, 134 446",
      "122 372, 122 308",
    ],
    cotangent: ["310 187, 310 204", "310 306, 310 370", "192 175, 174 175, 174 400, 186 400"],
  },
  words: points("320 622.7, 302 346, 169 188, 177 438, 111 350"),
  tray: { y: 530, across: 3 },
};

/** Two rooms, whatever is drawn. */
export const { layouts, roomOf } = bothLayouts((_, layout) => (layout === "wide" ? WIDE : NARROW));

/** The lines of a room, each with its role. @param {typeof WIDE} room */
export const linesOf = ({ lines }) =>
  Object.entries(lines).flatMap(([role, all]) => all.map((line) => ({ role, points: points(line) })));

/** A place's edges, the room `inside` for its arrows, above the words at its foot, and where they start. @param {typeof WIDE} room @param {number} i */
export function fieldOf({ places, half, tall }, i) {
  const [left, top] = places[i];
  const foot = top + 2 * tall;
  /** @type {[number, number]} */
  const middle = [left + half, top + tall - 4];
  const right = left + 2 * half;
  const inside = { left: left + 3, right: right - 3, top: top + 3, bottom: foot - 18 };
  return { left, right, top, foot, middle, inside };
}
