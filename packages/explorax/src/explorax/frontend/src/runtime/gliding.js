// The state on its way to other settings, and where it arrives.

import { release } from "./changing.js";
import { settingsAt } from "./glide.js";
import { inTurn, present, shownAt, step } from "./state.js";

/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("./state.js").State} State */

/** @param {import("./state.js").Figure} figure @param {ReturnType<typeof import("./changing.js").makeChanging>} changing */
export function makeGliding(figure, { apply, change, fit, flush }) {
  const { description } = figure;

  /**
   * Glide to other settings. The address has them at once, but where a question is answered (`reveals`) it stays as it was.
   * @param {State} state @param {Settings} changes @param {boolean} [reveals] @returns {import("./state.js").Step}
   */
  function glide(state, changes, reveals = false) {
    const { state: next, effects } = description.run
      ? apply(state, changes) // each setting on the way would be another run
      : set(state, { ...state.settings, ...changes }, reveals);
    return step(next, ...effects.filter(([name]) => !reveals || name !== "write"));
  }

  /** @param {State} state @param {Settings} to @param {boolean} reveals */
  function set(state, to, reveals) {
    const way = { from: state.settings, to, reveals };
    const next = { ...state, ghost: present(state), moving: true, copied: null, glide: way };
    return step(next, ["freeze"], ["render"], ["glide"], ["write", to]);
  }

  /** What a glide shows at a time from 0 to 1; at its end it tells what has changed. @param {State} state @param {number} t */
  function glided(state, t) {
    if (!state.glide) return step(state);
    if (t < 1) {
      return step(shownAt(figure, state, settingsAt(description.controls, state.glide, t)), ["render"]);
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

  /** `lead`: the page moves the figure, which is neither said nor in the address; `glide`: so much of the way is gone. @type {import("./state.js").Answers} */
  const on = {
    preset: (state, { changes }) => inTurn(state, flush, release, (now) => glide(now, changes)),
    lead(state, { changes }) {
      const { state: next, effects } = glide(state, changes, true);
      return step({ ...next, ghost: null }, ...effects);
    },
    glide: (state, { t }) => glided(state, t),
  };
  return { glide, glided, on };
}
