// A figure whose total is s times K, a prediction of it, and events played to it.

import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import { control, description } from "./fixtures.js";

const place = control("p", "point", { symbol: "p", minimum: [-1, -1], maximum: [1, 1], step: 0.25 });
export const figure = {
  ...description,
  controls: [...description.controls, place],
  settings: { scale: 0.5, steps: 6, p: [0, 0] },
};
const guess = control("guess", "range", { maximum: 100 });
export const prediction = {
  question: "How much?",
  how: "number",
  answer: "total",
  settings: { scale: 1 },
  holds: {},
  conceals: ["total"],
  waiting: "At s = {scale}: guess.",
  guess,
  unit: "",
  reveal: ["The total is {total}."],
};
export const asks = { ...figure, prediction };
const total = ({ scale, steps }) => ({ total: scale * steps });

/** Plays events from a figure's first state, and keeps what was to be done about each. */
export function play(figure, ...events) {
  const update = makeUpdate(figure, total);
  let state = initial(figure, figure.settings, total, ["wide", "narrow"]);
  const effects = events.map((event) => {
    const next = update(state, event);
    state = next.state;
    return next.effects;
  });
  return { state, effects, names: effects.map((each) => each.map(([name]) => name).join(" ")) };
}
export const move = (changes) => ({ type: "move", changes });
export const apply = (changes) => ({ type: "apply", changes });
export const speak = { type: "speak" };
export const moved = "freeze frame";
export const changed = "render speakSoon tell";
