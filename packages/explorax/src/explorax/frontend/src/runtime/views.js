// The view that a figure's description names.

import { VIEWS } from "../common/views.js";

/**
 * The view that a description names, and its layouts.
 * @param {import("../common/types.js").Description} description
 */
export function viewOf(description) {
  const spec = description.view;
  const view = VIEWS[spec.kind];
  if (!view) {
    throw new Error(`There is no view "${spec.kind}"; there are ${Object.keys(VIEWS).join(", ")}.`);
  }
  return { view, spec, layouts: view.layouts(spec, description) };
}
