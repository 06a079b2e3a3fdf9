// The traced program of a figure: loaded from its text, called with the controls' values.

import { recordedRuns } from "./run/records.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */

/**
 * Loads the program that a description carries; of a run, what was recorded of it.
 * @param {Description} description
 * @returns {Promise<(settings: Settings) => Values>} from settings to the results by name
 */
export async function load(description) {
  if (description.run) return recordedRuns(description);
  const { evaluate } = await importText(description.program);
  return (settings) => {
    const leaves = description.controls.map((control) => leaf(control, settings[control.name]));
    /** @type {ArrayLike<number>[]} */
    const results = evaluate(...leaves);
    return Object.fromEntries(
      description.outputs.map((leaf, i) => [leaf.name, leaf.shape.length ? results[i] : results[i][0]]),
    );
  };
}

/** A setting as the program takes it. @param {import("../common/types.js").Control} control @param {any} value */
export function leaf(control, value) {
  if (control.kind === "choice") return control.options.findIndex(([name]) => name === value);
  if (control.kind === "point") return Float64Array.from(value);
  return value;
}

/** A module from its text. @param {string} text */
export async function importText(text) {
  if (typeof window === "undefined") {
    return import(`data:text/javascript;base64,${Buffer.from(text, "utf8").toString("base64")}`);
  }
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}
