// Controls are changed: in a drag, once a frame; by a button, at once; and from outside.

import { announce } from "./saying.js";
import { allowed, allows, same, snap } from "./settings.js";
import { beyondEnds, inTurn, present, shownAt, step } from "./state.js";

/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("./state.js").State} State */

/** The figure's size is no longer held. @param {State} state */
export const release = (state) => step(state, ["release"]);

/** The settings that are others now. @param {State} state @param {Settings} changes @returns {Settings} */
const differing = ({ settings }, changes) =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => !same(settings[name], value)));

/** @param {import("./state.js").Figure} figure */
export function makeChanging(figure) {
  const { description, controlOf } = figure;

  /** @param {State} state @param {Settings} changes */
  function change(state, changes) {
    const changed = differing(state, changes);
    const names = Object.keys(changed);
    if (!names.length) return step(state);
    const settings = { ...state.settings, ...changed };
    // a slider that has been taken beyond its ends stays as wide while the hand is on it
    const next = {
      ...shownAt(figure, state, settings),
      copied: null,
      widened: new Set([...state.widened, ...beyondEnds(description, settings)]),
      touched: new Set([...state.touched, ...names]),
    };
    return step(next, ["render"], ["speakSoon"], ["tell", changed]);
  }

  /** However often the hand moves, the program runs once a frame. @param {State} state @param {Settings} changes */
  function move(state, changes) {
    const ghost = (state.moving && state.ghost) || present(state); // none that a button left
    const waiting = { ...state.waiting, ...changes };
    return step({ ...state, ghost, moving: true, waiting }, ["freeze"], ["frame"]);
  }

  /** Sliders are as wide as what they are set to asks for. @param {State} state */
  const fit = (state) => step({ ...state, widened: new Set(beyondEnds(description, state.settings)) });

  /** @param {State} state */
  const flush = (state) => change({ ...state, waiting: null }, state.waiting ?? {});

  /** Set controls at once, as by a button. @param {State} state @param {Settings} changes */
  const apply = (state, changes) =>
    inTurn(
      state,
      flush,
      release,
      (now) => change({ ...now, ghost: present(now), moving: false }, changes),
      fit,
      (now) => step(now, ["write", now.settings]),
    );

  /**
   * `move`: a slider moves, or a handle is taken that sets a control besides; `drag`: a handle asks for
   * what falls on a step, if `wide` beyond the slider's ends too; `nudge`: a point goes one step along each axis; `carry`: the hand holds what the view draws
   * itself; `settle`: the hand is still, and where it `rests` it is off; `set`: someone else sets controls and is not
   * told, what is not allowed is said and not set.
   * @type {import("./state.js").Answers}
   */
  const on = {
    move: (state, { changes }) => move(state, changes),
    drag(state, { control, to, wide, exact }) {
      const value = exact ? to : snap(controlOf[control], to, wide || state.widened.has(control));
      return value === undefined ? step(state) : move(state, { [control]: value });
    },
    nudge(state, { control, dx, dy }) {
      const size = controlOf[control].step;
      const [x, y] = state.waiting?.[control] ?? state.settings[control];
      return on.drag(state, { control, to: [x + dx * size, y + dy * size] });
    },
    carry: (state, { hand }) => step({ ...state, hand }, ["render"]),
    frame: flush,
    settle: (state, { rests }) =>
      inTurn(
        { ...state, ghost: null, moving: false, hand: null },
        flush,
        release,
        (now) => step(now.concealed.size ? shownAt(figure, now) : now), // the mask lifts
        rests ? fit : step,
        (now) => (rests ? step(now, ["render"], ["write", now.settings]) : step(now, ["render"])),
      ),
    apply: (state, { changes }) => apply(state, changes),
    reset: (state) =>
      inTurn(
        state,
        flush,
        release,
        (now) => change({ ...now, ghost: null, widened: new Set() }, description.settings),
        (now) => step(now, ["render"], ["write", now.settings]),
      ),
    set(state, { changes }) {
      const asked = Object.entries(differing(state, changes));
      const allowing = (/** @type {[string, any]} */ [name, value]) => allows(controlOf[name], value);
      const { state: next, effects } = change(state, Object.fromEntries(asked.filter(allowing)));
      const quiet = step(next, ...effects.filter(([name]) => name !== "tell"));
      const refused = asked.find((each) => !allowing(each));
      if (!refused) return quiet;
      const [name, value] = refused;
      const control = controlOf[name];
      const complaint = `${name} = ${value} is not allowed: ${control.label} takes ${allowed(control)}.`;
      return inTurn(
        state,
        () => quiet,
        (now) => announce({ ...now, complaint }, complaint),
      );
    },
  };
  return { change, flush, fit, apply, on };
}
