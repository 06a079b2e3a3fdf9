// The live part: the state of a figure, and what is said aloud.

import { render } from "preact";
import { html } from "../common/html.js";
import { initial, Live, telling } from "./figure.js";
import { holder } from "./freezeLayout.js";
import { drag, point, walk } from "./interaction.js";
import { begin, drawn, guessed, hidden, outcome, revealed, truth } from "./prediction.js";
import { load } from "./program.js";
import { allowed, allows, beyond, listened, python, same, snap, spoken } from "./settings.js";
import { warm } from "./warm.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */

const QUIET = 500;
const WIDE = 688;
const SLIM = 480;

/**
 * Makes a figure answer. `root` may hold the same figure as rendered before. `onChange` hears each
 * change that was made here; `address` keeps the state, where the page's address can.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {{id: string, onChange?: (changed: Settings) => void,
 *   address?: import("./address.js").Address | null}} options
 */
export async function hydrate(root, description, { id, onChange, address = null }) {
  const evaluate = await load(description);
  const figure = /** @type {HTMLElement} */ (root.closest(".gl-figure") ?? root);
  const { hold, release } = holder(figure, root);
  const by = Object.fromEntries(description.controls.map((control) => [control.name, control]));
  const { prediction } = description;
  const kept = address?.read() ?? { settings: {}, complaints: [] };
  let settings = { ...description.settings, ...kept.settings };
  const state = initial(description, settings, evaluate(settings));
  state.links = Boolean(address);
  state.said = kept.complaints.join(" ");
  widen();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speaking;
  /** @type {Set<string>} */
  const touched = new Set();
  /** @type {Settings | null} */
  let waiting = null;
  let frame = 0;

  const paint = () =>
    render(html`<${Live} description=${description} state=${state} actions=${actions} id=${id} />`, root);

  /** A slider that has been taken beyond its ends stays as wide until it is reset. */
  function widen() {
    for (const control of description.controls) {
      if (beyond(control, settings[control.name])) state.widened.add(control.name);
    }
  }

  /** @param {Settings} changes @param {{quiet?: boolean}} [how] */
  const change = (changes, { quiet = false } = {}) => {
    const changed = Object.keys(changes).filter((name) => !same(settings[name], changes[name]));
    if (!changed.length) return;
    settings = { ...settings, ...changes };
    state.settings = settings;
    state.values = evaluate(settings);
    state.copied = null;
    widen();
    for (const name of changed) touched.add(name);
    speakSoon();
    paint();
    if (!quiet) onChange?.(Object.fromEntries(changed.map((name) => [name, settings[name]])));
  };

  /** However often the hand moves, the program runs once a frame. @param {Settings} changes */
  const soon = (changes) => {
    cool();
    hold();
    state.ghost ??= { ...state.values, ...settings };
    state.moving = true;
    waiting = { ...waiting, ...changes };
    frame ||= requestAnimationFrame(flush);
  };

  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    const changes = waiting;
    waiting = null;
    if (changes) change(changes);
  };

  const speakSoon = () => {
    clearTimeout(speaking);
    speaking = setTimeout(speak, QUIET);
  };

  const speak = () => {
    const what = [...touched].map(
      (name) => `${by[name].symbol || by[name].label}: ${listened(spoken(by[name], settings[name]))}.`,
    );
    say(`${what.join(" ")} ${listened(telling(description, state))}`);
  };

  /** Nothing that was to be said later is said over it. @param {string} words */
  const say = (words) => {
    clearTimeout(speaking);
    if (touched.size) address?.write(settings);
    touched.clear();
    state.said = words;
    paint();
  };

  /** @param {Partial<import("./prediction.js").Attempt>} changes */
  const attempted = (changes) => {
    if (!state.attempt) return;
    state.attempt = { ...state.attempt, ...changes };
    state.concealed = hidden(prediction, state.attempt);
  };

  const actions = {
    /** While a slider or a handle moves. @param {string} name @param {any} value */
    set: (name, value) => soon({ [name]: value }),
    /** What a handle sets besides, where it is taken. @param {Settings} changes */
    take: (changes) => soon(changes),
    /** @param {string} name @param {any} raw @param {number} [index] */
    drag(name, raw, index) {
      if (name === "guess") return actions.guess(snap(prediction?.guess, raw, false), index);
      const value = snap(by[name], raw, state.widened.has(name));
      if (value !== undefined) soon({ [name]: value });
    },
    /** One step of a point. @param {string} name @param {number} dx @param {number} dy */
    nudge(name, dx, dy) {
      const { step } = by[name];
      const [x, y] = (waiting ?? settings)[name] ?? settings[name];
      actions.drag(name, [x + dx * step, y + dy * step]);
    },
    settle() {
      state.ghost = null;
      state.moving = false;
      const { values } = state;
      flush();
      release();
      if (values === state.values) paint();
    },
    /** @param {Settings} changes */
    apply(changes) {
      flush();
      release();
      state.ghost = { ...state.values, ...settings };
      state.moving = false;
      change(changes);
    },
    reset() {
      flush();
      release();
      state.ghost = null;
      state.widened.clear();
      change(description.settings);
      paint();
    },
    say,
    /** @param {import("../common/types.js").Lit} lit */
    light(lit) {
      if (lit?.kind === state.lit?.kind && lit?.index === state.lit?.index) return;
      state.lit = lit;
      paint();
    },
    guessing: () => drawn(state.attempt, settings),
    /** @param {any} value @param {number} [index] */
    guess(value, index) {
      if (value === undefined || !state.attempt) return;
      cool();
      if (prediction?.how !== "choice") hold();
      state.attempt = guessed(state.attempt, value, index);
      paint();
    },
    commit() {
      if (!prediction || !state.attempt?.touched) return;
      flush();
      const asked = { ...settings, ...prediction.settings };
      const values = evaluate(asked);
      const answer = truth(prediction, values[prediction.answer]);
      const said =
        outcome(prediction, state.attempt.value, answer) + revealed(prediction, { ...asked, ...values });
      attempted({ phase: "committed", answer, said, settings: asked });
      actions.apply(prediction.settings);
      say(said);
    },
    skip() {
      attempted({ phase: "skipped" });
      say(telling(description, state));
    },
    predict() {
      if (!prediction) return;
      attempted(begin(prediction));
      say(prediction.question);
    },
    /** @param {"link" | "python"} what */
    async copy(what) {
      const text = what === "link" ? (address?.link(settings) ?? "") : python(description, settings);
      const done = await copied(text);
      state.copied = { text, done };
      say(`${done ? "Copied" : "Copy this"}: ${text}`);
    },
  };

  paint();
  drag(root, description, state, actions);
  point(root, actions);
  walk(root, description, state, actions);
  const resized = new ResizeObserver(([entry]) => {
    const width = entry.contentRect.width;
    if (!width) return;
    const { classList } = figure;
    classList.add("gl-sized");
    classList.toggle("gl-slim", width <= SLIM);
    const layout = width >= WIDE ? "wide" : "narrow";
    if (state.layouts.length === 1 && state.layouts[0] === layout) return;
    state.layouts = [layout];
    paint();
  });
  resized.observe(root);
  const cool = warm(description, evaluate, id, () => state.layouts);

  return {
    /** Sets controls from outside; tells nobody. What is not allowed is said, and not set. @param {Settings} changes */
    set(changes) {
      const refused = Object.keys(changes).filter((name) => !allows(by[name], changes[name]));
      const taken = Object.entries(changes).filter(([name]) => !refused.includes(name));
      change(Object.fromEntries(taken), { quiet: true });
      if (!refused.length) return;
      const [name] = refused;
      say(`${name} = ${changes[name]} is not allowed: ${by[name].label} takes ${allowed(by[name])}.`);
    },
    get settings() {
      return settings;
    },
    get values() {
      return state.values;
    },
    destroy() {
      cool();
      release();
      clearTimeout(speaking);
      cancelAnimationFrame(frame);
      resized.disconnect();
      render(null, root);
    },
  };
}

/** Whether the clipboard took it: not every page may write to it. @param {string} text */
async function copied(text) {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
