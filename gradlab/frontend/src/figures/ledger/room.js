// Where everything of a ledger lies: cells of a fixed size, bars beside and below them, and the corner.

import { bothLayouts } from "../../views/common/layouts.js";
import { countOf, shapeOf } from "../../views/common/read.js";

/** The longest bar, in losses: what a row holds without a scale. */
export const MOST = 12;
const GAP = 10;

/** `unit` and `down` are the lengths of one loss in the bars of rows and of columns, `aside` the room of rows' sums. */
const SIZES = {
  wide: { width: 688, left: 36, aside: 274, widest: 52, tallest: 23, unit: 17.5, down: 5.5, foot: 18, digits: 3 },
  narrow: { width: 320, left: 24, aside: 34, widest: 48, tallest: 22, unit: 0, down: 7, foot: 124, digits: 2 },
};

export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const { aside, widest, tallest, foot, ...size } = SIZES[layout];
  const [full] = shapeOf(description, spec.cells);
  const right = size.width - (spec.sums ? aside : 2);
  const cell = Math.min(widest, (right - size.left) / full);
  const tall = spec.sums ? tallest : Math.max(tallest, Math.min(30, cell));
  const top = 38;
  const [end, bottom] = [size.left + full * cell, top + full * tall];
  const below = bottom + GAP;
  const height = spec.sums ? below + MOST * size.down + foot : bottom + 4;
  const panel = end + GAP;
  return { ...size, layout, full, cell, tall, top, end, bottom, below, panel, height };
});

/** The room with the number of losses that are there. @param {any} drawing */
export function spaceOf(drawing) {
  const room = roomOf(drawing);
  return { ...room, n: countOf(drawing, room.full) };
}
