// The live part: the state of a figure, and what is said aloud.

import { render } from "preact";
import { beyond, spoken } from "./controls.js";
import { Live, sentence } from "./figure.js";
import { drag, point, walk } from "./hand.js";
import { html } from "./html.js";
import { load } from "./program.js";
import { VIEWS } from "./views/index.js";

/** @typedef {import("./types.js").Description} Description */
/** @typedef {import("./types.js").Settings} Settings */

const QUIET = 500;
const WIDE = 688;

/**
 * Makes a figure answer. `root` may hold the same figure as rendered before.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {{id: string, onChange?: (changed: Settings) => void}} options
 */
export async function hydrate(root, description, { id, onChange }) {
  const evaluate = await load(description);
  const view = VIEWS[description.view];
  const by = Object.fromEntries(description.controls.map((control) => [control.name, control]));
  let settings = { ...description.settings };
  /** @type {import("./figure.js").State} */
  const state = {
    settings,
    values: evaluate(settings),
    ghost: null,
    lit: null,
    layouts: Object.keys(view.layouts),
    said: "",
    widened: new Set(),
  };
  widen();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speaking;
  /** @type {Set<string>} */
  const touched = new Set();

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
    const changed = Object.keys(changes).filter((name) => settings[name] !== changes[name]);
    if (!changed.length) return;
    settings = { ...settings, ...changes };
    state.settings = settings;
    state.values = evaluate(settings);
    widen();
    for (const name of changed) touched.add(name);
    clearTimeout(speaking);
    speaking = setTimeout(speak, QUIET);
    paint();
    if (!quiet) onChange?.(Object.fromEntries(changed.map((name) => [name, settings[name]])));
  };

  const speak = () => {
    const what = [...touched].map(
      (name) => `${by[name].symbol || by[name].label}: ${spoken(by[name], settings[name])}.`,
    );
    touched.clear();
    state.said = `${what.join(" ")} ${sentence(description, settings, state.values)}`;
    paint();
  };

  const remember = () => {
    state.ghost ??= { ...state.values, ...settings };
  };

  const actions = {
    /** @param {string} name @param {any} value */
    set(name, value) {
      remember();
      change({ [name]: value });
    },
    /** @param {Settings} changes */
    apply(changes) {
      state.ghost = { ...state.values, ...settings };
      change(changes);
    },
    reset() {
      state.ghost = null;
      state.widened.clear();
      change(description.settings);
    },
    settle() {
      state.ghost = null;
      paint();
    },
    /** @param {string} words */
    say(words) {
      state.said = words;
      paint();
    },
    /** @param {import("./types.js").Lit} lit */
    light(lit) {
      if (lit?.kind === state.lit?.kind && lit?.index === state.lit?.index) return;
      state.lit = lit;
      paint();
    },
  };

  paint();
  drag(root, description, state, actions, by);
  point(root, actions);
  walk(root, description, state, actions);
  const resized = new ResizeObserver(([entry]) => {
    const width = entry.contentRect.width;
    if (!width) return;
    state.layouts = [width >= WIDE ? "wide" : "narrow"];
    paint();
  });
  resized.observe(root);

  return {
    /** Sets controls from outside; tells nobody. @param {Settings} changes */
    set: (changes) => change(changes, { quiet: true }),
    get settings() {
      return settings;
    },
    get values() {
      return state.values;
    },
    destroy() {
      clearTimeout(speaking);
      resized.disconnect();
      render(null, root);
    },
  };
}
