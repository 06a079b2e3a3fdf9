// A control that goes up by itself, by one at a time, to its end.

import { inTurn, step } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** @param {State} state */
export const stop = (state) => step({ ...state, playing: null }, ["play", null], ["render"]);

/**
 * `play`: a control is to go up, or to stop; `played`: it goes up by one.
 * @param {import("./state.js").Figure} figure @param {ReturnType<typeof import("./changing.js").makeChanging>} changing
 * @returns {import("./state.js").Answers}
 */
export function makePlaying({ controlOf }, { apply }) {
  return {
    play(state, { control }) {
      if (state.playing === control) return stop(state);
      const { minimum, maximum } = controlOf[control];
      const again = state.settings[control] === maximum ? { [control]: minimum } : {};
      return inTurn(
        { ...state, playing: control },
        (now) => apply(now, again),
        (now) => step(now, ["play", control], ["render"]),
      );
    },
    played(state) {
      const name = state.playing;
      if (!name) return step(state);
      const next = state.settings[name] + 1;
      const ends = next >= controlOf[name].maximum;
      return inTurn(
        state,
        (now) => apply(now, { [name]: next }),
        (now) => (ends ? stop(now) : step(now)),
      );
    },
  };
}
