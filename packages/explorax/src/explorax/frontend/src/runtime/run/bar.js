// The buttons of a run, and a key that tells it from earlier ones.

import { html } from "../../common/html.js";
import { runOf } from "./update.js";

/** @param {{description: import("../../common/types.js").Description, state: import("../state.js").State, send: any}} properties */
export function RunButtons({ description, state, send }) {
  const { phase, earlier } = runOf(state);
  const words = { idle: description.labels.run, running: "Pause", paused: "Continue" };
  const type = phase === "running" ? "pause" : "run";
  return html`
    <div class="gl-buttons">
      <button type="button" class="gl-run" onClick=${() => send({ type })}>${words[phase]}</button>
      <button type="button" class="gl-quiet gl-clear" aria-label="Clear the earlier runs" disabled=${!earlier.length} onClick=${() => send({ type: "clear" })}>Clear</button>
    </div>
  `;
}

/** Seen where the picture has no room to name the lines. @param {{state: import("../state.js").State}} properties */
export function RunKey({ state }) {
  const { earlier, label } = runOf(state);
  const behind = earlier.map(({ label, dash }) => ({ label, kind: `gl-earlier gl-earlier-${dash}` }));
  return html`
    <ul class="gl-runkey" aria-label="Runs, the present one first">
      ${[{ label, kind: "" }, ...behind].map(
        ({ label, kind }) => html`
          <li title=${label} key=${kind} class=${kind}>
            <svg width="26" height="8" aria-hidden="true"><path class=${kind ? "gl-line gl-role-muted" : "gl-line"} d="M0 4h26" /></svg> ${label}
          </li>`,
      )}
    </ul>
  `;
}
