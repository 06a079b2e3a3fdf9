// An unrolled chain: states forward, cotangents backward, what the parameter receives.
//
// Its spec is gradlab/figure/views/chain.py's Chain. It draws arrays and knows no subject.

import { html } from "../../common/html.js";
import { concealed, read } from "../common/read.js";
import { Received, Stream } from "./backward.js";
import { Applications, Losses, States } from "./forward.js";
import { spaceOf } from "./room.js";

export { layouts } from "./room.js";

/** @param {any} drawing */
export function draw(drawing) {
  const { spec } = drawing;
  const space = spaceOf(drawing);
  const shows = (/** @type {string} */ name) => name && !concealed(drawing, name);
  return html`
    ${shows(spec.losses) && Losses(drawing, space)}
    ${Applications(drawing, space)}
    ${shows(spec.states) && States(drawing, space)}
    ${shows(spec.cotangents) && Stream(drawing, space)}
    ${shows(spec.received) && Received(drawing, space)}
  `;
}

/** The first state's bar. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  if (!spec.drag || concealed(drawing, spec.states)) return [];
  const space = spaceOf(drawing);
  const first = read(drawing, spec.states)[0];
  if (!(first >= space.low && first <= space.high)) return [];
  const [u, v] = [space.state(0), space.level(first)];
  return [
    space.turned
      ? {
          control: spec.drag,
          x: v,
          y: u,
          axis: "x",
          label: `${spec.state}₀`,
          role: "state",
          value: (/** @type {number} */ px) => space.value(px),
        }
      : {
          control: spec.drag,
          x: u,
          y: v,
          axis: "y",
          label: `${spec.state}₀`,
          role: "state",
          value: (/** @type {number} */ _, /** @type {number} */ py) => space.value(py),
        },
  ];
}
