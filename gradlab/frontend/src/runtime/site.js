// The built site: every figure in the page comes alive. A classic script, so that it runs from file://.

import { address } from "./address.js";
import { hydrate } from "./hydrate.js";

async function start() {
  /** @type {Window & {gradlabFigures?: Map<Element, any>}} */
  const page = window;
  if (page.gradlabFigures) return;
  const figures = new Map();
  page.gradlabFigures = figures; // for a page's own scripts
  const asked = new URLSearchParams(location.search);
  const ids = new Set();
  const names = new Map();
  for (const figure of document.querySelectorAll("figure.gl-figure")) {
    const { id } = figure; // a figure that is shown twice has it twice
    for (let n = 2; ids.has(figure.id); n++) figure.id = `${id}-${n}`;
    ids.add(figure.id);
    const data = figure.querySelector("script.gl-description");
    /** @type {HTMLElement | null} */
    const root = figure.querySelector(".gl-root");
    if (!data?.textContent || !root) continue;
    try {
      const description = JSON.parse(data.textContent);
      const nth = (names.get(description.name) ?? 0) + 1;
      names.set(description.name, nth);
      const key = nth > 1 ? `${description.name}-${nth}` : description.name;
      const options = { id: figure.id, address: inFrame() ? null : address(description, key) };
      figures.set(figure, await hydrate(root, description, options));
      figure.classList.add("gl-ready");
      arrive(figure, key, asked);
    } catch (error) {
      reportError(error); // the figures after this one shall live all the same
    }
  }
}

/** A page without an address of its own, such as one that is shown in another, keeps no state in it. */
const inFrame = () => location.protocol === "about:" || location.protocol === "blob:";

let arrived = false;

/** Scroll to the figure whose state a link has been followed to. @param {Element} figure @param {string} key @param {URLSearchParams} asked */
function arrive(figure, key, asked) {
  /** @type {any} */
  const [entry] = performance.getEntriesByType("navigation");
  if (arrived || location.hash || entry?.type !== "navigate") return;
  if (![...asked.keys()].some((name) => name.startsWith(`${key}.`))) return;
  arrived = true;
  figure.scrollIntoView({ block: "nearest" });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
