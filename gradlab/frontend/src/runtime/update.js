// What becomes of a figure's state: a pure function of the state and of what has happened.

import { fill } from "../common/template.js";
import { settingsAt } from "./glide.js";
import { answerInWords, begin, guessed, keptBack, outcome, truth, withheld } from "./prediction.js";
import { begun } from "./run/update.js";
import { partInWords, visibleSentence } from "./sentences.js";
import { allowed, allows, beyond, forSpeech, same, settingText, snap } from "./settings.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */

/**
 * The state of a figure: all that it shows, and what it is about to. `ghost` is what it showed before a drag, `layouts` those
 * to draw, `widened` the sliders that have been taken beyond their ends, `moving` whether the reader drags,
 * `links` whether the page's address can hold the settings, `waiting` what the next frame sets, `touched`
 * the controls whose values are still to be said, `complaint` what was asked for and cannot be, `glide` the way
 * to other settings while it lasts, `playing` the control that goes up by itself, `hand` where in the picture the hand
 * holds what it carries. While a prediction is open, `held` are the controls that stand still, and
 * where; `asked` is what the settings would be without them.
 * @typedef {{settings: Settings, values: Values, ghost: Values | null, lit: import("../common/types.js").Lit,
 *   layouts: string[], announced: string, complaint: string, copied: {text: string, done: boolean} | null, widened: Set<string>,
 *   moving: boolean, links: boolean, attempt: import("./prediction.js").Attempt | null,
 *   concealed: Set<string>, held: Settings, asked: Settings, waiting: Settings | null,
 *   touched: Set<string>, glide: import("./glide.js").Glide | null, playing: string | null, hand: [number, number] | null,
 *   run?: import("./run/update.js").Run}} State
 * @typedef {{type: string, [detail: string]: any}} Event
 * @typedef {[name: string, detail?: any]} Effect what is to be done now: `hydrate` does it
 * @typedef {{state: State, effects: Effect[]}} Step
 */

/** The sliders that stand beyond their ends. @param {Description} description @param {Settings} settings */
const beyondEnds = ({ controls }, settings) =>
  controls.filter((control) => beyond(control, settings[control.name])).map(({ name }) => name);

/** A figure's first state. @param {Description} description @param {Settings} asked @param {(settings: Settings) => Values} evaluate @param {string[]} layouts @returns {State} */
export function initial(description, asked, evaluate, layouts) {
  const attempt = description.prediction && begin(description.prediction);
  const { concealed, held } = keptBack(description.prediction, attempt);
  const settings = { ...asked, ...held };
  return {
    settings,
    values: withheld(evaluate(settings), concealed),
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
    attempt,
    concealed,
    held,
    asked,
    waiting: null,
    touched: new Set(),
    glide: null,
    playing: null,
    ...(description.run && { run: begun(description, evaluate, settings, concealed.size > 0) }),
  };
}

/** @param {State} state @param {Effect[]} effects @returns {Step} */
const step = (state, ...effects) => ({ state, effects });

/** What a hand does, and so ends a glide. */
const HANDS = new Set([
  "move",
  "drag",
  "nudge",
  "apply",
  "preset",
  "reset",
  "set",
  "guess",
  "commit",
  "skip",
  "predict",
]);

/** One step after another, with the effects of them all. @param {State} state @param {((state: State) => Step)[]} steps */
const inTurn = (state, ...steps) =>
  steps.reduce((done, next) => {
    const { state, effects } = next(done.state);
    return step(state, ...done.effects, ...effects);
  }, step(state));

/**
 * The function from a figure's state, and an event, to its next state, and what is to be done about it.
 * @param {Description} description
 * @param {(settings: Settings) => Values} evaluate
 * @returns {(state: State, event: Event) => Step}
 */
