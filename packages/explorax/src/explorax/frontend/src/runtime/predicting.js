// A question is answered, skipped, found out by trying, and asked again; what became of it is remembered.

import { release } from "./changing.js";
import { answerInWords, FOUND, outcome } from "./outcome.js";
import { asksAbout, begin, fits, guessed, truth } from "./prediction.js";
import { announce } from "./saying.js";
import { same, snap } from "./settings.js";
import { inTurn, shownAt, step } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {import("./state.js").Figure} figure
 * @param {ReturnType<typeof import("./changing.js").makeChanging>} changing
 * @param {ReturnType<typeof import("./gliding.js").makeGliding>} gliding
 */
export function makePredicting(figure, { flush }, { glide }) {
  /** @type {any} */
  const { prediction, settings: first } = figure.description;

  /** @param {State} state @param {Partial<import("./prediction.js").Attempt>} changes @returns {State} */
  function attempted(state, changes) {
    const next = { ...state, attempt: state.attempt && { ...state.attempt, shared: false, ...changes } };
    return state.concealed.size ? shownAt(figure, next) : next;
  }

  /** What a guess is compared with: the truth at the settings asked about, and all that can be said of it. @param {State} state */
  function truly(state) {
    const settings = { ...state.settings, ...prediction.settings };
    const values = figure.evaluate(settings);
    const is = truth(prediction, values[prediction.answer]);
    return { answer: is, all: { ...settings, ...values }, settings };
  }

  /** A guess that was made, beside the truth. @param {State} state @param {any} value */
  function compared(state, value) {
    const { answer, all, settings } = truly(state);
    const feedback = outcome(prediction, value, answer, all);
    return attempted(state, { phase: "committed", value, touched: true, answer, feedback, settings });
  }

  /** The answer in words, without a guess. @param {State} state @param {"skipped" | "found"} phase */
  function told(state, phase) {
    const { answer, all } = truly(state);
    const words = answerInWords(prediction, answer, all);
    return attempted(state, { phase, feedback: phase === "found" ? `${FOUND} ${words}` : words });
  }

  /** @param {State} state */
  const remember = (state) => step(state, ["remember", state.attempt]);

  /** @param {State} state */
  const said = (state) => announce(state, state.attempt?.feedback ?? "");

  /**
   * `drag`: the hand places a guess in the picture; `skip`: the answer is told, and the picture stays as it is; `show`:
   * it goes where the question asks about; `find`: the reader has gone there; `recall`: what the browser remembers;
   * `share`: all answers of the book are shown, or no longer.
   * @type {import("./state.js").Answers}
   */
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
        (now) => step(compared(now, value)),
        remember,
        said,
        (now) => on.show(now, {}),
      );
    },
    skip: (state) =>
      prediction
        ? inTurn(state, flush, release, (now) => step(told(now, "skipped")), remember, said)
        : step(state),
    show: (state) => (prediction ? glide(state, prediction.settings, true) : step(state)),
    find(state) {
      const { attempt, moving, glide: way, settings } = state;
      if (attempt?.phase !== "open" || moving || way || !asksAbout(prediction, settings)) return step(state);
      return inTurn(state, (now) => step(told(now, "found")), remember, said);
    },
    predict(state) {
      if (!prediction) return step(state);
      const back = Object.fromEntries(Object.keys(prediction.settings).map((name) => [name, first[name]]));
      const away = Object.keys(back).some((name) => !same(back[name], state.settings[name]));
      return inTurn(
        attempted({ ...state, ghost: null }, begin(prediction)),
        remember,
        (now) => announce(now, prediction.question),
        (now) => (away && asksAbout(prediction, now.settings) ? glide(now, back, true) : step(now)),
      );
    },
    recall(state, { phase, value }) {
      if (!prediction) return step(state);
      if (phase === "open") return step(attempted(state, begin(prediction)), ["render"]);
      if (phase !== "committed") return step(told(state, phase === "found" ? phase : "skipped"), ["render"]);
      return fits(prediction, value) ? step(compared(state, value), ["render"]) : step(state);
    },
    share(state, { all }) {
      const { phase, shared } = state.attempt ?? {};
      if (all && phase === "open") {
        const next = told(state, "skipped");
        return step({ ...next, attempt: next.attempt && { ...next.attempt, shared: true } }, ["render"]);
      }
      return !all && shared ? on.recall(state, { phase: "open" }) : step(state);
    },
  };
  return on;
}
