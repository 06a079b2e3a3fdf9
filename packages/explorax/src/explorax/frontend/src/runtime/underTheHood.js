// What stands behind a figure: a note, its numbers, its function, the module that the page runs, and copies.

import { Component } from "preact";
import { html } from "../common/html.js";
import { Table } from "./table.js";

/** Markup that Python made. @param {string} markup */
export const Note = (markup) => html`<p class="gl-note" dangerouslySetInnerHTML=${{ __html: markup }} />`;

/** One fold. What is in it is rendered when it is first opened, and waits while it is closed. */
export class UnderTheHood extends Component {
  state = { open: false, opened: false };

  shouldComponentUpdate(/** @type {any} */ next, /** @type {any} */ state) {
    return state.open || state !== this.state || next.description !== this.props.description;
  }

  render(/** @type {any} */ { description, state, send, id }) {
    const { note, table, source, program, run } = description;
    const [given, evaluated] = run
      ? [
          "It takes one step, and returns what is handed to the next, and what is recorded.",
          "once for each step",
        ]
      : [
          "It returns what the figure shows, for the controls as they are set.",
          "each time that a control moves",
        ];
    const toggled = (/** @type {any} */ { currentTarget: { open } }) =>
      this.setState({ open, opened: open || this.state.opened });
    return html`
      <details class="gl-fold" onToggle=${toggled}>
        <summary>Under the hood</summary>
        <div class="gl-hood" id=${`${id}-hood`}>
          ${
            this.state.opened &&
            html`
              ${note && Note(note)}
              ${table && html`<${Table} description=${description} state=${state} />`}
              ${source && Code("The JAX function", given, source)}
              ${Code("What this page runs", `Made from the JAX function, and evaluated ${evaluated}.`, program)}
              ${Copies(state, send)}`
          }
        </div>
      </details>
    `;
  }
}

/** @param {string} title @param {string} note @param {string} text */
const Code = (title, note, text) => html`
  <p class="gl-note"><b>${title}.</b> ${note}</p>
  <pre class="gl-code" tabindex="0" role="group" aria-label=${title}><code>${text}</code></pre>
`;

/** What takes the present state elsewhere. @param {import("./state.js").State} state @param {any} send */
function Copies({ links, copied }, send) {
  const button = (/** @type {string} */ what, /** @type {string} */ words) =>
    html`<button type="button" class="gl-quiet" onClick=${() => send({ type: "copy", what })}>${words}</button>`;
  return html`
    <div class="gl-buttons">${links && button("link", "Copy link")} ${button("python", "Copy as Python")}</div>
    ${copied && html`<p class="gl-copied"><span>${copied.done ? "Copied:" : "Copy this:"}</span> <code>${copied.text}</code></p>`}
  `;
}
