// A figure with a real, small program, a prediction of what it gives, and events played to it.

import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import { profile, series } from "../specs.js";

export const leaf = (name, ...shape) => ({ name, shape, dtype: "float64" });

/** Make a control of a kind. */
export const control = (name, kind, more) => {
  const numbers = { minimum: 0, maximum: 1, step: 0.01, allowed: [0, 2] };
  return { name, label: name, symbol: "", kind, ...numbers, ...more };
};
export const choice = (name, ...options) => control(name, "choice", { options });
export const point = (name, more) => control(name, "point", { minimum: [-1, -1], maximum: [1, 1], ...more });

const still = { presets: [], stills: [], equation: [], note: "", prediction: null, table: null };
/** What every description has. */
export const plain = {
  title: "A figure",
  look: "Look.",
  source: "",
  more: [],
  parts: [],
  labels: {},
  ...still,
};

/** K losses that each send their share, scaled by s from step to step, to the steps before. */
export const description = {
  ...plain,
  name: "Sum",
  python: ["Sum(", ")"],
  view: profile([series("received")], { count: "steps" }),
  program: `export function evaluate(scale, steps) {
    const received = Float64Array.from({ length: 12 }, (_, i) => {
      let sum = 0;
      for (let k = i; k < steps; k++) sum += scale ** (k - i);
      return sum;
    });
    return [received, [received.reduce((a, b) => a + b) / steps]];
  }`,
  controls: [
    control("scale", "range", { symbol: "s" }),
    control("steps", "integer", { symbol: "K", minimum: 1, maximum: 12, step: 1, allowed: [1, 12] }),
  ],
  settings: { scale: 0.5, steps: 6 },
  sight: ["scale", "steps"],
  outputs: [leaf("received", 12), leaf("total")],
  sentences: ["With s = {scale}, {total:,.2f}."],
  presets: [{ label: "one", settings: { scale: 1 } }],
  stills: [{ scale: 0 }, { scale: 1 }],
  equation: [
    '<math data-when="steps"><mi>x</mi></math>',
    '<math data-each="received" data-count="steps" data-between=" + " data-part="loss"><mn>{value:,.2f}</mn></math>',
  ],
  note: "A note with <em>markup</em>, and </script> in it.",
};

const controls = [...description.controls, point("p", { symbol: "p", step: 0.25 })];
/** A figure whose total is s times K. */
export const figure = { ...description, controls, settings: { ...description.settings, p: [0, 0] } };
export const total = ({ scale, steps }) => ({ total: scale * steps });

/** Make a prediction of a result, a number. */
export const question = (answer, more) => {
  const guess = control("guess", "range", { maximum: 100 });
  const words = { question: "How much?", unit: "", reveal: [] };
  return { how: "number", answer, conceals: [answer], settings: {}, guess, ...words, ...more };
};
export const prediction = question("total", { settings: { scale: 1 }, reveal: ["The total is {total}."] });
export const asks = { ...figure, prediction };

/** Play events to a figure from its first state, and keep its effects after each. */
export function play(figure, ...events) {
  const first = initial(figure, figure.settings, total, ["wide", "narrow"]);
  return playOn(makeUpdate(figure, total), first, events);
}
/** Play events from a state on. */
export function playOn(update, first, events) {
  let state = first;
  const effects = events.map((event) => {
    const next = update(state, event);
    state = next.state;
    return next.effects;
  });
  return { state, effects, names: effects.map((each) => each.map(([name]) => name).join(" ")) };
}
export const move = (changes) => ({ type: "move", changes });
export const apply = (changes) => ({ type: "apply", changes });
export const set = (changes) => ({ type: "set", changes });
export const glide = (t) => ({ type: "glide", t });
export const speak = { type: "speak" };
export const moved = "freeze frame";
export const changed = "render speakSoon tell";
