// An unrolled chain: states forward, cotangents backward, what the parameter receives.
//
// Its spec is packages/explorax/src/explorax/views/chain.py's Chain. It draws arrays and knows no subject.

import { concealed, html, read } from "../../view.js";
import { Received, Stream } from "./backward.js";
import { Applications, Losses, States, Uses } from "./forward.js";
import { spaceOf } from "./room.js";
import { Sum } from "./sum.js";

export { layouts } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const { spec } = drawing;
  const space = spaceOf(drawing);
  const shows = (/** @type {string} */ name) => name && !concealed(drawing, name);
  return html`
    <defs><pattern id=${`${drawing.id}-hatch`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="gl-hatch" d="M0 2.5H5" /></pattern></defs>
    ${spec.uses && Uses(drawing, space)}
    ${shows(spec.losses) && Losses(drawing, space)}
    ${Applications(space)}
    ${shows(spec.states) && States(drawing, space)}
    ${shows(spec.cotangents) && Stream(drawing, space)}
    ${shows(spec.received) && (spec.total ? Sum : Received)(drawing, space)}
  `;
}

/** The first state's bar. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  if (!spec.drag || concealed(drawing, spec.states)) return [];
  const { low, high, state, level, turned, value } = spaceOf(drawing);
  const first = read(drawing, spec.states)[0];
  if (!(first >= low && first <= high)) return [];
  const [u, v] = [state(0), level(first)];
  const place = turned ? { x: v, y: u, axis: "x" } : { x: u, y: v, axis: "y" };
  const inverse = (/** @type {number} */ px, /** @type {number} */ py) => value(turned ? px : py);
  return [{ control: spec.drag, label: "h₀", role: "state", ...place, value: inverse }];
}
