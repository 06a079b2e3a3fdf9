// The controls: native sliders, selects and checkboxes, with their value beside them.

import { html } from "../common/html.js";
import { memoize, memoizeDrawn } from "../common/memoize.js";
import {
  alongAxes,
  forSpeech,
  fromSlider,
  numberText,
  same,
  settingText,
  slider,
  widest,
} from "./settings.js";

/** @typedef {import("../common/types.js").Control} Control */

const IDLES = "It plays no part at this choice.";
const PRESETS = 2; // in sight

/** Rows for controls, by their names. @param {any} properties @param {string[]} names */
function rows({ description, state, send, id }, names) {
  const { settings, playing, widened } = state;
  const { controls } = description;
  return names.map((name) => {
    const control = controls.find((/** @type {Control} */ each) => each.name === name);
    const idle = controls.some((/** @type {Control} */ by) =>
      by.idles?.some(([other, options]) => other === name && options.includes(settings[by.name])),
    );
    const [value, wide] = [settings[name], widened.has(name)];
    const waits = idle ? IDLES : "";
    const plays = control.plays && (playing === name ? "Pause" : "Play");
    return memoizeDrawn({ description, id }, `row ${name}`, [value, wide, waits, plays], () =>
      Row({ control, value, wide, waits, plays, send, id: `${id}-${name}` }),
    );
  });
}

/** Each preset, and whether the figure is as it says. @param {any} properties */
function marked({ description: { presets }, state: { glide, settings } }) {
  const set = glide?.to ?? settings;
  return presets.map((/** @type {any} */ preset) => {
    const pressed = Object.entries(preset.settings).every(([name, value]) => same(set[name], value));
    return { ...preset, pressed };
  });
}

/** @param {any} preset @param {any} send */
const PresetButton = ({ label, settings, pressed }, send) =>
  html`<button type="button" aria-pressed=${String(pressed)} onClick=${() => send({ type: "preset", changes: settings })}>${label}</button>`;

/** The controls in sight, two presets, and what takes the figure back or elsewhere. @param {any} properties */
export function Controls(properties) {
  const { description, state, send, id } = properties;
  const presets = marked(properties).slice(0, PRESETS);
  const pressed = presets.map((/** @type {any} */ preset) => preset.pressed);
  const copied = state.copied?.what === "link" && state.copied.done;
  return html`
    <div class="gl-controls">
      ${rows(properties, description.sight)}
      ${!description.width && memoizeDrawn({ description, id }, "buttons", [pressed, state.links, copied], () => Buttons({ presets, copied, links: state.links, send }))}
    </div>
  `;
}

/** @param {any} properties */
function Buttons({ presets, copied, links, send }) {
  return html`
    <div class="gl-buttons">
      ${presets.map((/** @type {any} */ preset) => PresetButton(preset, send))}
      <span>
        <button type="button" class="gl-quiet" onClick=${() => send({ type: "reset" })}>Reset</button>
        ${links && html`<button type="button" class="gl-quiet gl-copylink" onClick=${() => send({ type: "copy", what: "link" })}>${copied ? "Link copied" : "Copy link"}</button>`}
      </span>
    </div>
  `;
}

/** The controls and presets that aren't in sight. @param {any} properties */
export function MoreControls(properties) {
  const { description, send } = properties;
  const presets = marked(properties).slice(PRESETS);
  if (!presets.length && !description.more.length) return null;
  return html`
    <div class="gl-controls">
      ${rows(properties, description.more)}
      ${presets.length > 0 && html`<div class="gl-buttons">${presets.map((/** @type {any} */ preset) => PresetButton(preset, send))}</div>`}
    </div>
  `;
}

/** A control with its label and its value. @param {any} properties */
function Row({ control, value, wide, waits, plays, send, id }) {
  const { kind, name, label, symbol, options, axes, sets } = control;
  const move = (/** @type {any} */ value) => send({ type: "move", changes: { [name]: value } });
  const words = html`${symbol && html`<i class="gl-symbol">${symbol}</i>${" "}`}<span>${label}</span>`;
  if (kind === "choice") {
    const choose = (/** @type {string} */ chosen) => {
      const place = options.findIndex((/** @type {[string, string]} */ [option]) => option === chosen);
      const besides = sets.map((/** @type {[string, any[]]} */ [other, values]) => [other, values[place]]);
      send({ type: "apply", changes: { [name]: chosen, ...Object.fromEntries(besides) } });
    };
    const input = html`
      <select id=${id} data-control=${name} disabled=${Boolean(waits)} onChange=${(/** @type {any} */ e) => choose(e.target.value)}>
        ${options.map((/** @type {[string, string]} */ [option, words]) => html`<option value=${option} selected=${option === value}>${words}</option>`)}
      </select>`;
    return Labelled(id, words, input, waits);
  }
  if (kind === "toggle") {
    const input = html`<input type="checkbox" id=${id} data-control=${name} checked=${value} disabled=${Boolean(waits)} onChange=${(/** @type {any} */ e) => send({ type: "apply", changes: { [name]: e.target.checked } })} />`;
    return Labelled(id, words, input, waits);
  }
  const called = symbol || label;
  if (kind !== "point") {
    const text = settingText(control, value);
    const said = { label: words, text, ariaText: `${called} = ${text}` };
    return SliderRow({ control, value, wide, waits, plays, ...said, move, send, id });
  }
  // two sliders for a point in the plane, the keyboard's twin of its handle
  return html`
    <div class="gl-point-rows" role="group" aria-label=${label}>
      ${alongAxes(control).map((along, i) => {
        const axis = axes[i];
        const text = numberText(control, value[i]);
        const own = { control: along, value: value[i], waits, text, send, id: `${id}-${axis}` };
        const heading = html`<span>${symbol && html`<i class="gl-symbol">${symbol}</i> `}${label}, ${axis}</span>`;
        const slide = (/** @type {number} */ x) => move(value.with(i, x));
        return SliderRow({ ...own, label: heading, ariaText: `${axis} of ${called} = ${text}`, move: slide });
      })}
    </div>
  `;
}

/** A slider with its label and its value, which is heard in other words than it is read. @param {any} properties */
export function SliderRow({ control, value, wide = false, waits = "", plays = "", send, id, ...row }) {
  const { label, text, ariaText, move } = row;
  const { min, max, step, value: at } = slider(control, value, wide);
  const room = `min-width:max(2.6em, ${memoize(control, "widest", [], () => widest(control))}ch)`;
  const input = html`
    <span class="gl-slide">
      <input type="range" id=${id} data-control=${control.name} min=${min} max=${max} step=${step} value=${at} disabled=${Boolean(waits)} aria-valuetext=${forSpeech(ariaText)}
        onInput=${(/** @type {any} */ e) => move(fromSlider(control, Number(e.target.value), wide))} onChange=${() => send({ type: "settle" })} />
      <span class="gl-set" style=${room} aria-hidden="true">${text}</span>
      ${plays && html`<button type="button" class="gl-play" disabled=${Boolean(waits)} aria-label=${`${plays}: ${control.label}`} onClick=${() => send({ type: "play", control: control.name })}>${plays === "Play" ? "▶" : "❚❚"}</button>`}
    </span>`;
  return Labelled(id, label, input, waits);
}

/** A row of its own for what is set, or has to wait, and why. @param {string} id @param {any} label @param {any} input @param {string} waits */
const Labelled = (id, label, input, waits) => html`
  <div class=${waits ? "gl-row gl-waiting" : "gl-row"} title=${waits || undefined}><label for=${id}>${label}</label>${input}</div>`;
