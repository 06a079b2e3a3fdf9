// The results as a table.

import { html } from "../common/html.js";
import { number } from "../common/numberFormat.js";
import { fill } from "../common/template.js";
import { isLit, part, shapeOf, templateValues } from "../views/common/read.js";

/** @param {any} properties */
export function Table(properties) {
  const words = fill(
    properties.description.table.caption || "The numbers as a table",
    templateValues(properties.state),
  );
  return html`
    <div class="gl-table gl-scroll" tabindex="0" role="group" aria-label=${words}>
      <table>
        <caption>${words}</caption>
        ${cells(properties)}
      </table>
    </div>
  `;
}

/** The number of rows at present; packages/explorax/src/explorax/figure/text.py counts as this does. @param {any} description @param {any} all */
function countOf(description, all) {
  const { columns, count } = description.table;
  if (typeof count === "number") return count;
  const asked = count ? Number(all[count]) : 1;
  const there = columns.map((/** @type {[string, string]} */ [, name]) => {
    const shape = shapeOf(description, name);
    return shape.length ? Math.min(...shape) : 1;
  });
  return Math.floor(Math.min(Math.max(asked || 0, 0), ...there));
}

/** @param {any} properties */
function cells({ description, state }) {
  const shown = description.table;
  const { lit, concealed } = state;
  const all = templateValues(state);
  const count = countOf(description, all);
  const [[heading, name]] = shown.columns;
  const shape = shapeOf(description, name);
  const matrix = shape.length === 2;
  const counted = (/** @type {string} */ words, /** @type {number} */ i) =>
    fill(words, { ...all, n: String(i + 1) });
  const numbered = (/** @type {number} */ length) => Array.from({ length }, (_, j) => counted(heading, j));
  const head = matrix
    ? numbered(typeof shown.count === "number" ? shape[1] : count)
    : shown.columns.map((/** @type {[string, string]} */ [words]) => fill(words, all));
  /** @param {number} k @param {number} j */
  const cell = (k, j) => {
    const result = matrix ? name : shown.columns[j][1];
    if (matrix && shown.triangle && j > k) return "";
    if (concealed.has(result)) return "?";
    const [value, at] = [all[result], matrix ? k * shape[1] + j : k];
    return number(typeof value === "object" ? value[at] : value, shown.general ? ".3~g" : ",.2f");
  };
  /** A cell lights with what it belongs to, as the picture does. @param {number} k @param {number} j */
  const td = (k, j) => {
    const own = matrix ? !shown.row_part && name : shown.columns[j][1];
    const index = matrix ? k * shape[1] + j + 1 : count > 1 ? k + 1 : undefined;
    const across = isLit(lit, shown.row_part, k + 1) || isLit(lit, shown.column_part, j + 1);
    const on = own ? isLit(lit, own, index) : across;
    return html`<td class=${on ? "gl-lit" : ""} ...${part(own, index)}>${cell(k, j)}</td>`;
  };
  return html`
    <thead>
      <tr>
        ${shown.rows && html`<td></td>`}
        ${head.map((/** @type {string} */ words, /** @type {number} */ j) => html`<th scope="col" ...${part(shown.column_part, j + 1)}>${words}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${Array.from(
        { length: count },
        (_, k) => html`
          <tr ...${part(shown.row_part, k + 1)}>
            ${shown.rows && html`<th scope="row">${counted(Array.isArray(shown.rows) ? shown.rows[k] : shown.rows, k)}</th>`}
            ${head.map((/** @type {string} */ _, /** @type {number} */ j) => td(k, j))}
          </tr>
        `,
      )}
    </tbody>
  `;
}
