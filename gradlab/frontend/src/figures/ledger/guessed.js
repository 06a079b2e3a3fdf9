// The mean that the reader has chosen, as a line across the rows.

import { html } from "../../common/html.js";
import { r1 } from "../../views/common/numbers.js";

/** The chosen mean, NaN where there is none to be seen. @param {any} drawing */
export const guessOf = ({ guess, description }) =>
  guess?.committed ? Number.parseFloat(description.prediction.options[guess.value]) : Number.NaN;

/** @param {any} drawing @param {any} space */
export function Guessed(drawing, { panel, unit, top, bottom }) {
  const said = guessOf(drawing);
  if (!unit || Number.isNaN(said)) return null;
  const x = r1(panel + unit * said);
  return html`
    <g class="gl-guess">
      <path class="gl-guessed-rim" d=${`M${x} ${top}V${bottom}`} /><path class="gl-guessed" d=${`M${x} ${top}V${bottom}`} />
      <text x=${x + 7} y=${bottom - 9}>${drawing.description.labels.guess}</text>
    </g>`;
}
