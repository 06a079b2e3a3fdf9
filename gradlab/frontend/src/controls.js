// The controls: native sliders, selects and checkboxes, with their value at the right.

import { html } from "./html.js";
import { number } from "./words.js";

/** @typedef {import("./types.js").Control} Control */

/** A control's value in words. @param {Control} control @param {any} value */
export function spoken(control, value) {
  if (control.kind === "choice")
    return control.options.find(([name]) => name === value)?.[1] ?? String(value);
  if (control.kind === "toggle") return value ? "on" : "off";
  return number(value);
}

/** Whether a value lies beyond the slider of its control. @param {Control} control @param {any} value */
export function beyond(control, value) {
  return control.allowed !== undefined && (value < control.minimum || value > control.maximum);
}

/** The ends of a slider: its own, or all that is allowed. @param {Control} control @param {boolean} widened */
export function reach(control, widened) {
  return widened ? control.allowed : [control.minimum, control.maximum];
}

/** @param {any} properties */
export function Controls({ description, settings, widened, actions, id }) {
  const by = Object.fromEntries(description.controls.map((/** @type {Control} */ c) => [c.name, c]));
  /** @param {string[]} names */
  const rows = (names) =>
    names.map(
      (name) =>
        html`<${Row} control=${by[name]} value=${settings[name]} widened=${widened.has(name)} actions=${actions} id=${`${id}-${name}`} key=${name} />`,
    );
  return html`
    <div class="gl-controls">
      ${rows(description.sight)}
      <div class="gl-presets">
        ${description.presets.map(
          (/** @type {any} */ preset) => html`
            <button type="button" onClick=${() => actions?.apply(preset.settings)}
              aria-pressed=${Object.entries(preset.settings).every(([name, value]) => settings[name] === value) ? "true" : "false"}>
              ${preset.label}</button>
          `,
        )}
        <button type="button" class="gl-reset" onClick=${() => actions?.reset()}>Reset</button>
      </div>
      ${
        description.more.length > 0 &&
        html`<details class="gl-more"><summary>More</summary><div class="gl-controls">${rows(description.more)}</div></details>`
      }
    </div>
  `;
}

/** @param {{control: Control, value: any, widened: boolean, actions: any, id: string}} properties */
function Row({ control, value, widened, actions, id }) {
  const name = html`${control.symbol && html`<i class="gl-symbol">${control.symbol}</i>${" "}`}<span>${control.label}</span>`;
  const said = spoken(control, value);
  if (control.kind === "choice") {
    return html`
      <div class="gl-row">
        <label for=${id}>${name}</label>
        <select id=${id} data-control=${control.name} onChange=${(/** @type {any} */ e) => actions?.apply({ [control.name]: e.target.value })}>
          ${control.options.map(([option, words]) => html`<option value=${option} selected=${option === value}>${words}</option>`)}
        </select>
      </div>
    `;
  }
  if (control.kind === "toggle") {
    return html`
      <div class="gl-row">
        <label for=${id}>${name}</label>
        <input type="checkbox" id=${id} data-control=${control.name} checked=${value}
          onChange=${(/** @type {any} */ e) => actions?.apply({ [control.name]: e.target.checked })} />
      </div>
    `;
  }
  const [low, high] = reach(control, widened || beyond(control, value));
  return html`
    <div class="gl-row">
      <label for=${id}>${name}</label>
      <input type="range" id=${id} data-control=${control.name} min=${low}
        max=${high} step=${control.step} value=${value}
        aria-valuetext=${`${control.symbol || control.label} = ${said}`}
        onInput=${(/** @type {any} */ e) => actions?.set(control.name, Number(e.target.value))}
        onChange=${() => actions?.settle()} />
      <span class="gl-set" aria-hidden="true">${said}</span>
    </div>
  `;
}
