// What the parameter reads off the stream, and the words around it.

import { asks, below, concealed, emphasis, fill, html, number } from "explorax/view";
import { BED, round } from "./geometry.js";
import { compact, places, Text, zigzag } from "./shapes.js";

/** The readings of each application, in a line beneath the stream; while a loss is lit, what of it is read there. @param {any} context */
export function diamonds(context) {
  const { layout, flow, values, lit } = context;
  const loss = lit?.kind === "loss" && lit.index > 0 && lit.index <= flow.steps ? lit.index : 0;
  const line = round(layout.v0 + flow.deep);
  return places(context, "diamond", (j) => {
    if (!j) {
      const words = context.description.labels.reads;
      const draw = () => Text(layout, [314, layout.exit, "end"], [0, line + 29, "start"], words, "gl-total");
      return { key: [line], draw };
    }
    if (j < 1 || j > flow.steps) return null;
    const of = loss && (loss < j ? "" : compact(flow.entry("contributions", loss, j)));
    const read = values.received[j - 1];
    const words = loss ? of : below(read, values.line, compact(read));
    const u = round(flow.cut(j, "out").u);
    const kind = `gl-diamond${emphasis(context, "application", j)}${loss ? " gl-ofloss" : ""}`;
    const draw = () =>
      html`<g class=${kind} data-part="application" data-index=${j}>${Text(layout, [line + 18, u + 5, "start"], [u, line + 29, "middle"], words)}</g>`;
    return { key: [kind, words, u, line], draw };
  });
}

/** From the stream's lower bank to each number: a diamond, and a line. @param {any} context */
export function taps({ layout, flow, at }) {
  const { unit, v0, turned } = layout;
  return Array.from({ length: flow.steps }, (_, i) => {
    const { u, bottom } = flow.cut(i + 1, "out");
    const bank = Math.min(BED * unit, bottom);
    const diamond = `M${at(u, bank + 2)}l5 5l${turned ? "5 -5" : "-5 5"}l-5 -5z`;
    return bank + 14 > flow.deep + (turned ? 2 : 4)
      ? diamond
      : `${diamond}M${at(u, bank + 12)}${turned ? `H${round(v0 + flow.deep + 14)}` : `V${round(v0 + flow.deep + 15)}`}`;
  }).join("");
}

/** What each application adds to the bar, in the room between its number and the bar. @param {any} context */
export function shares({ layout, flow, values }) {
  const { barStart, barEnd, barUnit, barTop: low, turned, v0 } = layout;
  const all = values.received.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0);
  const top = round(v0 + flow.deep + 35);
  if (turned || !(all > 0) || top > low - 20) return "";
  const each = Math.min(values.total * barUnit, barEnd - barStart) / all;
  const half = (top + low) / 2;
  let right = barStart;
  return Array.from({ length: flow.steps }, (_, i) => {
    const left = right;
    right += each * values.received[i];
    const { u } = flow.cut(i + 1, "out");
    const [a, b, l, r] = [u - 1, u + 1, left, right].map(round);
    return `M${a} ${top}C${a} ${half} ${l} ${half} ${l} ${low}H${r}C${r} ${half} ${b} ${half} ${b} ${top}z`;
  }).join("");
}

/** Names, and the scale of one loss. @param {any} context */
export function furniture({ layout, description: { labels } }) {
  const { lane, v0, unit, exit } = layout;
  const right = layout.width - 6;
  if (layout.turned)
    return html`
      <text class="gl-forward" x="0" y=${exit}>${labels.forward}</text>
      <text class="gl-lossname" x="108" y=${exit + 29} text-anchor="end">${labels.losses}</text>
      <text class="gl-ofloss" x=${v0} y=${exit - 23}>${labels.exit.replace("←", "↑")}</text>
      <path class="gl-rule" d=${`M${right} ${exit - 33}v8m0 -4h${-unit}m0 -4v8`} />
      <text class="gl-muted" x=${right - unit - 5} y=${exit - 23} text-anchor="end">${labels.unit}</text>`;
  return html`
    <text class="gl-forward" x="0" y=${lane}>${labels.forward}</text>
    <text class="gl-lossname" x="0" y="62">${labels.losses}</text>
    <text class="gl-ofloss" x="0" y=${v0 - 6}>${labels.exit}</text>
    <path class="gl-rule" d=${`M2 ${v0}h8m-4 0v${unit}m-4 0h8`} />
    <text class="gl-muted" x="14" y=${v0 + 11}>${labels.unit}</text>`;
}

