// The reader's hand on a picture: dragging, pointing, and walking with the arrow keys.

import { drawn } from "./prediction.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Handle} Handle */
/** @typedef {() => import("./state.js").State} Present the state as it is now */
/** @typedef {(event: import("./state.js").Event) => void} Send */

/** Handles as they lie at present. @param {Description} description @param {import("./state.js").State} state @param {string} layout @returns {Handle[]} */
function handlesOf(description, state, layout) {
  const { view, spec } = viewOf(description);
  const guess = drawn(state.attempt, state.glide?.to ?? state.settings);
  return view.handles({ ...state, description, spec, layout, guess, id: "" });
}

/** The place of a pointer in a picture: none, once this gave way to the other layout. @param {SVGSVGElement} svg @param {PointerEvent} event */
function within(svg, event) {
  const matrix = svg.isConnected ? svg.getScreenCTM() : null;
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return [x, y];
}

/** Dragging a handle sets its control. @param {HTMLElement} root @param {Description} description @param {Present} present @param {Send} send */
export function drag(root, description, present, send) {
  /** @type {{pointer: number, svg: SVGSVGElement, handle: Handle, all: Handle[], shift: number[]} | null} */
  let held = null;

  /** The hand is here now. @param {number[] | null} at */
  const go = (at) => {
    if (!held || !at) return;
    const [x, y] = [at[0] + held.shift[0], at[1] + held.shift[1]];
    const { control, index, value, carried, exact } = nearest(held, x);
    if (carried) send({ type: "carry", hand: [x, y] });
    send({ type: "drag", control, to: value(x, y), index, exact });
  };
  root.addEventListener("pointerdown", (/** @type {any} */ event) => {
    const target = event.button === 0 ? event.target.closest("[data-handle]") : null;
    const svg = target?.closest("svg");
    const from = svg && within(svg, event);
    if (!from) return;
    const { handle: control, handleIndex } = target.dataset;
    const all = handlesOf(description, present(), String(svg.dataset.layout));
    // one control may have several handles, such as a ring and a line: the hand is on the nearest
    const away = (/** @type {Handle} */ h) => Math.hypot(h.x - from[0], h.y - from[1]);
    const [handle] = all
      .filter((h) => h.control === control && String(h.index) === String(handleIndex ?? h.index))
      .sort((a, b) => away(a) - away(b));
    if (!handle) return;
    event.preventDefault();
    const anywhere = handleIndex === undefined && handle.index !== undefined; // a sketch begins where the hand is
    const shift = anywhere ? [0, 0] : [handle.x - from[0], handle.y - from[1]];
    held = { pointer: event.pointerId, svg, handle, all, shift };
    if (anywhere) go(from);
    if (handle.sets) send({ type: "move", changes: handle.sets });
    if (handle.carried) send({ type: "carry", hand: [handle.x, handle.y] });
    root.setPointerCapture(event.pointerId);
    root.classList.add("gl-dragging");
    /** @type {HTMLElement | null} */
    const twin = root.querySelector(`[data-control="${control}"]`);
    (target.hasAttribute("tabindex") ? target : twin)?.focus({ preventScroll: true });
  });
  root.addEventListener("pointermove", (event) => {
    if (held?.pointer !== event.pointerId) return;
    go(within(held.svg, event));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    root.addEventListener(end, (/** @type {any} */ { target, pointerId }) => {
      // a slider that is let go where it was taken fires no `change`; a last `input` may still come
      if (target.matches("input[type=range]"))
        requestAnimationFrame(() => send({ type: "settle", rests: true }));
      if (held?.pointer !== pointerId) return;
      held = null;
      root.classList.remove("gl-dragging");
      send({ type: "settle", rests: true });
    });
  }
}

/** A sketch goes on with the step that the pointer has come to. @param {{handle: Handle, all: Handle[]}} held @param {number} x @returns {Handle} */
function nearest({ handle, all }, x) {
  if (handle.control !== "guess" || handle.index === undefined) return handle;
  return all
    .filter((h) => h.control === "guess")
    .reduce((best, h) => (Math.abs(h.x - x) < Math.abs(best.x - x) ? h : best), handle);
}

/** Pointing at a part lights it: in the picture, the equation or the table. @param {HTMLElement} root @param {Send} send */
export function point(root, send) {
  root.addEventListener("pointerover", (/** @type {any} */ { target }) => {
    const found = target.closest("[data-part]");
    send({ type: "light", lit: found && lightOf(found) });
  });
  root.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType !== "touch") send({ type: "light", lit: null }); // what is tapped stays lit until another thing is
  });
}

