// The notebook: the same figure as an anywidget, its controls the model's traits.

import "./allViews.js";
import { hydrate } from "./hydrate.js";

/**
 * @param {{model: any, el: HTMLElement}} context
 */
async function render({ model, el }) {
  const description = model.get("_description");
  const settings = () =>
    Object.fromEntries(description.controls.map((/** @type {any} */ { name }) => [name, model.get(name)]));
  const figure = document.createElement("figure");
  figure.className = "gl-figure gl-ready";
  figure.addEventListener("keydown", (event) => {
    // in JupyterLab arrows would walk from cell to cell, and letters delete them
    const theirs =
      event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    if (!theirs) event.stopPropagation();
  });
  const root = document.createElement("div");
  root.className = "gl-root";
  figure.append(root);
  el.append(figure);
  el.classList.add("gl-widget");
  let telling = false; // the model says each change to us as well
  const onChange = (/** @type {Record<string, any>} */ changed) => {
    telling = true;
    for (const [name, value] of Object.entries(changed)) model.set(name, value);
    telling = false;
    update(); // others may have answered
    model.save_changes();
  };
  const id = `gl-${Math.random().toString(36).slice(2)}`;
  const live = await hydrate(root, { ...description, settings: settings() }, { id, onChange });
  const update = () => telling || live.set(settings());
  model.on("change", update);
  update(); // what changed while the program was loaded
  return () => {
    model.off("change", update);
    live.destroy();
  };
}

export default { render };
