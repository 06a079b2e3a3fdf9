// The equation with the present numbers; its terms light up with the picture.

import { html } from "./html.js";
import { compact, fill, number } from "./words.js";

/** @param {any} properties */
export function Equation({ description, settings, values, lit, actions }) {
  const { closed, line, sums } = description.equation;
  const all = { ...settings, ...values };
  // A bound that is not a number any more takes the closed form off the page, unless a line has none.
  const acts = values.taken !== undefined && Math.abs(values.taken) > 1e-12;
  return html`
    <div class="gl-equation">
      ${closed && !acts && html`<p><span dangerouslySetInnerHTML=${{ __html: closed }} />${line && html`<span> ${fill(line, all)}</span>`}</p>`}
      ${(sums ?? []).map(
        (/** @type {any} */ sum) => html`
          <p class="gl-sum">
            <math><mover><mi>θ</mi><mo>¯</mo></mover><mo>=</mo>${factor(settings, values)}</math>
            ${Array.from(values[sum.values]).slice(0, settings.steps).map((value, i) => {
              const on = lit && lit.kind === sum.over && lit.index === i + 1;
              return html`<math class=${`gl-term${on ? " gl-lit" : ""}`} data-term=${`${sum.over}-${i + 1}`} key=${i}
                onPointerEnter=${() => actions?.light({ kind: sum.over, index: i + 1 })}
                onPointerLeave=${() => actions?.light(null)}>
                <mo>${i ? "+" : "("}</mo><mn>${compact(Number(value))}</mn>${i === settings.steps - 1 && html`<mo>)</mo>`}</math>`;
            })}
            <math><mo>=</mo><mn>${number(values.total, 2)}</mn></math>
            <span class="gl-muted"> ${sum.label}</span>
          </p>
        `,
      )}
    </div>
  `;
}

/** @param {any} settings @param {any} values */
function factor(settings, values) {
  if (Math.abs(values.multiplier - 1) < 1e-12) return null;
  return html`<mfrac><mn>1</mn><mn>${settings.steps}</mn></mfrac>`;
}
