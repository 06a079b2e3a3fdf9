// A stream that losses feed, step by step: an unrolled chain drawn with its backward pass.
//
// It draws arrays: `states`, `contributions` and `arrivals` (loss by application), `own`, `root`,
// `received`, `gates_in`, `gates_out`, and a few scalars.

import { html } from "../html.js";
import { compact, fill, number } from "../words.js";
import { BED, geometry, joining, LAYOUTS, pen } from "./stream_geometry.js";

/** @typedef {import("../types.js").Drawing} Drawing */
/** @typedef {import("./stream_geometry.js").Section} Section */
/** @typedef {import("./stream_geometry.js").Layout} Layout */
/** @typedef {ReturnType<typeof geometry>} Flow */
/** @typedef {ReturnType<typeof pen>} Pen */

const RADIUS = 4;

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { settings, values, ghost, id } = drawing;
  const layout = /** @type {any} */ (LAYOUTS)[drawing.layout];
  const at = pen(layout);
  const flow = geometry(values, settings, layout);
  const before = ghost && geometry(ghost, { steps: ghost.steps }, layout);
  const context = { ...drawing, layout, at, flow };
  return html`
    <defs>
      <clipPath id=${`${id}-bed`}>${box(layout, 0, layout.turned ? layout.height : layout.width, -20, BED * layout.unit)}</clipPath>
      <linearGradient id=${`${id}-fade`} x1="0" y1="0" x2=${layout.turned ? 0 : 1} y2=${layout.turned ? 1 : 0}>
        <stop offset="0" class="gl-away" /><stop offset="1" class="gl-away" stop-opacity="0" />
      </linearGradient>
    </defs>
    ${bed(context)} ${lane(context)} ${branches(context)}
    ${springs(context)}
    <g clip-path=${`url(#${id}-bed)`}>${bands(context)}</g>
    ${heads(context)}
    ${before && html`<path class="gl-halo" clip-path=${`url(#${id}-bed)`} d=${bank(before.sections, at)} /><path class="gl-ghost" clip-path=${`url(#${id}-bed)`} d=${bank(before.sections, at)} />`}
    ${gates(context)} ${torn(context)} ${limits(context)} ${diamonds(context)} ${furniture(context)} ${total(context)}
  `;
}

/**
 * The points that can be dragged: the last loss's band just after its first gate, and the slope of
 * the last application.
 * @param {Drawing} drawing
 */
export function handles(drawing) {
  const { settings, values, description } = drawing;
  /** @type {Layout} */
  const layout = /** @type {any} */ (LAYOUTS)[drawing.layout];
  const flow = geometry(values, settings, layout);
  const inSight = new Set([...description.sight, ...description.more]);
  const last = flow.steps - 1;
  /** @param {Section} section */
  const width = (section) => section.widths[last];
  /** @type {import("../types.js").Handle[]} */
  const found = [];
  /**
   * @param {string} control
   * @param {number} u @param {number} across where the handle lies
   * @param {(across: number) => number} value
   */
  const add = (control, u, across, value) => {
    if (!inSight.has(control) || across > BED * layout.unit) return;
    const v = layout.v0 + across;
    const [x, y] = layout.turned ? [v, u] : [u, v];
    const inverse = (/** @type {number} */ px, /** @type {number} */ py) =>
      value((layout.turned ? px : py) - layout.v0);
    found.push({ control, x, y, axis: layout.turned ? "x" : "y", value: inverse });
  };
  const gated = flow.sections.findIndex(
    (s, i) => s.side === "in" && flow.sections[i + 1] && stands(values, s.state) && s.widths[last] > 0,
  );
  if (gated >= 0 && !(settings.clip ?? false) && settings.placement !== "off") {
    const [before, after] = flow.sections.slice(gated, gated + 2);
    add("scale", after.u, width(after), (v) => v / width(before));
  }
  const out = flow.sections.findIndex((s) => s.side === "out" && s.widths[last] > 0);
  if (out >= 0 && flow.sections[out + 1]?.side === "in") {
    const [right, left] = flow.sections.slice(out, out + 2);
    const middle = (width(right) + width(left)) / 2;
    add("gain", (right.u + left.u) / 2, middle, (v) => (2 * v - width(right)) / width(right));
  }
  return found;
}

/** Whether a gate stands at state j. @param {any} values @param {number} j */
function stands(values, j) {
  return Boolean(values.gates_in[j] || (j > 0 && values.gates_out[j - 1]));
}

/** A rectangle from (u, v) to (u, v). @param {Layout} layout */
function box(layout, u1 = 0, u2 = 0, v1 = 0, v2 = 0, properties = {}) {
  const [x, y, width, height] = layout.turned
    ? [layout.v0 + v1, u1, v2 - v1, u2 - u1]
    : [u1, layout.v0 + v1, u2 - u1, v2 - v1];
  return html`<rect x=${x} y=${y} width=${Math.max(0, width)} height=${Math.max(0, height)} ...${properties} />`;
}

/** A letter with an index below it. @param {string} letter @param {number} n */
function indexed(letter, n) {
  return html`${letter}<tspan class="gl-index" dy="3">${n}</tspan>`;
}

/** The colour of loss k of `steps`, along one ramp. @param {number} k @param {number} steps */
export function ramp(k, steps) {
  const t = steps === 1 ? 1 : (k - 1) / (steps - 1);
  const [from, to, share] = t < 0.5 ? ["from", "middle", 2 * t] : ["middle", "to", 2 * t - 1];
  const percent = Math.round(share * 100);
  return `color-mix(in oklab, var(--gl-ramp-${to}) ${percent}%, var(--gl-ramp-${from}))`;
}

/** @param {import("../types.js").Lit | undefined} lit @param {number} k */
function shade(lit, k) {
  return lit?.kind === "loss" ? (lit.index === k ? " gl-lit" : " gl-dim") : "";
}

/** The forward pass: one bar for each state, of a fixed scale. @param {any} context */
function lane({ values, ghost, description, layout, flow }) {
  const most = 2 * layout.laneUnit;
  return Array.from({ length: flow.shown + 1 }, (_, j) => {
    const u = flow.state(j);
    const long = Math.min(values.states[j] * layout.laneUnit, most + 4);
    const cut = values.states[j] * layout.laneUnit > most + 4;
    const was = ghost && j <= ghost.steps ? Math.min(ghost.states[j] * layout.laneUnit, most + 4) : null;
    const next = flow.state(j + 1);
    const bar = (/** @type {number} */ size, /** @type {string} */ kind) =>
      layout.turned
        ? html`<rect class=${kind} x=${layout.lane} y=${u - 6} width=${size} height="12" />`
        : html`<rect class=${kind} x=${u - 7} y=${layout.lane - size} width="14" height=${size} />`;
    const [x, y] = layout.turned ? [layout.lane + most + 4, u] : [u, layout.lane - most - 4];
    return html`
      <g class="gl-state">
        ${bar(long, "gl-value")}
        ${cut && html`<path class="gl-tear" d=${layout.turned ? zigzag(x, y, 12, true) : zigzag(x, y, 14, false)} />`}
        ${was !== null && Math.abs(was - long) > 0.5 && bar(was, "gl-ghost")}
        ${
          layout.turned
            ? html`<text class="gl-forward" x=${layout.lane} y=${u + 20}>${indexed(description.labels.state, j)}</text>`
            : html`<text class="gl-forward" x=${u} y=${layout.lane + 17} text-anchor="middle">
                ${indexed(description.labels.state, j)}</text>`
        }
        ${j < flow.shown && arrow(layout, u, next)}
        ${j === flow.shown && flow.shown < flow.steps && html`<text x=${layout.lane + 2} y=${u + 36}>⋮</text>`}
      </g>
    `;
  });
}

/** @param {Layout} layout @param {number} from @param {number} to */
function arrow(layout, from, to) {
  if (layout.turned) {
    const x = layout.lane + 6;
    return html`<path class="gl-arrow" d=${`M${x} ${from + 26}V${to - 15}`} />
      <path class="gl-arrowhead" d=${`M${x} ${to - 9}l-4 -7h8z`} />`;
  }
  const y = layout.lane - 10;
  return html`<path class="gl-arrow" d=${`M${from + 10} ${y}H${to - 16}`} />
    <path class="gl-arrowhead" d=${`M${to - 10} ${y}l-7 -4v8z`} />`;
}

/** A torn edge: teeth of the page's colour. @param {number} x @param {number} y */
function zigzag(x, y, length = 14, turned = false) {
  const teeth = Math.max(2, Math.round(length / 7));
  const step = length / teeth;
  const points = Array.from({ length: 2 * teeth + 1 }, (_, i) => {
    const along = (i * step) / 2 - length / 2;
    const deep = i % 2 ? 3 : -3;
    return turned ? `${x - 5 + deep} ${y + along}` : `${x + along} ${y + 5 - deep}`;
  });
  const close = turned
    ? `L${x + 2} ${y + length / 2}L${x + 2} ${y - length / 2}Z`
    : `L${x + length / 2} ${y - 2}L${x - length / 2} ${y - 2}Z`;
  return `M${points.join("L")}${close}`;
}

/** Where the spring of loss k stands, along u. @param {any} context @param {number} k */
function spring({ flow, values, layout }, k) {
  const join = k === 0 ? flow.sections.at(-1) : joining(flow, values, k);
  const own = (k === 0 ? 1 : values.own[k - 1]) * layout.unit;
  const left = join.u + RADIUS;
  const top = k === 0 ? join.bottom : join.tops[k - 1];
  return { u: join.u, left, middle: left + layout.unit / 2, right: left + layout.unit, own, top };
}

/** The bed that the stream has, full or not. @param {any} context */
function bed({ layout, flow }) {
  const end = flow.state(flow.shown) + (flow.shown < flow.steps ? 30 : layout.gate);
  return box(layout, layout.exit, end, 0, BED * layout.unit, { class: "gl-bed" });
}

/** From each state the forward path to its head. @param {any} context */
function branches(context) {
  const { layout, flow } = context;
  const foot = layout.v0 + BED * layout.unit + 2;
  return Array.from({ length: flow.shown + 1 }, (_, k) => {
    const u = spring(context, k).right + 5;
    const path = layout.turned
      ? `M${layout.lane + 44} ${u}H${foot + 5}`
      : `M${u} ${layout.lane - 10}V${foot + 16}`;
    return html`<path class="gl-branch" d=${path} />`;
  });
}

/** Each loss with the head between it and its state. @param {any} context */
function heads(context) {
  const { layout, flow, description, lit } = context;
  const [head, low, loss, end] = layout.turned ? [5, 17, 25, 57] : [16, 36, 44, 67];
  const foot = BED * layout.unit;
  return Array.from({ length: flow.shown + 1 }, (_, k) => {
    const { left, right } = spring(context, k);
    const [start, stop] = [left - 6, right + 13];
    const middle = (start + stop) / 2;
    const link = right + 5;
    const down = layout.turned
      ? `M${layout.v0 + foot + low} ${link}h8`
      : `M${link} ${layout.v0 + foot + low}v8`;
    const [x, y] = layout.turned
      ? [layout.v0 + foot + (loss + end) / 2, middle + 5]
      : [middle, layout.v0 + foot + loss + 16];
    return html`
      <g class=${`gl-head${shade(lit, k)}`} data-loss=${k}>
        ${box(layout, start, stop, foot + head, foot + low, { class: "gl-headbox", rx: 4 })}
        ${
          !layout.turned &&
          html`<text class="gl-headtext" x=${middle} y=${layout.v0 + foot + low - 5.5} text-anchor="middle">
            ${description.labels.head}</text>`
        }
        <path class="gl-branch" d=${down} />
        ${box(layout, start, stop, foot + loss, foot + end, { class: "gl-loss", rx: 3 })}
        <text x=${x} y=${y} text-anchor="middle">${indexed(description.labels.loss, k)}</text>
      </g>
    `;
  });
}

/** One band for each loss, from where it joins to the root. @param {any} context */
function bands({ layout, at, flow, values, lit, id }) {
  const exit = { ...flow.sections.at(-1), u: layout.exit };
  const root = exit.bottom;
  const shapes = Array.from({ length: flow.steps }, (_, i) => {
    const k = i + 1;
    const first = k <= flow.shown ? flow.sections.indexOf(joining(flow, values, k)) : 0;
    const course = [...flow.sections.slice(first), exit];
    const upper = course.map((s) => at(s.u, s.tops[i]));
    const lower = course.map((s) => at(s.u, s.tops[i] + s.widths[i])).reverse();
    const thick = course.filter((s) => s.widths[i] >= 2.5);
    return html`
      <path class=${`gl-band${shade(lit, k)}`} data-loss=${k} style=${`fill:${ramp(k, flow.steps)}`}
        d=${`M${[...upper, ...lower].join("L")}Z`} />
      ${thick.length > 1 && html`<path class="gl-gap" d=${`M${thick.map((s) => at(s.u, s.tops[i])).join("L")}`} />`}
    `;
  });
  const end = flow.sections.at(-1).u;
  const first = html`<path class=${`gl-own${shade(lit, 0)}`} data-loss="0" d=${`M${at(end, root)}L${at(layout.exit, root)}L${at(
    layout.exit,
    root + layout.unit,
  )}L${at(end, root + layout.unit)}Z`} />`;
  return html`${shapes}${first}
    ${box(layout, layout.exit - 1, layout.exit + 34, -1, BED * layout.unit + 1, { class: "gl-fade", fill: `url(#${id}-fade)` })}
    ${columns({ layout, flow, lit })}`;
}

/** The strip of each application, to point at. @param {any} context */
function columns({ layout, flow, lit }) {
  return Array.from({ length: flow.shown }, (_, i) => {
    const on = lit?.kind === "application" && lit.index === i + 1;
    return box(layout, flow.state(i) + layout.gate, flow.state(i + 1) - layout.gate, -4, BED * layout.unit, {
      class: `gl-column${on ? " gl-lit" : ""}`,
      "data-application": i + 1,
    });
  });
}

/** What feeds the stream from below. @param {any} context */
function springs(context) {
  const { layout, at, flow, lit } = context;
  const bed = BED * layout.unit;
  const foot = bed + (layout.turned ? 25 : 44);
  return Array.from({ length: flow.shown + 1 }, (_, k) => {
    const { u, left, own, top } = spring(context, k);
    const right = left + own;
    const whole = RADIUS + own;
    const fits = top + own <= bed;
    const path = fits
      ? `M${at(u, top)}C${at(u + whole * 0.55, top)} ${at(right, top + whole * 0.45)} ${at(right, top + whole)}` +
        `L${at(right, foot)}L${at(left, foot)}L${at(left, top + own + RADIUS)}` +
        `C${at(left, top + own + RADIUS * 0.45)} ${at(u + RADIUS * 0.55, top + own)} ${at(u, top + own)}Z`
      : `M${at(left, bed)}L${at(right, bed)}L${at(right, foot)}L${at(left, foot)}Z`;
    return html`<path class=${`${k ? "gl-spring" : "gl-own"}${shade(lit, k)}`} data-loss=${k}
      style=${k ? `fill:${ramp(k, flow.steps)}` : undefined} d=${path} />`;
  });
}

/** The edge where the stream is wider than its bed. @param {any} context */
function torn({ layout, at, flow, values, description, settings }) {
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
  const [x, y] = layout.turned
    ? [layout.v0 + bed, layout.height - 112]
    : [layout.exit + 4, layout.v0 + bed - 12];
  return html`
    <path class="gl-tear" d=${`M${points.join("L")}L${at(end, bed + 2)}L${at(start, bed + 2)}Z`} />
    ${most > BED && html`<text class="gl-plate" x=${x} y=${y} text-anchor=${layout.turned ? "end" : "start"}>${words}</text>`}
  `;
}

/** The lower bank, as a line. @param {Section[]} sections @param {Pen} at */
function bank(sections, at) {
  return `M${sections.map((s) => at(s.u, s.bottom)).join("L")}`;
}

/** Where s acts. @param {any} context */
function gates({ layout, flow, values, description, settings }) {
  const off = settings.placement === "off";
  return Array.from({ length: flow.shown + 1 }, (_, j) => {
    if (!stands(values, j)) return null;
    const u = flow.state(j);
    const label = fill(off ? description.labels.closed : description.labels.scale, settings);
    const passing = flow.sections.find((/** @type {Section} */ s) => s.state === j && s.side === "in");
    const depth = Math.min(BED * layout.unit, Math.max(10, passing?.bottom ?? 0)) + 5;
    const frame = (/** @type {string} */ kind) =>
      box(layout, u - layout.gate, u + layout.gate, -6, depth, { class: kind });
    return html`
      <g class="gl-gate">
        ${frame("gl-halo")} ${frame("gl-frame")}
        ${
          layout.turned
            ? html`<text x=${layout.v0 - 9} y=${u + 5} text-anchor="end">${label}</text>`
            : html`<text x=${u} y=${layout.v0 - 36} text-anchor="middle">${label}</text>`
        }
      </g>
    `;
  });
}

/** The bound on the stream's width, and where the gates clip. @param {any} context */
function limits({ layout, at, values, settings, description }) {
  const lines = [
    [values.line, number(values.line)],
    [values.clip_line, fill(description.labels.clip, settings)],
  ];
  return lines.map(([value, label]) => {
    if (!(value <= BED)) return null;
    const v = value * layout.unit;
    return html`<path class="gl-limit" d=${`M${at(layout.u0 - 12, v)}L${at(layout.turned ? layout.u1 + 30 : 654, v)}`} />
      ${
        layout.turned
          ? html`<text class="gl-muted" x=${layout.v0 + v} y=${layout.u1 + 44} text-anchor="middle">${label}</text>`
          : html`<text class="gl-muted" x="688" y=${layout.v0 + v + 4.5} text-anchor="end">${label}</text>`
      }`;
  });
}

/** What is read at each application. @param {any} context */
function diamonds({ layout, flow, values, lit }) {
  return Array.from({ length: flow.shown }, (_, i) => {
    const u = flow.state(i + 1) - layout.gate;
    const [x, y] = layout.turned ? [layout.v0 - 8, u - 9] : [u, layout.v0 - 9];
    const kind = lit?.kind === "application" ? (lit.index === i + 1 ? " gl-lit" : " gl-dim") : "";
    return html`
      <g class=${`gl-diamond${kind}`} data-application=${i + 1}>
        <path d=${`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />
        ${
          layout.turned
            ? html`<text x=${x - 8} y=${y + 4} text-anchor="end">${compact(values.received[i])}</text>`
            : html`<text x=${x} y=${y - 10} text-anchor="middle">${compact(values.received[i])}</text>`
        }
      </g>
    `;
  });
}

/** Names, and the scale of one loss. @param {any} context */
function furniture({ layout, description, flow }) {
  const { labels } = description;
  const bed = BED * layout.unit;
  if (layout.turned) {
    return html`
      <text class="gl-forward" x=${layout.lane} y="15">${labels.forward}</text>
      <text class="gl-muted" x=${layout.width - 6} y="36" text-anchor="end">${labels.exit}</text>
      <path class="gl-rule" d=${`M${layout.width - 6} 47v8m0 -4h${-layout.unit}m0 -4v8`} />
      <text class="gl-muted" x=${layout.width - 6} y="72" text-anchor="end">${labels.unit}</text>
      ${flow.shown < flow.steps && html`<text class="gl-muted" x=${layout.v0 + bed + 41} y=${layout.u1 + 40} text-anchor="middle">⋮</text>`}
    `;
  }
  const [first, ...rest] = labels.unit.split(" ");
  const words = labels.exit.split(" ");
  const [forward, ...never] = labels.forward.split(/ (?=\()/);
  return html`
    <text class="gl-forward" x="0" y=${layout.lane - 14}>${forward}</text>
    <text class="gl-forward" x="0" y=${layout.lane + 2}>${never.join(" ")}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 46}>${words.slice(0, 3).join(" ")}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 30}>${words[3]}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 14}>${words.slice(4).join(" ")}</text>
    <path class="gl-rule" d=${`M0 ${layout.v0 + bed - layout.unit}h8m-4 0v${layout.unit}m-4 0h8`} />
    <text class="gl-muted" x="0" y=${layout.v0 + bed + 16}>${first}</text>
    <text class="gl-muted" x="0" y=${layout.v0 + bed + 31}>${rest.join(" ")}</text>
  `;
}

/** What the parameter receives in all, beside what it would without s. @param {any} context */
function total({ layout, values, ghost, description, settings }) {
  const { labels } = description;
  const { barStart: start, barEnd: end, barUnit: unit } = layout;
  const room = end - start - 4;
  const top = layout.turned ? layout.height - 66 : layout.v0 + BED * layout.unit + 82;
  const width = Math.min(values.total * unit, room);
  const cut = values.total * unit > room;
  const reference = start + values.reference * unit;
  const inside = width > 64;
  const name = layout.turned
    ? `${labels.receives} ${cut ? fill(labels.torn_total, values) : number(values.total, 2)}`
    : labels.receives;
  const text = cut ? fill(labels.torn_total, values) : number(values.total, 2);
  const seen = reference <= end;
  const tick = Math.min(reference, end);
  const multiplied = Math.abs(values.multiplier - 1) > 1e-12;
  const words = settings.steps === 1 ? labels.added_one : multiplied ? labels.added_weighted : labels.added;
  const added = fill(words, settings);
  return html`
    <g class="gl-total">
      <text class="gl-name" x=${layout.turned ? start : 0} y=${layout.turned ? top - 8 : top + 14}>${name}</text>
      <rect x=${start} y=${top} width=${width} height="18" />
      ${cut && html`<path class="gl-tear" d=${zigzag(start + width + 2, top + 9, 18, true)} />`}
      ${ghost && html`<rect class="gl-ghost" x=${start} y=${top} width=${Math.min(ghost.total * unit, room)} height="18" />`}
      ${
        !layout.turned &&
        html`<text class=${inside ? "gl-inside" : "gl-outside"} x=${start + width + (inside ? -8 : 6)} y=${top + 14}
          text-anchor=${inside ? "end" : "start"}>${text}</text>`
      }
      ${seen && html`<path class="gl-reference" d=${`M${tick} ${top - 5}v28`} />`}
      <text class="gl-muted" x=${seen ? Math.min(tick, end - (layout.turned ? 96 : 86)) : end} y=${top + 36}
        text-anchor=${seen ? "start" : "end"}>${fill(labels.reference, values)}${seen ? "" : " →"}</text>
      <text class="gl-muted" x=${start} y=${top + 54}>${added}</text>
    </g>
  `;
}
