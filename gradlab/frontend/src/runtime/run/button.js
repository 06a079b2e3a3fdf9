// The button of a run: it starts it, holds it, and lets it go on.

import { html } from "../../common/html.js";
import { runOf, waits } from "./update.js";

const WORDS = { idle: "Run", running: "Pause", paused: "Continue" };

/** @param {{state: import("../update.js").State, send: any}} properties */
export function RunButton({ state, send }) {
  const { phase } = runOf(state);
  const type = phase === "running" ? "pause" : "run";
  return html`
    <div class="gl-buttons gl-run">
      <button type="button" disabled=${waits(state)} onClick=${() => send({ type })}>${WORDS[phase]}</button>
    </div>
  `;
}
