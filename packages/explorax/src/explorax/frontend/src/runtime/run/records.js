// What a run has recorded, as a figure's results; packages/explorax/src/explorax/figure/runs/recorded.py is the other half.

import { same } from "../settings.js";

/** @typedef {import("../../common/types.js").Description} Description */
/** @typedef {import("../../common/types.js").Settings} Settings */
/** @typedef {import("../../common/types.js").Values} Values */

const CASES = { ready: 0, underWay: 1, complete: 2, stopped: 3 };

/** Empty records, to be written step by step. @param {any} run @returns {Record<string, Float64Array>} */
export const empty = ({ records, steps }) =>
  Object.fromEntries(
    records.map((/** @type {string} */ name) => [name, new Float64Array(steps).fill(Number.NaN)]),
  );

/**
 * The results of a figure after so many steps. The arrays are copied: these stay, and the records grow.
 * @param {any} run @param {Record<string, Float64Array>} records @param {number} taken
 * @param {boolean} [lost] whether what came next was no finite number
 * @returns {Values}
 */
export function results({ steps, at }, records, taken, lost = false) {
  const { ready, underWay, complete, stopped } = CASES;
  const rows = (/** @type {Float64Array} */ array) => Float64Array.from(at, (step) => array[step - 1]);
  /** @type {Values} */
  const found = {
    step_at: Float64Array.from(at),
    steps: taken,
    reached: at.filter((/** @type {number} */ step) => step <= taken).length,
    case: lost ? stopped : !taken ? ready : taken < steps ? underWay : complete,
  };
  for (const [name, array] of Object.entries(records)) {
    found[name] = array.slice();
    found[`last_${name}`] = array[Math.max(taken, 1) - 1];
    found[`${name}_at`] = rows(array);
  }
  return found;
}

/** Tell if settings are the same, every one. @param {Settings} a @param {Settings} b */
export const alike = (a, b) => Object.keys(a).every((name) => same(a[name], b[name]));

/**
 * The results at settings for which a run was recorded, and elsewhere those of one that has not begun.
 * @param {Description} description
 * @returns {(settings: Settings) => Values}
 */
export function recordedRuns({ run }) {
  const ready = results(run, empty(run), 0);
  const kept = run.recorded.map((/** @type {any} */ { settings, taken, points }) => {
    const records = empty(run);
    for (const name of run.records) fill(records[name], points[name]);
    return { settings, values: { ...results(run, records, taken, taken < run.steps), recorded: 1 } };
  });
  return (settings) =>
    kept.find((/** @type {any} */ each) => alike(each.settings, settings))?.values ?? ready;
}

/**
 * What of that is shown before the page itself has taken a step: the figure's first run, and those behind it.
 * @param {Description} description @param {(settings: Settings) => Values} evaluate
 * @returns {(settings: Settings) => Values}
 */
export function atFirst({ run, settings: first }, evaluate) {
  const ready = results(run, empty(run), 0);
  return (settings) =>
    [first, ...run.before].some((one) => alike(one, settings)) ? evaluate(settings) : ready;
}

/** Straight lines between the steps that were kept, where not all were. @param {Float64Array} array @param {{at?: number[], values: number[]}} points */
function fill(array, { at, values }) {
  if (!at) return array.set(values);
  for (const [i, step] of at.entries()) {
    const [from, first] = i ? [at[i - 1], values[i - 1]] : [step - 1, values[i]];
    for (let n = from + 1; n <= step; n++)
      array[n - 1] = values[i] + ((first - values[i]) * (step - n)) / (step - from);
  }
}
