// The backward pass: losses that fall into the stream, its gates and its limits.

import { emphasis, fill, html, isLit, number } from "explorax/view";
import { BED, edge } from "./geometry.js";
import { box, compact, places, ramp, stands, Text } from "./shapes.js";

/** @typedef {import("./geometry.js").Section} Section */

/** One band for each loss, from where it falls in to the root. @param {any} context */
export function bands(context) {
  const { layout, at, flow, values, lit, id } = context;
  const exit = { ...flow.sections.at(-1), u: layout.exit };
  const sections = [...flow.sections, exit];
  const far = lit?.kind === "loss" && lit.index > 0;
  let gaps = "";
  const shapes = places(context, "band", values.own.length, (i) => {
    const k = i + 1;
    if (k > flow.steps) return null;
    const joins = flow.cut(k, values.gates_out[i] ? "in" : "mid"); // before the gate of its state, or after it
    const course = sections.slice(k <= flow.shown ? sections.indexOf(joins) : 0);
    const upper = course.map((s) => ({ u: s.u, v: s.tops[i], steep: s.steep }));
    const lower = course.map((s) => ({ u: s.u, v: s.tops[i] + s.widths[i], steep: s.steep }));
    const wide = course.findIndex((s) => s.widths[i] >= 2.5 && s.tops[i] >= 2.5);
    if (wide >= 0) gaps += `M${edge(upper.slice(wide), at)}`;
    const d =
      k <= flow.shown
        ? `${fall(context, k)}L${edge(upper.slice(1), at)}L${edge(lower, at, true)}Z`
        : `M${edge(upper, at)}L${edge(lower, at, true)}Z`;
    const kind = `gl-band${emphasis(context, "loss", k)}`;
    const draw = () => html`<path class=${kind} data-part="loss" data-index=${k} d=${d} />`;
    return { fill: ramp(k, flow.steps), key: [kind, d], draw };
  });
  const [joins, end] = flow.sections.slice(-2);
  const own = [
    { u: joins.u, v: 0, steep: joins.steep },
    { u: end.u, v: layout.unit },
    { u: layout.exit, v: layout.unit },
  ];
  const first = html`<path class=${`gl-own${emphasis(context, "loss", 0)}`} data-part="loss" data-index="0"
    d=${`${fall(context, 0)}L${at(layout.exit, 0)}L${edge(own, at, true)}Z`} />`;
  return html`<g>${shapes}</g>${!far && html`<path class="gl-gap" d=${gaps} />`}${first}
    ${box(layout, layout.exit - 1, layout.exit + 34, -1, BED * layout.unit + 1, { class: "gl-fade", fill: `url(#${id}-fade)` })}
    <g>${columns(context)}</g>`;
}

/** The start of a band: from its joining up to the loss, and down again to the upper bank. @param {any} context @param {number} k */
function fall({ layout, at, flow, values }, k) {
  const own = k === 0 ? layout.unit : values.own[k - 1] * layout.unit;
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
  if (!i || i > flow.shown) return null;
  const [right, left] = [flow.cut(i, "out"), flow.cut(i - 1, "in")];
  const deep = Math.min(BED * layout.unit, right.bottom) + 4;
  return box(layout, left.u, right.u, -4, deep, { class: "gl-column gl-lit" });
}

/** The edge where the stream is wider than its bed. @param {any} context */
export function torn({ layout, at, flow, values, description, settings }) {
  const bed = BED * layout.unit;
  const widest = Math.max(...flow.sections.map((/** @type {Section} */ s) => s.bottom));
  if (widest <= bed + layout.unit + 0.01) return null; // the loss of the initial state may be beyond
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

/** The gates at which s acts, each a thin line; one says by how much. @param {any} context */
export function gates(context) {
  const { layout, flow, values, description, settings, lit } = context;
  const words = fill(description.labels[values.scales ? "scale" : "plain"], settings);
  const all = [...Array(flow.shown + 1).keys()].filter((j) => stands(values, j));
  const last = all.findLast((j) => j < flow.shown || values.gates_out[j - 1]);
  const named = lit?.kind === "gate" && all.includes(lit.index) ? lit.index : last;
  return places(context, "gate", layout.steps + 1, (j) => {
    if (!all.includes(j)) return null;
    const cuts = flow.sections.filter((/** @type {Section} */ s) => s.state === j);
    const [right, left] = values.gates_out[j - 1] ? cuts.slice(-2) : cuts;
    const depth = Math.round(Math.min(BED * layout.unit, (right.bottom + left.bottom) / 2) + 4);
    // beside the bank, and not on the bound
    const line = values.line * layout.unit;
    const beside = (line > depth - 4 && line < depth + 36 ? line : depth) + 6;
    const kind = `gl-gate${isLit(lit, "gate", j) ? " gl-lit" : ""}`;
    const label = j === named ? words : "";
    // beside what falls in before it; where losses stand close together, beside the last
    const crowded = j === last && flow.pitch < 60;
    const aside =
      crowded || !values.gates_out[j - 1]
        ? flow.state(crowded ? flow.shown : j) + layout.unit / 2 + 4 - (right.u + left.u) / 2
        : undefined;
    const draw = () =>
      html`<g class=${kind} data-part="gate" data-index=${j}>
        ${box(layout, -4, 4, -6, depth + 1, { class: "gl-hit" })}${box(layout, -0.5, 0.5, -4, depth, { class: "gl-frame" })}
        ${label && Text(layout, [layout.v0 + beside, 5, "start"], [aside, layout.v0 - 10, aside === undefined ? "middle" : "start"], label)}
      </g>`;
    return { u: (right.u + left.u) / 2, key: [kind, depth, beside, aside, label], draw };
  });
}

/** The bound on the stream's width, and where the gates clip. @param {any} context */
export function limits({ layout, at, values, settings, description }) {
  const lines = [
    [values.line, number(values.line), description.labels.bound],
    [values.clip_line, fill(description.labels.clip, settings)],
  ];
  return lines.map(([value, label, name]) => {
    if (!(value <= BED)) return null;
    const v = value * layout.unit;
    const beside = name && (layout.turned || label.length < 3); // elsewhere it would lie on the last loss's band
    return html`<path class="gl-limit" d=${`M${at(layout.u0 + 16, v)}L${at(layout.u1 + (layout.turned ? 2 : 9), v)}`} />
      ${Text(layout, [layout.v0 + v + 5, layout.u1 + 19, "start"], [688, layout.v0 + v + 4.5, "end"], beside ? `${name} ${label}` : label, "gl-muted")}
      ${name && !beside && html`<text class="gl-muted" x="688" y=${layout.v0 + v - 11.5} text-anchor="end">${name}</text>`}`;
  });
}
