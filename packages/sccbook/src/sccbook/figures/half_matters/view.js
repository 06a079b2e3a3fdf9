// Paired differences: for each comparison a dot for each pair, piled up on an axis, and under it the mean and its
// interval. One pair is chosen, in all rows.
//
// It draws the results `seeds`, [m, n], and `apart`, `apart_low` and `apart_high`, [m or more]; its spec is
// packages/sccbook/src/sccbook/figures/half_matters/figure.py's Paired.

import {
  asks,
  before,
  bothLayouts,
  clamp,
  concealed,
  emphasis,
  fill,
  html,
  keyRows,
  marker,
  memoize,
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
const [HEAD, FOOT] = [46, 32]; // of a row: above its pile, and below it

export const { layouts, roomOf } = bothLayouts((_, layout, description) => {
  const [width, gap] = layout === "wide" ? [688, 9] : [320, 6.2];
  const pitch = HEAD + PILE + FOOT;
  const bottom = pitch * shapeOf(description, "seeds")[0];
  const [left, right] = [12, width - 12];
  const { pair, mean, small } = description.labels;
  const key = keyRows([pair, mean, small].map(String), typeOf({ layout }), left - 4, right + 4);
  const legend = bottom + (layout === "wide" ? 54 : 74);
  return { width, height: legend + key.height, pitch, bottom, left, right, gap, legend, places: key.places };
});

/** Dots on top of each other where they would touch, in their own order. @param {ArrayLike<number>} values @param {any} space @param {number} foot @returns {[number, number][]} */
function piled(values, { x, gap }, foot) {
  /** @type {number[]} */
  const ends = [];
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const level = /** @type {number[]} */ ([]);
  for (const i of order) {
    const px = x.at(values[i]);
    const free = ends.findIndex((end) => px - end >= gap);
    level[i] = free < 0 ? ends.length : free;
    ends[level[i]] = px;
  }
  const step = Math.min(gap, PILE / ends.length);
  return level.map((up, i) => [x.at(values[i]), foot - gap * 0.6 - up * step]);
}

/** @param {any} drawing */
function spaceOf(drawing) {
  const room = roomOf(drawing);
  const x = scaleOf(drawing.spec.span, room.left, room.right, room.width > 400 ? 7 : 5);
  const foot = (/** @type {number} */ i) => room.pitch * (i + 1) - FOOT;
  const space = { ...room, x, foot };
  const seeds = read(drawing, "seeds");
  const count = seeds.length / drawing.spec.names.length;
  const piles = memoize(drawing.description, `piles ${room.width}`, [seeds], () =>
    drawing.spec.names.map((/** @type {any} */ _, /** @type {number} */ i) =>
      piled(seeds.slice(i * count, (i + 1) * count), space, foot(i)),
    ),
  );
  return { ...space, piles };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, layout, description, guess } = drawing;
  const { labels } = description;
  const space = spaceOf(drawing);
  const { x, left, right, foot, width, gap, piles } = space;
  const [apart, low, high, seed] = ["apart", "apart_low", "apart_high", spec.chosen].map((name) =>
    read(drawing, name),
  );
  const [was, wasLow, wasHigh, wasSeed] = ["apart", "apart_low", "apart_high", spec.chosen].map((name) =>
    before(drawing, name),
  );
  const words = templateValues(drawing);
  const at = (/** @type {number} */ value) => r1(x.at(value));
  const zone = (/** @type {number} */ y) =>
    `M${at(-spec.small)} ${y - PILE - 4}H${at(spec.small)}V${y + 26}H${at(-spec.small)}Z`;
  const whisker = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ y) =>
    `M${from} ${y}H${to}M${from} ${y - 6}v12M${to} ${y - 6}v12`;
  const row = (/** @type {string[]} */ [name, found, pair], /** @type {number} */ i) => {
    const y = foot(i);
    const [px, py] = piles[i][seed - 1];
    const moved = was && was[i] !== apart[i];
    const old = moved ? null : piles[i][wasSeed - 1];
    const ghosts = [
      moved && whisker(at(wasLow[i]), at(wasHigh[i]), y + 15) + marker("parameter", x.at(was[i]), y + 15, 5),
      old && wasSeed !== seed && marker("", old[0], old[1], 5),
    ];
    const dots = memoize(description, `dots ${width} ${i}`, [piles[i]], () =>
      piles[i].map((/** @type {number[]} */ [px, py]) => marker("", r1(px), r1(py), gap * 0.44)).join(""),
    );
    return html`
      <path class="gl-band0" d=${zone(y)} />
      <path class="gl-rule" d=${`M${at(0)} ${y - PILE - 4}V${y + 26}`} />
      <text class="gl-named gl-role-ink" x=${left} y=${y - PILE - 28}>${name}</text>
      <path class="gl-zero" d=${`M${left} ${y + 1}H${right}`} />
      ${
        !concealed(drawing, "apart") &&
        html`
        <text class="gl-named gl-role-parameter" x=${right} y=${y - PILE - 28} text-anchor="end">${fill(found, words)}</text>
        <path class="gl-spot gl-role-ink" d=${marker("", left + 6, y - PILE - 14.5, 4.5)} />
        <text x=${left + 16} y=${y - PILE - 10}>${fill(pair, words)}</text>
        <g class="gl-role-state"><path class="gl-dust" d=${dots} style="cursor:pointer" data-handle=${spec.chosen} ...${part("seeds")} /></g>
        <path class="gl-ghost" d=${ghosts.filter(Boolean).join("")} />
        <path class="gl-spot gl-role-ink" d=${marker("", px, py, 5)} />
        <g class=${`gl-role-parameter${emphasis(drawing, "apart", i + 1)}`} ...${part("apart", i + 1)}>
          <path class="gl-whisker" d=${whisker(at(low[i]), at(high[i]), y + 15)} /><path class="gl-spot" d=${marker("parameter", x.at(apart[i]), y + 15, 5)} />
        </g>`
      }`;
  };
  const asked = asks(drawing, "number");
  const guessed = asked && x.at(guess.value ?? description.prediction.guess.initial);
  const line = asked && guess.value !== null && `M${r1(guessed)} ${foot(0) - PILE + 12}V${foot(0) + 26}`;
  const side = guessed > width / 2 ? 1 : -1;
  return html`
    ${spec.names.map(row)}
    ${memoizeDrawn(drawing, `frame ${width}`, [], () => Frame(labels, space, layout))}
    ${asked && html`<g class="gl-guess">${line && html`<path class="gl-guessed-rim" d=${line} /><path class="gl-guessed" d=${line} />`}<text x=${r1(guessed + 12 * side)} y=${foot(0) - PILE + 17} text-anchor=${side > 0 ? "start" : "end"}>${labels.guess}</text></g>`}`;

  /** What no setting changes: the axis, and what each sign means. @param {any} labels @param {any} space @param {string} layout */
  function Frame(labels, { left, right, bottom, legend, places }, layout) {
    const signs = [
      html`<path class="gl-dust gl-role-state" d=${marker("", 12, 0, 4)} />`,
      html`<path class="gl-whisker" d=${whisker(0, 24, 0)} /><path class="gl-spot gl-role-parameter" d=${marker("parameter", 12, 0, 6)} />`,
      html`<path class="gl-band0" d="M0 -8h24v16h-24z" />`,
    ];
    const texts = [labels.pair, labels.mean, labels.small];
    const [y, middle] = layout === "wide" ? [40, 40] : [40, 60];
    return html`
      ${x.ticks.map((/** @type {any} */ each) => html`<path class="gl-rule" d=${`M${r1(each.at)} ${bottom}v5`} /><text class="gl-muted" x=${clamp(each.at, left + 6, right - 6)} y=${bottom + 20} text-anchor="middle">${each.text}</text>`)}
      <text class="gl-muted" x=${left} y=${bottom + y}>${labels.less}</text>
      <text class="gl-muted" x=${right} y=${bottom + y} text-anchor="end">${labels.more}</text>
      <text class="gl-muted" x=${width / 2} y=${bottom + middle} text-anchor="middle">${labels.axis}</text>
      ${places.map((/** @type {any} */ place, /** @type {number} */ i) => html`<g transform=${`translate(${place.x + 4} ${legend + place.y + 8})`}>${signs[i]}</g><text x=${place.x + 36} y=${legend + place.y + 13}>${texts[i]}</text>`)}`;
  }
}

