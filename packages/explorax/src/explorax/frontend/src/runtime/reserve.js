// The room that a figure's words may need, so that nothing changes its height under the hand.

import { fill } from "../common/template.js";
import { lineText } from "./equation.js";
import { answerInWords, FOUND, outcome } from "./outcome.js";
import { truth } from "./prediction.js";
import { between } from "./settings.js";

/** @typedef {import("../common/types.js").Control} Control */
/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {(settings: Settings) => import("../common/types.js").Values} Evaluate */

const PLACES = 9; // of each control alone
const TOGETHER = 48; // places of all of them
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23];

/** Text of the same shape that tells nothing: every letter and every digit is another. @param {string} text */
const blank = (text) => text.replace(/\p{L}/gu, "n").replace(/\d/g, "0");

/** The longest of some texts. @param {string[]} texts */
const longest = (texts) => texts.reduce((most, text) => (text.length > most.length ? text : most), "");

/** A number's digits written behind the point, in a base: numbers that fill the space from 0 to 1. @param {number} n @param {number} base */
function mirrored(n, base) {
  let [found, unit] = [0, 1];
  for (let rest = n; rest > 0; rest = Math.floor(rest / base)) {
    unit /= base;
    found += unit * (rest % base);
  }
  return found;
}

/** A control's setting at a place from 0 to 1. @param {Control} control @param {number} t @returns {any} */
function at(control, t) {
  const { kind, options, minimum, maximum } = control;
  if (kind === "choice") return options[Math.min(options.length - 1, Math.floor(t * options.length))][0];
  if (kind === "toggle") return t >= 0.5;
  return between(control, minimum, maximum, t);
}

/** Settings from all over what the controls can be set to. @param {Description} description @returns {Settings[]} */
function samples({ controls, settings, presets, stills }) {
  const alone = controls.flatMap((control) => {
    const count = control.kind === "choice" ? control.options.length : PLACES;
    return Array.from({ length: count }, (_, i) => ({
      ...settings,
      [control.name]: at(control, i / (count - 1 || 1)),
    }));
  });
  const together = Array.from({ length: TOGETHER }, (_, n) =>
    Object.fromEntries(controls.map((c, i) => [c.name, at(c, mirrored(n + 1, PRIMES[i % PRIMES.length]))])),
  );
  const ends = [0, 1].map((end) => Object.fromEntries(controls.map((c) => [c.name, at(c, end)])));
  const named = [...presets.map((preset) => preset.settings), ...stills];
  return [settings, ...named.map((some) => ({ ...settings, ...some })), ...alone, ...ends, ...together];
}

/** All that may be said once a question is answered. @param {Description} description @param {Settings[]} some @param {Evaluate} evaluate */
function outcomes({ prediction }, some, evaluate) {
  if (!prediction) return [];
  const { how, guess, options, count, answer } = prediction;
  const ends = how === "choice" ? options.map((_, i) => i) : [guess.minimum, guess.maximum];
  const guesses = how === "sketch" ? ends.map((end) => Array(count).fill(end)) : ends;
  return some.flatMap((each) => {
    const settings = { ...each, ...prediction.settings };
    const values = evaluate(settings);
    const is = truth(prediction, values[answer]);
    const all = { ...settings, ...values };
    return [
      `${FOUND} ${answerInWords(prediction, is, all)}`,
      ...guesses.map((value) => outcome(prediction, value, is, all)),
    ];
  });
}

/** All that the sentence may be at some settings: of a run, what it says later too. @param {Description} description @param {Settings} settings @param {import("../common/types.js").Values} values */
function sentencesAt(description, settings, values) {
  const all = { ...settings, ...values };
  const { run, sentences } = description;
  const templates = run ? [...sentences] : [sentences[values.case ?? 0]];
  return templates.map((template) => fill(template, all).replaceAll("NaN", "00.00"));
}

/**
 * A description with what its figure makes room for: the longest that its sentence, its equation, and what is said
 * of its prediction, become, as texts that tell nothing.
 * @param {Description} description
 * @param {Evaluate} evaluate
 * @returns {Description}
 */
export function withRoom(description, evaluate) {
  if (description.reserved) return description; // by who drew it before
  const some = samples(description);
  const all = some.map((settings) => ({ settings, values: evaluate(settings) }));
  const said = all.flatMap(({ settings, values }) => sentencesAt(description, settings, values));
  const written = (/** @type {string} */ line) =>
    longest(all.map(({ settings, values }) => lineText(line, { ...settings, ...values })));
  const told = outcomes(description, some, evaluate);
  return {
    ...description,
    reserved: {
      sentence: blank(longest(said)),
      outcome: blank(longest(told)),
      equation: description.equation.map((line) => blank(written(line))),
    },
  };
}
