// The equation with the present numbers; its terms light up with the picture.

import { html } from "./html.js";
import { compact, fill, number } from "./words.js";

/** @param {any} properties */
export function Equation({ description, settings, values, lit, actions }) {
  const { by, line, sums } = description.equation;
  const closed = description.equation.closed?.[by ? settings[by] : ""];
  const all = { ...settings, ...values };
  return html`
    <div class="gl-equation">
      ${closed && !values.acts && html`<p><span dangerouslySetInnerHTML=${{ __html: closed }} />${line && html`<span> ${fill(line, all)}</span>`}</p>`}
      ${(sums ?? []).map(
        (/** @type {any} */ sum) => html`
          <p class="gl-sum" role="img" aria-label=${aloud(sum, settings, values)}>
            <span class="gl-muted">${sum.label}:</span>
            <math><mover><mi>θ</mi><mo>¯</mo></mover><mo>=</mo>${factor(settings, values)}</math>
            ${Array.from(values[sum.values])
              .slice(0, settings.steps)
              .map((value, i) => {
                const on = lit && lit.kind === sum.over && lit.index === i + 1;
                return html`<math class=${`gl-term${on ? " gl-lit" : ""}`} data-term=${`${sum.over}-${i + 1}`} key=${i}
                onPointerEnter=${() => actions?.light({ kind: sum.over, index: i + 1 })}
                onPointerLeave=${() => actions?.light(null)}>
                ${i ? html`<mo form="infix" lspace="0.2em" rspace="0.2em">+</mo>` : html`<mo form="prefix" stretchy="false">(</mo>`}<mn>${compact(Number(value))}</mn>${i === settings.steps - 1 && html`<mo form="postfix" stretchy="false">)</mo>`}</math>`;
              })}
            <math><mo form="infix" lspace="0.25em" rspace="0.25em">=</mo><mn>${number(values.total, 2)}</mn></math>
          </p>
        `,
      )}
    </div>
  `;
}

/** A sum in words, for those who listen. @param {any} sum @param {any} settings @param {any} values */
function aloud(sum, settings, values) {
  const terms = Array.from(values[sum.values]).slice(0, settings.steps);
  const times = values.weighs ? `1/${settings.steps} times ` : "";
  const added = terms.map((value) => compact(Number(value))).join(" + ");
  return `${sum.label}: θ receives ${times}(${added}) = ${number(values.total, 2)}`;
}

/** @param {any} settings @param {any} values */
function factor(settings, values) {
  return values.weighs ? html`<mfrac><mn>1</mn><mn>${settings.steps}</mn></mfrac>` : null;
}
