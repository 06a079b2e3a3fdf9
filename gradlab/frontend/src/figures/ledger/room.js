// Where everything of a ledger lies: cells of a fixed size, and beside and below them bars.

import { bothLayouts } from "../../views/common/layouts.js";
import { countOf, read, shapeOf } from "../../views/common/read.js";

const GAP = 10;

/** `across` and `down` are the lengths of the longest bars of rows and of columns. */
const SIZES = {
  wide: { width: 688, left: 32, across: 210, down: 66 },
  narrow: { width: 320, left: 24, across: 0, down: 84 },
};
/** What is kept free on the right, and under the bars. */
const SUMS = { wide: { aside: 274, foot: 18, tall: 23 }, narrow: { aside: 34, foot: 92, tall: 22 } };

/** Cells with bars. @param {"wide" | "narrow"} layout @param {number} full */
function summed(layout, full) {
  const size = SIZES[layout];
  const { aside, foot, tall } = SUMS[layout];
  const end = size.width - aside;
  const [cell, top] = [(end - size.left) / full, 38];
  const below = top + full * tall + GAP;
  const height = below + size.down + foot;
  return { cell, tall, top, end, height, below, panel: end + GAP, digits: layout === "wide" ? 3 : 2 };
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
  return { ...SIZES[layout], layout, full, bottom: own.top + full * own.tall, ...own };
});

/**
 * The room with the number of losses that are there; `most` losses fill the longest bar, `unit` and `per` are the
 * lengths of one in the bars of rows and of columns.
 * @param {any} drawing
 */
export function spaceOf(drawing) {
  const room = roomOf(drawing);
  const most = Number(read(drawing, drawing.spec.most));
  return { ...room, n: countOf(drawing, room.full), most, unit: room.across / most, per: room.down / most };
}
