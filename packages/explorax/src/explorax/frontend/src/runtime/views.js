// The view that a figure's description names.

import { viewNamed } from "../common/views.js";

/**
 * The view that a description names, and its layouts.
 * @param {import("../common/types.js").Description} description
 */
export function viewOf(description) {
  const spec = description.view;
  const view = viewNamed(spec.kind);
  return { view, spec, layouts: view.layouts(spec, description) };
}
