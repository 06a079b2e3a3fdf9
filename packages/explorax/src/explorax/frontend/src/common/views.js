// The views that are there, by the name that a spec has for them: whoever brings one puts it here.

/** @type {Record<string, import("./types.js").View>} */
export const VIEWS = {};
