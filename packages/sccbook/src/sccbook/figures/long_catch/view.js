// A board down which a ball falls, a row with each move, onto a paddle that obeys the first moves alone; and beside it
// what each of these did, and how far back the reward has to reach.
//
// It draws the results `balls`, `paddles` and `bounces`, [moves + 1], `steps`, [obeys], and `reward`; its spec is
// packages/sccbook/src/sccbook/figures/long_catch/figure.py's Falling.

import {
  arrow,
  at,
  before,
  bothLayouts,
  clamp,
  concealed,
  emphasis,
  html,
  marker,
  memoizeDrawn,
  part,
  r1,
  read,
  typeOf,
  wrapped,
} from "explorax/view";

export const kind = "falling";

const ROW = 23; // how high a row is
const HEAD = 26; // above the board

export const { layouts, roomOf } = bothLayouts(({ columns, moves }, layout) => {
  const [width, left, cell] = layout === "wide" ? [688, 128, 46] : [320, 42, 29];
  const right = left + columns * cell;
  const foot = HEAD + (moves + 1) * ROW;
  const { letter } = typeOf({ layout });
  const letters = layout === "wide" ? 36 : Math.floor((width - right - 27) / letter);
  const x = (/** @type {number} */ column) => r1(left + (column - 0.5) * cell);
  const y = (/** @type {number} */ row) => HEAD + (row + 0.5) * ROW;
  return { width, height: foot + 44, left, right, cell, foot, letters, x, y };
});

/** The board with its walls and numbers, and what does not change beside it. @param {any} drawing */
function Board({ spec, description: { labels }, layout }, /** @type {any} */ room) {
  const { left, right, cell, foot, x, y, width } = room;
  const frozen = HEAD + (spec.obeys + 1) * ROW;
  const rows = Array.from({ length: spec.moves + 1 }, (_, i) => i);
  const columns = Array.from({ length: spec.columns }, (_, i) => i + 1);
  const grid = [
    ...rows.slice(1).map((i) => `M${left} ${HEAD + i * ROW}H${right}`),
    ...columns.slice(1).map((i) => `M${r1(left + (i - 1) * cell)} ${HEAD}V${foot}`),
  ];
  const name = (/** @type {number} */ i) => (i || layout === "narrow" ? i : labels.start);
  return html`
    <path class="gl-shade gl-role-muted" fill-opacity="0.16" d=${`M${left} ${frozen}H${right}V${foot}H${left}Z`} />
    <path class="gl-lines" d=${grid.join("")} />
    <path class="gl-rule" style="stroke-width:3" d=${`M${left} ${HEAD}V${foot}M${right} ${HEAD}V${foot}`} />
    ${rows.map((i) => html`<text class="gl-muted" x=${left - 12} y=${y(i) + 5} text-anchor="end">${name(i)}</text>`)}
    ${columns.map((i) => html`<text class="gl-muted" x=${x(i)} y=${foot + 36} text-anchor="middle">${i}</text>`)}
    <text class="gl-named" x=${right + 14} y=${y(0) + 5}>${labels.obeys}</text>
    <path class="gl-level gl-role-ink" d=${`M${left - 8} ${frozen}H${layout === "wide" ? right + 300 : width - 2}`} />
    ${Lines(labels.frozen, room, spec.obeys + 1, "gl-named")}`;
}

