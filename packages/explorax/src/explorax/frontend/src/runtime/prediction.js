// A question beside a figure: the reader's guess, what a mask hides meanwhile, and what the guess is compared with.

import { same } from "./settings.js";

/** @typedef {import("../common/types.js").Prediction} Prediction */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */

/**
 * A prediction as it is: `value` is the reader's guess, null where there is none yet. It's `found` where the reader
 * has gone to what is asked about, and so seen the answer; `shared` where all answers of the book are shown.
 * @typedef {{phase: "open" | "committed" | "skipped" | "found", value: any, touched: boolean, answer: any,
 *   feedback: string, settings: Settings | null, shared?: boolean}} Attempt
 */

/** An attempt that has not begun. @param {Prediction} prediction @returns {Attempt} */
export function begin({ how, count }) {
  const value = how === "sketch" ? Array(count).fill(null) : null;
  return { phase: "open", value, touched: false, answer: null, feedback: "", settings: null };
}

/** Tell if what was remembered is still a guess at this question. @param {Prediction} prediction @param {any} value */
export function fits({ how, options, count }, value) {
  if (how === "choice") return options[value] !== undefined;
  if (how === "number") return Number.isFinite(value);
  return Array.isArray(value) && value.length === count;
}

/** Tell if settings are those that a question asks about. @param {Prediction} prediction @param {Settings} settings */
export const asksAbout = (prediction, settings) =>
  Object.entries(prediction.settings).every(([name, value]) => same(value, settings[name]));

/** @type {Set<string>} */
const NOTHING = new Set();

/**
 * The results that a mask hides: those asked for, while the hand passes the settings that are asked about.
 * @param {import("../common/types.js").Description} description @param {Attempt | null} attempt
 * @param {boolean} moving @param {Settings} settings
 */
export const masked = ({ prediction, run }, attempt, moving, settings) =>
  prediction && !run && moving && attempt?.phase === "open" && asksAbout(prediction, settings)
    ? new Set(prediction.conceals)
    : NOTHING;

/** Results of which those that a mask hides stay as they were before the hand came there: no view has to draw what isn't to be seen. @param {Values} values @param {Set<string>} concealed @param {Values} before @returns {Values} */
export function withheld(values, concealed, before) {
  const seen = { ...values };
  for (const name of concealed) seen[name] = before[name];
  return seen;
}

/**
 * The guess as a view draws it: while it is made, and afterwards where it was asked for.
 * @param {Attempt | null} attempt
 * @param {Settings} settings
 * @returns {import("../common/types.js").Guess | null}
 */
export function drawn(attempt, settings) {
  if (attempt?.phase !== "open" && attempt?.phase !== "committed") return null;
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
