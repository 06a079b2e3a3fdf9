// The state on its way to other settings, and where it arrives.

import { release } from "./changing.js";
import { settingsAt } from "./glide.js";
import { withheld } from "./prediction.js";
import { inTurn, present, step } from "./state.js";

/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("./state.js").State} State */

/** @param {import("./state.js").Figure} figure @param {ReturnType<typeof import("./changing.js").makeChanging>} changing */
export function makeGliding({ description, evaluate }, { apply, change, fit, flush }) {
  /** Glide to other settings; the address has them at once. @param {State} state @param {Settings} changes @param {boolean} [reveals] */
  function glide(state, changes, reveals = false) {
    if (description.run) return apply(state, changes); // each setting on the way would be another run
    const to = { ...state.settings, ...changes };
    const way = { from: state.settings, to, reveals };
    const next = { ...state, ghost: present(state), moving: true, copied: null, glide: way };
    return step(next, ["freeze"], ["render"], ["glide"], ["write", { ...state.asked, ...changes }]);
  }

  /** What a glide shows at a time from 0 to 1; at its end it tells what has changed. @param {State} state @param {number} t */
  function glided(state, t) {
    if (!state.glide) return step(state);
    if (t < 1) {
      const settings = settingsAt(description.controls, state.glide, t);
      return step({ ...state, settings, values: withheld(evaluate(settings), state.concealed) }, ["render"]);
    }
    const { from, to, reveals } = state.glide;
    const arrived = { ...state, settings: from, moving: false, glide: null };
    return inTurn(
      arrived,
      (now) => change(now, to),
      fit,
      // what it reveals has been said
      (now) => step(reveals ? { ...now, touched: state.touched } : now, ["release"], ["render"]),
    );
  }

  /** `lead`: the page shows unasked what a control does, which is neither said nor in the address; `glide`: so much of the way is gone. @type {import("./state.js").Answers} */
  const on = {
    preset: (state, { changes }) => inTurn(state, flush, release, (now) => glide(now, changes)),
    lead(state, { changes, lasts }) {
      if (description.run) return step(state);
      const { state: next } = glide(state, { ...changes, ...state.held }, true);
      return step(next, ["freeze"], ["render"], ["glide", lasts]);
    },
    glide: (state, { t }) => glided(state, t),
  };
  return { glide, glided, on };
}