/** What the loss that is pointed at sends. @param {any} context */
export function sent(context) {
  const { layout, description, settings, values, lit } = context;
  const n = lit?.kind === "loss" ? lit.index : 0;
  const of = n > 0 && description.parts.find((/** @type {any} */ part) => part.name === "loss");
  if (!of || concealed(context, of.result)) return null;
  const words = fill(of.words, { ...settings, n: String(n), value: values[of.result][n - 1] });
  return html`<text class="gl-sent" x=${layout.barEnd} y=${layout.barTop + 34} text-anchor="end">${words}</text>`;
}

/** The mean that the parameter receives, beside that without s. @param {any} context */
export function total(context) {
  const { layout, flow, values, ghost, description, settings, lit, guess } = context;
  const { labels } = description;
  const { turned, barStart: start, barEnd: end, barUnit: unit, barTop: top } = layout;
  const long = (/** @type {number} */ value) => round(Math.min(value * unit, end - start));
  const width = long(values.total);
  const sent = lit?.kind === "loss" ? values.sent?.[lit.index - 1] : 0;
  const all = values.sent?.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0);
  const said = asks(context, "number") && guess.value !== null ? long(guess.value) : 0;
  const limit = settings.weights === "1" ? Number.NaN : values.bound; // of the mean alone
  const most = Math.max(values.reference, values.total);
  const after = start + Math.max(long(limit > most && limit < most + 1.6 ? limit : most), said) + 8; // where no line crosses it
  const less = values.reference < values.total - 0.005; // than the bar is long: marked on it
  const beside = after + 96 < layout.width;
  const named = limit === values.line && limit * layout.unit <= flow.deep + 8; // in the stream
  const words = settings.steps === 1 ? labels.added_one : values.weighs ? labels.mean : labels.added;
  const receives = `${labels.receives} ${number(values.total, values.total < 999.5 ? ",.2f" : ",.0f")}`;
  const other = less || values.reference > values.total + 0.005 ? fill(labels.reference, values) : "";
  return html`
    <g class=${`gl-total${emphasis({ lit }, "total")}`} data-part="total">
      <text class="gl-name" x=${turned ? start : 0} y=${turned ? top - 8 : top + 14}>${receives}</text>
      <text class="gl-muted" x=${turned ? start : 0} y=${top + 34}>${fill(words, settings)}</text>
      <rect class="gl-reference" x=${start} y=${top} width=${long(values.reference)} height="18" />
      <rect x=${start} y=${top} width=${width} height="18" />
      <path class="gl-rule" d=${less ? `M${start + long(values.reference)} ${top - 4}v26` : ""} />
      <path class="gl-tear" d=${values.total * unit > end - start ? zigzag(end + 2, top + 9, 18, true) : ""} />
      ${
        said > 0 &&
        html`<rect class="gl-guess" x=${start} y=${top - 3} width=${said} height="24" />
        <text class="gl-said" x=${start + said - 8} y=${top + 14} text-anchor=${said > 76 ? "end" : "start"}>${labels.guess}</text>`
      }
      ${ghost && html`<rect class="gl-ghost" x=${start} y=${top} width=${long(ghost.total)} height="18" />`}
      ${sent > 0 && html`<rect class="gl-share" x=${start} y=${top} width=${round((width * sent) / all)} height="18" />`}
      <path class="gl-limit" d=${limit * unit <= end - start ? `M${start + long(limit)} ${top - 4}v25` : ""} />
      ${(beside || turned) && !sent && !named && limit * unit <= end - start && Text(layout, [end, top + 34, "end"], [start + long(limit), top + 34, "middle"], `${turned ? "dashed: " : ""}${labels.bound} ${number(limit)}`, "gl-muted")}
      <text class="gl-muted" x=${beside ? after : end} y=${beside ? top + 14 : turned ? top - 8 : top + 34}
        text-anchor=${beside ? "start" : "end"}>${less ? "| " : ""}${other}</text>
    </g>
  `;
}
