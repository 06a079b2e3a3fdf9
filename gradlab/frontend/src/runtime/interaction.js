// The reader's hand on a picture: dragging, pointing, and walking with the arrow keys.

import { general } from "../common/numberFormat.js";
import { fill } from "../common/template.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Handle} Handle */

/** Handles as they lie at present. @param {Description} description @param {any} state @param {string} layout @param {any} guess @returns {Handle[]} */
function handlesOf(description, state, layout, guess) {
  const { view, spec } = viewOf(description);
  return view.handles({ ...state, description, spec, layout, guess, id: "" });
}

/**
 * Dragging a handle sets its control.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {import("./figure.js").State} state
 * @param {any} actions
 */
export function drag(root, description, state, actions) {
  /** @type {{pointer: number, svg: SVGSVGElement, handle: Handle, all: Handle[], shift: [number, number]} | null} */
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
    const target = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-handle]")
    );
    const svg = target?.closest("svg");
    if (!target || !svg) return;
    const { handle: control, handleIndex } = target.dataset;
    const all = handlesOf(description, state, String(svg.dataset.layout), actions.guessing());
    const from = within(svg, event);
    if (!from) return;
    // one control may have several handles, such as a ring and a line: the hand is on the nearest
    const away = (/** @type {Handle} */ h) => Math.hypot(h.x - from[0], h.y - from[1]);
    const [found] = all
      .filter((h) => h.control === control && String(h.index) === String(handleIndex))
      .sort((a, b) => away(a) - away(b));
    if (!found) return;
    event.preventDefault();
    held = {
      pointer: event.pointerId,
      svg,
      handle: found,
      all,
      shift: [found.x - from[0], found.y - from[1]],
    };
    if (found.sets) actions.take(found.sets);
    root.setPointerCapture(event.pointerId);
    root.classList.add("gl-dragging");
    const twin = /** @type {HTMLElement | null} */ (root.querySelector(`[data-control="${control}"]`));
    (target.hasAttribute("tabindex") ? target : twin)?.focus({ preventScroll: true });
  });
  root.addEventListener("pointermove", (event) => {
    if (held?.pointer !== event.pointerId) return;
    const at = within(held.svg, event);
    if (!at) return;
    const [x, y] = [at[0] + held.shift[0], at[1] + held.shift[1]];
    const handle = held.handle.index === undefined ? held.handle : nearest(held, x);
    actions.drag(handle.control, handle.value(x, y), handle.index);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    root.addEventListener(end, (event) => {
      // a slider that is let go where it was taken fires no `change`; a last `input` may still come
      const { target } = /** @type {{target: any}} */ (event);
      if (target.matches("input[type=range]")) requestAnimationFrame(actions.settle);
      if (held?.pointer !== /** @type {PointerEvent} */ (event).pointerId) return;
      held = null;
      root.classList.remove("gl-dragging");
      actions.settle();
    });
  }
}

/** A sketch goes on with the step that the pointer has come to. @param {{handle: Handle, all: Handle[]}} held @param {number} x @returns {Handle} */
function nearest({ handle, all }, x) {
  if (handle.control !== "guess") return handle;
  return all
    .filter((h) => h.control === "guess")
    .reduce((best, h) => (Math.abs(h.x - x) < Math.abs(best.x - x) ? h : best), handle);
}

/** Pointing at a part lights it: in the picture, the equation or the table. @param {HTMLElement} root @param {any} actions */
export function point(root, actions) {
  root.addEventListener("pointerover", (event) => {
    const target = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-part]")
    );
    actions.light(target && lightOf(target));
  });
  root.addEventListener("pointerleave", () => actions.light(null));
}

/** @param {HTMLElement | SVGElement} element */
function lightOf({ dataset: { part, index } }) {
  return { kind: String(part), index: index === undefined ? null : Number(index) };
}

const SIDEWAYS = { ArrowLeft: -1, ArrowRight: 1 };
const UPRIGHT = { ArrowUp: -1, ArrowDown: 1 };

/**
 * What pointing and dragging do, from the keyboard: on the stage, arrows left and right light one of
 * a part after another, up and down another part; on the handle of a point they move it.
 * @param {HTMLElement} root
 * @param {Description} description
 * @param {import("./figure.js").State} state
 * @param {any} actions
 */
