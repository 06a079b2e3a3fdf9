// The token board: a training step as a loop of six places, a token on one of them.
//
// It draws arrays: `before` and `after`, two arrows a place; `ring`; and what `labels` say.

import { arrow, fill, html, sign } from "explorax/view";
import { Place, placeOf } from "./place.js";
import { linesOf, roomOf } from "./room.js";
import { namesOf, Tokens } from "./tokens.js";

export const kind = "board";

export { layouts } from "./room.js";
export { handles } from "./tokens.js";

/** @param {any} drawing */
export function draw(drawing) {
  const { settings, values, description } = drawing;
  const { labels } = description;
  const room = roomOf(drawing);
  const all = { ...settings, ...values };
  const [x, y, width, height] = room.loss;
  const changed = Number(values.loss_changes) > 0;
  const places = namesOf(drawing, "station").map((name, i) => placeOf(drawing, room, name, i));
  const columns = places.some(({ arrows }) => arrows.some(({ whole }) => !whole))
    ? labels.cut
    : labels.columns;
  const words = [columns, labels.through, labels.direct, labels[settings.optimizer], "+"];
  const token = fill(labels[settings.token], settings);
  return html`
    <g class="gl-board">
    ${room.key.map((/** @type {[string, number, number]} */ [kind, x, y]) => html`<g class="gl-vector gl-key">${sign(kind, "", x, y)}<text x=${x + 32} y=${y + 4.7}>${`${labels[kind]} ${token}`}</text></g>`)}
    ${linesOf(room).map(Line)}
    ${room.words.map((/** @type {[number, number]} */ [at, line], /** @type {number} */ i) => html`<text class="gl-muted" x=${at} y=${line} text-anchor="end">${words[i]}</text>`)}
    ${room.nodes.map((/** @type {[number, number]} */ [cx, cy]) => html`<circle class="gl-node" cx=${cx} cy=${cy} r="17" /><text class="gl-symbolic" x=${cx} y=${cy + 5} text-anchor="middle">${labels.node}</text>`)}
    <g class=${`gl-place gl-role-loss${changed ? " gl-changed" : ""}`}>
      <rect class="gl-field" x=${x} y=${y} width=${width} height=${height} rx="4" />
      <text class="gl-named" x=${x + width / 2} y=${y + height / 2 + (changed ? -3 : 4.7)} text-anchor="middle">${fill(labels.loss, all)}</text>
      ${changed && html`<text class="gl-named gl-symbolic" x=${x + width / 2} y=${y + height / 2 + 13.5} text-anchor="middle">${fill(labels["loss after"], all)}</text>`}
    </g>
    ${places.map((place) => Place(drawing, room, place))}
    <text x="0" y=${room.tray.y - 19}>${labels.drag}</text>
    ${Tokens(drawing)}
    </g>`;
}

/** A line that ends in an arrow. @param {{role: string, points: [number, number][]}} line */
function Line({ role, points }) {
  const [from, to] = points.slice(-2);
  const { shaft, head } = arrow(from, to, "", 0.7);
  const start = points.slice(0, -1).map((point) => point.join(" "));
  return html`<g class=${`gl-role-${role}`}><path class="gl-course" d=${`M${start.join("L")}${shaft.replace("M", "L")}`} /><path class="gl-tip" d=${head} /></g>`;
}
