// What the parameter reads off the stream, and the words around it.

import { asks, concealed, emphasis, fill, html, number, r1 } from "explorax/view";
import { BED } from "./geometry.js";
import { compact, places, Text, zigzag } from "./shapes.js";

/** The readings at each application, by the bank; while a loss is lit, what of it is read there. @param {any} context */
export function diamonds(context) {
  const { layout, flow, values, lit } = context;
  const loss = lit?.kind === "loss" && lit.index > 0 && lit.index <= flow.steps ? lit.index : 0;
  return places(context, "diamond", layout.steps, (i) => {
    if (i >= flow.shown) return null;
    const j = i + 1;
    const cut = flow.cut(j, "out");
    const deep = Math.round(Math.min(BED * layout.unit, cut.bottom) * 2) / 2;
    const words = loss
      ? loss < j
        ? ""
        : compact(flow.entry("contributions", loss, j))
      : compact(values.received[i]);
    const kind = `gl-diamond${emphasis(context, "application", j)}${loss ? " gl-ofloss" : ""}`;
    const draw = () =>
      html`<g class=${kind} data-part="application" data-index=${j}>${diamond(layout, deep, words)}</g>`;
    return { u: cut.u, key: [kind, words, deep], draw };
  });
}

/** @param {any} layout @param {number} deep @param {string} words */
function diamond(layout, deep, words) {
  const { turned, v0 } = layout;
  const bank = v0 + deep;
  const start = turned ? `${bank + 8} -5` : `0 ${bank + 3}`;
  return html`<path d=${`M${start}l5 5l-5 5l-5 -5z`} />${Text(layout, [bank + 17, 5, "start"], [undefined, bank + 26, "middle"], words, "gl-plate")}`;
}

/** What each application adds to the bar, in the room between its diamond and the bar. @param {any} context */
export function shares({ layout, flow, values, lit }) {
  const { barStart, barEnd, barUnit, unit, turned } = layout;
  const low = layout.height - 38;
  const all = values.received.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0);
  if (turned || !(all > 0)) return null;
  const each = Math.min(values.total * barUnit, barEnd - barStart - 4) / all;
  let right = barStart;
  return Array.from({ length: flow.shown }, (_, i) => {
    const left = right;
    right += each * values.received[i];
    const { u, bottom } = flow.cut(i + 1, "out");
    const top = layout.v0 + Math.min(BED * unit, bottom) + 34;
    if (top > low - 6 || right - left < 0.1) return null;
    const [a, b, l, r, y, half] = [u - 1, u + 1, left, right, top, (top + low) / 2].map(r1);
    return html`<path class=${`gl-drop${emphasis({ lit }, "application", i + 1)}`} data-part="application" data-index=${i + 1}
      d=${`M${a} ${y}C${a} ${half} ${l} ${half} ${l} ${low}H${r}C${r} ${half} ${b} ${half} ${b} ${y}z`} />`;
  });
}

/** Names, and the scale of one loss. @param {any} context */
export function furniture({ layout, description, flow }) {
  const { labels } = description;
  if (layout.turned) {
    const right = layout.width - 6;
    return html`
      <text class="gl-forward" x=${layout.lane} y="15">${labels.forward}</text>
      <path class="gl-rule" d=${`M${right} 6v8m0 -4h${-layout.unit}m0 -4v8`} />
      <text class="gl-muted" x=${right - layout.unit - 5} y="15" text-anchor="end">${labels.unit}</text>
      <text class="gl-muted" x=${right} y="34" text-anchor="end">${labels.exit}</text>
      ${flow.shown < flow.steps && html`<text class="gl-muted gl-plate" x=${right} y=${layout.u1 + 36} text-anchor="end">${fill(labels.shown, { n: flow.shown, steps: flow.steps })}</text>`}
    `;
  }
  const [right, half] = [layout.u1 + 19, labels.exit.lastIndexOf(" ", labels.exit.length / 2 + 1)];
  return html`
    <text class="gl-forward" x="0" y=${layout.lane}>${labels.forward}</text>
    <text class="gl-headtext" x=${right} y=${layout.head[1] + 5}>${labels.head}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 22}>${labels.exit.slice(0, half)}</text>
    <text class="gl-muted" x="0" y=${layout.v0 - 6}>${labels.exit.slice(half + 1)}</text>
    <path class="gl-rule" d=${`M4 ${layout.v0}h8m-4 0v${layout.unit}m-4 0h8`} />
    <text class="gl-muted" x="0" y=${layout.v0 + layout.unit + 16}>${labels.unit}</text>
  `;
}

