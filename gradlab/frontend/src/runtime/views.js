// The views by the name that a spec has for them. A view is a pure function from values to SVG.

import * as board from "../figures/board/board.js";
import * as stream from "../figures/stream/stream.js";
import * as tangent from "../figures/tangent.js";
import * as chain from "../views/chain/chain.js";
import * as history from "../views/history/history.js";
import * as listing from "../views/listing/listing.js";
import * as matrix from "../views/matrix/matrix.js";
import * as multiples from "../views/multiples/multiples.js";
import { panelsOf } from "../views/multiples/panels.js";
import * as plane from "../views/plane/plane.js";
import * as profile from "../views/profile/profile.js";
import * as surface from "../views/surface/surface.js";

/** @type {Record<string, any>} */
export const VIEWS = {
  plane,
  chain,
  profile,
  matrix,
  listing,
  history,
  surface,
  multiples,
  board,
  stream,
  tangent,
};
VIEWS.panels = panelsOf(VIEWS); // whose parts may be of any kind, panels too

/**
 * The view that a description names, and its layouts.
 * @param {import("../common/types.js").Description} description
 */
export function viewOf(description) {
  const spec = description.view;
  /** @type {import("../common/types.js").View | undefined} */
  const view = VIEWS[spec.kind];
  if (!view) {
    throw new Error(`There is no view "${spec.kind}"; there are ${Object.keys(VIEWS).join(", ")}.`);
  }
  return { view, spec, layouts: view.layouts(spec, description) };
}
