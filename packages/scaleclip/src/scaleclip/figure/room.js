// Where everything of a ledger lies: cells of a fixed size, and beside and below them bars.

import { bothLayouts, countOf, shapeOf } from "explorax/view";

/** Between the cells and the bars below them, with the name of these. */
const GAP = 28;

/** `across` and `down` are the lengths of the longest bars of rows and of columns. */
const SIZES = {
  wide: { width: 688, left: 32, across: 300, down: 96 },
  narrow: { width: 320, left: 24, across: 0, down: 84 },
};
/** What is kept free on the right, and under the bars. */
const SUMS = { wide: { aside: 370, foot: 4, tall: 25 }, narrow: { aside: 50, foot: 60, tall: 23 } };

/** Cells with bars. @param {"wide" | "narrow"} layout @param {number} full */
function summed(layout, full) {
  const size = SIZES[layout];
  const { aside, foot, tall } = SUMS[layout];
  const end = size.width - aside;
  const [cell, top] = [(end - size.left) / full, 38];
  const height = top + full * tall + GAP + size.down + foot;
  const sum = end + 48; // where the numbers of sums end
  return { cell, tall, top, end, height, sum, panel: sum + 8 };
}

/** Cells alone. @param {"wide" | "narrow"} layout @param {number} full */
function alone(layout, full) {
  const { width, left } = SIZES[layout];
  const cell = Math.min(52, (width - left - 2) / full);
  const [tall, top] = [Math.max(21, Math.min(31, cell)), 38];
  const height = top + full * tall + 4;
  return { cell, tall, top, end: left + full * cell, height, digits: cell < 36 ? 2 : 3 };
}

export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const [full] = shapeOf(description, spec.cells);
  const own = spec.sums ? summed(layout, full) : alone(layout, full);
  return {
    ...SIZES[layout],
    layout,
    full,
    unit: SIZES[layout].across / full,
    per: SIZES[layout].down / full,
    ...own,
  };
});

/**
 * The room with the number of losses that are there, and where they end; `full` losses fill the longest bar, `unit`
 * and `per` are the lengths of one in the bars of rows and of columns.
 * @param {any} drawing
 */
export function spaceOf(drawing) {
  const room = roomOf(drawing);
  const n = countOf(drawing, room.full);
  const bottom = room.top + n * room.tall;
  return { ...room, n, bottom, below: bottom + GAP };
}
