// The views that are there, by the kind that a spec names.

/** @type {Record<string, import("./types.js").View>} */
export const VIEWS = {};

/**
 * Add a view, which draws the figures whose spec is of this kind.
 * @param {string} kind
 * @param {any} view with `layouts`, `draw` and, where something can be dragged, `handles`
 */
export function register(kind, view) {
  const missing = ["layouts", "draw"].filter((name) => typeof view[name] !== "function");
  if (missing.length) throw new Error(`The view "${kind}" has no function ${missing.join(" and no ")}.`);
  if (VIEWS[kind]) throw new Error(`There are two views "${kind}"; give one of them another kind.`);
  VIEWS[kind] = { handles: () => [], ...view };
}

/** The view of a kind. @param {string} kind */
export function viewNamed(kind) {
  const view = VIEWS[kind];
  if (view) return view;
  throw new Error(
    `There is no view "${kind}"; there are ${Object.keys(VIEWS).join(", ")}. A view of your own needs a ` +
      "script that calls explorax.register, which its Python class names.",
  );
}
