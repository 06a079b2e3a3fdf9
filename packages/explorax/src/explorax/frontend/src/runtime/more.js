// What is behind a figure's one fold: further controls, what to look for, its equation and its numbers, and its code.

import { Component } from "preact";
import { html } from "../common/html.js";
import { MoreControls } from "./controls.js";
import { Equation } from "./equation.js";
import { Table } from "./table.js";

/** Markup that Python made. @param {string} markup */
export const Note = (markup) => html`<p class="gl-note" dangerouslySetInnerHTML=${{ __html: markup }} />`;

/** One fold. What is in it is rendered when it is first opened, and waits while it is closed. */
export class More extends Component {
  state = { open: false, opened: false };

  shouldComponentUpdate(/** @type {any} */ next, /** @type {any} */ state) {
    return state.open || state !== this.state || next.description !== this.props.description;
  }

  render(/** @type {any} */ properties) {
    const { description, state, send, id } = properties;
    const { look, note, table, source, program, run } = description;
    const toggled = (/** @type {any} */ { currentTarget: { open } }) =>
      this.setState({ open, opened: open || this.state.opened });
    return html`
      <details class="gl-fold gl-more" onToggle=${toggled}>
        <summary>More</summary>
        <div class="gl-hood" id=${`${id}-hood`}>
          ${
            this.state.opened &&
            html`
              <${MoreControls} ...${properties} />
              ${look && html`<p class="gl-note">${look}</p>`}
              <${Equation} description=${description} state=${state} />
              ${note && Note(note)}
              ${table && html`<${Table} description=${description} state=${state} />`}
              ${source && Code("The JAX function", source)}
              ${Code(`The page runs this for each ${run ? "step" : "move"}, made from the JAX function`, program)}
              <div class="gl-buttons"><button type="button" class="gl-quiet" onClick=${() => send({ type: "copy", what: "python" })}>Copy as Python</button></div>`
          }
        </div>
      </details>
    `;
  }
}

/** What was copied, as text: where the browser may not copy, the reader can. @param {import("./state.js").State} state */
export const Copied = ({ copied }) =>
  copied && !(copied.done && copied.what === "link")
    ? html`<p class="gl-copied"><span>${copied.done ? "Copied:" : "Copy this:"}</span> <code>${copied.text}</code></p>`
    : null;

/** @param {string} title @param {string} text */
const Code = (title, text) => html`
  <p class="gl-note"><b>${title}</b></p>
  <pre class="gl-code" tabindex="0" role="group" aria-label=${title}><code>${text}</code></pre>
`;