/** @param {HTMLElement | SVGElement} element */
function lightOf({ dataset: { part, index } }) {
  return { kind: String(part), index: index === undefined ? null : Number(index) };
}

/** Each arrow key's step along, and across. @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const POINT = "[data-handle][tabindex]";

/**
 * Pointing and dragging, from the keyboard: on the stage, arrows left and right light one of
 * a part after another, up and down another part; on the handle of a point they move it.
 * @param {HTMLElement} root @param {Description} description @param {Present} present @param {Send} send
 */
export function walk(root, description, present, send) {
  root.addEventListener("keydown", (/** @type {any} */ event) => {
    const { target } = event;
    const arrow = ARROWS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && target.hasAttribute("data-walk")) send({ type: "light", lit: null });
    if (!arrow) return;
    const [along, across] = arrow;
    if (target.matches(POINT)) {
      event.preventDefault();
      send({ type: "nudge", control: target.dataset.handle, dx: along, dy: -across });
    } else if (target.hasAttribute("data-walk")) {
      event.preventDefault();
      const parts = partsOf(root, description);
      if (parts.size) send({ type: "walk", lit: step(parts, present().lit, along, across) });
    }
  });
  const settle = (/** @type {any} */ { target }) => target.matches(POINT) && send({ type: "settle" });
  root.addEventListener("keyup", settle);
  root.addEventListener("focusout", (event) => {
    send({ type: "light", lit: null });
    settle(event); // a key that is let go elsewhere is not heard here
  });
}

/** The parts of the picture that is seen, each with its indices in order, as the description orders them. @param {HTMLElement} root @param {Description} description */
function partsOf(root, description) {
  /** @type {Map<string, Set<number>>} */
  const found = new Map(description.parts.map(({ name }) => [name, new Set()]));
  const svg = root.querySelector(".gl-stage svg:not([hidden])");
  /** @type {Iterable<SVGElement>} */
  const elements = svg?.querySelectorAll("[data-part]") ?? [];
  for (const { kind, index } of Array.from(elements, lightOf)) {
    if (!found.has(kind)) found.set(kind, new Set());
    if (index === null || index > 0) found.get(kind)?.add(index ?? 0);
  }
  const seen = [...found].filter(([, indices]) => indices.size);
  return new Map(seen.map(([kind, indices]) => [kind, [...indices].sort((a, b) => a - b)]));
}

/** @param {Map<any, any>} parts each with its indices @param {import("../common/types.js").Lit} lit @param {number} along @param {number} across */
function step(parts, lit, along, across) {
  const kinds = [...parts.keys()];
  const of = (/** @type {any} */ kind, /** @type {any} */ index) => ({ kind, index: index || null });
  if (!lit || !parts.has(lit.kind)) {
    const kind = kinds.at(across < 0 ? -1 : 0);
    return of(kind, parts.get(kind).at(along < 0 ? -1 : 0));
  }
  const index = lit.index ?? 0;
  if (across) {
    const kind = kinds[(kinds.indexOf(lit.kind) + across + kinds.length) % kinds.length];
    return of(kind, parts.get(kind).includes(index) ? index : parts.get(kind)[0]);
  }
  const list = parts.get(lit.kind);
  const place = Math.max(0, list.indexOf(index)) + along;
  return of(lit.kind, list[Math.min(list.length - 1, Math.max(0, place))]);
}
