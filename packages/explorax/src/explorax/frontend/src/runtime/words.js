// The words of a figure, each with the room that it may come to need.

import { html } from "../common/html.js";

/**
 * Room for the longest of some words, whatever is said at present: the same text, of other letters, stands unseen
 * behind it. @param {string} longest @param {any} content @param {string} [kind]
 */
export const Room = (longest, content, kind = "") =>
  html`<div class=${`gl-room ${kind}`.trim()} data-room=${longest}>${content}</div>`;

const WAITS = "What is dashed or faded waits for your prediction.";
const POINTED = "Point at a part to light it up; arrow keys walk from one to the next.";
const TAPPED = "Tap a part to light it up.";

/** What to look for or, while a prediction is open, what waits for it; and what a hand can do. @param {any} properties */
export function Look({ look, parted, open, waits }) {
  const [now, later] = [waits ? WAITS : "", look].map((words) =>
    [words, parted && POINTED].filter(Boolean).join(" "),
  );
  if (!now && !later) return null;
  const longest = now.length > later.length ? now : later;
  return Room(
    longest.replace(/\p{L}/gu, "n"),
    html`<p class="gl-look">${open ? waits && WAITS : look}${parted && html` <span class="gl-by-mouse">${POINTED}</span><span class="gl-by-touch">${TAPPED}</span>`}</p>`,
    "gl-looks",
  );
}

/** What the address says and may not: until it is read. @param {any} properties */
export function Complaint({ complaint, send }) {
  return html`
    <p class="gl-complaint">${complaint} <button type="button" class="gl-quiet" onClick=${() => send({ type: "dismiss" })}>Close</button></p>
  `;
}
