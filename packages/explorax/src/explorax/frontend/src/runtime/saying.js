// What is said: what has been set, a part that is walked to, what was copied, and what cannot be set.

import { partInWords, visibleSentence } from "./sentences.js";
import { forSpeech, settingText } from "./settings.js";
import { inTurn, step } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** Announce to those who listen; nothing that was to be announced later is said over it. @param {State} state @param {string} announced */
export function announce(state, announced) {
  const next = { ...state, announced: forSpeech(announced), touched: new Set() };
  return state.touched.size ? step(next, ["write", state.settings], ["render"]) : step(next, ["render"]);
}

/**
 * `light`: a part is lit, or none; `walk`: one is lit from the keyboard, and said; `speak`: what has been set is said,
 * when the hand has been still.
 * @param {import("./state.js").Figure} figure
 * @returns {import("./state.js").Answers}
 */
export function makeSaying({ description, controlOf }) {
  /** @type {import("./state.js").Answers} */
  const on = {
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
    speak(state) {
      const what = [...state.touched].map((name) => {
        const { symbol, label } = controlOf[name];
        return `${symbol || label}: ${settingText(controlOf[name], state.settings[name])}.`;
      });
      return what.length
        ? announce(state, `${what.join(" ")} ${visibleSentence(description, state)}`)
        : step(state);
    },
    copy: (state, { what }) => step(state, ["copy", what]),
    copied: (state, { what, text, done }) =>
      announce({ ...state, copied: { what, text, done } }, `${done ? "Copied" : "Copy this"}: ${text}`),
    dismiss: (state) => step({ ...state, complaint: "" }, ["render"]),
  };
  return on;
}
