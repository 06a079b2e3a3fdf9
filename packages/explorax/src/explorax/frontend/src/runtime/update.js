// What becomes of a figure's state: a pure function of the state and of what has happened.

import { makeChanging } from "./changing.js";
import { makeGliding } from "./gliding.js";
import { makePlaying, stop } from "./playing.js";
import { makePredicting } from "./predicting.js";
import { makeSaying } from "./saying.js";
import { inTurn, step } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** What a hand does, and so ends a glide. */
const CHANGES = ["move", "drag", "nudge", "apply", "preset", "reset", "set"];
const HANDS = new Set([...CHANGES, "guess", "commit", "skip", "show", "predict"]);
/** After these the reader may have come to what a question asks about. */
const ARRIVES = new Set(["settle", "apply", "glide", "played", "set"]);

/**
 * The function from a figure's state, and an event, to its next state, and what is to be done about it.
 * @param {import("./state.js").Description} description
 * @param {import("./state.js").Evaluate} evaluate
 * @returns {(state: State, event: import("./state.js").Event) => import("./state.js").Step}
 */
export function makeUpdate(description, evaluate) {
  const controlOf = Object.fromEntries(description.controls.map((control) => [control.name, control]));
  const figure = { description, evaluate, controlOf };
  const changing = makeChanging(figure);
  const gliding = makeGliding(figure, changing);
  const predicting = makePredicting(figure, changing, gliding);
  /** @type {import("./state.js").Answers} */
  const on = {
    ...changing.on,
    ...gliding.on,
    ...makePlaying(figure, changing),
    ...makeSaying(figure),
    ...predicting,
    drag: (state, event) => (event.control === "guess" ? predicting : changing.on).drag(state, event),
    layout: (state, { layout }) =>
      state.layouts.join() === layout ? step(state) : step({ ...state, layouts: [layout] }, ["render"]),
  };
  return (state, event) =>
    inTurn(
      state,
      (now) => (now.playing && HANDS.has(event.type) ? stop(now) : step(now)),
      (now) => (now.glide && HANDS.has(event.type) ? gliding.glided(now, 1) : step(now)),
      (now) => on[event.type](now, event),
      (now) => (ARRIVES.has(event.type) && !description.run ? predicting.find(now, event) : step(now)),
    );
}
