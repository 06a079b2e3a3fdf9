// The button of a run, and a key that tells it from earlier ones.

import { html } from "../../common/html.js";
import { runOf, waits } from "./update.js";

/** @param {{description: import("../../common/types.js").Description, state: import("../state.js").State, send: any}} properties */
export function RunBar({ description, state, send }) {
  const { phase, earlier, label } = runOf(state);
  const words = { idle: description.labels.run, running: "Pause", paused: "Continue" };
  const type = phase === "running" ? "pause" : "run";
  const present = waits(state) ? [] : [{ label, kind: "" }];
  const behind = earlier.map(({ label, dash }) => ({ label, kind: `gl-earlier gl-earlier-${dash}` }));
  return html`
    <div class="gl-runbar">
      <button type="button" class="gl-run" disabled=${waits(state)} onClick=${() => send({ type })}>${words[phase]}</button>
      <ul aria-label="Runs, the present one first">
        ${(behind.length ? [...present, ...behind] : []).map(
          ({ label, kind }) => html`
            <li title=${label} key=${kind} class=${kind}>
              <svg width="26" height="8" aria-hidden="true"><path class="gl-line" d="M0 4h26" /></svg> ${label}
            </li>`,
        )}
      </ul>
      <button type="button" class="gl-clear" aria-label="Clear the earlier runs" hidden=${!behind.length || waits(state)} onClick=${() => send({ type: "clear" })}>Clear</button>
    </div>
  `;
}
