// The button of a run, and a key that tells it from earlier ones.

import { html } from "../../common/html.js";
import { runOf, waits } from "./update.js";

const WORDS = { idle: "Run", running: "Pause", paused: "Continue" };

/** @param {{state: import("../update.js").State, send: any}} properties */
export function RunBar({ state, send }) {
  const { phase, earlier, label } = runOf(state);
  const type = phase === "running" ? "pause" : "run";
  const runs = earlier.length > 0 && !waits(state) ? [label, ...earlier.map((one) => one.label)] : [];
  return html`
    <div class="gl-runbar">
      <button type="button" class="gl-run" disabled=${waits(state)} onClick=${() => send({ type })}>${WORDS[phase]}</button>
      <ul aria-label="Runs, the present one first">
        ${runs.map(
          (label, i) => html`
            <li title=${label} key=${i} class=${i ? `gl-earlier gl-earlier-${i}` : ""}>
              <svg width="26" height="8" aria-hidden="true"><path class="gl-line" d="M0 4h26" /></svg> ${label}
            </li>`,
        )}
      </ul>
    </div>
  `;
}