export function makeUpdate(description, evaluate) {
  const { controls, prediction } = description;
  const controlOf = Object.fromEntries(controls.map((control) => [control.name, control]));
  const present = (/** @type {State} */ { values, settings }) => ({ ...values, ...settings });

  /** The settings that are others now. @param {State} state @param {Settings} changes @returns {Settings} */
  const differing = ({ settings }, changes) =>
    Object.fromEntries(Object.entries(changes).filter(([name, value]) => !same(settings[name], value)));

  /** @param {State} state @param {Settings} changes */
  function change(state, changes) {
    const changed = differing(state, { ...changes, ...state.held });
    const names = Object.keys(changed);
    const asked = { ...state.asked, ...changes };
    if (!names.length) return step({ ...state, asked });
    const settings = { ...state.settings, ...changed };
    // a slider that has been taken beyond its ends stays as wide until it is reset
    const next = {
      ...state,
      settings,
      asked,
      values: withheld(evaluate(settings), state.concealed),
      copied: null,
      widened: new Set([...state.widened, ...beyondEnds(description, settings)]),
      touched: new Set([...state.touched, ...names]),
    };
    return step(next, ["render"], ["speakSoon"], ["tell", changed]);
  }

  /** However often the hand moves, the program runs once a frame. @param {State} state @param {Settings} changes */
  function move(state, changes) {
    const ghost = state.ghost ?? present(state);
    const waiting = { ...state.waiting, ...changes };
    return step({ ...state, ghost, moving: true, waiting }, ["freeze"], ["frame"]);
  }

  /** @param {State} state */
  const flush = (state) => change({ ...state, waiting: null }, state.waiting ?? {});

  /** @param {State} state */
  const release = (state) => step(state, ["release"]);

  /** Set controls at once, as by a button. @param {State} state @param {Settings} changes */
  const apply = (state, changes) =>
    inTurn(
      state,
      flush,
      release,
      (now) => change({ ...now, ghost: present(now), moving: false }, changes),
      (now) => step(now, ["write", now.asked]),
    );

  /** Glide to other settings; the address has them at once. @param {State} state @param {Settings} changes @param {boolean} [reveals] */
  function glide(state, changes, reveals = false) {
    if (description.run) return apply(state, changes); // each setting on the way would be another run
    const to = { ...state.settings, ...changes };
    const way = { from: state.settings, to, reveals };
    const next = { ...state, ghost: present(state), moving: true, copied: null, glide: way };
    return step(next, ["freeze"], ["render"], ["glide"], ["write", { ...state.asked, ...changes }]);
  }

  /** Glide there unasked: it is neither said nor in the address. @param {State} state @param {Settings} changes @param {number} lasts milliseconds */
  function lead(state, changes, lasts) {
    if (description.run) return step(state);
    const { state: next } = glide(state, { ...changes, ...state.held }, true);
    return step(next, ["freeze"], ["render"], ["lead", lasts]);
  }

  /** What a glide shows at a time from 0 to 1; at its end it tells what has changed. @param {State} state @param {number} t */
  function glided(state, t) {
    if (!state.glide) return step(state);
    if (t < 1) {
      const settings = settingsAt(controls, state.glide, t);
      return step({ ...state, settings, values: evaluate(settings) }, ["render"]);
    }
    const { from, to, reveals } = state.glide;
    const arrived = { ...state, settings: from, moving: false, glide: null };
    return inTurn(
      arrived,
      (now) => change(now, to),
      // what it reveals has been said
      (now) => step(reveals ? { ...now, touched: state.touched } : now, ["release"], ["render"]),
    );
  }

  /** @param {State} state */
  const stop = (state) => step({ ...state, playing: null }, ["play", null], ["render"]);

  /** Announce to those who listen; nothing that was to be announced later is said over it. @param {State} state @param {string} announced */
  function announce(state, announced) {
    const next = { ...state, announced, touched: new Set() };
    return state.touched.size ? step(next, ["write", state.asked], ["render"]) : step(next, ["render"]);
  }

  /** @param {State} state @param {Partial<import("./prediction.js").Attempt>} changes */
  function attempted(state, changes) {
    const attempt = state.attempt && { ...state.attempt, ...changes };
    const { concealed, held } = keptBack(prediction, attempt);
    return { ...state, attempt, concealed, held, values: withheld(evaluate(state.settings), concealed) };
  }

  /** What a prediction is compared with, at its settings; and what more is told of it. @param {State} state */
  function truly(state) {
    const { answer, reveal, settings: own } = /** @type {any} */ (prediction);
    const settings = { ...state.asked, ...own };
    const values = evaluate(settings);
    const more = reveal ? ` ${fill(reveal, { ...settings, ...values })}` : "";
    return { answer: truth(/** @type {any} */ (prediction), values[answer]), more, settings };
  }

  /**
   * `move`: a slider moves, or a handle is taken that sets a control besides; `drag`: a handle asks for
   * what falls on a step; `nudge`: a point goes one step along each axis;
   * `play`: a control is to go up by itself, or to stop; `played`: it goes up by one; `set`: someone else sets
   * controls and is not told, what is not allowed is said and not set; `settle`: the hand is still, and
   * where it `rests` it is off; `lead`: the page shows what a control does; `glide`: so much of the way is gone; `walk`: a part is lit from the
   * keyboard, and said; `speak`: what has been set is said, when the hand has been still.
   * @type {Record<string, (state: State, event: any) => Step>}
   */
  const on = {
    move: (state, { changes }) => move(state, changes),
    drag(state, { control, to, index }) {
      if (control === "guess") return on.guess(state, { value: snap(prediction?.guess, to, false), index });
      const value = snap(controlOf[control], to, state.widened.has(control));
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
      inTurn({ ...state, ghost: null, moving: false, hand: null }, flush, release, (now) =>
        rests ? step(now, ["render"], ["write", now.asked]) : step(now, ["render"]),
      ),
    apply: (state, { changes }) => apply(state, changes),
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
    preset: (state, { changes }) => inTurn(state, flush, release, (now) => glide(now, changes)),
    lead: (state, { changes, lasts }) => lead(state, changes, lasts),
    glide: (state, { t }) => glided(state, t),
    reset: (state) =>
      inTurn(
        state,
        flush,
        release,
        (now) => change({ ...now, ghost: null, widened: new Set() }, description.settings),
        (now) => step(now, ["render"], ["write", now.asked]),
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
    dismiss: (state) => step({ ...state, complaint: "" }, ["render"]),
    light: (state, { lit }) =>
      lit?.kind === state.lit?.kind && lit?.index === state.lit?.index
        ? step(state)
        : step({ ...state, lit }, ["render"]),
    walk: (state, { lit }) =>
      inTurn(
        state,
        (now) => on.light(now, { lit }),
        (now) => announce(now, partInWords(description, now, lit)),
      ),
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
          const { answer, more, settings } = truly(now);
          const feedback = outcome(prediction, value, answer) + more;
          return step(attempted(now, { phase: "committed", answer, feedback, settings }));
        },
        (now) => announce(now, now.attempt?.feedback ?? ""),
        (now) => glide(now, prediction.settings, true),
      );
    },
    skip(state) {
      if (!prediction) return step(state);
      const { answer, more } = truly(state);
      const feedback = answerInWords(prediction, answer) + more;
      return inTurn(
        attempted(state, { phase: "skipped", feedback }),
        (now) => change(now, now.asked),
        (now) => announce(now, `${feedback} ${visibleSentence(description, now)}`),
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
    copy: (state, { what }) => step(state, ["copy", what]),
    copied: (state, { text, done }) =>
      announce({ ...state, copied: { text, done } }, `${done ? "Copied" : "Copy this"}: ${text}`),
    speak(state) {
      const what = [...state.touched].map((name) => {
        const { symbol, label } = controlOf[name];
        return `${symbol || label}: ${forSpeech(settingText(controlOf[name], state.settings[name]))}.`;
      });
      return what.length
        ? announce(state, `${what.join(" ")} ${forSpeech(visibleSentence(description, state))}`)
        : step(state);
    },
    layout: (state, { layout }) =>
      state.layouts.join() === layout ? step(state) : step({ ...state, layouts: [layout] }, ["render"]),
  };
  return (state, event) =>
    inTurn(
      state,
      (now) => (now.playing && HANDS.has(event.type) ? stop(now) : step(now)),
      (now) => (now.glide && HANDS.has(event.type) ? glided(now, 1) : step(now)),
      (now) => on[event.type](now, event),
    );
}
