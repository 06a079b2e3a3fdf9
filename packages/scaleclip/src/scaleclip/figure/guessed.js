// The mean that the reader has chosen, as a line across the rows.

import { html, r1, read, widthOf } from "explorax/view";

/** The chosen mean, NaN where there is none to be seen. @param {any} drawing */
export const guessOf = ({ guess, description }) =>
  guess?.committed ? Number.parseFloat(description.prediction.options[guess.value]) : Number.NaN;

/** @param {any} drawing @param {any} space */
export function Guessed(drawing, { panel, unit, full, top, tall, bottom }) {
  const said = guessOf(drawing);
  if (!unit || !(said <= full)) return null;
  const x = r1(panel + unit * said);
  const label = `${drawing.description.labels.guess}: ${said}`;
  const bound = panel + unit * Number(read(drawing, "bound"));
  const start = bound > x && bound < x + widthOf(label, 8) + 9 ? bound : x; // the bound's line runs through no name
  return html`
    <g class="gl-guess">
      <path class="gl-guessed-rim" d=${`M${x} ${top}V${bottom}`} /><path class="gl-guessed" d=${`M${x} ${top}V${bottom}`} />
      <text x=${r1(start + 7)} y=${top + tall / 2 + 4.6}>${label}</text>
    </g>`;
}
