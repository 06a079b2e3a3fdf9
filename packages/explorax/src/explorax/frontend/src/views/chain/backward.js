// The backward pass of a chain: cotangents as wide as they are large, and what falls to the parameter.

import { before, emphasis, html, marker, part, read, short } from "../../view.js";
import { cross, indexed, text } from "./forward.js";
import { box, Filled, kept, path, shown } from "./room.js";

const WIDEST = 15; // half the width of the stream
const SPRING = 52; // from the stream to where a loss's own share comes from

/** Half the width of a cotangent. @param {any} spec @param {number} value no NaN */
export function halfWidth({ widest }, value) {
  return value === 0 ? 0 : Math.max(0.75, Math.min(1, Math.abs(value) / widest) * WIDEST);
}

/** The number of places of which one has room for its number. @param {number} pitch */
const sparse = (pitch) => (pitch >= 58 ? 1 : pitch >= 29 ? 2 : 4);

/** A tapered arrow from state j back to the one before. @param {any} space @param {number} j @param {number} a @param {number} b half widths at its two ends */
function flow(space, j, a, b) {
  const { state, stream, pitch } = space;
  const [from, to] = [state(j) - 7, state(j - 1) + 9];
  const head = Math.min(12, (from - to) * 0.35);
  const wing = Math.max(5, Math.min(b + 4, pitch * 0.3));
  const neck = to + head;
  const above = path(space, [from, stream - a], [neck, stream - b], [neck, stream - wing], [to, stream]);
  const below = path(space, [neck, stream + wing], [neck, stream + b], [from, stream + a]);
  return `${above}L${below.slice(1)}Z`;
}

/** A loss's own share of a cotangent, down to its state; as wide as it is large. @param {any} drawing @param {any} space @param {number} j @param {number} share @param {number} half of the cotangent @param {boolean} come */
function Spring(drawing, space, j, share, half, come) {
  const { spec } = drawing;
  const { state, stream, turned, count } = space;
  const [u, wide] = [state(j), halfWidth(spec, share)];
  const [from, to] = [stream - SPRING + turned * 22, stream - half - 2];
  const [neck, wing] = [Math.max(from, to - 7), Math.max(4, wide)];
  /** @type {(side: number) => [number, number][]} */
  const edge = (side) =>
    [
      [from, wide],
      [neck, wide],
      [neck, wing],
    ].map(([v, away]) => [u + side * away, v]);
  const shape = path(space, ...edge(-1), [u, to], ...edge(1).reverse());
  const source = `from ${indexed("ℓ", j)}`;
  return html`
    <g class=${`gl-role-own${emphasis(drawing, spec.losses, j)}`} ...${shown(come, part(spec.losses, j))}>
      ${Filled(drawing, `${shape}Z`, share)}
      ${!turned && html`<text class="gl-named" x=${u - wing - 6} y=${stream - 40} text-anchor="end">${`${source}: ${short(share)}`}</text>`}
      ${turned && html`<text class="gl-named" x=${j < count ? stream - 13 : stream - 48} y=${u + 33} text-anchor=${j < count ? "end" : "start"}>${j < count ? "" : `${source}: `}${short(share)}</text>`}
    </g>`;
}

