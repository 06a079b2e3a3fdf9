// The backward pass: springs, the stream in its bed, gates and limits.

import { html } from "../../common/html.js";
import { number } from "../../common/numberFormat.js";
import { fill } from "../../common/template.js";
import { isLit } from "../../views/common/read.js";
import { BED, joining } from "./geometry.js";
import { box, compact, places, RADIUS, ramp, shade, spring, stands, Text } from "./shapes.js";

/** @typedef {import("./geometry.js").Section} Section */

/** The bed that the stream has, full or not. @param {any} context */
export function bed({ layout, flow }) {
  const end = flow.state(flow.shown) + (flow.shown < flow.steps ? 30 : layout.gate);
  return box(layout, layout.exit, end, 0, BED * layout.unit, { class: "gl-bed" });
}

/** One band for each loss, from where it joins to the root. @param {any} context */
export function bands(context) {
  const { layout, at, flow, values, lit, id } = context;
  const exit = { ...flow.sections.at(-1), u: layout.exit };
  const root = exit.bottom;
  let gaps = "";
  const shapes = places(context, "band", values.own.length, (i) => {
    const k = i + 1;
    if (k > flow.steps) return null;
    const first = k <= flow.shown ? flow.sections.indexOf(joining(flow, values, k)) : 0;
    const course = [...flow.sections.slice(first), exit];
    const upper = course.map((s) => at(s.u, s.tops[i]));
    const lower = course.map((s) => at(s.u, s.tops[i] + s.widths[i])).reverse();
    const thick = course.filter((s) => s.widths[i] >= 2.5);
    if (thick.length > 1) gaps += `M${thick.map((s) => at(s.u, s.tops[i])).join("L")}`;
    const [kind, d] = [`gl-band${shade(lit, k)}`, `M${[...upper, ...lower].join("L")}Z`];
    const draw = () => html`<path class=${kind} data-part="loss" data-index=${k} d=${d} />`;
    return { fill: ramp(k, flow.steps), key: [kind, d], draw };
  });
  const end = flow.sections.at(-1).u;
  const first = html`<path class=${`gl-own${shade(lit, 0)}`} data-part="loss" data-index="0" d=${`M${at(end, root)}L${at(layout.exit, root)}L${at(
    layout.exit,
    root + layout.unit,
  )}L${at(end, root + layout.unit)}Z`} />`;
  return html`<g>${shapes}</g><path class="gl-gap" d=${gaps} />${first}
    ${box(layout, layout.exit - 1, layout.exit + 34, -1, BED * layout.unit + 1, { class: "gl-fade", fill: `url(#${id}-fade)` })}
    <g>${columns(context)}</g>`;
}

/** The strip of each application, to point at. @param {any} context */
function columns(context) {
  const { layout, flow, lit } = context;
  const [size, bed] = [flow.pitch - 2 * layout.gate, BED * layout.unit];
  return places(context, "column", layout.steps, (i) => {
    if (i >= flow.shown) return null;
    const on = lit?.kind === "application" && lit.index === i + 1;
    const named = { "data-part": "application", "data-index": i + 1 };
    const draw = () => box(layout, 0, size, -4, bed, { class: `gl-column${on ? " gl-lit" : ""}`, ...named });
    return { u: flow.state(i) + layout.gate, key: [size, on], draw };
  });
}

/** The springs that feed the stream from below. @param {any} context */
export function springs(context) {
  const { layout, at, flow, lit } = context;
  const bed = BED * layout.unit;
  const foot = bed + (layout.turned ? 25 : 36);
  return places(context, "spring", layout.steps + 1, (k) => {
    if (k > flow.shown) return null;
    const { u, left, own, top } = spring(context, k);
    const right = left + own;
    const whole = RADIUS + own;
    const fits = top + own <= bed;
    const path = fits
      ? `M${at(u, top)}C${at(u + whole * 0.55, top)} ${at(right, top + whole * 0.45)} ${at(right, top + whole)}` +
        `L${at(right, foot)}L${at(left, foot)}L${at(left, top + own + RADIUS)}` +
        `C${at(left, top + own + RADIUS * 0.45)} ${at(u + RADIUS * 0.55, top + own)} ${at(u, top + own)}Z`
      : `M${at(left, bed)}L${at(right, bed)}L${at(right, foot)}L${at(left, foot)}Z`;
    const kind = `${k ? "gl-spring" : "gl-own"}${shade(lit, k)}`;
    const draw = () => html`<path class=${kind} data-part="loss" data-index=${k} d=${path} />`;
    return { fill: k ? ramp(k, flow.steps) : undefined, key: [kind, path], draw };
  });
}

/** The edge where the stream is wider than its bed. @param {any} context */
export function torn({ layout, at, flow, values, description, settings }) {
  const bed = BED * layout.unit;
  const widest = Math.max(...flow.sections.map((/** @type {Section} */ s) => s.bottom));
  if (widest <= bed + 0.01) return null;
  const over = flow.sections.filter((/** @type {Section} */ s) => s.bottom > bed);
  const start = Math.min(...over.map((/** @type {Section} */ s) => s.u), layout.exit);
  const end = Math.max(...over.map((/** @type {Section} */ s) => s.u));
  const teeth = Math.max(3, Math.round((end - start) / 8));
  const points = Array.from({ length: 2 * teeth + 1 }, (_, i) =>
    at(start + ((end - start) * i) / (2 * teeth), bed - (i % 2 ? 0 : 5)),
  );
  const most = Math.max(...Array.from(values.received));
  const words = fill(description.labels.torn, { ...settings, n: compact(most).replace(/\.\d+$/, "") });
  return html`
    <path class="gl-tear" d=${`M${points.join("L")}L${at(end, bed + 2)}L${at(start, bed + 2)}Z`} />
    ${most > BED && Text(layout, [layout.v0 + bed, layout.height - 112, "end"], [layout.exit + 4, layout.v0 + bed - 12, "start"], words, "gl-plate")}
  `;
}

/** The gates at which s acts. @param {any} context */
export function gates(context) {
  const { layout, flow, values, description, settings, lit } = context;
  const words = fill(description.labels[values.scales ? "scale" : "plain"], settings);
  const last = [...Array(flow.shown + 1).keys()].findLast((j) => stands(values, j)); // one label for all
  return places(context, "gate", layout.steps + 1, (j) => {
    if (j > flow.shown || !stands(values, j)) return null;
    const passing = flow.sections.find((/** @type {Section} */ s) => s.state === j && s.side === "in");
    const depth = Math.round(Math.min(BED * layout.unit, Math.max(10, passing?.bottom ?? 0)) + 5);
    const kind = `gl-gate${isLit(lit, "gate", j) ? " gl-lit" : ""}`;
    const label = j === last ? words : "";
    const draw = () =>
      html`<g class=${kind} data-part="gate" data-index=${j}>${gate(layout, depth, label)}</g>`;
    return { u: flow.state(j), key: [kind, depth, label], draw };
  });
}

/** @param {any} layout @param {number} depth @param {string} label */
function gate(layout, depth, label) {
  const frame = (/** @type {string} */ kind) =>
    box(layout, -layout.gate, layout.gate, -6, depth, { class: kind });
  return html`
    ${frame("gl-halo")} ${frame("gl-frame")}
    ${label && Text(layout, [layout.v0 - 9, 5, "end"], [undefined, layout.v0 - 36, "middle"], label)}
  `;
}

/** The bound on the stream's width, and where the gates clip. @param {any} context */
export function limits({ layout, at, values, settings, description }) {
  const lines = [
    [values.line, number(values.line)],
    [values.clip_line, fill(description.labels.clip, settings)],
  ];
  return lines.map(([value, label]) => {
    if (!(value <= BED)) return null;
    const v = value * layout.unit;
    return html`<path class="gl-limit" d=${`M${at(layout.u0 - 12, v)}L${at(layout.turned ? layout.u1 + 30 : 654, v)}`} />
      ${Text(layout, [layout.v0 + v, layout.u1 + 44, "middle"], [688, layout.v0 + v + 4.5, "end"], label, "gl-muted")}`;
  });
}
