// Paired differences: for each comparison a dot for each pair, piled up on an axis, and under it the mean and its
// interval. One pair is chosen, in all rows.
//
// It draws the results `seeds`, [m, n], and `apart`, `apart_low` and `apart_high`, [m or more]; its spec is
// packages/sccbook/src/sccbook/figures/half_matters/figure.py's Paired.

import {
  before,
  bothLayouts,
  emphasis,
  fill,
  html,
  keyRows,
  marker,
  memoizeDrawn,
  part,
  r1,
  read,
  scaleOf,
  shapeOf,
  templateValues,
  typeOf,
} from "explorax/view";

export const kind = "paired";

const PILE = 72;
const FOOT = 32; // of a row: below its pile

export const { layouts, roomOf } = bothLayouts((_, layout, description) => {
  const [width, gap, head] = layout === "wide" ? [688, 9, 46] : [320, 6.2, 64];
  const footOf = (/** @type {number} */ row) => (head + PILE + FOOT) * (row + 1) - FOOT;
  const bottom = footOf(shapeOf(description, "seeds")[0] - 1) + FOOT;
  const [left, right] = [12, width - 12];
  const { pair, mean, small } = description.labels;
  const key = keyRows([pair, mean, small].map(String), typeOf({ layout }), left - 4, right + 4);
  const legend = bottom + (layout === "wide" ? 54 : 74);
  return { width, height: legend + key.height, footOf, bottom, left, right, gap, legend, places: key.places };
});

/** Dots on top of each other where they would touch, in their own order, closer where a pile is high; and all as one path. @param {ArrayLike<number>} values @param {any} x @param {number} gap @param {number} foot */
function piled(values, x, gap, foot) {
  const ends = /** @type {number[]} */ ([]);
  const level = /** @type {number[]} */ ([]);
  for (const i of Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b])) {
    const free = ends.findIndex((end) => x.at(values[i]) - end >= gap);
    level[i] = free < 0 ? ends.length : free;
    ends[level[i]] = x.at(values[i]);
  }
  const pitch = Math.min(gap, PILE / ends.length);
  const spots = level.map((up, i) => [r1(x.at(values[i])), r1(foot - gap * 0.6 - pitch * up)]);
  return { spots, dust: spots.map(([px, py]) => marker("", px, py, gap * 0.44)).join("") };
}