export function walk(root, description, state, actions) {
  root.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const along = /** @type {any} */ (SIDEWAYS)[event.key] ?? 0;
    const across = /** @type {any} */ (UPRIGHT)[event.key] ?? 0;
    if (target.matches?.("[data-handle][tabindex]")) {
      if (!along && !across) return;
      event.preventDefault();
      return actions.nudge(target.dataset.handle, along, -across);
    }
    if (!target.hasAttribute("data-walk")) return;
    if (event.key === "Escape") return actions.light(null);
    if (!along && !across) return;
    event.preventDefault();
    const parts = partsOf(root, description);
    if (!parts.size) return;
    const next = step(parts, state.lit, along, across);
    actions.light(next);
    actions.say(words(description, state, next));
  });
  root.addEventListener("keyup", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches?.("[data-handle][tabindex]")) actions.settle();
  });
  root.addEventListener("focusout", (event) => {
    actions.light(null);
    // a key that is let go elsewhere is not heard here
    if (/** @type {Element} */ (event.target).matches("[data-handle][tabindex]")) actions.settle();
  });
}

/** The parts of the picture that is seen, each with its indices in order, as the description orders them. @param {HTMLElement} root @param {Description} description */
function partsOf(root, description) {
  /** @type {Map<string, Set<number>>} */
  const found = new Map(description.parts.map(({ name }) => [name, new Set()]));
  const svg = root.querySelector(".gl-stage svg:not([hidden])");
  for (const element of /** @type {NodeListOf<SVGElement>} */ (svg?.querySelectorAll("[data-part]") ?? [])) {
    const { kind, index } = lightOf(element);
    if (!found.has(kind)) found.set(kind, new Set());
    if (index === null || index > 0) found.get(kind)?.add(index ?? 0);
  }
  const seen = [...found].filter(([, indices]) => indices.size);
  return new Map(seen.map(([kind, indices]) => [kind, [...indices].sort((a, b) => a - b)]));
}

/** @param {Map<string, number[]>} parts @param {import("../common/types.js").Lit} lit @param {number} along @param {number} across */
function step(parts, lit, along, across) {
  const kinds = [...parts.keys()];
  const indices = (/** @type {string} */ kind) => /** @type {number[]} */ (parts.get(kind));
  const of = (/** @type {string} */ kind, /** @type {number} */ index) => ({ kind, index: index || null });
  if (!lit || !parts.has(lit.kind)) {
    const kind = across < 0 ? kinds[kinds.length - 1] : kinds[0];
    return of(kind, along < 0 ? indices(kind)[indices(kind).length - 1] : indices(kind)[0]);
  }
  if (across) {
    const kind = kinds[(kinds.indexOf(lit.kind) + across + kinds.length) % kinds.length];
    const kept = indices(kind).includes(lit.index ?? 0);
    return of(kind, kept ? (lit.index ?? 0) : indices(kind)[0]);
  }
  const list = indices(lit.kind);
  const at = Math.max(0, list.indexOf(lit.index ?? 0));
  return of(lit.kind, list[Math.min(list.length - 1, Math.max(0, at + along))]);
}

/** A part in words. @param {Description} description @param {import("./figure.js").State} state @param {{kind: string, index: number | null}} lit */
function words(description, state, { kind, index }) {
  const part = description.parts.find(({ name }) => name === kind);
  const result = part?.result || kind;
  if (state.concealed.has(result)) return `${kind}: shown when you have predicted.`;
  const all = state.values[result];
  const value = index === null || typeof all !== "object" ? all : all[index - 1];
  const n = index === null ? "" : String(index);
  if (part?.words) return fill(part.words, { ...state.settings, ...state.values, n, value });
  const named = kind.replaceAll("_", " ");
  if (value === undefined || (typeof value === "object" && value.length > 4)) return `${named} ${n}`.trim();
  const said = typeof value === "object" ? Array.from(value, general).join(", ") : general(Number(value));
  return `${named}${n && ` ${n}`}: ${said}.`;
}
