// The views by name. A view is a pure function from values to SVG.

import * as board from "./board/board.js";
import { KINDS } from "./kinds.js";
import * as stream from "./stream/stream.js";
import * as tangent from "./tangent.js";

/** @type {Record<string, import("../types.js").View>} */
export const VIEWS = { .../** @type {any} */ (KINDS), board, stream, tangent };

/**
 * The view that a description names, and its layouts.
 * @param {import("../types.js").Description} description
 */
export function viewOf(description) {
  const spec = description.view;
  const view = VIEWS[spec.kind];
  if (!view) {
    throw new Error(`There is no view "${spec.kind}"; there are ${Object.keys(VIEWS).join(", ")}.`);
  }
  return { view, spec, layouts: view.layouts(spec, description) };
}