/** Words beside the board, from a row on. @param {string} text @param {any} room @param {number} row @param {string} kind */
const Lines = (text, { right, letters, y }, row, kind) =>
  wrapped(text, letters).map(
    (line, i) => html`<text class=${kind} x=${right + 27} y=${y(row) + 6 + 18 * i}>${line}</text>`,
  );

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, description, layout } = drawing;
  const { labels } = description;
  const room = roomOf(drawing);
  const { right, cell, foot, x, y } = room;
  const [balls, paddles, bounces, steps] = ["balls", "paddles", "bounces", "steps"].map((name) =>
    read(drawing, name),
  );
  const [move, start, target, reward] = ["move", "start", "paddle", "reward"].map((name) =>
    Number(read(drawing, name)),
  );
  const hidden = concealed(drawing, "balls");
  const shown = hidden ? 0 : move;
  const spot = (/** @type {ArrayLike<number>} */ columns, /** @type {number} */ i) =>
    `${x(columns[i])} ${y(i)}`;
  const bar = (/** @type {number} */ middle) =>
    `M${r1(middle - cell * 0.46)} ${foot + 4}h${r1(cell * 0.92)}v14h${r1(-cell * 0.92)}z`;
  const was = before(drawing, "balls");
  const moved = was && !hidden && Array.from(was).some((/** @type {any} */ column, i) => column !== balls[i]);
  const wasAt = before(drawing, "paddle");
  const over = !hidden && move === spec.moves;
  const trail = Array.from({ length: shown }, (_, i) => {
    const fade = r1(0.25 + (0.65 * (i + 1)) / shown);
    return html`
      <g class=${emphasis(drawing, "balls", i + 1)} ...${part("balls", i + 1)}>
        ${bounces[i] > 0 && html`<path class="gl-shaft" style="stroke-width:5" d=${`M${balls[i] > 1 ? right : room.left} ${y(i) - ROW / 2 + 2}v${ROW - 4}`} />`}
        <path class="gl-line" stroke-opacity=${fade} d=${`M${spot(balls, i)}L${spot(balls, i + 1)}`} />
        <path class="gl-dust" style=${`fill-opacity:${fade}`} d=${marker("", x(balls[i]), y(i), 4)} />
      </g>`;
  });
  const made = Array.from(steps, (step, i) => {
    const way = step < 0 ? "left" : step > 0 ? "right" : "stay";
    return html`
      <text class=${`${i < move ? "gl-named gl-role-parameter" : "gl-muted"}${emphasis(drawing, "steps", i + 1)}`} x=${right + 27} y=${y(i + 1) + 5} ...${part("steps", i + 1)}>${labels[way]}</text>`;
  });
  const back = arrow([right + 14, y(spec.moves)], [right + 14, y(spec.obeys)], "cotangent");
  return html`
    ${memoizeDrawn(drawing, `board ${layout}`, [], () => Board(drawing, room))}
    ${made}
    ${moved && html`<path class="gl-ghost" d=${`M${Array.from({ length: shown + 1 }, (_, i) => spot(was, i)).join("L")}`} />`}
    ${wasAt && wasAt !== target && html`<path class="gl-ghost" d=${bar(x(wasAt))} />`}
    ${target !== paddles[move] && html`<path class="gl-arc gl-role-parameter" stroke-dasharray="3 3" d=${bar(x(target))} />`}
    <g class="gl-moving" ...${at(x(paddles[move]), 0)}><path class="gl-bar gl-role-parameter" d=${bar(0)} /></g>
    <g class="gl-role-state">
      <path class="gl-line" stroke-opacity="0.25" d=${`M${x(start)} ${HEAD - 8}V${y(0)}`} />
      ${trail}
      <g class=${`gl-moving${drawing.hand ? " gl-carried" : ""}`} data-handle="move" data-handle-index="0" ...${at(x(shown ? balls[shown] : start), y(shown))}>
        <circle class="gl-hit" r="18" /><path class="gl-spot" d=${marker("", 0, 0, 9)} />
      </g>
    </g>
    ${
      over &&
      html`
      <g class=${`gl-role-cotangent${emphasis(drawing, "reward")}`} ...${part("reward")}>
        <path class="gl-shaft" d=${back.shaft} /><path class="gl-tip" d=${back.head} />
        ${Lines(labels.credit, room, spec.moves - 4, "gl-named")}
        <text class="gl-named gl-symbolic" x=${right + 14} y=${foot + 16}>${labels[reward > 0 ? "caught" : "missed"]}</text>
      </g>`
    }`;
}

/** The ball, which falls as far as it is dragged; where it starts; and where the paddle goes. @param {any} drawing */
export function handles(drawing) {
  const { spec } = drawing;
  const { left, cell, foot, x, y } = roomOf(drawing);
  const [balls, move, start, paddle] = ["balls", "move", "start", "paddle"].map((name) =>
    read(drawing, name),
  );
  const shown = concealed(drawing, "balls") ? 0 : move;
  const column = (/** @type {number} */ px) => clamp(Math.ceil((px - left) / cell), 1, spec.columns);
  const row = (/** @type {number} */ _, /** @type {number} */ py) =>
    clamp(Math.round((py - y(0)) / ROW), 0, spec.moves);
  return [
    { control: "start", index: 0, x: x(start), y: HEAD - 12, axis: "x", role: "state", value: column },
    { control: "paddle", index: 0, x: x(paddle), y: foot + 11, axis: "x", role: "parameter", value: column },
    {
      control: "move",
      index: 0,
      x: x(shown ? balls[shown] : start),
      y: y(shown),
      axis: "y",
      carried: true,
      value: row,
    },
  ];
}
