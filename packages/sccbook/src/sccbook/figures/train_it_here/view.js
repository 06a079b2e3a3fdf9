// What a recurrent network keeps of each symbol, step by step, and what it answers in the end.
//
// It draws the last records of a run, numbers: `last_apart_a_1`, ... for the symbol a at the first of the spec's steps,
// and `last_named_a_1`, ... for the probability that it names the first symbol.

import { bothLayouts, emphasis, html, marker, memoizeDrawn, part, r1 } from "explorax/view";

export const kind = "remembered";

/** @typedef {import("explorax/view").Drawing} Drawing */

const SIZES = {
  wide: { width: 688, left: 74, right: 424, cells: 478, cell: 44, row: 30 },
  narrow: { width: 320, left: 26, right: 168, cells: 184, cell: 28, row: 25 },
};
const HEAD = 38; // above the rows
const FARTHEST = 8; // apart that two states of 16 numbers from -1 to 1 can be
const FULL = 0.58; // of the colour, so that ink is read on it

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const size = SIZES[layout];
  return { ...size, height: HEAD + spec.symbols.length * size.row + 24 };
});

/** What is drawn: a run's last step, or that of the run before until this one has something to show. @param {any} drawing */
export function draw(drawing) {
  const old = !drawing.values.steps && drawing.run?.earlier[0];
  const values = old ? old.values : drawing.values;
  const make = () => Remembered({ ...drawing, values }, Boolean(old));
  return memoizeDrawn(drawing, "remembered", [values, Boolean(old), drawing.lit], make);
}

/** @param {Drawing} drawing @param {boolean} old */
function Remembered(drawing, old) {
  const { spec, description, layout } = drawing;
  const { left, right, cells, cell, row } = roomOf(drawing);
  const { labels } = description;
  const symbols = [...spec.symbols];
  const bottom = HEAD + symbols.length * row;
  const wide = layout === "wide";
  const middle = (left + right) / 2;
  return html`<g class="gl-remembered">
    <text class="gl-muted" x=${wide ? left - 18 : 0} y=${HEAD - 8} text-anchor=${wide ? "middle" : "start"}>${labels.shown}</text>
    <text class="gl-muted" x=${middle} y="14" text-anchor="middle">${old ? labels.before : labels.kept}</text>
    <text class="gl-muted" x=${middle} y=${HEAD - 8} text-anchor="middle">${labels.thin}</text>
    <text class="gl-muted" x=${cells + 2 * cell} y="14" text-anchor="middle">${labels.named}</text>
    ${symbols.map((symbol, j) => html`<text x=${cells + (j + 0.5) * cell} y=${HEAD - 8} text-anchor="middle">${symbol}</text>`)}
    <g class=${old ? "gl-dim" : ""}>${symbols.map((symbol, i) => Row(drawing, symbol, i, HEAD + (i + 0.5) * row))}</g>
    <path class="gl-rule" d=${`M${left} ${bottom + 4}H${right}M${left} ${bottom + 1}v6M${right} ${bottom + 1}v6`} />
    <text class="gl-muted" x=${left} y=${bottom + 22} text-anchor=${wide ? "middle" : "start"}>${labels.first}</text>
    ${wide && html`<text class="gl-muted" x=${middle} y=${bottom + 22} text-anchor="middle">${labels.noise}</text>`}
    <text class="gl-muted" x=${right} y=${bottom + 22} text-anchor=${wide ? "middle" : "end"}>${labels.last}</text>
    <text class="gl-muted" x=${cells + 2 * cell} y=${bottom + 22} text-anchor="middle">${labels.boxed}</text>
  </g>`;
}

/** A symbol, its trace, and what is named. @param {Drawing} drawing @param {string} symbol @param {number} i @param {number} y */
function Row(drawing, symbol, i, y) {
  const { spec, values } = drawing;
  const { left, right, cells, cell, row } = roomOf(drawing);
  const name = symbol.toLowerCase();
  const [first, last] = [spec.steps[0], spec.steps.at(-1)];
  /** @type {[number, number][]} */
  const trace = spec.steps.map((/** @type {number} */ step, /** @type {number} */ n) => {
    const half = ((values[`last_apart_${name}_${n + 1}`] / FARTHEST) * (row - 4)) / 2;
    return [r1(left + ((step - first) / (last - first)) * (right - left)), half];
  });
  const edge = (/** @type {number} */ side) => trace.map(([x, half]) => `${x} ${r1(y + side * half)}`);
  const named = [...spec.symbols].map((_, j) => values[`last_named_${name}_${j + 1}`]);
  const known = named.every(Number.isFinite);
  const knows = named.indexOf(Math.max(...named)) === i;
  const end = cells + named.length * cell + 16;
  return html`
    <g class=${`gl-role-state${emphasis(drawing, `symbol_${name}`)}`} ...${part(`symbol_${name}`)}>
      <text class="gl-symbolic" x=${left - 12} y=${y + 5} text-anchor="end">${symbol}</text>
      <path class="gl-gap-to" d=${`M${left} ${y}H${cells - 6}`} />
      ${known && html`<path class="gl-bar" d=${`M${edge(-1).join("L")}L${edge(1).reverse().join("L")}Z`} />`}
      ${named.map(
        (share, j) => html`
        <rect class="gl-cell" x=${cells + j * cell + 1} y=${y - row / 2 + 1} width=${cell - 2} height=${row - 2} fill-opacity=${known ? r3(share * FULL) : 0} />
        ${known && html`<text x=${cells + (j + 0.5) * cell} y=${y + 5} text-anchor="middle">${Math.round(100 * share)}</text>`}`,
      )}
      <path class="gl-course gl-role-ink" d=${`M${cells + i * cell + 1} ${y - row / 2 + 1}h${cell - 2}v${row - 2}h${2 - cell}z`} />
    </g>
    ${known && html`<path class=${`gl-shaft gl-role-${knows ? "parameter" : "loss"}`} d=${knows ? `M${end - 6} ${y}l4 5l8 -11` : marker("limit", end, y, 5)} />`}`;
}

const r3 = (/** @type {number} */ share) => Math.round(share * 1000) / 1000;
