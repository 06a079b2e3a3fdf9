// Runs as dots and their medians as lines, over an axis whose meaning can be dragged from one to the next. Below,
// on the same scale, where each line falls over each of the axes.
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
  spread,
} from "explorax/view";

export const kind = "collapse";

/** @typedef {import("explorax/view").Drawing} Drawing */

const SIZES = {
  wide: { width: 688, left: 54, right: 520, plot: 200 },
  narrow: { width: 320, left: 40, right: 306, plot: 180 },
};
const NAME = 19; // from one name to the next under it

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const { width, left, right, plot } = SIZES[layout];
  const key = spec.remedies.map((/** @type {any} */ _, /** @type {number} */ n) => {
    return { x: -6 + 156 * (n % 2), y: 24 * Math.floor(n / 2), letters: 99 };
  });
  const top = layout === "wide" ? 30 : key.at(-1).y + 54;
  const rows = scaleOf(
    [0, spec.stops.length - 1],
    top + plot + 46,
    top + plot + 46 + 38 * (spec.stops.length - 1),
  );
  const bottom = rows.at(rows.high) + 14;
  const x = scaleOf({ span: spec.x, scale: "log" }, left, right);
  const ticks = x.ticks.map((tick) => (tick.at > right - 1 ? { ...tick, text: `${tick.text}+` } : tick));
  const y = scaleOf([0, 100], top + plot, top);
  const decades = scaleOf([Math.log10(x.low), Math.log10(x.high)], left, right);
  return { width, height: bottom + 44, left, right, top, bottom, x: { ...x, ticks }, y, decades, rows, key };
});

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, values, layout, description, ghost } = drawing;
  const room = roomOf(drawing);
  const { right, top, bottom, decades, y, rows } = room;
  const [{ length }, many] = [spec.remedies, values.middle.length / spec.remedies.length];
  const spot = (/** @type {number} */ at, /** @type {number} */ right) =>
    `${r1(decades.at(at))} ${r1(y.at(right))}`;
  /** The line of a remedy. @param {number} n @param {any} from */
  const line = (n, { middle, middle_at: at }) =>
    `M${Array.from({ length: many }, (_, i) => spot(at[n * many + i], middle[n * many + i])).join("L")}`;
  const dots = values.runs.length / length;
  const fallen = placesOf(drawing, room);
  const lines = spec.remedies.map((/** @type {string[]} */ [name, text, role], /** @type {number} */ n) => {
    const [own, end] = [n * many, n * many + many - 1];
    const beads = Array.from({ length: many }, (_, i) =>
      marker(role, decades.at(values.middle_at[own + i]), y.at(values.middle[own + i]), 4),
    );
    const cloud = Array.from(
      { length: dots },
      (_, i) => `M${spot(values.runs_at[n * dots + i], values.runs[n * dots + i])}h0`,
    );
    const falls = (fallen[spec.falling.indexOf(n)] ?? []).map((px, stop) => [r1(px), rows.at(stop)]);
    beads.push(...falls.map(([px, py]) => marker(role, px, py, 4)));
    const [px, py] = [decades.at(values.middle_at[end]), y.at(values.middle[end])];
    const thread = falls.length ? `M${falls.map((at) => at.join(" ")).join("L")}` : "";
    return {
      name,
      text,
      role,
      path: line(n, values),
      beads: beads.join(""),
      cloud: cloud.join(""),
      thread,
      px,
      py,
    };
  });
  const lit = lines.some((/** @type {any} */ { name }) => drawing.lit?.kind === name);
  const shade = (/** @type {string} */ name) => (lit ? emphasis(drawing, name) || " gl-dim" : "");
  const levels = spread(
    lines.map((/** @type {any} */ { py }) => py),
    top,
    bottom,
    NAME,
  );
  const entry = (/** @type {any} */ { name, text, role }) => ({
    kind: "remedy",
    role,
    text,
    part: part(name),
    emphasis: shade(name),
  });
  return html`<g class="gl-collapse">
    ${Axes(drawing, room, { x: description.labels.x, y: description.labels.y, grid: "both" })}
    ${Falls(drawing, room, fallen)}
    ${ghost && html`<path class="gl-ghost" d=${lines.map((/** @type {any} */ _, /** @type {number} */ n) => line(n, { ...values, ...ghost })).join("")} />`}
    ${lines.map(
      (/** @type {any} */ { name, role, path, cloud, beads, thread }) => html`
        <g class=${`gl-remedy gl-role-${role}${shade(name)}`} ...${part(name)}>
          <path class="gl-runs" d=${cloud} />${thread && html`<path class="gl-outline" d=${thread} />`}<path class="gl-reach" d=${path} /><path class="gl-line" d=${path} /><path class="gl-spot" d=${beads} />
        </g>`,
    )}
    ${
      layout === "wide"
        ? lines.map(
            (/** @type {any} */ { name, text, role, px, py }, /** @type {number} */ n) => html`
        <g class=${`gl-role-${role}${shade(name)}`} ...${part(name)}>
          <path class="gl-outline" d=${`M${r1(px + 7)} ${r1(py)}H${right}L${right + 16} ${r1(levels[n])}`} />
          <text class="gl-named" x=${right + 20} y=${r1(levels[n] + 4.7)}>${text}</text>
        </g>`,
          )
        : RowKey(lines.map(entry), room.key, drawing)
    }
  </g>`;
}

