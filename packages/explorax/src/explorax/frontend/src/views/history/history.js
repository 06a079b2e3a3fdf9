// The history of a run: lines that grow with its steps, those of earlier runs behind them.
//
// Its spec is packages/explorax/src/explorax/views/history.py's History. It draws arrays and knows no subject.

import { Axes, clamp, clamped, html, marker, memoize, r1, spread, unbroken } from "../../view.js";
import { concealed, emphasis, part, read, templateValues } from "../common/read.js";
import { filled, RowKey, wrapped } from "../common/text.js";
import { heights, means, path, roomOf } from "./room.js";

export { layouts } from "./room.js";

/** The levels that are there at what is set. @param {any} drawing @returns {any[]} */
const present = ({ spec, settings }) =>
  spec.levels.filter(
    (/** @type {any} */ { where: [name, names] }) => !name || names.includes(settings[name]),
  );

/** @param {any} drawing */
export function handles(drawing) {
  const { right, top, bottom, y } = roomOf(drawing);
  const value = (/** @type {number} */ _, /** @type {number} */ py) => y.invert(clamp(py, top, bottom));
  return present(drawing)
    .filter(({ drag }) => drag)
    .map(({ drag, label, role, value: name }) => {
      const level = clamp(y.at(Number(read(drawing, name))), top, bottom);
      return { control: drag, x: right, y: level, axis: "y", label, role, value };
    });
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, id, values } = drawing;
  const room = roomOf(drawing);
  const { left, right, top, bottom, x } = room;
  const shown = spec.series.filter((/** @type {any} */ { value }) => !concealed(drawing, value));
  /** A line of the key. @param {any} series */
  const entry = ({ role, label: text, value }) => {
    return { kind: "line", role, text, part: part(value), emphasis: emphasis(drawing, value) };
  };
  const lines = shown.map((/** @type {any} */ { value }) => line(values, value, spec, room));
  const role = spec.series.length > 1 ? "" : "muted"; // lines of the same series are told apart by strength
  /** An earlier run does not change. @param {any} values @param {string} value */
  const before = (values, value) =>
    memoize(values, `${id} ${value}`, [room], () => path(line(values, value, spec, room).mean, room));
  return html`
    <defs><clipPath id=${`${id}-history`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, room, { x: spec.label, y: spec.y.label, grid: "y" })}
    ${spec.at && values.steps > 0 && html`<g class="gl-role-muted"><path class="gl-level" d=${`M${r1(x.at(Number(read(drawing, spec.at))))} ${top}V${bottom}`} /></g>`}
    <g clip-path=${`url(#${id}-history)`}>
      ${behind(drawing).map(
        (/** @type {any} */ { values, dash, label }) => html`
          <g class=${`gl-earlier gl-earlier-${dash}${spec.fine ? " gl-fine" : ""}`}>
            ${label && html`<title>${label}</title>`}
            ${spec.series.map((/** @type {any} */ series) => html`<path class="gl-reach" d=${before(values, series.value)} /><path class=${`gl-line gl-role-${role || series.role}`} d=${before(values, series.value)} />`)}
          </g>`,
      )}
      ${shown.map((/** @type {any} */ series, /** @type {number} */ i) => Present(series, lines[i], drawing, room))}
    </g>
    ${present(drawing).map((level) => Across(level, drawing, room))}
    ${shown.length > 0 && values.case === 3 && Stopped(x.at(values.steps + 1), room)}
    ${room.runs ? RunEnds(shown, lines, drawing, room) : Ends(shown, lines, drawing, room)}
    ${RowKey(room.keyed.map(entry), room.places, drawing)}
  `;
}

/** The earlier runs that are drawn: of what jumps from step to step the last one at most. @param {any} drawing @returns {any[]} */
const behind = ({ spec, run }) => run?.earlier.slice(0, spec.fine ? 1 : undefined) ?? [];

/** A line as heights: what was recorded, and the mean of it that is drawn. @param {any} values @param {string} name @param {any} spec @param {any} room */
function line(values, name, { smooth }, room) {
  const raw = heights(values[name], Number(values.steps), room);
  return { raw, mean: smooth > 1 ? means(raw, smooth) : raw };
}

/** The line of this run, with a mark where it is now. @param {any} series @param {any} line @param {any} drawing @param {any} room */
function Present({ value, role }, { raw, mean }, drawing, room) {
  const { x, top, bottom } = room;
  const { spec } = drawing;
  return html`
    <g class=${`gl-role-${role}${spec.fine ? " gl-fine" : ""}${emphasis(drawing, value)}`} ...${part(value)}>
      ${mean !== raw && html`<path class="gl-raw" d=${path(raw, room)} />`}
      <path class="gl-line" d=${path(mean, room)} />
      ${mean.length > 0 && html`<path class="gl-spot" d=${marker(role, x.at(mean.length), clamp(mean[mean.length - 1], top, bottom), 4)} />`}
    </g>`;
}

/** A line across, with its name at its end; where room is scarce above it, or beneath a low one, or, where it moves, above the plot. @param {any} level @param {any} drawing @param {any} room */
function Across({ value, label, role, drag }, drawing, { left, right, top, bottom, y, within, runs }) {
  const { px, beyond } = clamped(y, Number(read(drawing, value)));
  const text = label && !runs && filled(label, templateValues(drawing));
  const below = px + 18 < bottom && px > (top + 2 * bottom) / 3 ? 16 : -7; // a low one leaves the series the room above
  const named = within
    ? { x: drag ? right : right - 12, y: drag ? top - 11 : r1(px) + below, "text-anchor": "end" }
    : { x: right + 11, y: r1(px) + 4.5 };
  return html`
    <g class=${`gl-threshold gl-role-${role}${emphasis(drawing, value)}`} ...${part(value)}>
      ${!beyond && html`<path class=${drag ? "gl-level" : "gl-level gl-still"} d=${`M${left} ${r1(px)}H${right}`} />`}
      ${text && html`<text ...${named}>${text}</text>`}
    </g>`;
}

/** The place where a record was no finite number. @param {number} x @param {any} room */
const Stopped = (x, { bottom, right }) => html`
  <g class="gl-role-limit">
    <path class="gl-lost" d=${marker("limit", x, bottom - 6, 4)} />
    <text class="gl-losttext" x=${r1(x) + (x > right - 70 ? -8 : 8)} y=${bottom - 2} text-anchor=${x > right - 70 ? "end" : "start"}>stopped</text>
  </g>`;

/** The names of the lines at their ends. @param {any[]} shown @param {any[]} lines @param {any} drawing @param {any} room */
function Ends(shown, lines, drawing, { ends, right, top, bottom }) {
  const named = ends.filter((/** @type {any} */ series) => shown.includes(series));
  const wanted = named.map((/** @type {any} */ series) => lines[shown.indexOf(series)].mean.at(-1) ?? bottom);
  const levels = spread(wanted, top + 6, bottom - 4, 17);
  return named.map(
    (/** @type {any} */ { role, value, label }, /** @type {number} */ i) => html`
      <text class=${`gl-named gl-role-${role}${emphasis(drawing, value)}`} x=${right + 10} y=${r1(levels[i]) + 4.5} ...${part(value)}>${label}</text>`,
  );
}

const LINE = 16;

/** The names of the runs at their lines' ends, among those of the levels. @param {any[]} shown @param {any[]} lines @param {any} drawing @param {any} room */
function RunEnds(shown, lines, drawing, { right, top, bottom, x, y, runs }) {
  const { spec, run, values } = drawing;
  const [{ value, role }] = spec.series;
  const now = shown.length && values.steps ? lines[0].mean.at(-1) : Number.NaN;
  const before = behind(drawing).map(({ values: { steps, recorded, [value]: all }, label }) => {
    const cut = steps < x.high && !recorded ? `, stopped\u00a0at\u00a0${steps}` : "";
    return { role: "muted", px: y.at(all[steps - 1]), text: label + cut };
  });
  const all = [
    ...present(drawing).map(({ label, role, value }) => {
      const { px } = clamped(y, Number(read(drawing, value)));
      return { role, px, text: filled(label, templateValues(drawing)) };
    }),
    // one that the present run lies on is named there
    ...before.filter(({ px, text }) => text !== `${run.label}, recorded` || !(Math.abs(px - now) < 1)),
    ...(Number.isFinite(now) ? [{ role, px: now, text: run?.label ?? "" }] : []),
  ];
  const texts = all.map(({ text }) => wrapped(unbroken(text), runs));
  const sizes = texts.map(({ length }) => LINE * length + 2);
  const wanted = all.map(({ px }) => clamp(px, top, bottom));
  const low = sizes.reduce((a, b) => a + b, 0) < bottom - top ? bottom - 12 : bottom + 12; // above the numbers, if there is room
  const middles = spread(wanted, top, low, sizes);
  const leaders = middles.map((middle, i) =>
    Math.abs(middle - wanted[i]) > 3 ? `M${right + 5} ${r1(wanted[i])}L${right + 12} ${r1(middle)}` : "",
  );
  return html`<g class="gl-runnames"><path class="gl-rule" d=${leaders.join("")} />${all.map(({ role }, i) =>
    texts[i].map(
      (/** @type {string} */ words, /** @type {number} */ n) =>
        html`<text class=${`gl-named gl-role-${role}`} x=${right + 14} y=${r1(middles[i] + 4.5 + LINE * (n - (texts[i].length - 1) / 2))}>${words}</text>`,
    ),
  )}</g>`;
}
