// A figure as a tree of elements: a pure function of its description and state.

import { Controls } from "./controls.js";
import { Equation } from "./equation.js";
import { html } from "./html.js";
import { Table } from "./table.js";
import { VIEWS } from "./views/index.js";
import { fill } from "./words.js";

/** @typedef {import("./types.js").Description} Description */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").Values} Values */
/** @typedef {import("./types.js").Lit} Lit */

/**
 * What a figure shows. `ghost` is what it showed before a drag, `layouts` those to draw.
 * @typedef {{settings: Settings, values: Values, ghost: Values | null, lit: Lit, layouts: string[],
 *   said: string, widened: Set<string>}} State
 * @typedef {{set: (name: string, value: any) => void, apply: (settings: Settings) => void,
 *   reset: () => void, settle: () => void, light: (lit: Lit) => void}} Actions
 */

/** The sentence that states the present. @param {Description} description @param {Settings} settings @param {Values} values */
export function sentence(description, settings, values) {
  return fill(description.sentences[values.case], { ...settings, ...values });
}

/** A picture for each layout; a container query shows one. @param {any} properties */
export function Pictures({ description, state, id, interactive = false }) {
  const view = VIEWS[description.view];
  return state.layouts.map((/** @type {string} */ layout) => {
    const { width, height } = view.layouts[layout];
    const drawing = { ...state, description, layout, id: `${id}-${layout}` };
    const size = layout === "wide" ? { width, height } : {};
    return html`
      <svg class=${`gl-picture gl-${layout}`} data-layout=${layout} viewBox=${`0 0 ${width} ${height}`} ...${size}
        aria-hidden="true" focusable="false" key=${layout}>
        ${view.draw(drawing)}
        ${
          interactive &&
          view.handles(drawing).map(
            (handle) => html`
              <g class=${`gl-handle gl-along-${handle.axis}`} data-handle=${handle.control}
                transform=${`translate(${handle.x.toFixed(2)} ${handle.y.toFixed(2)})`} key=${handle.control}>
                <circle class="gl-reach" r="14" /><circle class="gl-knob" r="6" />
              </g>
            `,
          )
        }
      </svg>
    `;
  });
}

/**
 * The part of a figure that answers the hand.
 * @param {{description: Description, state: State, actions: Actions | null, id: string}} properties
 */
export function Live({ description, state, actions, id }) {
  const { settings, values } = state;
  return html`
    <div class="gl-live" role="group" aria-labelledby=${`${id}-title`}>
      <p class="gl-title" id=${`${id}-title`}>${description.title}</p>
      <p class="gl-sentence">${sentence(description, settings, values)}</p>
      <div class="gl-stage" ...${
        description.labels.walk
          ? {
              tabIndex: 0,
              role: "application",
              "aria-label": description.labels.picture,
              "aria-describedby": `${id}-walk`,
              "data-walk": "",
            }
          : {}
      }>
        <${Pictures} description=${description} state=${state} id=${id} interactive />
      </div>
      <${Controls} description=${description} settings=${settings} widened=${state.widened} actions=${actions} id=${id} />
      <p class="gl-look">${description.look}</p>
      <${Equation} description=${description} settings=${settings} values=${values} lit=${state.lit} actions=${actions} />
      <p class="gl-note" dangerouslySetInnerHTML=${{ __html: description.note }} />
      <${Table} description=${description} settings=${settings} values=${values} lit=${state.lit} actions=${actions} />
      ${description.labels.walk && html`<p class="gl-aloud" id=${`${id}-walk`}>${description.labels.walk}</p>`}
      <p class="gl-aloud" role="status" aria-live="polite">${state.said}</p>
    </div>
  `;
}

/** Small pictures with their settings as text, for paper and where no script runs. @param {any} properties */
export function Stills({ description, states, id }) {
  return html`
    <div class="gl-stills">
      <p class="gl-title">${description.title}</p>
      ${states.map(
        (/** @type {State} */ state, /** @type {number} */ i) => html`
          <div class="gl-still" key=${i}>
            <p class="gl-sentence">${sentence(description, state.settings, state.values)}</p>
            <${Pictures} description=${description} state=${state} id=${`${id}-still${i}`} />
          </div>
        `,
      )}
      <p class="gl-note" dangerouslySetInnerHTML=${{ __html: description.note }} />
    </div>
  `;
}
