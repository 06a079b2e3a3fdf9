// A figure's state: all that it shows, and what it is about to; and steps from one state to the next.

import { begin, masked, withheld } from "./prediction.js";
import { begun } from "./run/update.js";
import { beyond } from "./settings.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */

/**
 * `ghost` is what the figure showed before a drag, `layouts` those to draw, `widened` the sliders that have been taken
 * beyond their ends, `moving` whether the reader drags, `links` whether the page's address can hold the settings,
 * `waiting` what the next frame sets, `touched` the controls whose values are still to be said, `complaint` what was
 * asked for and cannot be, `glide` the way to other settings while it lasts, `playing` the control that goes up by
 * itself, `hand` where in the picture the hand holds what it carries, `concealed` what a mask hides.
 * @typedef {{settings: Settings, values: Values, ghost: Values | null, lit: import("../common/types.js").Lit,
 *   layouts: string[], announced: string, complaint: string, copied: {what: string, text: string, done: boolean} | null, widened: Set<string>,
 *   moving: boolean, links: boolean, attempt: import("./prediction.js").Attempt | null,
 *   concealed: Set<string>, waiting: Settings | null,
 *   touched: Set<string>, glide: import("./glide.js").Glide | null, playing: string | null, hand: [number, number] | null,
 *   run?: import("./run/update.js").Run}} State
 * @typedef {{type: string, [detail: string]: any}} Event
 * @typedef {[name: string, detail?: any]} Effect what is to be done now: `hydrate` does it
 * @typedef {{state: State, effects: Effect[]}} Step
 * @typedef {(settings: Settings) => Values} Evaluate
 * @typedef {{description: Description, evaluate: Evaluate,
 *   controlOf: Record<string, import("../common/types.js").Control>}} Figure
 * @typedef {Record<string, (state: State, event: any) => Step>} Answers to events, by their types
 */

/** The sliders that stand beyond their ends. @param {Description} description @param {Settings} settings */
export const beyondEnds = ({ controls }, settings) =>
  controls.filter((control) => beyond(control, settings[control.name])).map(({ name }) => name);

/** A figure's first state. @param {Description} description @param {Settings} settings @param {Evaluate} evaluate @param {string[]} layouts @returns {State} */
export function initial(description, settings, evaluate, layouts) {
  return {
    settings,
    values: evaluate(settings),
    ghost: null,
    hand: null,
    lit: null,
    layouts,
    announced: "",
    complaint: "",
    copied: null,
    widened: new Set(beyondEnds(description, settings)),
    moving: false,
    links: true,
    attempt: description.prediction && begin(description.prediction),
    concealed: new Set(),
    waiting: null,
    touched: new Set(),
    glide: null,
    playing: null,
    ...(description.run && { run: begun(description, evaluate, settings) }),
  };
}

/** A state at settings, with their values, some of which may be masked. @param {Figure} figure @param {State} state @param {Settings} [settings] @returns {State} */
export function shownAt({ description, evaluate }, state, settings = state.settings) {
  const concealed = masked(description, state.attempt, state.moving, settings);
  return { ...state, settings, concealed, values: withheld(evaluate(settings), concealed, state.values) };
}

/** All that is there by name, to be a ghost. @param {State} state @returns {Values} */
export const present = ({ values, settings }) => ({ ...values, ...settings });

/** @param {State} state @param {Effect[]} effects @returns {Step} */
export const step = (state, ...effects) => ({ state, effects });

/** One step after another, with the effects of them all. @param {State} state @param {((state: State) => Step)[]} steps */
export const inTurn = (state, ...steps) =>
  steps.reduce((done, next) => {
    const { state, effects } = next(done.state);
    return step(state, ...done.effects, ...effects);
  }, step(state));
