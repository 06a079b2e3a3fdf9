// What is said once a question is answered: how near the guess came, and the truth.

import { general, number, vector } from "../common/numberFormat.js";
import { fill, unbroken } from "../common/template.js";
import { alongAxes, settingText, slider } from "./settings.js";

/** @typedef {import("../common/types.js").Prediction} Prediction */

/** How the answer begins where the reader has gone to it. */
export const FOUND = "You found out by trying.";

/**
 * The truth in a sentence of its own: the prediction's, filled from what is there then, or a plain one.
 * @param {Prediction} prediction @param {any} answer @param {Record<string, any>} all settings and results
 */
export function answerInWords({ how, options, unit, reveal }, answer, all) {
  if (how === "choice" && options[answer] === undefined) return "It is none of these.";
  const told = reveal.length > 1 ? reveal[answer] : reveal[0];
  if (told) return unbroken(fill(told, all));
  if (how === "choice") return `The answer is “${options[answer]}”.`;
  if (how === "place") return `It is ${vector(answer, ".3~g")}.`;
  if (how === "sketch") return "The picture shows it now.";
  return `It is ${general(answer)}${unit}.`;
}

/** The guess beside the truth: if it is right, how far off it is, and the truth in words. @param {Prediction} prediction @param {any} value @param {any} answer @param {Record<string, any>} all */
export function outcome(prediction, value, answer, all) {
  const { how, guess, unit } = prediction;
  const is = answerInWords(prediction, answer, all);
  if (how === "choice") return `${value === answer ? "Yes." : "Not quite."} ${is}`;
  if (how === "sketch") return `${sketched(value, answer)} ${is}`;
  const place = how === "place";
  const said = `${settingText(guess, value)}${place ? "" : unit}`;
  if (![answer].flat().every(Number.isFinite)) return `You said ${said}. ${is}`;
  const first = nearness(guess, value, answer);
  if (first === "Yes") return `Yes. ${is}`;
  const away = place ? Math.hypot(value[0] - answer[0], value[1] - answer[1]) : Math.abs(value - answer);
  const side = value > answer ? "high" : "low";
  const ratio = Math.max(value / answer, answer / value);
  const error = place
    ? `${number(away, ".2~g")} away`
    : guess.kind === "log" && ratio > 0
      ? `too ${side} by a factor of ${general(ratio)}`
      : `too ${side} by ${awayText(guess, away)}${unit.trim() === "%" ? " percentage points" : unit}`;
  return `${first}: ${said} is ${error}. ${is}`;
}

/** A distance in the steps of the guess, or smaller than one. @param {any} guess @param {number} away */
function awayText({ step, kind }, away) {
  const decimals = kind.endsWith("log") ? 20 : Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return general(Number(away.toFixed(decimals)) || Number(away.toPrecision(1)));
}

/** How near a guess is, as its sliders go: right if none could be set nearer, close within a twentieth. @param {any} guess @param {any} value @param {any} answer */
function nearness(guess, value, answer) {
  const axes = guess.kind === "point" ? alongAxes(guess) : [guess];
  const [values, answers] = [[value].flat(), [answer].flat()];
  const gaps = axes.map((axis, i) => {
    const [said, is] = [values[i], answers[i]].map((each) => slider(axis, each, false));
    return { steps: Math.abs(said.value - is.value) / said.step, share: said.step / (said.max - said.min) };
  });
  if (gaps.every(({ steps }) => steps < 0.5 + 1e-6)) return "Yes";
  return Math.hypot(...gaps.map(({ steps, share }) => steps * share)) <= 0.05 ? "Close" : "Not quite";
}

/** The error of a sketch in words. @param {(number | null)[]} value @param {number[]} answer */
function sketched(value, answer) {
  /** @type {number[]} the error at each step, NaN where there is none */
  const errors = value.map((x, i) => (x === null ? Number.NaN : Math.abs(x - answer[i])));
  const finite = errors.filter(Number.isFinite);
  if (!finite.length) return "The truth is no number where you have drawn.";
  const most = Math.max(...finite);
  const mean = finite.reduce((sum, error) => sum + error, 0) / finite.length;
  const drawn = value.filter((x) => x !== null).length;
  const left = drawn - finite.length;
  const rest = left ? ` Where the truth is no number (${left} of ${drawn}) nothing is compared.` : "";
  return `Your sketch is ${general(mean)} off on average, and ${general(most)} at most, at number ${errors.indexOf(most) + 1} from the left.${rest}`;
}
