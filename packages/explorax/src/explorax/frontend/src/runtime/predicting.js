// A prediction is made, committed to or skipped, and made again; then its answer is told.

import { release } from "./changing.js";
import { answerInWords, outcome } from "./outcome.js";
import { begin, guessed, keptBack, truth, withheld } from "./prediction.js";
import { announce } from "./saying.js";
import { snap } from "./settings.js";
import { inTurn, step } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {import("./state.js").Figure} figure
 * @param {ReturnType<typeof import("./changing.js").makeChanging>} changing
 * @param {ReturnType<typeof import("./gliding.js").makeGliding>} gliding
 */
export function makePredicting({ description, evaluate }, { change, flush }, { glide }) {
  /** @type {any} */
  const { prediction } = description;

  /** @param {State} state @param {Partial<import("./prediction.js").Attempt>} changes */
  function attempted(state, changes) {
    const attempt = state.attempt && { ...state.attempt, ...changes };
    const { concealed, held } = keptBack(prediction, attempt);
    return { ...state, attempt, concealed, held, values: withheld(evaluate(state.settings), concealed) };
  }

  /** What a prediction is compared with, at its settings, and all that can be told of it there. @param {State} state */
  function truly(state) {
    const { answer, settings: own } = prediction;
    const settings = { ...state.asked, ...own };
    const values = evaluate(settings);
    const is = truth(prediction, values[answer]);
    return { answer: is, all: { ...settings, ...values }, settings };
  }

  /** `drag`: the hand places a guess in the picture; `skip`: the answer is told and, where it is to be shown, gone `to`. @type {import("./state.js").Answers} */
  const on = {
    drag: (state, { to, index }) => on.guess(state, { value: snap(prediction?.guess, to, false), index }),
    guess(state, { value, index }) {
      if (value === undefined || !state.attempt) return step(state);
      const next = { ...state, attempt: guessed(state.attempt, value, index) };
      return prediction?.how === "choice" ? step(next, ["render"]) : step(next, ["freeze"], ["render"]);
    },
    commit(state) {
      if (!prediction || !state.attempt?.touched) return step(state);
      const { value } = state.attempt;
      return inTurn(
        state,
        flush,
        release,
        (now) => {
          const { answer, all, settings } = truly(now);
          const feedback = outcome(prediction, value, answer, all);
          return step(attempted(now, { phase: "committed", answer, feedback, settings }));
        },
        (now) => announce(now, now.attempt?.feedback ?? ""),
        (now) => glide(now, prediction.settings, true),
      );
    },
    skip(state, { to }) {
      if (!prediction) return step(state);
      const { answer, all } = truly(state);
      const feedback = answerInWords(prediction, answer, all);
      return inTurn(
        state,
        flush,
        release,
        (now) => step(attempted(now, { phase: "skipped", feedback })),
        (now) => announce(now, feedback),
        (now) => (to ? glide(now, to, true) : change(now, now.asked)),
      );
    },
    predict: (state) =>
      prediction
        ? inTurn(
            attempted({ ...state, ghost: null }, begin(prediction)),
            (now) => change(now, {}),
            (now) => announce(now, prediction.question),
          )
        : step(state),
  };
  return on;
}