/** @param {any} drawing @returns {{piles: ReturnType<typeof piled>[], [other: string]: any}} */
function spaceOf(drawing) {
  const room = roomOf(drawing);
  const x = scaleOf(drawing.spec.span, room.left + 16, room.right - 16, room.width > 400 ? 7 : 5);
  const [seeds, rows] = [read(drawing, "seeds"), drawing.spec.names.length];
  const row = (/** @type {number} */ i) =>
    seeds.slice((i * seeds.length) / rows, ((i + 1) * seeds.length) / rows);
  const piles = memoizeDrawn(drawing, `piles ${room.width}`, [seeds], () =>
    Array.from({ length: rows }, (_, i) => piled(row(i), x, room.gap, room.footOf(i))),
  );
  return { ...room, x, piles };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, layout, description } = drawing;
  const { labels } = description;
  const { x, left, right, width, footOf, bottom, legend, places, piles } = spaceOf(drawing);
  const under = layout === "wide" ? 0 : 18; // what was found is at the end of the name's line, or under the pair's
  const names = ["apart", "apart_low", "apart_high", spec.chosen];
  const [apart, low, high, seed] = names.map((name) => read(drawing, name));
  const [was, wasLow, wasHigh, wasSeed] = names.map((name) => before(drawing, name));
  const words = templateValues(drawing);
  const at = (/** @type {number} */ value) => r1(x.at(value));
  const whisker = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ y) =>
    `M${from} ${y}H${to}M${from} ${y - 6}v12M${to} ${y - 6}v12`;
  const row = (/** @type {string[]} */ [name, found, pair], /** @type {number} */ i) => {
    const [{ spots, dust }, top, y] = [piles[i], footOf(i) - PILE, footOf(i)];
    const [px, py] = spots[seed - 1];
    const old = was?.[i] === apart[i] && wasSeed !== seed ? spots[wasSeed - 1] : null;
    const moved = was && was[i] !== apart[i];
    return html`
      <path class="gl-shade gl-role-muted" fill-opacity="0.2" d=${`M${at(-spec.small)} ${top - 4}H${at(spec.small)}V${y + 26}H${at(-spec.small)}Z`} />
      <path class="gl-rule" d=${`M${at(0)} ${top - 4}V${y + 26}`} />
      <path class="gl-zero" d=${`M${left} ${y + 1}H${right}`} />
      <text class="gl-named gl-role-ink" x=${left} y=${top - 28 - under}>${name}</text>
      <text class="gl-named gl-role-parameter" x=${under ? left : right} y=${top - (under ? 10 : 28)} text-anchor=${under ? "start" : "end"}>mean ${apart[i] > 0 && "+"}${fill(found, words)}</text>
      <path class="gl-spot gl-role-ink" d=${marker("", left + 6, top - 14.5 - under, 4.5)} />
      <text x=${left + 16} y=${top - 10 - under}>${fill(pair, words)}</text>
      <g class="gl-role-state"><path class="gl-dust" d=${dust} style="cursor:pointer;fill-opacity:.75" data-handle=${spec.chosen} ...${part("seeds")} /></g>
      ${moved && html`<path class="gl-ghost" d=${whisker(at(wasLow[i]), at(wasHigh[i]), y + 15) + marker("parameter", at(was[i]), y + 15, 5)} />`}
      ${old && html`<path class="gl-ghost" d=${marker("", old[0], old[1], 5)} />`}
      <path class="gl-spot gl-role-ink" d=${marker("", px, py, 5)} />
      <g class=${`gl-role-parameter${emphasis(drawing, "apart", i + 1)}`} ...${part("apart", i + 1)}>
        <path class="gl-whisker" d=${whisker(at(low[i]), at(high[i]), y + 15)} /><path class="gl-spot" d=${marker("parameter", at(apart[i]), y + 15, 5)} />
      </g>`;
  };
  const sign = [
    html`<path class="gl-dust gl-role-state" style="fill-opacity:.75" d=${marker("", 12, 0, 4)} />`,
    html`<path class="gl-whisker" d=${whisker(0, 24, 0)} /><path class="gl-spot gl-role-parameter" d=${marker("parameter", 12, 0, 5)} />`,
    html`<path class="gl-shade gl-role-muted" fill-opacity="0.2" d="M0 -8h24v16h-24z" />`,
  ];
  const frame = () => html`
    ${x.ticks.map((/** @type {any} */ each) => html`<path class="gl-rule" d=${`M${r1(each.at)} ${bottom}v5`} /><text class="gl-muted" x=${r1(each.at)} y=${bottom + 20} text-anchor="middle">${each.text}</text>`)}
    <text class="gl-muted" x=${left} y=${bottom + 40}>${labels.less}</text>
    <text class="gl-muted" x=${right} y=${bottom + 40} text-anchor="end">${labels.more}</text>
    <text class="gl-muted" x=${width / 2} y=${bottom + (layout === "wide" ? 40 : 60)} text-anchor="middle">${labels.axis}</text>
    ${places.map((/** @type {any} */ place, /** @type {number} */ i) => html`<g transform=${`translate(${place.x + 4} ${legend + place.y + 8})`}>${sign[i]}</g><text x=${place.x + 36} y=${legend + place.y + 13}>${[labels.pair, labels.mean, labels.small][i]}</text>`)}`;
  return html`
    ${spec.names.map(row)}
    ${memoizeDrawn(drawing, `frame ${width}`, [], frame)}`;
}

/** The chosen pair in each row. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  const { piles } = spaceOf(drawing);
  /** The pair whose dot is nearest. @param {number} px @param {number} py */
  const nearest = (px, py) => {
    const away = piles.flatMap(({ spots }) => spots.map(([a, b]) => Math.hypot(a - px, b - py)));
    return (away.indexOf(Math.min(...away)) % piles[0].spots.length) + 1;
  };
  return piles.map(({ spots }, index) => {
    const [px, py] = spots[Number(read(drawing, spec.chosen)) - 1];
    return { control: spec.chosen, index, x: px, y: py, axis: "both", role: "ink", value: nearest };
  });
}
