// A figure before the hand comes to it: what a browser has run a few times, it has compiled.

import { render } from "preact";
import { html } from "../common/html.js";
import { initial, Live } from "./figure.js";
import { fromSlider, slider, snap } from "./settings.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */

const TIMES = 24;
const SLICE = 8; // milliseconds that must be left

/** Settings elsewhere: each number in sight moves through its range. @param {Description} description @param {number} time @returns {Settings} */
export function elsewhere({ controls, settings, sight }, time) {
  const share = (/** @type {number} */ i) => (0.5 + 0.382 * (time + i)) % 1;
  const moved = controls
    .filter(({ name, kind }) => sight.includes(name) && kind !== "choice" && kind !== "toggle")
    .map((control) => {
      if (control.kind === "point") {
        const [low, high] = [control.minimum, control.maximum];
        const place = [0, 1].map((i) => low[i] + share(i) * (high[i] - low[i]));
        return [control.name, snap(control, /** @type {[number, number]} */ (place), false)];
      }
      const { min, max } = slider(control, control.initial, false);
      const at = min + share(0) * (max - min);
      const whole = control.kind === "log" || control.kind === "symlog";
      return [control.name, whole ? fromSlider(control, Math.round(at), false) : snap(control, at, false)];
    });
  return { ...settings, ...Object.fromEntries(moved) };
}

/**
 * Renders a figure out of sight at other settings, whenever the browser has nothing to do, so that
 * the first frames of a drag are as fast as the later ones.
 * @param {Description} description
 * @param {(settings: Settings) => import("../common/types.js").Values} evaluate
 * @param {string} id
 * @param {() => string[]} layouts those in sight
 * @returns {() => void} what ends it early
 */
export function warm(description, evaluate, id, layouts) {
  const root = document.createElement("div");
  const state = initial(description, description.settings, evaluate(description.settings));
  if (state.attempt) state.attempt.phase = "skipped";
  state.concealed = new Set();
  state.ghost = { ...state.values, ...description.settings };
  state.moving = true;
  let time = 0;
  /** @type {() => void} */
  let cancel = () => {};

  /** @param {{timeRemaining: () => number}} deadline */
  const slice = (deadline) => {
    state.layouts = layouts();
    do {
      state.settings = elsewhere(description, time);
      state.values = evaluate(state.settings);
      render(
        html`<${Live} description=${description} state=${state} actions=${null} id=${`${id}-warm`} />`,
        root,
      );
      time += 1;
    } while (time < TIMES && deadline.timeRemaining() > SLICE);
    if (time < TIMES) wait();
    else render(null, root);
  };

  const wait = () => {
    if (!window.requestIdleCallback) {
      const timer = setTimeout(slice, 100, { timeRemaining: () => 0 });
      cancel = () => clearTimeout(timer);
      return;
    }
    const handle = requestIdleCallback(slice);
    cancel = () => cancelIdleCallback(handle);
  };

  wait();
  return () => {
    cancel();
    time = TIMES;
  };
}
