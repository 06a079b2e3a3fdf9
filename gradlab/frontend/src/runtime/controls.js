// The controls: native sliders, selects and checkboxes, with their value at the right.

import { html, still } from "../common/html.js";
import { beyond, fromSlider, listened, plain, same, slider, spoken } from "./settings.js";

/** @typedef {import("../common/types.js").Control} Control */

/** @param {any} properties */
export function Controls({ description, settings, widened, actions, id, links }) {
  const by = Object.fromEntries(description.controls.map((/** @type {Control} */ c) => [c.name, c]));
  /** @param {string[]} names */
  const rows = (names) =>
    names.map(
      (name) =>
        html`<${Row} control=${by[name]} value=${settings[name]} widened=${widened.has(name)} actions=${actions} id=${`${id}-${name}`} key=${name} />`,
    );
  const set = description.presets.map((/** @type {any} */ preset) =>
    Object.entries(preset.settings).every(([name, value]) => same(settings[name], value)),
  );
  return html`
    <div class="gl-controls">
      ${rows(description.sight)}
      <${Buttons} presets=${description.presets} set=${set.join()} actions=${actions} links=${links} />
      ${
        description.more.length > 0 &&
        html`<details class="gl-more"><summary>More</summary><div class="gl-controls">${rows(description.more)}</div></details>`
      }
    </div>
  `;
}

/** Presets, reset, and what takes the present state elsewhere. */
const Buttons = still(({ presets, set, actions, links }) => {
  const pressed = set.split(",");
  return html`
    <div class="gl-buttons">
      ${presets.map(
        (/** @type {any} */ preset, /** @type {number} */ i) => html`
          <button type="button" aria-pressed=${pressed[i]} onClick=${() => actions?.apply(preset.settings)}>${preset.label}</button>
        `,
      )}
      <button type="button" class="gl-quiet" onClick=${() => actions?.reset()}>Reset</button>
      ${links && html`<button type="button" class="gl-quiet" onClick=${() => actions?.copy("link")}>Copy link</button>`}
      <button type="button" class="gl-quiet" onClick=${() => actions?.copy("python")}>Copy as Python</button>
    </div>
  `;
});

/** A control with its label and its value. */
const Row = still(({ control, value, widened, actions, id }) => {
  const name = html`${control.symbol && html`<i class="gl-symbol">${control.symbol}</i>${" "}`}<span>${control.label}</span>`;
  if (control.kind === "choice") {
    return html`
      <div class="gl-row">
        <label for=${id}>${name}</label>
        <select id=${id} data-control=${control.name} onChange=${(/** @type {any} */ e) => actions?.apply({ [control.name]: e.target.value })}>
          ${control.options.map((/** @type {[string, string]} */ [option, words]) => html`<option value=${option} selected=${option === value}>${words}</option>`)}
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
  if (control.kind === "point") return Point({ control, value, actions, id });
  const wide = widened || beyond(control, value);
  const said = spoken(control, value);
  return html`
    <div class="gl-row">
      <label for=${id}>${name}</label>
      ${Slider({ control, wide, value, actions, id, said: `${control.symbol || control.label} = ${said}`, set: (/** @type {any} */ x) => actions?.set(control.name, x) })}
      <span class="gl-set" aria-hidden="true">${said}</span>
    </div>
  `;
});

/** Two sliders for a point in the plane, the keyboard's twin of its handle. @param {any} properties */
function Point({ control, value, actions, id }) {
  const name = control.symbol || control.label;
  return html`
    <div class="gl-point-rows" role="group" aria-label=${control.label}>
      ${control.axes.map((/** @type {string} */ axis, /** @type {number} */ i) => {
        const one = { ...control, kind: "range", minimum: control.minimum[i], maximum: control.maximum[i] };
        const said = plain(control, value[i]);
        const set = (/** @type {number} */ x) => actions?.set(control.name, value.with(i, x));
        return html`
          <div class="gl-row" key=${axis}>
            <label for=${`${id}-${axis}`}><span>${axis} of ${control.symbol ? html`<i class="gl-symbol">${control.symbol}</i> ` : ""}${control.label}</span></label>
            ${Slider({ control: one, wide: false, value: value[i], actions, id: `${id}-${axis}`, said: `${axis} of ${name} = ${said}`, set })}
            <span class="gl-set" aria-hidden="true">${said}</span>
          </div>
        `;
      })}
    </div>
  `;
}

/** @param {any} properties */
function Slider({ control, wide, value, actions, id, said, set }) {
  const { min, max, step, value: at } = slider(control, value, wide);
  return html`
    <input type="range" id=${id} data-control=${control.name} min=${min} max=${max} step=${step} value=${at}
      aria-valuetext=${listened(said)}
      onInput=${(/** @type {any} */ e) => set(fromSlider(control, Number(e.target.value), wide))}
      onChange=${() => actions?.settle()} />
  `;
}
