// The state of a page's figures in its address, so that it can be kept, reloaded and sent.

import { allowed, allows, same } from "./settings.js";

/** @typedef {import("../common/types.js").Control} Control */
/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/**
 * One figure's part of the address.
 * @typedef {{read: () => {settings: Settings, complaints: string[]}, write: (settings: Settings) => void,
 *   link: (settings: Settings) => string}} Address
 */

const LONG = 40; // characters of a quotation

/** A quotation from the address, cut where it is long. @param {string} asked */
const quoted = (asked) => (asked.length > LONG ? `${asked.slice(0, LONG)}…` : asked);

/** Text as a setting; it may not be allowed. @param {Control} control @param {string} asked @returns {any} */
function setting(control, asked) {
  if (control.kind === "choice") return asked;
  if (control.kind === "toggle") return { true: true, false: false }[asked];
  const numbers = asked.split(",").map((part) => (part.trim() ? Number(part) : Number.NaN));
  return control.kind === "point" ? numbers : numbers.length === 1 ? numbers[0] : undefined;
}

/**
 * Read what a query asks of a figure; what it may not ask is left out, with a complaint.
 * @param {URLSearchParams} query
 * @param {Description} description
 * @param {string} key the figure's name in the query: `key.control=value`
 */
export function read(query, description, key) {
  /** @type {Settings} */
  const settings = {};
  const complaints = [];
  for (const [name, asked] of query) {
    if (!name.startsWith(`${key}.`)) continue;
    const control = description.controls.find((c) => `${key}.${c.name}` === name);
    if (!control) {
      complaints.push(`The address sets ${quoted(name)}, which this figure has not; it is left out.`);
      continue;
    }
    const value = setting(control, asked);
    if (allows(control, value)) settings[control.name] = value;
    else
      complaints.push(
        `The address says ${control.name} = ${quoted(asked)}; ${control.label} takes ${allowed(control)}. It is left out.`,
      );
  }
  return { settings, complaints };
}

/**
 * The query with a figure's settings: those that are not as the figure starts.
 * @param {URLSearchParams} query
 * @param {Description} description
 * @param {string} key
 * @param {Settings} settings
 */
function written(query, description, key, settings) {
  const found = new URLSearchParams([...query].filter(([name]) => !name.startsWith(`${key}.`)));
  for (const { name } of description.controls) {
    if (!same(settings[name], description.settings[name]))
      found.set(`${key}.${name}`, String(settings[name]));
  }
  return found;
}

/**
 * A figure's part of the address of this page. A link has its state alone, and leads to it.
 * @param {Description} description
 * @param {string} key
 * @param {string} id of the figure in the page
 * @returns {Address}
 */
export function address(description, key, id) {
  const present = () => new URLSearchParams(location.search);
  const withState = (/** @type {Settings} */ settings, query = present(), hash = location.hash) => {
    const text = String(written(query, description, key, settings)).replaceAll("%2C", ",");
    return `${location.href.split(/[?#]/)[0]}${text && `?${text}`}${hash}`;
  };
  return {
    read: () => read(present(), description, key),
    link: (settings) => withState(settings, new URLSearchParams(), `#${id}`),
    write(settings) {
      const target = withState(settings);
      if (target !== location.href) history.replaceState(history.state, "", target);
    },
  };
}
