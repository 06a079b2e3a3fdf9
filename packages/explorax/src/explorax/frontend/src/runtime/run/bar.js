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

/** The series that a view draws. @param {any} view @returns {{role: string}[]} */
const seriesOf = ({ series = [], views = [] }) =>
  series.concat(views.flatMap((/** @type {any} */ [, view]) => seriesOf(view)));

/** Seen where the picture has no room to name the lines. @param {{description: import("../../common/types.js").Description, state: import("../state.js").State}} properties */
export function RunKey({ description, state }) {
  const { earlier, label } = runOf(state);
  const behind = earlier.map(({ label, dash }) => ({ label, kind: `gl-earlier gl-earlier-${dash}` }));
  return html`
    <ul class="gl-runkey" aria-label="Runs, the present one first">
      ${[{ label, kind: "" }, ...behind].map(
        ({ label, kind }) => html`
          <li title=${label} key=${kind} class=${kind}>
            <svg width="26" height="8" aria-hidden="true">${(kind ? [{ role: "muted" }] : seriesOf(description.view)).map(({ role }, i, { length }) => html`<path class=${`gl-line gl-role-${role}`} d=${`M${(i * 26) / length} 4H26`} />`)}</svg> ${label}
          </li>`,
      )}
    </ul>
  `;
}
