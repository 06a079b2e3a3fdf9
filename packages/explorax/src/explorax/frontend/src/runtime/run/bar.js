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

/** The roles of the lines that stand for a whole run. @param {any} view @returns {string[]} */
const rolesOf = ({ series = [], views = [] }) =>
  series.length === 1 ? [series[0].role] : views.flatMap((/** @type {any} */ [, view]) => rolesOf(view));

/** Seen where the picture has no room to name the lines. @param {{description: import("../../common/types.js").Description, state: import("../state.js").State}} properties */
export function RunKey({ description, state }) {
  const { earlier, label } = runOf(state);
  const found = rolesOf(description.view);
  const now = { label, kind: "", roles: found.length ? found : ["ink"] };
  const behind = earlier.map(({ label, dash }) => {
    return { label, kind: `gl-earlier gl-earlier-${dash}`, roles: ["muted"] };
  });
  return html`
    <ul class="gl-runkey" aria-label="Runs, the present one first">
      ${[now, ...behind].map(
        ({ label, kind, roles }) => html`
          <li title=${label} key=${kind} class=${kind}>
            <svg width="26" height="8" aria-hidden="true">${roles.map((role, i) => html`<path class=${`gl-line gl-role-${role}`} d=${`M${(i * 26) / roles.length} 4H26`} />`)}</svg> ${label}
          </li>`,
      )}
    </ul>
  `;
}
