// "Show me the code": the function behind the figure, and the module that the page runs.

import { Component } from "preact";
import { html } from "../common/html.js";

/** A fold whose content is rendered when it is first opened, and then stays. */
class Fold extends Component {
  state = { opened: false };

  /** @param {any} properties */
  render({ title, text, note }) {
    return html`
      <details class="gl-fold" onToggle=${(/** @type {any} */ e) => e.currentTarget.open && this.setState({ opened: true })}>
        <summary>${title}</summary>
        ${
          this.state.opened &&
          html`<p class="gl-note">${note}</p><pre class="gl-code" tabindex="0" role="group" aria-label=${title}><code>${text}</code></pre>`
        }
      </details>
    `;
  }
}

/** @param {any} properties */
export function Code({ description: { source, program } }) {
  return html`
    ${source && html`<${Fold} title="The JAX function" text=${source} note="The figure shows what this function returns, for the controls as they are set." />`}
    <${Fold} title="What this page runs" text=${program} note="Made from the JAX function, and evaluated each time that a control moves." />
  `;
}
