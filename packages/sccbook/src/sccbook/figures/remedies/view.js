// Medians of runs as lines, over an axis whose meaning can be dragged from one to the next. Each line that falls drops
// to the row of the axis in use, below on the same scale. A line that is lit also has its runs, as dots, and its places
// in every row.
//
// It draws arrays, places in decades: `runs`, `runs_at` [n, m, k], `middle`, `middle_at` [n, m], `falls` [stops, lines] and
// `spreads` [stops]; `way` says which of the spec's stops the axis is, or between which two it is.

import {
  Axes,
  bothLayouts,
  clamp,
  emphasis,
  html,
  marker,
  number,
  part,
  RowKey,
  r1,
  scaleOf,
} from "explorax/view";

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
  const first = top + plot + 36;
  const rows = scaleOf([0, spec.stops.length - 1], first, first + 34 * (spec.stops.length - 1));
  const bottom = rows.at(rows.high) + 18;
  const x = scaleOf({ span: spec.x, scale: "log" }, left, right);
  const [before, after] = wide ? ["", " or more"] : ["≥\u00a0", ""]; // a run beyond the axis is drawn at its end
  const ticks = x.ticks.map((t) => (t.at > right - 1 ? { ...t, text: before + t.text + after } : t));
  const y = scaleOf([0, 100], top + plot, top);
  const decades = scaleOf([Math.log10(x.low), Math.log10(x.high)], left, right);
  return { width, height: bottom + 44, left, right, top, bottom, x: { ...x, ticks }, y, decades, rows, key };
});

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, values, description, ghost } = drawing;
  const room = roomOf(drawing);
  const { decades, y, rows, key } = room;
  const [way, level] = [drawing.settings.way, r1(y.at(drawing.settings.level))];
  const [{ length }, many] = [spec.remedies, values.middle.length / spec.remedies.length];
  /** Where the values of a remedy are drawn. @param {any} places @param {any} right @param {number} n @param {number} count */
  const spots = (places, right, n, count) =>
    Array.from({ length: count }, (_, i) => [
      r1(decades.at(places[n * count + i])),
      r1(y.at(right[n * count + i])),
    ]);
  /** The line of a remedy. @param {number} n @param {any} from */
  const line = (n, { middle, middle_at: at }) => `M${spots(at, middle, n, many).join("L")}`;
  /** Where each line that falls does, at each stop. @type {[number, number][][]} */
  const fallen = spec.falling.map((/** @type {any} */ _, /** @type {number} */ n) =>
    Array.from(spec.stops, (_, i) => [r1(decades.at(values.falls[i * spec.falling.length + n])), rows.at(i)]),
  );
  const lit = spec.remedies.some((/** @type {string[]} */ [name]) => drawing.lit?.kind === name);
  const lines = spec.remedies.map((/** @type {string[]} */ [name, text, role], /** @type {number} */ n) => {
    const [itself, falls] = [emphasis(drawing, name), fallen[spec.falling.indexOf(n)] ?? []];
    const drop = falls.length ? [level, rows.at(way)].map((py) => [between(falls, way), py]) : [];
    const [path, middle] = [line(n, values), spots(values.middle_at, values.middle, n, many)];
    const beads = [...middle, ...drop.slice(1), ...(itself ? falls : [])];
    const runs = itself ? spots(values.runs_at, values.runs, n, values.runs.length / length) : [];
    const thin = drop.length ? `M${drop.join("L")}${itself && `M${falls.join("L")}`}` : "";
    const shade = lit ? itself || " gl-dim" : falls.length ? "" : " gl-pale";
    return { kind: "remedy", text, role, part: part(name), emphasis: shade, path, beads, runs, thin };
  });
  const { marks, words } = Falls(drawing, room, fallen);
  return html`<g class="gl-collapse">
    ${Axes(drawing, room, { x: description.labels.x.split("\n")[Math.round(way)], y: description.labels.y, grid: "both" })}
    ${marks}
    ${ghost && html`<path class="gl-ghost" d=${lines.map((/** @type {any} */ _, /** @type {number} */ n) => line(n, { ...values, ...ghost })).join("")} />`}
    ${lines.map(
      (/** @type {any} */ { role, part, emphasis, path, beads, runs, thin }) => html`
        <g class=${`gl-remedy gl-role-${role}${emphasis}`} ...${part}>
          <path class="gl-runs" d=${runs.map((/** @type {number[]} */ at) => `M${at}h0`).join("")} /><path class="gl-outline" d=${thin} />
          <path class="gl-reach" d=${path} /><path class="gl-line" d=${path} /><path class="gl-spot" d=${beads.map((/** @type {number[]} */ [px, py]) => marker(role, px, py, 4)).join("")} />
        </g>`,
    )}
    ${words}${RowKey(lines, key, drawing)}<text class="gl-muted" x=${key[length].x + 32} y=${key[length].y + 14}>${description.labels[lit ? "dots" : "pale"]}</text>
  </g>`;
}

