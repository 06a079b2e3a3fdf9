// What the parameter reads off the stream, and the words around it.

import { html } from "../../common/html.js";
import { number } from "../../common/numberFormat.js";
import { fill } from "../../common/template.js";
import { stance } from "../../views/common/read.js";
import { BED } from "./geometry.js";
import { compact, places, Text, zigzag } from "./shapes.js";

/** The readings at each application. @param {any} context */
export function diamonds(context) {
  const { layout, flow, values, lit } = context;
  return places(context, "diamond", layout.steps, (i) => {
    if (i >= flow.shown) return null;
    const shade = lit?.kind === "application" ? (lit.index === i + 1 ? " gl-lit" : " gl-dim") : "";
    const [kind, words] = [`gl-diamond${shade}`, compact(values.received[i])];
    const draw = () =>
      html`<g class=${kind} data-part="application" data-index=${i + 1}>${diamond(layout, words)}</g>`;
    return { u: flow.state(i + 1) - layout.gate, key: [kind, words], draw };
  });
}

/** @param {any} layout @param {string} words */
function diamond(layout, words) {
  const { turned, v0 } = layout;
  const start = turned ? `${v0 - 8} -14` : `0 ${v0 - 14}`;
  return html`<path d=${`M${start}l5 5l-5 5l-5 -5z`} />${Text(layout, [v0 - 16, -5, "end"], [undefined, v0 - 19, "middle"], words)}`;
}

/** Names, and the scale of one loss. @param {any} context */
export function furniture({ layout, description, flow }) {
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
    <text class="gl-muted" x="0" y=${layout.v0 - 36}>${words.slice(0, 3).join(" ")}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 20}>${words[3]}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 4}>${words.slice(4).join(" ")}</text>
    <path class="gl-rule" d=${`M0 ${layout.v0 + bed - layout.unit}h8m-4 0v${layout.unit}m-4 0h8`} />
    <text class="gl-muted" x="0" y=${layout.v0 + bed + 16}>${first}</text>
    <text class="gl-muted" x="0" y=${layout.v0 + bed + 31}>${rest.join(" ")}</text>
  `;
}

/** The sum that the parameter receives, beside that without s. @param {any} context */
export function total({ layout, values, ghost, description, settings, lit, guess }) {
  const { labels } = description;
  const { barStart: start, barEnd: end, barUnit: unit } = layout;
  const room = end - start - 4;
  const top = layout.turned ? layout.height - 66 : layout.v0 + BED * layout.unit + 68;
  const width = Math.min(values.total * unit, room);
  const cut = values.total * unit > room;
  const reference = start + values.reference * unit;
  const inside = width > 64;
  const text = cut ? fill(labels.torn_total, values) : number(values.total, ",.2f");
  const name = layout.turned ? `${labels.receives} ${text}` : labels.receives;
  const seen = reference <= end;
  const tick = Math.min(reference, end);
  const words =
    settings.steps === 1 ? labels.added_one : values.weighs ? labels.added_weighted : labels.added;
  const added = fill(words, settings);
  return html`
    <g class=${`gl-total${stance({ lit }, "total")}`} data-part="total">
      <text class="gl-name" x=${layout.turned ? start : 0} y=${layout.turned ? top - 8 : top + 14}>${name}</text>
      <rect x=${start} y=${top} width=${width} height="18" />
      ${cut && html`<path class="gl-tear" d=${zigzag(start + width + 2, top + 9, 18, true)} />`}
      ${typeof guess?.value === "number" && html`<rect class="gl-guess" x=${start} y=${top - 4} width=${Math.min(guess.value * unit, room)} height="26" />`}
      ${ghost && html`<rect class="gl-ghost" x=${start} y=${top} width=${Math.min(ghost.total * unit, room)} height="18" />`}
      ${
        !layout.turned &&
        html`<text class=${inside ? "gl-inside" : "gl-outside"} x=${start + width + (inside ? -8 : 6)} y=${top + 14}
          text-anchor=${inside ? "end" : "start"}>${text}</text>`
      }
      ${seen && html`<path class="gl-reference" d=${`M${tick} ${top - 5}v28`} />`}
      <text class="gl-muted" x=${seen ? Math.min(tick, end - (layout.turned ? 96 : 86)) : end} y=${top + 33}
        text-anchor=${seen ? "start" : "end"}>${fill(labels.reference, values)}${seen ? "" : " →"}</text>
      <text class="gl-muted" x=${start} y=${top + 48}>${added}</text>
    </g>
  `;
}
