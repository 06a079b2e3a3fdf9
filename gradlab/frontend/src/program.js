// The traced program of a figure: loaded from its text, called with the controls' values.

/** @typedef {import("./types.js").Description} Description */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").Values} Values */

/**
 * Loads the program that a description carries.
 * @param {Description} description
 * @returns {Promise<(settings: Settings) => Values>} from settings to the results by name
 */
export async function load(description) {
  const { evaluate } = await importText(description.program);
  return (settings) => {
    const leaves = description.controls.map((control) =>
      control.kind === "choice"
        ? control.options.findIndex(([name]) => name === settings[control.name])
        : settings[control.name],
    );
    /** @type {ArrayLike<number>[]} */
    const results = evaluate(...leaves);
    return Object.fromEntries(
      description.outputs.map((leaf, i) => [leaf.name, leaf.shape.length ? results[i] : results[i][0]]),
    );
  };
}

/** @param {string} text */
async function importText(text) {
  if (typeof window === "undefined") {
    return import(`data:text/javascript;base64,${Buffer.from(text, "utf8").toString("base64")}`);
  }
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(/* @vite-ignore */ address);
  } finally {
    URL.revokeObjectURL(address);
  }
}