/** A value at a stop, or on the way to the next. @param {[number, number][]} stops @param {number} way */
const between = (stops, way) =>
  r1(stops[Math.floor(way)][0] * (1 - (way % 1)) + stops[Math.ceil(way)][0] * (way % 1));

/** The level below which lines have fallen, and how far apart they do at each stop up to the one in use: marks, and words to stand over them. @param {Drawing} drawing @param {any} room @param {[number, number][][]} fallen */
function Falls({ spec, values, settings }, { left, right, y, rows }, fallen) {
  const { way, level } = settings;
  const ends = (/** @type {number[]} */ at) => [Math.min(...at), Math.max(...at)].map(r1);
  const [from, to] = ends(fallen.map((at) => between(at, way)));
  const [high, low, now] = [r1(y.at(level)), r1(rows.at(way)), Math.round(way)];
  const [side, anchor] = right - to > from - left ? [right - 4, "end"] : [left + 4, "start"]; // where there is more room
  const bar = (/** @type {number} */ i) => ends(fallen.map((at) => at[i][0])).join(` ${rows.at(i)}H`);
  const apart = (/** @type {number} */ i) => `: ×${number(values.spreads[i], ".0f")} apart`;
  const marks = html`
    <path class="gl-band0" d=${`M${from} ${high}H${to}V${low}H${from}z`} />
    <path class="gl-rule" d=${`M${left} ${high}H${right}M${left - 22} ${rows.at(0)}V${rows.at(rows.high)}`} />
    <text class="gl-muted" x=${left - 22} y=${rows.at(0) - 16} text-anchor="middle">x-axis</text>
    ${spec.stops.map((/** @type {string} */ _, /** @type {number} */ i) => html`<g class=${`gl-role-${i === now ? "ink" : "muted"}`}><path class="gl-bar-across" d=${i <= now ? `M${bar(i)}` : ""} /></g>`)}`;
  const words = spec.stops.map(
    (/** @type {string} */ stop, /** @type {number} */ i) =>
      html`<text class=${i === now ? "gl-symbolic" : "gl-muted"} x=${side} y=${rows.at(i) - 9} text-anchor=${anchor}>${stop}${i <= now ? apart(i) : ""}</text>`,
  );
  return { marks, words };
}

const CATCH = 0.07; // from a stop, within which the hand has it

/** What the axis is, beside the stops, and the level. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { left, y, rows } = roomOf(drawing);
  const { way, level } = drawing.settings;
  const value = (/** @type {number} */ _, /** @type {number} */ py) => {
    const at = clamp(rows.invert(py), rows.low, rows.high);
    return Math.abs(at - Math.round(at)) < CATCH ? Math.round(at) : at;
  };
  const fallen = (/** @type {number} */ _, /** @type {number} */ py) => Math.round(y.invert(py));
  return [
    { control: "way", x: left - 22, y: rows.at(way), axis: "y", role: "ink", value },
    { control: "level", x: left + 12, y: y.at(level), axis: "y", role: "muted", value: fallen },
  ];
}
