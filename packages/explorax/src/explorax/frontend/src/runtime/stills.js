// A figure where nothing answers: small pictures with their settings as text. A page has them in its HTML for
// readers without scripts; where scripts run, they are drawn when the page goes to paper.

import { render } from "preact";
import { html } from "../common/html.js";
import { Stills } from "./figure.js";
import { initial } from "./state.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */

/** On paper nothing is to be predicted. @param {Description} description @returns {Description} */
export const withoutPrediction = (description) => ({ ...description, prediction: null });

/**
 * The stills of a figure as a tree.
 * @param {Description} description
 * @param {(settings: import("../common/types.js").Settings) => import("../common/types.js").Values} evaluate
 * @param {string} id
 */
export function stillsOf(description, evaluate, id) {
  const layouts = Object.keys(viewOf(description).layouts);
  const shown = description.stills.length && !description.width ? description.stills : [{}];
  const states = shown.map((still) =>
    initial(withoutPrediction(description), { ...description.settings, ...still }, evaluate, layouts),
  );
  return html`<${Stills} description=${description} states=${states} id=${id} />`;
}

/**
 * Draws a figure's stills whenever the page is about to be printed.
 * @param {HTMLElement} figure
 * @param {() => any} draw
 * @returns {() => void} stops it
 */
export function onPaper(figure, draw) {
  if (figure.querySelector(".gl-stills")) return () => {}; // a page of its own has them
  const paper = document.createElement("div");
  const show = () => {
    figure.append(paper);
    render(draw(), paper);
  };
  const media = matchMedia("print");
  const heard = () => media.matches && show(); // Safari has no other sign
  if (media.matches) show();
  addEventListener("beforeprint", show);
  media.addEventListener("change", heard);
  return () => {
    removeEventListener("beforeprint", show);
    media.removeEventListener("change", heard);
  };
}
