// The equation with the present numbers; its terms light up with the picture.

import { html } from "../common/html.js";
import { markup } from "./markup.js";
import { Patched } from "./patch.js";

const TALL = /<(mfrac|munder|munderover|msubsup)\b/;

/** The class of a line, by which it is as high as it may become. @param {string} line */
const kindOf = (line) => (TALL.test(line) ? "gl-tall" : line.includes("<math") ? "" : "gl-worded");

/** Formulas stay on one line, and a long one is scrolled. @param {any} properties */
export function Equation({ description: { equation }, state: { settings, values, lit, concealed } }) {
  if (!equation.length) return null;
  const context = { values: { ...settings, ...values }, lit, concealed };
  const made = html`
    <div class="gl-equation" role="group" aria-label="The equation" tabindex="0">
      ${equation.map(
        (/** @type {string} */ line) => html`<p class=${kindOf(line)}>${markup(line, context)}</p>`,
      )}
    </div>
  `;
  return html`<${Patched} made=${made} />`;
}