/** @param {any} drawing @param {any} space */
export function Stream(drawing, space) {
  const { spec } = drawing;
  const { state, stream, below, count, backward, pitch, turned } = space;
  const values = read(drawing, spec.cotangents);
  const was = before(drawing, spec.cotangents);
  const passed = spec.passed && read(drawing, spec.passed);
  /** The arrow back from state j, as wide as what comes through. @param {any} all @param {any} through @param {number} j */
  const back = (all, through, j) =>
    flow(space, j, halfWidth(spec, all[j]), halfWidth(spec, through ? through[j - 1] : all[j - 1]));
  return Array.from({ length: count + 1 }, (_, i) => {
    const j = count - i;
    const u = state(j);
    const come = i < backward;
    const value = values[j];
    const broken = Number.isNaN(value);
    const half = broken ? 0 : halfWidth(spec, value);
    const wide = Math.abs(value) > spec.widest;
    const torn = (/** @type {number} */ v, /** @type {number} */ out) =>
      path(space, [u - 6, v], [u, v + out], [u + 6, v]);
    const symbol = indexed("h̄", j);
    const close = !turned && pitch < 66;
    const label = come ? `${close ? "" : `${symbol} `}${short(value)}` : close ? "" : symbol;
    const through = spec.passed && before(drawing, spec.passed);
    const old = was && j > 0 && [was[j], was[j - 1]].every(Number.isFinite) ? back(was, through, j) : "";
    const next = j > 0 && !broken && !Number.isNaN(values[j - 1]);
    const goes = next && i + 1 < backward;
    const now = next ? back(values, passed, j) : "";
    const own = passed && j > 0 ? value - (j < count ? passed[j] : 0) : 0;
    const Arrow = () => html`
      <g class=${`gl-role-${come ? "cotangent" : "muted"}${emphasis(drawing, spec.cotangents, j + 1)}`} ...${come ? part(spec.cotangents, j + 1) : {}}>
        ${
          now &&
          html`<g class=${emphasis(drawing, spec.passed, j)} ...${shown(goes, part(spec.passed, j))}>
          ${half > 0 ? Filled(drawing, now, value) : html`<path class="gl-dry" d=${path(space, [u - 8, stream], [state(j - 1) + 9, stream])} />`}
          ${half > 0 && passed && pitch >= 66 && Passed(space, u, value, passed[j - 1])}</g>`
        }
        ${goes && old && old !== now && html`<path class="gl-ghost" d=${old} />`}
        <path class="gl-box gl-empty" d=${box(space, u - 4, u + 4, stream - 7, stream + 7)} ...${shown(!come)} />
        <g ...${shown(come)}>
          ${broken ? html`<path class="gl-lost" d=${cross(space, u, stream)} />` : Filled(drawing, box(space, u - 4, u + 4, stream - Math.max(1.5, half), stream + Math.max(1.5, half)), value)}
          ${wide && html`<path class="gl-torn" d=${torn(stream - WIDEST, -6) + torn(stream + WIDEST, 6)} />`}
        </g>
        ${(turned || i % sparse(pitch) === 0) && text(space, u, turned ? below : stream + 33, label)}
      </g>
      ${Math.abs(own) > 1e-12 && Number.isFinite(own) && Spring(drawing, space, j, own, half, come)}`;
    return kept(drawing, `stream ${j}`, [come, goes, value, own, now, old], Arrow);
  });
}

/** What an application makes of a cotangent: the number that arrives times its derivative. @param {any} space @param {number} u @param {number} value @param {number} passed */
function Passed(space, u, value, passed) {
  const { stream, below, pitch, turned } = space;
  const [factor, result] = [`× ${short(passed / value)}`, `= ${short(passed)}`];
  if (!turned) return text(space, u - pitch / 2, stream - 20, `${short(value)} ${factor} ${result}`);
  return [text(space, u - 0.28 * pitch, below, factor), text(space, u - 0.72 * pitch, below, result)];
}

/** A diamond for each application that the stream has passed. @param {any} drawing @param {any} space */
export function Received(drawing, space) {
  const { spec } = drawing;
  const { state, stream, diamond, count, backward, pitch, turned } = space;
  const values = read(drawing, spec.received);
  const skip = turned ? 1 : sparse(pitch);
  return Array.from({ length: count }, (_, i) => {
    const j = count - i;
    if (i >= backward) return null;
    const u = (state(j) + state(j - 1)) / 2;
    const value = values[j - 1];
    const [x, y] = turned ? [diamond, u] : [u, diamond];
    const start = stream + (turned ? 19 : WIDEST + 4);
    return html`
      <g class=${`gl-role-parameter${emphasis(drawing, spec.received, j)}`} ...${part(spec.received, j)}>
        <path class="gl-fall" d=${path(space, [u, start], [u, diamond - 8])} />
        ${Number.isNaN(value) ? html`<path class="gl-lost" d=${marker("limit", x, y, 4)} />` : html`<path class="gl-spot" d=${marker("parameter", x, y, 5)} />`}
        ${i % skip === 0 && html`<text class="gl-named" x=${turned ? x + 10 : x} y=${turned ? y + 4.7 : y + 22} text-anchor=${turned ? "start" : "middle"}>${short(value)}</text>`}
        ${j === 1 && html`<text class="gl-named" x=${turned ? 316 : x - Math.min(46, pitch * 0.7)} y=${turned ? y - 16 : y + 5} text-anchor=${turned ? "end" : "middle"}>θ̄</text>`}
      </g>`;
  });
}
