// A figure as a tree of elements: a pure function of its description and state.

import { html } from "../common/html.js";
import { memoizeDrawn } from "../common/memoize.js";
import { Controls } from "./controls.js";
import { Copied, More, Note } from "./more.js";
import { asksAbout, drawn } from "./prediction.js";
import { PredictionForm } from "./predictionForm.js";
import { RunButtons, RunKey } from "./run/bar.js";
import { sentence, visibleSentence } from "./sentences.js";
import { settingText } from "./settings.js";
import { viewOf } from "./views.js";
import { Complaint, Room } from "./words.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("./state.js").State} State */

/** Around a handle, where a finger takes it, by layout: a phone shows the narrow one. @type {Record<string, number>} */
const REACH = { wide: 14, narrow: 22 };

/** A picture for each layout; a container query shows one. @param {any} properties */
export function Pictures({ description, state, id, interactive = false }) {
  const { view, spec, layouts } = viewOf(description);
  const guess = interactive ? drawn(state.attempt, state.glide?.to ?? state.settings) : null;
  const points = interactive && description.controls.some((/** @type {any} */ c) => c.kind === "point");
  return state.layouts.map((/** @type {string} */ layout) => {
    const { width, height } = layouts[layout];
    const drawing = { ...state, description, spec, layout, guess, id: `${id}-${layout}` };
    const mute = { "aria-hidden": "true", focusable: "false" };
    const picture = view.draw(drawing);
    return html`
      <svg key=${layout} class=${`gl-picture gl-${layout}`} data-layout=${layout} viewBox=${`0 0 ${width} ${height}`}
        ...${points ? { role: "presentation" } : mute}>
        <g aria-hidden=${points ? "true" : undefined}>${picture}</g>
        ${interactive && html`<g>${keyed(view.handles(drawing).filter(({ carried }) => !carried)).map(([key, handle]) => Handle({ handle, key, description, state, reach: REACH[layout] ?? 14 }))}</g>`}
      </svg>
    `;
  });
}

/**
 * Each with a key of its own; one control may have several handles.
 * @param {import("../common/types.js").Handle[]} handles
 * @returns {[string, import("../common/types.js").Handle][]}
 */
function keyed(handles) {
  const keys = handles.map(({ control, index = "" }) => `${control}-${index}`);
  return handles.map((handle, i) => {
    const nth = keys.slice(0, i).filter((key) => key === keys[i]).length;
    return [nth ? `${keys[i]}-${nth}` : keys[i], handle];
  });
}

/** @param {{handle: import("../common/types.js").Handle, key: string, description: Description, state: State, reach: number}} properties */
function Handle({ handle, key, description, state, reach }) {
  const { control: name, index, x, y, axis, label, role } = handle;
  const control = description.controls.find((c) => c.name === name);
  const focusable =
    control?.kind === "point"
      ? {
          tabindex: 0,
          role: "group",
          "aria-roledescription": "point to move with the arrow keys",
          "aria-label": `${label || control.symbol || control.label}, ${settingText(control, state.settings[name])}`,
        }
      : {};
  const at = { cx: x.toFixed(2), cy: y.toFixed(2) }; // a transform that moves costs the page a new layer tree
  return html`
    <g class=${`gl-handle gl-along-${axis} ${name === "guess" ? "gl-guess-handle" : role ? `gl-role-${role}` : ""}`} data-handle=${name} data-handle-index=${index}
      key=${key} ...${focusable}>
      <circle class="gl-reach" r=${reach} ...${at} /><circle class="gl-knob" r="6" ...${at} />
    </g>
  `;
}

/**
 * The part of a figure that answers the hand: what is looked at, what is set, a question beside it, and more behind a
 * fold. A figure of another width than the text's is picture and sliders alone.
 * @param {{description: Description, state: State, send: any, id: string}} properties
 */
export function Live(properties) {
  const { description, state, send, id } = properties;
  const { attempt, complaint, concealed, glide, settings } = state;
  const { labels, prediction, reserved, run, title } = description;
  const small = Boolean(description.width);
  const there = prediction !== null && asksAbout(prediction, glide?.to ?? settings);
  const named = small ? { "aria-label": title } : { "aria-labelledby": `${id}-title` };
  return html`
    <div class=${`gl-live${glide ? " gl-gliding" : ""}${concealed.size ? " gl-masked" : ""}`} role="group" ...${named}>
      ${!small && html`<p class="gl-title" id=${`${id}-title`}>${title}</p>`}
      ${complaint && Complaint({ complaint, send })}
      <div class="gl-stage" tabindex="0" role="application" aria-label=${labels.picture} aria-describedby=${`${id}-walk`} aria-details=${small ? undefined : `${id}-hood`} data-walk="">
        <${Pictures} description=${description} state=${state} id=${id} interactive />
      </div>
      ${!small && Room(reserved.sentence, html`<p class="gl-sentence">${visibleSentence(description, state)}</p>`)}
      ${run && html`<${RunKey} description=${description} state=${state} />`}
      <div class="gl-side">
        ${run && html`<${RunButtons} description=${description} state=${state} send=${send} />`}
        <${Controls} ...${properties} />
        ${!small && prediction && memoizeDrawn({ description, id }, "prediction", [attempt, there], () => PredictionForm({ description, attempt, there, send, id }))}
      </div>
      ${!small && html`<${More} ...${properties} />`}
      ${Copied(state)}
      <p class="gl-aloud" id=${`${id}-walk`}>${labels.walk}</p>
      <p class="gl-aloud" role="status" aria-live="polite">${state.announced}</p>
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
      ${description.note && !description.width && Note(description.note)}
    </div>
  `;
}
