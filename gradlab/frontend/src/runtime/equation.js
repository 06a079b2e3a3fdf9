// The equation with the present numbers; its terms light up with the picture.

import { html } from "../common/html.js";
import { markup } from "./markup.js";
import { Patched } from "./patch.js";

/** @param {any} properties */
export function Equation({ description, state: { settings, values, lit, concealed } }) {
  if (!description.equation.length) return null;
  const context = { values: { ...settings, ...values }, lit, concealed };
  const made = html`
    <div class="gl-equation" role="group" aria-label="The equation">
      ${description.equation.map((/** @type {string} */ line) => html`<p>${markup(line, context)}</p>`)}
    </div>
  `;
  return html`<${Patched} made=${made} />`;
}
