// The words of a figure, each with the room that it may come to need.

import { html } from "../common/html.js";

/**
 * Room for the longest of some words, whatever is said at present: the same text, of other letters, stands unseen
 * behind it. @param {string} longest @param {any} content @param {string} [kind]
 */
export const Room = (longest, content, kind = "") =>
  html`<div class=${`gl-room ${kind}`.trim()} data-room=${longest}>${content}</div>`;

const POINTED = "Point at a part to light it up; arrow keys walk from one to the next.";

/** What to look for, once nothing is to be predicted any more; and what a hand can do. @param {any} properties */
export function Look({ look, parted, open }) {
  const hint = parted ? POINTED : "";
  const both = [hint, look].filter(Boolean).join(" ");
  if (!both) return null;
  return Room(both.replace(/\p{L}/gu, "n"), html`<p class="gl-look">${open ? hint : both}</p>`);
}

/** What the address says and may not: until it is read. @param {any} properties */
export function Complaint({ complaint, send }) {
  return html`
    <p class="gl-complaint">${complaint} <button type="button" class="gl-quiet" onClick=${() => send({ type: "dismiss" })}>Close</button></p>
  `;
}
