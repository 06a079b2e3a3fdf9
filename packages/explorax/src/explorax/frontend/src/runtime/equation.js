// The equation with the present numbers; its terms light up with the picture.

import { html } from "../common/html.js";
import { markup } from "./markup.js";

const TALL = /<(mfrac|munder|munderover|msubsup)\b/;

/** The classes of a line: by how high it may become, and whether it is a sum of many terms. @param {string} line */
const kindOf = (line) =>
  `${TALL.test(line) ? "gl-tall" : line.includes("<math") ? "" : "gl-worded"}${line.includes("data-each") ? " gl-long" : ""}`;

const SPACED = /^[=≤≥<>≈→+−⋅×]$/;
const NARROWER = 0.8; // a formula's letters, beside those of the words
const STACKED = ["mfrac", "munderover", "munder", "mover"];

/** What is rendered, as text that is about as wide. @param {any} made @param {boolean} [formula] @returns {string} */
function widthText(made, formula = false) {
  if (Array.isArray(made)) return made.map((each) => widthText(each, formula)).join("");
  if (made === null || made === undefined || typeof made === "boolean") return "";
  if (!made.type) return formula ? String(made).replace(/[ \n\u2061]/g, "") : String(made);
  const { type, props } = made;
  const inside = [props.children].flat().map((child) => widthText(child, formula || type === "math"));
  if (STACKED.includes(type))
    return inside.reduce((most, each) => (each.length > most.length ? each : most), "");
  const text = inside.join("");
  if (type === "math") return "n".repeat(Math.ceil(NARROWER * text.length));
  return type === "mo" && SPACED.test(text) ? `n${text}` : text;
}

/** A line of an equation as text that is about as wide, and breaks where it does. @param {string} line @param {Record<string, any>} values */
export const lineText = (line, values) =>
  widthText(markup(line, { values, lit: null, concealed: new Set() }));

/** Formulas stay on one line, and a long one is scrolled; on a phone all but long sums break before a relation. @param {any} properties */
export function Equation({ description, state: { settings, values, lit, concealed } }) {
  const { equation, reserved } = description;
  if (!equation.length) return null;
  const context = { values: { ...settings, ...values }, lit, concealed };
  return html`
    <div class="gl-equation" role="group" aria-label="The equation" tabindex="0">
      ${equation.map(
        (/** @type {string} */ line, /** @type {number} */ i) =>
          html`<p class=${kindOf(line)} data-room=${reserved.equation[i]}><span>${markup(line, context)}</span></p>`,
      )}
    </div>
  `;
}