/** What the loss that is pointed at sends. @param {any} context */
export function sent(context) {
  const { layout, description, settings, values, lit } = context;
  const n = lit?.kind === "loss" ? lit.index : 0;
  const of = n > 0 && description.parts.find((/** @type {any} */ part) => part.name === "loss");
  if (!of || concealed(context, of.result)) return null;
  const words = fill(of.words, { ...settings, n: String(n), value: values[of.result][n - 1] });
  const lines = [values.line, values.clip_line]; // whose numbers stand at the same edge
  const clear = (/** @type {number} */ level) =>
    lines.every((line) => !(line > level - 1.2 && line < level + 2.2)); // the bound's name is above it
  const free = [10.5, 8.5, 6.5].find(clear) ?? 4.5;
  const [x, y] = layout.turned
    ? [layout.width - 6, layout.u1 + 36]
    : [layout.width, layout.v0 + free * layout.unit];
  return html`<text class="gl-sent gl-plate" x=${x} y=${y} text-anchor="end">${words}</text>`;
}

/** The sum that the parameter receives, beside that without s. @param {any} context */
export function total(context) {
  const { layout, values, ghost, description, settings, lit, guess } = context;
  const { labels } = description;
  const { barStart: start, barEnd: end, barUnit: unit } = layout;
  const room = end - start - 4;
  const top = layout.turned ? layout.height - 48 : layout.height - 38;
  const width = Math.min(values.total * unit, room);
  const cut = values.total * unit > room;
  const reference = start + values.reference * unit;
  const inside = width > 64;
  const text = cut ? fill(labels.torn_total, values) : number(values.total, ",.2f");
  const seen = reference <= end;
  const tick = Math.min(reference, end);
  const sent = lit?.kind === "loss" && lit.index > 0 && !cut ? values.sent?.[lit.index - 1] : 0;
  const all = sent
    ? values.sent.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0)
    : 1;
  // beside the bar, unless it leaves no room
  const said = asks(context, "number") && guess.value !== null ? Math.min(guess.value * unit, room) : 0;
  const beyond = Math.max(tick, start + width + (inside || layout.turned ? 0 : 40)) + 6;
  const beside = !layout.turned && seen && beyond + 96 < end + 20;
  const limit = start + (settings.weights === "1" ? Number.NaN : values.bound) * unit; // of the mean alone
  const bound = `${labels.bound} ${number(values.bound)}`;
  const clear = limit + 12 + 7.2 * bound.length; // its name ends before
  const apart = tick > clear || (limit > beyond + 96 && clear < layout.width);
  const named = apart && (inside || limit > start + width + 44);
  const words =
    settings.steps === 1 ? labels.added_one : values.weighs ? labels.added_weighted : labels.added;
  return html`
    <g class=${`gl-total${emphasis({ lit }, "total")}`} data-part="total">
      <text class="gl-name" x=${layout.turned ? start : 0} y=${layout.turned ? top - 8 : top + 14}>${layout.turned ? `${labels.receives} ${text}` : labels.receives}</text>
      <rect x=${start} y=${top} width=${width} height="18" />
      ${cut && html`<path class="gl-tear" d=${zigzag(start + width + 2, top + 9, 18, true)} />`}
      ${
        said > 0 &&
        html`<rect class="gl-guess" x=${start} y=${top - 3} width=${said} height="24" />
        <text class="gl-said" x=${start + said - 8} y=${top + (layout.turned ? 14 : -8)} text-anchor=${said > 76 ? "end" : "start"}>${labels.guess}</text>`
      }
      ${ghost && html`<rect class="gl-ghost" x=${start} y=${top} width=${Math.min(ghost.total * unit, room)} height="18" />`}
      ${
        !layout.turned &&
        html`<text class=${inside ? "gl-inside" : "gl-outside"} x=${start + width + (inside ? -8 : 6)} y=${top + 14}
          text-anchor=${inside ? "end" : "start"}>${text}</text>`
      }
      ${sent > 0 && html`<rect class="gl-share" x=${start} y=${top} width=${(width * sent) / all} height="18" />`}
      ${seen && html`<path class="gl-reference" d=${`M${tick} ${top - 5}v28`} />`}
      ${limit <= end && html`<path class="gl-limit" d=${`M${limit} ${top - 5}v28`} />`}
      ${limit <= end && named && !layout.turned && html`<text class="gl-muted" x=${limit + 6} y=${top + 14}>${bound}</text>`}
      <text class="gl-muted gl-plate" x=${beside ? beyond : end} y=${beside ? top + 14 : layout.turned ? top - 8 : top + 33}
        text-anchor=${beside ? "start" : "end"}>${fill(labels.reference, values)}${seen ? "" : " →"}</text>
      <text class="gl-muted" x=${start} y=${top + 33}>${fill(words, settings)}</text>
    </g>
  `;
}
