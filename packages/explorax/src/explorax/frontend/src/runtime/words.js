// The words of a figure, each with the room that it may come to need.

import { html } from "../common/html.js";

/**
 * Room for the longest of some words, whatever is said at present: the same text, of other letters, stands unseen
 * behind it. @param {string} longest @param {any} content @param {string} [kind]
 */
export const Room = (longest, content, kind = "") =>
  html`<div class=${`gl-room ${kind}`.trim()} data-room=${longest}>${content}</div>`;

/** What the address says and may not: until it is read. @param {any} properties */
export function Complaint({ complaint, send }) {
  return html`
    <p class="gl-complaint">${complaint} <button type="button" class="gl-quiet" onClick=${() => send({ type: "dismiss" })}>Close</button></p>
  `;
}
