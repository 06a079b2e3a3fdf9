// The question beside a figure as the reader meets it: a guess to set, and what came of it.

import { html } from "../common/html.js";
import { unbroken } from "../common/template.js";
import { SliderRow } from "./controls.js";
import { alongAxes, numberText } from "./settings.js";
import { Room } from "./words.js";

/**
 * The form stays as high as it is once it's answered: the answer takes the place of what was set. Its two buttons stay
 * too, and the focus on them, even where the figure is `there` already and has nothing to show.
 * @param {any} properties
 */
export function PredictionForm({ description: { prediction, reserved }, attempt, there, send, id }) {
  const { phase, touched, feedback } = attempt;
  const open = phase === "open";
  const button = (/** @type {string} */ type, /** @type {string} */ words, waits = false, done = false) =>
    html`<button type="button" disabled=${waits} aria-disabled=${done || undefined} onClick=${() => send({ type })}>${words}</button>`;
  return html`
    <div class="gl-prediction" role="group" aria-labelledby=${`${id}-question`} data-phase=${phase}>
      <p id=${`${id}-question`}><strong>Question.</strong> ${unbroken(prediction.question)}</p>
      ${Room(
        reserved.outcome,
        html`<div class=${open ? "" : "gl-past"}>${Guess({ prediction, attempt, send, id })}</div>
        ${!open && html`<p class=${`gl-outcome gl-${phase}`}>${feedback}</p>`}`,
        "gl-answer",
      )}
      <div class="gl-buttons">
        ${open ? button("commit", "Check", !touched) : button("show", there ? "Shown" : "Show it", false, there)}
        ${open ? button("skip", "Tell me") : button("predict", "Ask again")}
      </div>
    </div>
  `;
}

/** @param {any} properties */
function Guess({ prediction: { how, guess, options }, attempt: { phase, value, touched }, send, id }) {
  const set = (/** @type {any} */ value, /** @type {number | undefined} */ index = undefined) =>
    send({ type: "guess", value, index });
  /** @param {string} label @param {any} value @param {boolean} known @param {(x: number) => void} move */
  const row = (label, value, known, move, part = "", control = guess) => {
    const text = known ? numberText(control, value) : "?";
    const ariaText = known ? text : "not set";
    const own = { ...control, name: "guess" };
    return SliderRow({ control: own, value, label, text, ariaText, move, send, id: `${id}-guess${part}` });
  };
  switch (how) {
    case "choice":
      return html`
        <div class="gl-options" role="radiogroup" aria-labelledby=${`${id}-question`}>
          ${options.map(
            (/** @type {string} */ option, /** @type {number} */ i) => html`
              <label><input type="radio" name=${`${id}-guess`} data-control="guess" checked=${value === i} onChange=${() => set(i)} /> ${option}</label>
            `,
          )}
        </div>
      `;
    case "place":
      return alongAxes(guess).map((along, i) => {
        const [place, axis] = [value ?? guess.initial, guess.axes[i]];
        return row(`your guess, ${axis}`, place[i], touched, (x) => set(place.with(i, x)), `-${axis}`, along);
      });
    case "sketch":
      return html`
        <details class="gl-fold" key=${phase}>
          <summary>Draw on the picture, or set each number here</summary>
          <div class="gl-controls">
            ${value.map((/** @type {number | null} */ each, /** @type {number} */ i) =>
              row(`your guess ${i + 1}`, each ?? guess.initial, each !== null, (x) => set(x, i), `-${i}`),
            )}
          </div>
        </details>
      `;
    default:
      return row("your guess", value ?? guess.initial, touched, (x) => set(x));
  }
}
