// Where everything of a ledger lies: cells of a fixed size, and beside and below them bars or a chart.

import { bothLayouts } from "../../views/common/layouts.js";
import { countOf, shapeOf } from "../../views/common/read.js";

/** The longest bar, in losses: what a row holds without a scale. */
export const MOST = 12;
const GAP = 10;
const CAPTION = 24;

/** `unit` and `down` are the lengths of one loss in the bars of rows and of columns. */
const SIZES = {
  wide: { width: 688, left: 32, unit: 17.5, down: 5.5 },
  narrow: { width: 320, left: 24, unit: 0, down: 7 },
};
/** What is kept free on the right, and under the bars. */
const SUMS = { wide: { aside: 274, foot: 18, tall: 23 }, narrow: { aside: 34, foot: 124, tall: 22 } };

/** Cells with bars. @param {"wide" | "narrow"} layout @param {number} full */
function summed(layout, full) {
  const size = SIZES[layout];
  const { aside, foot, tall } = SUMS[layout];
  const end = size.width - aside;
  const [cell, top] = [(end - size.left) / full, 38];
  const below = top + full * tall + GAP;
  const height = below + MOST * size.down + foot;
  return { cell, tall, top, end, height, below, panel: end + GAP, digits: layout === "wide" ? 3 : 2 };
}

/** Cells with a caption and, where there is one, a chart. @param {"wide" | "narrow"} layout @param {number} full @param {boolean} charted */
function charted(layout, full, charted) {
  const { width, left } = SIZES[layout];
  const beside = charted && layout === "wide";
  const cell = Math.min(52, (width - left - (beside ? 336 : 2)) / full);
  const [tall, top] = [Math.max(21, Math.min(31, cell)), 38 + CAPTION];
  const [end, bottom] = [left + full * cell, top + full * tall];
  if (!charted) return { cell, tall, top, end, height: bottom + 4, digits: 2 };
  const start = beside ? 38 : bottom + 60;
  const chart = {
    left: beside ? width - 268 : 44,
    right: width - 14,
    top: start,
    bottom: Math.max(start + 214, beside ? bottom : 0),
  };
  return { cell, tall, top, end, height: chart.bottom + 42, chart, digits: 2 };
}

export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const [full] = shapeOf(description, spec.cells);
  const own = spec.sums ? summed(layout, full) : charted(layout, full, Boolean(spec.x));
  return { ...SIZES[layout], layout, full, bottom: own.top + full * own.tall, ...own };
});

/** The room with the number of losses that are there. @param {any} drawing */
export function spaceOf(drawing) {
  const room = roomOf(drawing);
  return { ...room, n: countOf(drawing, room.full) };
}
