// Runs as dots and their medians as lines, over an axis whose meaning can be dragged from one to the next.
//
// It draws arrays: `runs`, `runs_at` [n, m, k], `middle`, `middle_at` [n, m], and `first`, `last`, `apart`; `way` says
// which of the spec's stops the axis is, or between which two it is.

import {
  Axes,
  bothLayouts,
  clamp,
  emphasis,
  fill,
  html,
  marker,
  memoizeDrawn,
  part,
  RowKey,
  r1,
  scaleOf,
  spread,
} from "explorax/view";

export const kind = "collapse";

/** @typedef {import("explorax/view").Drawing} Drawing */

const SIZES = {
  wide: { width: 688, left: 54, right: 520, plot: 270, inset: 44 },
  narrow: { width: 320, left: 40, right: 306, plot: 220, inset: 36 },
};
const NAME = 19; // from one name to the next under it

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const { width, left, right, plot, inset } = SIZES[layout];
  const key = spec.remedies.map((/** @type {any} */ _, /** @type {number} */ n) => {
    return { x: -6 + 156 * (n % 2), y: 24 * Math.floor(n / 2), letters: 99 };
  });
  const top = layout === "wide" ? 30 : key.at(-1).y + 54;
  const bottom = top + plot;
  const x = scaleOf({ span: spec.x, scale: "log" }, left, right);
  const ticks = x.ticks.map((tick) => (tick.at > right - 1 ? { ...tick, text: `${tick.text}+` } : tick));
  const y = scaleOf([0, 100], bottom, top);
  const track = scaleOf([0, spec.stops.length - 1], left + inset, right - inset);
  return { width, height: bottom + 78, left, right, top, bottom, x: { ...x, ticks }, y, track, key };
});

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, values, layout, description, ghost } = drawing;
  const room = roomOf(drawing);
  const { right, top, bottom, x, y } = room;
  const [{ length }, many] = [spec.remedies, values.middle.length / spec.remedies.length];
  const spot = (/** @type {number} */ at, /** @type {number} */ right) =>
    `${r1(x.at(at))} ${r1(y.at(right))}`;
  /** The line of a remedy. @param {number} n @param {any} from */
  const line = (n, { middle, middle_at: at }) =>
    `M${Array.from({ length: many }, (_, i) => spot(at[n * many + i], middle[n * many + i])).join("L")}`;
  const dots = values.runs.length / length;
  const lines = spec.remedies.map((/** @type {string[]} */ [name, text, role], /** @type {number} */ n) => {
    const [own, end] = [n * many, n * many + many - 1];
    const beads = Array.from({ length: many }, (_, i) =>
      marker(role, x.at(values.middle_at[own + i]), y.at(values.middle[own + i]), 4),
    );
    const cloud = Array.from(
      { length: dots },
      (_, i) => `M${spot(values.runs_at[n * dots + i], values.runs[n * dots + i])}h0`,
    );
    const [px, py] = [x.at(values.middle_at[end]), y.at(values.middle[end])];
    return { name, text, role, path: line(n, values), beads: beads.join(""), cloud: cloud.join(""), px, py };
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
    ${Axes(drawing, room, { x: "", y: description.labels.y, grid: "both" })}
    ${Falls(drawing, room)}
    ${ghost && html`<path class="gl-ghost" d=${lines.map((/** @type {any} */ _, /** @type {number} */ n) => line(n, { ...values, ...ghost })).join("")} />`}
    ${lines.map(
      (/** @type {any} */ { name, role, path, cloud, beads }) => html`
        <g class=${`gl-remedy gl-role-${role}${shade(name)}`} ...${part(name)}>
          <path class="gl-runs" d=${cloud} /><path class="gl-reach" d=${path} /><path class="gl-line" d=${path} /><path class="gl-spot" d=${beads} />
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
    ${Track(drawing, room)}
  </g>`;
}

/** The height across which lines fall, and between which places they do. @param {Drawing} drawing @param {any} room */
function Falls({ spec, values, settings, description }, { left, right, bottom, x, y }) {
  const [from, to] = [r1(x.at(values.first)), r1(x.at(values.last))];
  const [high, low] = [y.at(spec.fallen), bottom - 26];
  const text = Number.isInteger(settings.way) && fill(description.labels.apart, values); // the way between means nothing
  return html`
    <path class="gl-band0" d=${`M${from} ${high}H${to}V${low}H${from}z`} />
    <path class="gl-rule" d=${`M${left} ${high}H${right}M${from} ${high}V${low}M${to} ${high}V${low}`} />
    <path class="gl-rule" d=${`M${from} ${low}v5H${to}v-5`} />
    ${text && html`<text class="gl-symbolic" x=${r1(clamp((from + to) / 2, left + 70, right - 70))} y=${bottom - 6} text-anchor="middle">${text}</text>`}`;
}

/** What the axis is: its stops, and on the way between them a knob. @param {Drawing} drawing @param {any} room */
function Track(drawing, { track, bottom }) {
  const near = Math.round(drawing.settings.way);
  return memoizeDrawn(
    drawing,
    "track",
    [near],
    () => html`
    <path class="gl-rule" d=${`M${track.at(0)} ${bottom + 44}H${track.at(track.high)}`} />
    <path class="gl-spot gl-role-muted" d=${drawing.spec.stops.map((/** @type {string} */ _, /** @type {number} */ i) => marker("", track.at(i), bottom + 44, 3)).join("")} />
    ${drawing.spec.stops.map((/** @type {string} */ text, /** @type {number} */ i) => html`<text class=${i === near ? "gl-symbolic" : "gl-muted"} x=${track.at(i)} y=${bottom + 68} text-anchor="middle">${text}</text>`)}`,
  );
}

const CATCH = 0.07; // from a stop, within which the hand has it

/** The knob on the track. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { track, bottom } = roomOf(drawing);
  const { low, high } = track;
  const value = (/** @type {number} */ px) => {
    const way = clamp(track.invert(px), low, high);
    return Math.abs(way - Math.round(way)) < CATCH ? Math.round(way) : way;
  };
  return [
    { control: "way", x: track.at(drawing.settings.way), y: bottom + 44, axis: "x", role: "ink", value },
  ];
}
