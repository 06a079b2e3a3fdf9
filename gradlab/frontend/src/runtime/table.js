// The results as a table, behind a fold.

import { Component } from "preact";
import { html, isLit } from "../common/html.js";
import { general, number } from "../common/numberFormat.js";
import { fill } from "../common/template.js";

/**
 * While it is closed and the reader drags, its rows wait; they are there when it is opened.
 */
export class Table extends Component {
  state = { open: false };

  /** @param {any} next @param {any} state */
  shouldComponentUpdate(next, state) {
    if (state.open || this.state.open) return true;
    const { settings, values, concealed } = this.props.state;
    const { state: after } = next;
    return (
      !after.moving &&
      (after.settings !== settings || after.values !== values || after.concealed !== concealed)
    );
  }

  /** @param {any} properties */
  render(properties) {
    const { table } = properties.description;
    if (!table) return null;
    const { settings, values } = properties.state;
    const words = fill(table.caption || "The numbers as a table", { ...settings, ...values });
    return html`
      <details class="gl-table gl-fold" onToggle=${(/** @type {any} */ e) => this.setState({ open: e.currentTarget.open })}>
        <summary>The numbers as a table</summary>
        <div class="gl-scroll" tabindex="0" role="group" aria-label=${words}>
          <table>
            ${table.caption && html`<caption>${words}</caption>`}
            ${cells(properties)}
          </table>
        </div>
      </details>
    `;
  }
}

/** How many rows there are now; gradlab/figure/text.py counts as this does. @param {any} description @param {any} all */
function countOf({ table: { columns, count }, outputs }, all) {
  if (typeof count === "number") return count;
  const said = count ? Number(all[count]) : 1;
  const there = columns.map((/** @type {[string, string]} */ [, name]) => {
    const shape = outputs.find((/** @type {any} */ o) => o.name === name)?.shape ?? [];
    return shape.length ? Math.min(...shape) : 1;
  });
  return Math.floor(Math.min(Math.max(said || 0, 0), ...there));
}

/** @param {any} properties */
function cells({ description, state: { settings, values, lit, concealed } }) {
  const shown = description.table;
  const all = { ...settings, ...values };
  const count = countOf(description, all);
  const [heading, name] = shown.columns[0];
  const leaf = description.outputs.find((/** @type {any} */ o) => o.name === name);
  const matrix = leaf?.shape.length === 2;
  const range = Array.from({ length: count }, (_, n) => n);
  const wide = matrix && typeof shown.count === "number" ? leaf.shape[1] : count;
  const head = matrix
    ? Array.from({ length: wide }, (_, n) => fill(heading, { ...all, n: String(n + 1) }))
    : shown.columns.map((/** @type {[string, string]} */ [words]) => fill(words, all));
  const written = shown.general ? general : (/** @type {number} */ value) => number(value, ",.2f");
  /** @param {number} k @param {number} j */
  const cell = (k, j) => {
    const result = matrix ? name : shown.columns[j][1];
    if (matrix && shown.triangle && j > k) return "";
    if (concealed.has(result)) return "?";
    const value = all[result];
    if (matrix) return written(value[k * leaf.shape[1] + j]);
    return written(typeof value === "object" ? value[k] : value);
  };
  /** What a cell belongs to, so that it lights with the picture. @param {number} k @param {number} j */
  const belongs = (k, j) => {
    if (!matrix) {
      const part = shown.columns[j][1];
      return count > 1 ? [part, k + 1] : [part, null];
    }
    return shown.row_part ? [null, null] : [name, k * leaf.shape[1] + j + 1];
  };
  /** @param {number} k @param {number} j */
  const td = (k, j) => {
    const [part, index] = belongs(k, j);
    const on = part
      ? isLit(lit, part, index)
      : isLit(lit, shown.row_part, k + 1) || isLit(lit, shown.column_part, j + 1);
    const own = part ? { "data-part": part, ...(index === null ? {} : { "data-index": index }) } : {};
    return html`<td class=${on ? "gl-lit" : ""} ...${own}>${cell(k, j)}</td>`;
  };
  const row = (/** @type {number} */ k) =>
    shown.row_part ? { "data-part": shown.row_part, "data-index": k + 1 } : {};
  return html`
    <thead>
      <tr>
        ${shown.rows && html`<td></td>`}
        ${head.map(
          (/** @type {string} */ words, /** @type {number} */ j) => html`
            <th scope="col" ...${shown.column_part ? { "data-part": shown.column_part, "data-index": j + 1 } : {}}>${words}</th>
          `,
        )}
      </tr>
    </thead>
    <tbody>
      ${range.map(
        (k) => html`
          <tr ...${row(k)}>
            ${shown.rows && html`<th scope="row">${fill(Array.isArray(shown.rows) ? shown.rows[k] : shown.rows, { ...all, n: String(k + 1) })}</th>`}
            ${head.map((/** @type {string} */ _, /** @type {number} */ j) => td(k, j))}
          </tr>
        `,
      )}
    </tbody>
  `;
}
