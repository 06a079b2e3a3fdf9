// Predict, commit, reveal: the reader's guess, what is kept back meanwhile, and what it is compared with.

import { same } from "./settings.js";

/** @typedef {import("../common/types.js").Prediction} Prediction */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */

/**
 * A prediction as it stands: `value` is the reader's guess, null where there is none yet.
 * @typedef {{phase: "open" | "committed" | "skipped", value: any, touched: boolean, answer: any,
 *   feedback: string, settings: Settings | null}} Attempt
 */

/** An attempt that has not begun. @param {Prediction} prediction @returns {Attempt} */
export function begin({ how, count }) {
  const value = how === "sketch" ? Array(count).fill(null) : null;
  return { phase: "open", value, touched: false, answer: null, feedback: "", settings: null };
}

/**
 * What an attempt keeps back while it is open: the results that are not to be seen yet, and the
 * controls that stand still, with where they stand.
 * @param {Prediction | null} prediction @param {Attempt | null} attempt
 * @returns {{concealed: Set<string>, held: Settings}}
 */
export function keptBack(prediction, attempt) {
  const open = attempt?.phase === "open" ? prediction : null;
  return { concealed: new Set(open?.conceals), held: open?.holds ?? {} };
}

/** The handles of controls that do not stand still. @param {import("../common/types.js").Handle[]} handles @param {Settings} held */
export const free = (handles, held) => handles.filter(({ control }) => !(control in held));

/** NaN for each number of a result, the same each time. @type {Map<number, Float64Array>} */
const blanks = new Map();

/** @param {number} length */
function blank(length) {
  const found = blanks.get(length) ?? new Float64Array(length).fill(Number.NaN);
  blanks.set(length, found);
  return found;
}

/** What may be seen of the results: NaN stands for the others, so that nothing can draw or say them. @param {Values} values @param {Set<string>} concealed @returns {Values} */
export function withheld(values, concealed) {
  const seen = { ...values };
  for (const name of concealed)
    seen[name] = typeof values[name] === "object" ? blank(values[name].length) : Number.NaN;
  return seen;
}

/**
 * The guess as a view draws it: while it is made, and afterwards where it was asked for.
 * @param {Attempt | null} attempt
 * @param {Settings} settings
 * @returns {import("../common/types.js").Guess | null}
 */
export function drawn(attempt, settings) {
  if (!attempt || attempt.phase === "skipped") return null;
  const { phase, value, answer } = attempt;
  if (phase === "open") return { value, committed: false };
  const asked = attempt.settings ?? {};
  return Object.keys(asked).every((name) => same(asked[name], settings[name]))
    ? { value, committed: true, answer }
    : null;
}

/** An attempt with one more guess. @param {Attempt} attempt @param {any} value @param {number} [index] @returns {Attempt} */
export function guessed(attempt, value, index) {
  const next = index === undefined ? value : attempt.value.with(index, value);
  return { ...attempt, value: next, touched: true };
}

/**
 * The truth that a guess is compared with: a number, the place of an option, or several numbers.
 * @param {Prediction} prediction
 * @param {any} result
 */
export function truth({ how, count }, result) {
  if (how === "sketch") return Array.from(result).slice(0, count);
  if (how === "place") return Array.from(result);
  return Number(result);
}
