// The reader's hand on a picture: dragging, pointing, and walking with the arrow keys.

import { reach } from "./controls.js";
import { VIEWS } from "./views/index.js";
import { fill } from "./words.js";

/** @typedef {import("./types.js").Description} Description */

/**
 * Dragging a handle sets its control.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {import("./figure.js").State} state
 * @param {any} actions
 * @param {Record<string, import("./types.js").Control>} by
 */
export function drag(root, description, state, actions, by) {
  const view = VIEWS[description.view];
  /** @type {{pointer: number, svg: SVGSVGElement, control: string, value: (x: number, y: number) => number, shift: [number, number]} | null} */
  let held = null;

  /** Nowhere, once the picture gave way to the other layout. @param {SVGSVGElement} svg @param {PointerEvent} event */
  const within = (svg, event) => {
    const matrix = svg.isConnected ? svg.getScreenCTM() : null;
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  };

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const target = /** @type {Element} */ (event.target).closest("[data-handle]");
    const svg = target?.closest("svg");
    if (!target || !svg) return;
    const layout = String(svg.dataset.layout);
    const found = view
      .handles({ ...state, description, layout, id: "" })
      .find((handle) => handle.control === target.getAttribute("data-handle"));
    const from = within(svg, event);
    if (!found || !from) return;
    event.preventDefault();
    held = {
      pointer: event.pointerId,
      svg,
      control: found.control,
      value: found.value,
      shift: [found.x - from[0], found.y - from[1]],
    };
    root.setPointerCapture(event.pointerId);
    root.classList.add("gl-dragging");
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-control="${found.control}"]`))?.focus({
      preventScroll: true,
    });
  });
  root.addEventListener("pointermove", (event) => {
    if (held?.pointer !== event.pointerId) return;
    const at = within(held.svg, event);
    if (!at) return;
    const control = by[held.control];
    const { minimum, step } = control;
    const [low, high] = reach(control, state.widened.has(control.name));
    const raw = held.value(at[0] + held.shift[0], at[1] + held.shift[1]);
    const stepped = Math.round((raw - minimum) / step) * step + minimum;
    const rounded = Number(Math.min(high, Math.max(low, stepped)).toFixed(6));
    if (Number.isFinite(rounded)) actions.set(held.control, rounded);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    root.addEventListener(end, (event) => {
      if (held?.pointer !== /** @type {PointerEvent} */ (event).pointerId) return;
      held = null;
      root.classList.remove("gl-dragging");
      actions.settle();
    });
  }
}

/** Pointing at a band lights its loss, at an application its column. @param {HTMLElement} root @param {any} actions */
export function point(root, actions) {
  root.addEventListener("pointerover", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest("svg")) return;
    const loss = target.closest("[data-loss]")?.getAttribute("data-loss");
    const application = target.closest("[data-application]")?.getAttribute("data-application");
    if (loss) actions.light({ kind: "loss", index: Number(loss) });
    else if (application) actions.light({ kind: "application", index: Number(application) });
    else actions.light(null);
  });
  root.addEventListener("pointerleave", () => actions.light(null));
}

/**
 * What pointing does, from the keyboard: arrows light one loss or application after another.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {import("./figure.js").State} state
 * @param {any} actions
 */
export function walk(root, description, state, actions) {
  const sums = Object.fromEntries(
    (description.equation.sums ?? []).map((/** @type {any} */ sum) => [sum.over, sum.values]),
  );
  root.addEventListener("keydown", (event) => {
    if (!(/** @type {Element} */ (event.target).hasAttribute("data-walk"))) return;
    if (event.key === "Escape") return actions.light(null);
    const kind = { ArrowUp: "loss", ArrowDown: "loss", ArrowLeft: "application", ArrowRight: "application" }[
      event.key
    ];
    if (!kind) return;
    event.preventDefault();
    const count = state.settings[description.table.count];
    const step = event.key === "ArrowUp" || event.key === "ArrowRight" ? 1 : -1;
    const from = state.lit?.kind === kind ? state.lit.index : step > 0 ? 0 : count + 1;
    const index = Math.min(count, Math.max(1, from + step));
    actions.light({ kind, index });
    const value = state.values[sums[kind]][index - 1];
    actions.say(fill(description.labels[`lit_${kind}`], { n: String(index), value }));
  });
  root.addEventListener("focusout", () => actions.light(null));
}
