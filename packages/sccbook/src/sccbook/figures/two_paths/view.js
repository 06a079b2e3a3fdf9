// A quadratic loss from above, as rings of equal loss, with two descents over it; their losses by update beside it.
//
// It draws `land`, a plane, and `losses`, a profile, as the engine does, in rooms of its own.

import { clamp, fill, html, memoizeDrawn, r1, scaleOf, viewNamed } from "explorax/view";

export const kind = "valley";

/** @type {(left: number, right: number, top: number, bottom: number) => any} */
const box = (left, right, top, bottom) => ({ left, right, top, bottom, ...PLAIN });
const PLAIN = { key: { x: 0, y: 0, letters: 0 }, ends: [], beside: [], keyed: [] };
const WIDE = { land: box(42, 428, 26, 334), losses: { ...box(500, 674, 26, 334), small: true } };
const NARROW = { land: box(40, 308, 26, 276), losses: { ...box(52, 308, 346, 480), small: true } };
const LAYOUTS = {
  wide: { width: 688, height: 378, ...WIDE },
  narrow: { width: 320, height: 524, ...NARROW },
};
export const layouts = () => LAYOUTS;

/** The drawing of one of the two. @param {any} drawing @param {"land" | "losses"} name */
const inner = (drawing, name) => ({
  ...drawing,
  spec: drawing.spec[name],
  room: LAYOUTS[/** @type {"wide" | "narrow"} */ (drawing.layout)][name],
  id: `${drawing.id}-${name}`,
});

/** The land's scales, as its plane has them. @param {any} drawing */
function scales(drawing) {
  const { spec, room } = inner(drawing, "land");
  return { x: scaleOf(spec.x, room.left, room.right), y: scaleOf(spec.y, room.bottom, room.top), room };
}

const TURNS = Array.from({ length: 72 }, (_, i) => (i * Math.PI) / 36);

/** @param {any} drawing */
function Rings(drawing) {
  const { bottom, rings, rests } = drawing.spec;
  const { x, y } = scales(drawing);
  const track = rests.map((/** @type {number[]} */ [a, b]) => `${r1(x.at(a))} ${r1(y.at(b))}`);
  const all = rings.toReversed().map((/** @type {number[]} */ [a, b, c, d]) => {
    const points = TURNS.map((turn) => {
      const [u, v] = [Math.cos(turn), Math.sin(turn)];
      return `${r1(x.at(bottom[0] + a * u + b * v))} ${r1(y.at(bottom[1] + c * u + d * v))}`;
    });
    return html`<path class="gl-level-ring" d=${`M${points.join("L")}Z`} />`;
  });
  return [...all, html`<path class="gl-dry gl-role-parameter" d=${`M${track.join("L")}`} />`];
}

/** @param {any} drawing */
export function draw(drawing) {
  const { room } = scales(drawing);
  const { left, right, top, bottom } = room;
  return html`
    <g class="gl-valley">
    <defs><clipPath id=${`${drawing.id}-land`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <g class="gl-role-loss" clip-path=${`url(#${drawing.id}-land)`}><rect class="gl-shade" fill-opacity="0.35" x=${left} y=${top} width=${right - left} height=${bottom - top} />${memoizeDrawn(drawing, "rings", [drawing.spec], () => Rings(drawing))}</g>
    ${viewNamed("plane").draw(inner(drawing, "land"))}
    ${viewNamed("profile").draw(inner(drawing, "losses"))}
    ${Names(drawing)}
    </g>
  `;
}

/** Each line's name and last loss, where the loss turns, what the land's colour means, and where the dotted line begins. @param {any} drawing */
function Names(drawing) {
  const { values, settings, description, concealed } = drawing;
  const { spec, room } = inner(drawing, "losses");
  const y = scaleOf(spec.y, room.bottom, room.top);
  const land = scales(drawing);
  const [a, b] = drawing.spec.rests[0];
  const all = { ...settings, ...values };
  const named = (/** @type {string} */ name, /** @type {string} */ role, /** @type {number} */ at) =>
    html`<text class=${`gl-named gl-role-${role}`} x=${room.right - 2} y=${r1(at)} text-anchor="end">${fill(description.labels[name === "scaled" && settings.both ? "whole" : name], all)}</text>`;
  const least = y.at(spec.thresholds[0].value);
  const turn = scaleOf(spec.x, room.left, room.right).at(Math.max(values.turn, 1));
  const end = y.at(Math.min(values.end, y.high));
  const at = !settings.both ? end - 24 : values.end > 0.12 ? end + 18 : room.top + 18; // clear of its line
  return html`
    <text class="gl-muted" x=${land.room.right} y="14" text-anchor="end">${description.labels.land}</text>
    ${!settings.both && settings.scale > 0.2 && html`<text class="gl-named gl-role-parameter" x=${r1(land.x.at(a) + 12)} y=${r1(land.y.at(b) - 16)}>${description.labels.rests}</text>`}
    ${named("plain", "ink", least + 18)}
    ${
      values.climbs > 0 &&
      !concealed.has("scaled_loss") &&
      html`<g class="gl-role-parameter"><circle class="gl-turn" cx=${r1(turn)} cy=${r1(y.at(values.low))} r="4" />
      <text class="gl-named" x=${r1(clamp(turn, room.left + 66, room.right - 66))} y=${r1(least + 33)} text-anchor="middle">${fill(description.labels.turn, all)}</text></g>`
    }
    ${
      (values.apart || values.all) &&
      !concealed.has("scaled_loss") &&
      html`${named("scaled", "parameter", at)}${values.apart && named("end", "parameter", at + 16)}`
    }`;
}

/** The start, and the resting point of the run, which sets the scale. @param {any} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { settings, spec } = drawing;
  const starts = viewNamed("plane").handles(inner(drawing, "land"));
  if (settings.both) return starts;
  const { x, y } = scales(drawing);
  const last = spec.rests.length - 1;
  const [a, b] = spec.rests[Math.round(settings.scale * last)];
  const value = (/** @type {number} */ px) => {
    const i = spec.rests.findIndex((/** @type {number[]} */ [to]) => x.at(to) >= px - 0.1);
    return i < 0 ? 1 : i / last;
  };
  return [...starts, { control: "scale", x: x.at(a), y: y.at(b), axis: "x", value }];
}
