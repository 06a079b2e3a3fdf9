// Medians of runs as lines, over an axis whose meaning can be chosen. How far apart lines fall is a
// bar along the level, and below, on the same scale, one in the row of each axis up to that in use. A line that is lit
// also has its runs, as dots.
//
// It draws arrays, places in decades: `runs`, `runs_at` [n, m, k], `middle`, `middle_at` [n, m], `falls` [stops, lines] and
// `spreads` [stops]; `case` says which of the spec's stops the axis is.

import { Axes, bothLayouts, emphasis, html, marker, number, part, RowKey, r1, scaleOf } from "explorax/view";

export const kind = "collapse";

/** @typedef {import("explorax/view").Drawing} Drawing */

const SIZES = {
  wide: { width: 688, left: 54, right: 494, plot: 200 },
  narrow: { width: 320, left: 40, right: 306, plot: 180 },
};

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const [{ width, left, right, plot }, wide] = [SIZES[layout], layout === "wide"];
  const key = [...spec.remedies, "dots"].map((_, n) => {
    const place = wide
      ? { x: right + 6, y: 32 + 26 * n }
      : { x: -6 + 156 * (n % 2), y: 24 * Math.floor(n / 2) };
    return { ...place, letters: 99 };
  });
  const top = wide ? 30 : key[key.length - 1].y + 54;
  const first = top + plot + 35;
  const rows = scaleOf([0, spec.stops.length - 1], first, first + 34 * (spec.stops.length - 1));
  const bottom = rows.at(rows.high) + 19;
  const x = scaleOf({ span: spec.x, scale: "log" }, left, right);
  const [before, after] = wide ? ["", " or more"] : ["≥\u00a0", ""]; // a run beyond the axis is drawn at its end
  const ticks = x.ticks.map((t) => (t.at > right - 1 ? { ...t, text: before + t.text + after } : t));
  const y = scaleOf([0, 100], top + plot, top);
  const decades = scaleOf([Math.log10(x.low), Math.log10(x.high)], left, right);
  return { width, height: bottom + 44, left, right, top, bottom, x: { ...x, ticks }, y, decades, rows, key };
});

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, values, description } = drawing;
  const room = roomOf(drawing);
  const { decades, y, key } = room;
  const [way, level] = [values.case, r1(y.at(drawing.settings.level))];
  const [{ length }, many] = [spec.remedies, values.middle.length / spec.remedies.length];
  /** Where the values of a remedy are drawn. @param {any} places @param {any} right @param {number} n @param {number} count */
  const spots = (places, right, n, count) =>
    Array.from({ length: count }, (_, i) => [
      r1(decades.at(places[n * count + i])),
      r1(y.at(right[n * count + i])),
    ]);
  /** Where each line that falls does, at each stop. @type {number[][]} */
  const fallen = spec.falling.map((/** @type {any} */ _, /** @type {number} */ n) =>
    Array.from(spec.stops, (_, i) => r1(decades.at(values.falls[i * spec.falling.length + n]))),
  );
  const lit = spec.remedies.some((/** @type {string[]} */ [name]) => drawing.lit?.kind === name);
  const lines = spec.remedies.map((/** @type {string[]} */ [name, text, role], /** @type {number} */ n) => {
    const [itself, falls] = [emphasis(drawing, name), fallen[spec.falling.indexOf(n)]];
    const middle = spots(values.middle_at, values.middle, n, many);
    const beads = falls ? [...middle, [falls[way], level]] : middle;
    const runs = itself ? spots(values.runs_at, values.runs, n, values.runs.length / length) : [];
    const shade = lit ? itself || " gl-dim" : falls ? "" : " gl-pale";
    const path = `M${middle.join("L")}`;
    return { kind: "remedy", text, role, part: part(name), emphasis: shade, path, beads, runs };
  });
  return html`<g class="gl-collapse">
    ${Axes(drawing, room, { x: description.labels.x.split("\n")[way], y: description.labels.y, grid: "both" })}
    ${Falls(drawing, room, fallen)}
    ${lines.map(
      (/** @type {any} */ { role, part, emphasis, path, beads, runs }) => html`
        <g class=${`gl-remedy gl-role-${role}${emphasis}`} ...${part}>
          <path class="gl-runs" d=${runs.map((/** @type {number[]} */ at) => `M${at}h0`).join("")} />
          <path class="gl-reach" d=${path} /><path class="gl-line" d=${path} /><path class="gl-spot" d=${beads.map((/** @type {number[]} */ [px, py]) => marker(role, px, py, 4)).join("")} />
        </g>`,
    )}
    ${RowKey(lines, key, drawing)}<text class="gl-muted" x=${key[length].x + 32} y=${key[length].y + 14}>${description.labels[lit ? "dots" : "pale"]}</text>
  </g>`;
}

/** The level below which lines have fallen, and how far apart they do there, and at each stop up to the one in use. @param {Drawing} drawing @param {any} room @param {number[][]} fallen */
function Falls({ spec, values, settings, description }, { left, right, y, rows }, fallen) {
  const [high, now] = [r1(y.at(settings.level)), values.case];
  const bar = (/** @type {number} */ at, /** @type {number} */ py) => {
    const places = fallen.map((stops) => stops[at]);
    return `M${Math.min(...places)} ${py}H${Math.max(...places)}`;
  };
  const stops = spec.stops.map((/** @type {string} */ stop, /** @type {number} */ i) => {
    const [role, py] = [i === now ? "ink" : "muted", rows.at(i)];
    const [line, apart] =
      i > now ? ["", ""] : [bar(i, py + 14), `: ×${number(values.spreads[i], ".0f")} apart`];
    return html`
      <g class=${`gl-role-${role}`}><path class="gl-bar-across" d=${line} /></g>
      <text class=${i === now ? "gl-symbolic" : "gl-muted"} x=${left + 4} y=${py + 4}>${stop}${apart}</text>`;
  });
  return html`
    <path class="gl-rule" d=${`M${left} ${high}H${right}`} />
    <text class="gl-muted" x=${right - 4} y=${rows.at(0) - 16} text-anchor="end">${description.labels.bars}</text>
    ${stops}<g class="gl-role-ink"><path class="gl-bar-across" d=${bar(now, high)} /></g>`;
}

/** The level. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { left, y } = roomOf(drawing);
  const value = (/** @type {number} */ _, /** @type {number} */ py) => Math.round(y.invert(py));
  return [{ control: "level", x: left + 12, y: y.at(drawing.settings.level), axis: "y", value }];
}
