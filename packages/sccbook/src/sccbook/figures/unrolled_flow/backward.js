// The backward pass: losses that fall into the stream, its gates and its limits.

import { emphasis, fill, html, isLit, number } from "explorax/view";
import { BED, edge, round } from "./geometry.js";
import { box, compact, places, ramp, stands, Text } from "./shapes.js";

/** @typedef {import("./geometry.js").Section} Section */

/** One band for each loss, from where it falls in to the root. @param {any} context */
export function bands(context) {
  const { layout, at, flow, values, id } = context;
  const exit = { ...flow.sections.at(-1), u: layout.exit };
  const sections = [...flow.sections, exit];
  const shapes = places(context, "band", (k) => {
    if (k < 1 || k > flow.steps) return null;
    const i = k - 1;
    const joins = flow.cut(k, values.gates_out[i] ? "in" : "mid"); // before the gate of its state, or after it
    const course = sections.slice(sections.indexOf(joins));
    const upper = (/** @type {Section} */ s) => s.tops[i] + Number(s.widths[i] >= 2.5 && s.tops[i] >= 2.5); // a gap
    const lower = (/** @type {Section} */ s) => s.tops[i] + s.widths[i];
    const d = `${fall(context, k)}L${edge(course.slice(1), at, upper)}L${edge(course, at, lower, true)}Z`;
    const kind = `gl-band${emphasis(context, "loss", k)}`;
    const draw = () => html`<path class=${kind} data-part="loss" data-index=${k} d=${d} />`;
    return { fill: ramp(k, flow.steps), key: [kind, d], draw };
  });
  return html`<g>${shapes}</g>
    ${box(layout, layout.exit - 1, layout.exit + 34, -1, BED * layout.unit + 3, { class: "gl-fade", fill: `url(#${id}-fade)` })}
    <g>${columns(context)}</g>`;
}

/** The start of a band: from its joining up to the loss, and down again to the upper bank. @param {any} context @param {number} k */
function fall({ layout, at, flow, values }, k) {
  const own = values.own[k - 1] * layout.unit;
  const top = layout.loss[1] - layout.v0;
  const [middle, bend] = [flow.state(k), flow.bend];
  const left = middle - layout.unit / 2;
  const right = middle + layout.unit / 2;
  return (
    `M${at(right, 0)}L${at(middle + own / 2, top)}L${at(middle - own / 2, top)}L${at(left, -bend)}` +
    `Q${at(left, 0)} ${at(left - bend, 0)}`
  );
}

/** The strip of the application that is lit. @param {any} context */
function columns({ layout, flow, lit }) {
  const i = lit?.kind === "application" ? lit.index : 0;
  if (!i || i > flow.steps) return null;
  const [right, left] = [flow.cut(i, "out"), flow.cut(i - 1, "in")];
  const deep = Math.min(BED * layout.unit, right.bottom) + 4;
  return box(layout, left.u, right.u, -4, deep, { class: "gl-column gl-lit" });
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
    ${most > BED && Text(layout, [layout.v0 + bed - 10, layout.exit + 24, "end"], [layout.exit + 40, layout.v0 + bed - 12, "start"], words, "gl-plate")}
  `;
}

/** Each gate at which s acts, and the stream before and behind it. @param {any} context */
function standing({ flow, values }) {
  const all = Array.from({ length: flow.steps + 1 }, (_, j) => j).filter((j) => stands(values, j));
  return all.map((j) => {
    const cuts = flow.sections.filter((/** @type {Section} */ s) => s.state === j);
    const [right, left] = values.gates_out[j - 1] ? cuts.slice(-2) : cuts;
    return { j, u: (right.u + left.u) / 2, deep: (right.bottom + left.bottom) / 2 + 4 };
  });
}

/** Where a gate can be pointed at. @param {any} context */
export const hits = (context) =>
  standing(context).map(({ j, u }) => {
    const lit = isLit(context.lit, "gate", j) ? " gl-lit" : "";
    const properties = { class: `gl-hit gl-gate${lit}`, "data-part": "gate", "data-index": j };
    return box(context.layout, u - 4, u + 4, -6, 3 * context.layout.unit, properties);
  });

/** The gates, each a thin line, and what is multiplied by there. @param {any} context */
export function gates(context) {
  const { layout, at, flow, values, description, settings } = context;
  const all = standing(context);
  const lines = all.map(({ u, deep }) => `M${at(u, -4)}L${at(u, deep)}`).join("");
  const gains = description.sight.includes("gain");
  const factor = gains ? "×s" : fill(description.labels[values.scales ? "scale" : "plain"], settings);
  const crowded = flow.pitch < (layout.turned ? 50 : 75);
  const named = all.findLast(({ j }) => j < flow.steps || values.gates_out[j - 1]);
  const [from, to] = [flow.cut(flow.steps, "out"), flow.cut(flow.steps - 1, "in")];
  return html`
    <path class="gl-frame" d=${lines} />
    ${named && Factor(context, named.u, named.deep, crowded, gains && crowded ? "×s ×ρ" : factor)}
    ${gains && !crowded && Factor(context, (from.u + to.u) / 2 - (layout.turned ? 5 : 0), Math.max(from.bottom, to.bottom), false, "×ρ")}`;
}

/** What the stream is multiplied by: above its upper bank or, where it is turned, beside the lower one. @param {any} context @param {number} u @param {number} deep @param {boolean} crowded @param {string} words */
function Factor({ layout, flow, values }, u, deep, crowded, words) {
  const { unit, v0, u1 } = layout;
  const line = values.line * unit; // the bound, which is not to run through it
  const beside = Math.min(line > deep - 4 && line < deep + 36 ? line : deep, flow.deep) + 10;
  const wide = crowded ? [u1 + unit, v0 - 8, "start"] : [u, v0 - 8, "middle"];
  return Text(layout, [round(v0 + beside), round(u) + 5, "start"], wide, words, "gl-factor");
}

/** The bound on the stream's width, and where the gates clip. @param {any} context */
export function limits({ layout, at, flow, values, settings, description: { labels } }) {
  const lines = [
    [values.line, `${labels.bound} ${number(values.line)}`],
    [values.clip_line, fill(labels.clip, settings)],
  ];
  return lines.map(([value, words]) => {
    const v = round(value * layout.unit);
    if (!(v <= flow.deep + 8)) return null; // beneath are the readings
    return html`<path class="gl-limit" d=${`M${at(layout.u0 + (layout.turned ? 16 : 28), v)}L${at(layout.u1 + 6, v)}`} />
      ${Text(layout, [layout.v0 + v + 5, layout.u1 + 22, "start"], [688, layout.v0 + v + 4.5, "end"], words, "gl-muted")}`;
  });
}
