// Paired differences: for each comparison a dot for each seed, piled up on an axis, and under it the mean and its interval.
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
  marker,
  part,
  r1,
  read,
  scaleOf,
  shapeOf,
  templateValues,
  typeOf,
} from "explorax/view";

export const kind = "paired";

const PILE = 84;

export const { layouts, roomOf } = bothLayouts((_, layout, description) => {
  const [width, top] = layout === "wide" ? [688, 26] : [320, 48];
  const pitch = PILE + 62;
  const bottom = top + pitch * shapeOf(description, "seeds")[0];
  return {
    width,
    top,
    pitch,
    bottom,
    height: bottom + 44,
    left: 12,
    right: width - 12,
    gap: layout === "wide" ? 9 : 6.2,
  };
});

/** Dots on top of each other where they would touch. @param {ArrayLike<number>} values @param {any} space @returns {[number, number][]} */
function piled(values, { x, gap }) {
  /** @type {number[]} */
  const ends = [];
  const spots = Array.from(values, x.at).sort((a, b) => a - b);
  const levels = spots.map((px) => {
    const free = ends.findIndex((end) => px - end >= gap);
    const level = free < 0 ? ends.length : free;
    ends[level] = px;
    return level;
  });
  const step = Math.min(gap, PILE / ends.length);
  return spots.map((px, i) => [px, levels[i] * step]);
}

/** @param {any} drawing */
const spaceOf = (drawing) => {
  const room = roomOf(drawing);
  const x = scaleOf(drawing.spec.span, room.left, room.right, room.width > 400 ? 7 : 5);
  return { ...room, x, foot: (/** @type {number} */ i) => room.top + room.pitch * (i + 1) - 34 };
};

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, layout, description, guess } = drawing;
  const { labels } = description;
  const space = spaceOf(drawing);
  const { x, left, right, top, bottom, foot, width, gap } = space;
  const [seeds, apart, low, high] = ["seeds", "apart", "apart_low", "apart_high"].map((name) =>
    read(drawing, name),
  );
  const [was, wasLow, wasHigh] = ["apart", "apart_low", "apart_high"].map((name) => before(drawing, name));
  const words = templateValues(drawing);
  const count = seeds.length / spec.names.length;
  const at = (/** @type {number} */ value) => r1(x.at(value));
  const zone = `M${at(-spec.small)} ${top}H${at(spec.small)}V${bottom}H${at(-spec.small)}Z`;
  const row = (/** @type {string[]} */ [name, more, found], /** @type {number} */ i) => {
    const y = foot(i);
    const span = (/** @type {any} */ a, /** @type {any} */ b) =>
      `M${at(a[i])} ${y + 15}H${at(b[i])}M${at(a[i])} ${y + 9}v12M${at(b[i])} ${y + 9}v12`;
    const dots = piled(seeds.slice(i * count, (i + 1) * count), space);
    return html`
      <text class="gl-named gl-role-parameter" x=${left} y=${y - PILE - 8}>${name}${layout === "wide" && html`<tspan class="gl-muted">${more}</tspan>`}</text>
      <path class="gl-zero" d=${`M${left} ${y + 1}H${right}`} />
      ${
        !concealed(drawing, "apart") &&
        html`
        <text class="gl-named gl-role-parameter" x=${right} y=${y - PILE - 8} text-anchor="end">${fill(found, words)}</text>
        <g class="gl-role-state"><path class="gl-dust" d=${dots.map(([px, up]) => marker("", px, y - gap * 0.6 - up, gap * 0.44)).join("")} ...${part("seeds")} /></g>
        ${was && was[i] !== apart[i] && html`<path class="gl-ghost" d=${span(wasLow, wasHigh) + marker("parameter", x.at(was[i]), y + 15, 6)} />`}
        <g class=${`gl-role-parameter${emphasis(drawing, "apart", i + 1)}`} ...${part("apart", i + 1)}>
          <path class="gl-whisker" d=${span(low, high)} /><path class="gl-spot" d=${marker("parameter", x.at(apart[i]), y + 15, 6)} />
        </g>`
      }`;
  };
  const asked = asks(drawing, "number");
  const guessed = asked && x.at(guess.value ?? description.prediction.guess.initial);
  const line = asked && guess.value !== null && `M${r1(guessed)} ${foot(0) - PILE + 12}V${foot(0) + 26}`;
  const side = guessed > width / 2 ? 1 : -1;
  const heads = layout === "wide" ? [top - 10, top - 10] : [top - 28, top - 8];
  return html`
    <path class="gl-band0" d=${zone} />
    <path class="gl-rule" d=${`M${at(0)} ${top}V${bottom}`} />
    <text class="gl-muted" x=${left} y=${heads[0]}>${labels.less}</text>
    <text class="gl-muted" x=${right} y=${heads[0]} text-anchor="end">${labels.more}</text>
    <text x=${width / 2} y=${heads[1]} text-anchor="middle">${labels.small}</text>
    ${spec.names.map(row)}
    ${x.ticks.map((/** @type {any} */ each) => html`<path class="gl-rule" d=${`M${r1(each.at)} ${bottom}v5`} /><text class="gl-muted" x=${clamp(each.at, left + 6, right - 6)} y=${bottom + 20} text-anchor="middle">${each.text}</text>`)}
    <text class="gl-muted" x=${right} y=${bottom + 20 + typeOf(drawing).size} text-anchor="end">${labels.axis}</text>
    ${asked && html`<g class="gl-guess">${line && html`<path class="gl-guessed-rim" d=${line} /><path class="gl-guessed" d=${line} />`}<text x=${r1(guessed + 12 * side)} y=${foot(0) - PILE + 17} text-anchor=${side > 0 ? "start" : "end"}>${labels.guess}</text></g>`}`;
}

/** The guess at the first mean. @param {any} drawing */
export function handles(drawing) {
  const { guess, description } = drawing;
  if (!asks(drawing, "number") || guess.committed) return [];
  const { x, left, right, foot } = spaceOf(drawing);
  const { initial } = description.prediction.guess;
  const value = (/** @type {number} */ px) => x.invert(clamp(px, left, right));
  return [
    {
      control: "guess",
      x: x.at(guess.value ?? initial),
      y: foot(0) - PILE + 12,
      axis: "x",
      label: description.labels.guess,
      value,
    },
  ];
}