/** The chosen pair in each row, and the guess at the first mean. @param {any} drawing */
export function handles(drawing) {
  const { guess, description, spec } = drawing;
  const { x, left, right, foot, piles } = spaceOf(drawing);
  const chosen = concealed(drawing, "apart") ? 0 : Number(read(drawing, spec.chosen));
  /** The pair whose dot is nearest. @param {number} px @param {number} py */
  const nearest = (px, py) => {
    const away = piles.map((/** @type {[number, number][]} */ pile) =>
      pile.map(([a, b]) => Math.hypot(a - px, b - py)),
    );
    const closest = away.flat().indexOf(Math.min(...away.flat()));
    return (closest % piles[0].length) + 1;
  };
  const found = piles.flatMap((/** @type {any} */ pile, /** @type {number} */ index) => {
    const [px, py] = pile[chosen - 1] ?? [];
    return chosen
      ? { control: spec.chosen, index, x: px, y: py, axis: "both", role: "ink", value: nearest }
      : [];
  });
  if (!asks(drawing, "number") || guess.committed) return found;
  const { initial } = description.prediction.guess;
  const value = (/** @type {number} */ px) => x.invert(clamp(px, left, right));
  const knob = { x: x.at(guess.value ?? initial), y: foot(0) - PILE + 12 };
  return [...found, { control: "guess", ...knob, axis: "x", label: description.labels.guess, value }];
}
