// The built site: every figure in the page comes alive, those in sight first. A classic script, so that it runs from file://.

import { address } from "./address.js";
import { answers } from "./answers.js";
import { explorax } from "./engine.js";
import { hydrate } from "./hydrate.js";

// for the scripts of views, which come after this one, and for the page's own switch
Object.assign(globalThis, { explorax: { ...explorax, answers } });

function start() {
  /** @type {Window & {exploraxFigures?: Map<Element, any>}} */
  const page = window;
  if (page.exploraxFigures) return;
  const figures = new Map();
  page.exploraxFigures = figures; // for a page's own scripts
  const asked = [...new URLSearchParams(location.search).keys()];
  const names = new Map();
  /** What brings each figure to life that is not yet. @type {Map<Element, () => Promise<void>>} */
  const asleep = new Map();
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll("figure.gl-figure");
  for (const figure of all) {
    const name = figure.dataset.figure;
    const nth = (names.get(name) ?? 0) + 1;
    names.set(name, nth);
    const key = nth > 1 ? `${name}-${nth}` : name;
    if (nth > 1) figure.id += `-${nth}`; // a figure that is shown twice has it twice
    asleep.set(figure, async () => {
      const handle = await enliven(figure, key);
      if (!handle) return;
      figures.set(figure, handle);
      figure.classList.add("gl-ready");
      figure.dispatchEvent(new Event("gl-ready"));
      if (asked.some((setting) => setting.startsWith(`${key}.`))) arrive(figure);
    });
  }

  /** @param {Element} figure */
  const wake = (figure) => {
    const live = asleep.get(figure);
    asleep.delete(figure);
    near.unobserve(figure);
    return live?.().catch(reportError); // the other figures shall live all the same
  };
  const near = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) wake(target);
    },
    { rootMargin: "100% 0px" }, // a window's height above and below it
  );
  for (const figure of asleep.keys()) {
    near.observe(figure);
    figure.addEventListener("focusin", () => wake(figure), { once: true });
  }
  const idly = window.requestIdleCallback ?? setTimeout;
  const wakeNext = async () => {
    const [figure] = asleep.keys();
    if (!figure) return;
    await wake(figure);
    idly(wakeNext);
  };
  idly(wakeNext); // what is printed, linked to or asked for by a script is there, wherever it stands
}

/** A figure's description; what it has in common with one before it in the page stands there. @param {Element} data */
function read(data) {
  const description = JSON.parse(data.textContent ?? "");
  const all = document.querySelectorAll("script.gl-description");
  for (const [part, n] of Object.entries(description.same ?? {}))
    description[part] = JSON.parse(all[n].textContent ?? "")[part];
  return description;
}

/** Brings a figure to life, where it is whole. @param {HTMLElement} figure @param {string | undefined} key in the page's address */
async function enliven(figure, key) {
  const data = figure.querySelector("script.gl-description");
  /** @type {HTMLElement | null} */
  const root = figure.querySelector(".gl-root");
  if (!data?.textContent || !root) return null;
  const description = read(data);
  return hydrate(root, description, {
    id: figure.id,
    address: inFrame() ? null : address(description, key ?? description.name, figure.id),
    remembers: true,
  });
}

/** A page without an address of its own, such as one that is shown in another, keeps no state in it. */
const inFrame = () => location.protocol === "about:" || location.protocol === "blob:";

let arrived = false;

/** Scroll to the figure whose state a link has been followed to. @param {Element} figure */
function arrive(figure) {
  /** @type {any} */
  const [entry] = performance.getEntriesByType("navigation");
  if (arrived || location.hash || entry?.type !== "navigate") return;
  arrived = true;
  figure.scrollIntoView({ block: "nearest" });
}

// the views have come by the time that the page is told to be there
if (document.readyState === "complete") start();
else for (const there of ["DOMContentLoaded", "load"]) addEventListener(there, start);
