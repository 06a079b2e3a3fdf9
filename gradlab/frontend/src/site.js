// The built site: every figure in the page comes alive. A classic script, so that it runs from file://.

import { hydrate } from "./hydrate.js";

/** @typedef {Window & {gradlabFigures?: Map<Element, any>}} Page */

const page = /** @type {Page} */ (window);

async function start() {
  if (page.gradlabFigures) return;
  const figures = new Map();
  page.gradlabFigures = figures;
  const ids = new Set();
  for (const figure of document.querySelectorAll("figure.gl-figure")) {
    const { id } = figure; // a figure that is shown twice has it twice
    for (let n = 2; ids.has(figure.id); n++) figure.id = `${id}-${n}`;
    ids.add(figure.id);
    const data = figure.querySelector("script.gl-description");
    const root = /** @type {HTMLElement | null} */ (figure.querySelector(".gl-root"));
    if (!data?.textContent || !root) continue;
    try {
      figures.set(figure, await hydrate(root, JSON.parse(data.textContent), { id: figure.id }));
      figure.classList.add("gl-ready");
    } catch (error) {
      reportError(error); // the figures after this one shall live all the same
    }
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
