// The results as a table, behind a fold.

import { html } from "./html.js";
import { fill, number } from "./words.js";

/** @param {any} properties */
export function Table({ description, settings, values, lit, actions }) {
  const shown = description.table;
  const all = { ...settings, ...values };
  const count = shown.count ? all[shown.count] : 1;
  const [heading, name] = shown.columns[0];
  const leaf = description.outputs.find((/** @type {any} */ o) => o.name === name);
  const matrix = leaf.shape.length === 2;
  const range = Array.from({ length: count }, (_, n) => n);
  const head = matrix
    ? range.map((n) => fill(heading, { ...all, n: String(n + 1) }))
    : shown.columns.map((/** @type {[string, string]} */ [words]) => fill(words, all));
  /** @param {number} k @param {number} j */
  const cell = (k, j) => {
    if (!matrix) {
      const value = all[shown.columns[j][1]];
      return number(typeof value === "object" ? value[k] : value, 2);
    }
    return shown.triangle && j > k ? "" : number(all[name][k * leaf.shape[1] + j], 2);
  };
  /** @param {number} k @param {number} j */
  const light = (k, j) => (matrix && lit && lit.index === (lit.kind === "loss" ? k : j) + 1 ? "gl-lit" : "");
  return html`
    <details class="gl-table">
      <summary>The numbers as a table</summary>
      <div class="gl-scroll" tabindex="0" role="region" aria-label=${shown.caption || "The numbers as a table"}>
        <table>
          ${shown.caption && html`<caption>${fill(shown.caption, all)}</caption>`}
          <thead><tr>${shown.rows && html`<td></td>`}${head.map((/** @type {string} */ words) => html`<th scope="col">${words}</th>`)}</tr></thead>
          <tbody>
            ${range.map(
              (k) => html`
                <tr onPointerEnter=${() => matrix && actions?.light({ kind: "loss", index: k + 1 })} onPointerLeave=${() => actions?.light(null)}>
                  ${shown.rows && html`<th scope="row">${fill(shown.rows, { ...all, n: String(k + 1) })}</th>`}
                  ${head.map((/** @type {string} */ _, /** @type {number} */ j) => html`<td class=${light(k, j)}>${cell(k, j)}</td>`)}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  `;
}
