// The forward pass: states, and from each of them its loss.

import { emphasis, fill, html } from "explorax/view";
import { round } from "./geometry.js";
import { box, compact, indexed, places, Text, zigzag } from "./shapes.js";

/** The forward pass: one bar for each state, of a fixed scale, and the arrows from it. @param {any} context */
export function lane({ values, ghost, layout, flow, description }) {
  const { turned, lane: start, laneUnit, loss } = layout;
  const most = 2 * laneUnit + 4;
  const all = Array.from({ length: flow.steps + 1 }, (_, j) => round(flow.state(j)));
  const size = (/** @type {ArrayLike<number>} */ states, j = 0) => Math.min(states[j] * laneUnit, most);
  const bars = (/** @type {ArrayLike<number>} */ states) =>
    all
      .map(
        (u, j) =>
          (turned ? `M${start} ${u - 6}h` : `M${u - 7} ${start}v-`) +
          (turned ? `${size(states, j)}v12H${start}z` : `${size(states, j)}h14V${start}z`),
      )
      .join("");
  const cut = all.flatMap((u, j) =>
    values.states[j] * laneUnit > most
      ? [turned ? zigzag(start + most, u, 12, true) : zigzag(u, start - most, 14, false)]
      : [],
  );
  const [side, line] = [start + 6, start - 9];
  const onward = all.slice(1).map((to, j) => {
    const from = all[j];
    return turned
      ? [`M${side} ${from + 9}V${to - 13}`, `M${side} ${to - 8}l-4 -6h8z`]
      : [`M${from + 10} ${line}H${to - 16}`, `M${to - 10} ${line}l-7 -4v8z`];
  });
  const down = all
    .slice(1)
    .map((u) =>
      turned
        ? [`M${start + 54} ${u}H${loss[0] - 5}`, `M${loss[0] - 1} ${u}l-6 -4v8z`]
        : [`M${u} ${start + 2}V${loss[0] - 5}`, `M${u} ${loss[0] - 1}l-4 -6h8z`],
    );
  const [lines, heads] = [0, 1].map((i) => [...onward, ...down].map((arrow) => arrow[i]).join(""));
  const last = values.states[flow.steps];
  return html`<path class="gl-value" d=${bars(values.states)} /><path class="gl-tear" d=${cut.join("")} />
    ${ghost && ghost.steps === flow.steps && html`<path class="gl-ghost" d=${bars(ghost.states)} />`}
    <path class="gl-arrow" d=${lines} /><path class="gl-arrowhead" d=${heads} />
    ${last * laneUnit > most && Text(layout, [start, all[flow.steps] + 24, "start"], [all[flow.steps] + 12, start - 10, "start"], fill(description.labels.tall, { n: compact(last) }), "gl-forward")}
    ${all.map((u, j) => Text(layout, [start + 2 * laneUnit + 6, u + 5, "start"], [u + 10, start + 6, "start"], indexed(description.labels.state, j), "gl-forward"))}`;
}

/** Each loss, under its state. @param {any} context */
export function losses(context) {
  const { layout, flow, description } = context;
  const { turned, v0 } = layout;
  const [start, end] = layout.loss;
  const half = turned ? 10.5 : 15;
  return places(context, "loss", (k) => {
    if (k < 1 || k > flow.steps) return null;
    const u = flow.state(k);
    const kind = `gl-head${emphasis(context, "loss", k)}`;
    const middle = (start + end) / 2;
    const draw = () => html`
      <g class=${kind} data-part="loss" data-index=${k}>
        ${box(layout, u - half, u + half, start - v0, end - v0, { class: "gl-loss", rx: 3 })}
        ${Text(layout, [middle, round(u) + 5, "middle"], [round(u), middle + 5, "middle"], indexed(description.labels.loss, k))}
      </g>`;
    return { key: [kind, u], draw };
  });
}