/** Where each line that falls does, at each stop, in pixels. @param {Drawing} drawing @param {any} room @returns {number[][]} */
function placesOf({ spec, values }, { decades }) {
  const many = spec.falling.length;
  return spec.falling.map((/** @type {any} */ _, /** @type {number} */ n) =>
    spec.stops.map((/** @type {any} */ _, /** @type {number} */ stop) =>
      decades.at(values.falls[stop * many + n]),
    ),
  );
}

/** The level below which lines have fallen, how far apart they do at each stop, and what the axis is now. @param {Drawing} drawing @param {any} room @param {number[][]} fallen */
function Falls({ spec, values, settings, description }, { left, right, y, rows }, fallen) {
  const { way, level } = settings;
  const [stop, share] = [Math.floor(way), way % 1];
  const ends = (/** @type {number[]} */ at) => [Math.min(...at), Math.max(...at)].map(r1);
  const now = fallen.map((at) => at[stop] + share * ((at[stop + 1] ?? 0) - at[stop]));
  const [[from, to], high, low] = [ends(now), r1(y.at(level)), r1(rows.at(way))];
  return html`
    <path class="gl-band0" d=${`M${from} ${high}H${to}V${low}H${from}z`} />
    <path class="gl-rule" d=${`M${left} ${high}H${right}M${from} ${high}V${low}M${to} ${high}V${low}M${left - 22} ${rows.at(0)}V${rows.at(rows.high)}`} />
    <text class="gl-muted" x=${left + 24} y=${high + 17}>${description.labels.fallen}</text>
    <text class="gl-muted" x=${right - 6} y=${y.at(0) + 18} text-anchor="end">${description.labels.falls}</text>
    ${spec.stops.map((/** @type {string} */ text, /** @type {number} */ i) => {
      const [first, last] = ends(fallen.map((at) => at[i]));
      return html`
        <g class=${`gl-role-${i === way ? "ink" : "muted"}`}><path class="gl-bar-across" d=${`M${first} ${rows.at(i)}H${last}`} /></g>
        <text class=${i === way ? "gl-symbolic" : "gl-muted"} x=${left + 5} y=${rows.at(i) - 7}>${text}</text>
        <text class="gl-symbolic" x=${Math.min(last + 9, right - 4)} y=${rows.at(i) - 7} text-anchor=${last + 40 > right ? "end" : "start"}>${`×${number(values.spreads[i], ".0f")}`}</text>`;
    })}`;
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
