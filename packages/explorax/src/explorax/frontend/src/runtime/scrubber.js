// A number in a page's text that sets a figure's control, and follows it: dragged, or by the arrow keys. Until then,
// and where no script runs, it is a plain number.
//
//   <span class="gl-scrub" data-figure="UnrolledFlow" data-control="scale">0.5</span>
//
// With `data-most` it goes so far.

/** @typedef {{label: string, symbol: string, step: number, value: number, low: number, high: number, text: string}} Present */
/** @typedef {{send: (event: any) => void, listen: (hear: () => void) => void, control: (name: string) => Present | null}} Handle */

const REACH = 240; // pixels from one end to the other

/** Steps by the keys that take them. @type {Record<string, number>} */
const KEYS = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 20, PageDown: -20 };

/** What a key asks for; undefined for any other key. @param {Present} present @param {string} key */
export function keyed({ value, low, high, step }, key) {
  if (key === "Home") return low;
  if (key === "End") return high;
  const steps = KEYS[key];
  return steps && Math.min(high, Math.max(low, value + steps * step));
}

/**
 * What a drag asks for. Each end is within reach before the hand leaves the page.
 * @param {Present} present @param {{x: number, value: number}} from where it began @param {number} x @param {number} width the page's
 */
export function dragged({ low, high }, from, x, width) {
  const [span, room] = x < from.x ? [from.value - low, from.x] : [high - from.value, width - from.x];
  const reach = Math.min((span * REACH) / (high - low), room - 12);
  return Math.min(high, Math.max(low, from.value + (span * (x - from.x)) / Math.max(reach, 1)));
}

/** Binds a number to a control, both ways. @param {HTMLElement} scrubber @param {HTMLElement} figure @param {Handle} handle */
function bind(scrubber, figure, handle) {
  const name = String(scrubber.dataset.control);
  if (!handle.control(name)) return;
  /** @returns {Present} */
  const present = () => {
    /** @type {any} */
    const now = handle.control(name);
    return { ...now, high: Number(scrubber.dataset.most) || now.high };
  };
  const set = (/** @type {number} */ to) => handle.send({ type: "drag", control: name, to, wide: true });
  const settle = () => handle.send({ type: "settle", rests: true });
  const show = () => {
    const { label, symbol, low, high, value, text } = present();
    scrubber.textContent = text;
    const said = {
      label,
      valuemin: low,
      valuemax: high,
      valuenow: value,
      valuetext: `${symbol || label} = ${text}`,
    };
    for (const [key, each] of Object.entries(said)) scrubber.setAttribute(`aria-${key}`, String(each));
  };
  scrubber.setAttribute("role", "slider");
  scrubber.setAttribute("tabindex", "0");
  if (figure.id) scrubber.setAttribute("aria-controls", figure.id);
  /** @type {{pointer: number, x: number, value: number} | null} */
  let held = null;
  scrubber.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    scrubber.focus({ preventScroll: true });
    scrubber.setPointerCapture(event.pointerId);
    held = { pointer: event.pointerId, x: event.clientX, value: present().value };
  });
  scrubber.addEventListener("pointermove", (event) => {
    if (held?.pointer === event.pointerId) set(dragged(present(), held, event.clientX, innerWidth));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    scrubber.addEventListener(end, (/** @type {any} */ { pointerId }) => {
      if (held?.pointer !== pointerId) return;
      held = null;
      settle();
    });
  }
  scrubber.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = keyed(present(), event.key);
    if (to === undefined) return;
    event.preventDefault();
    set(to);
    settle();
  });
  handle.listen(show);
  show();
}

/** Every such number of the page, each when its figure is there. */
function start() {
  /** @type {any} */
  const page = window;
  /** @type {NodeListOf<HTMLElement>} */
  const scrubbers = document.querySelectorAll(".gl-scrub");
  for (const scrubber of scrubbers) {
    /** @type {HTMLElement | null} */
    const figure = document.querySelector(`figure.gl-figure[data-figure="${scrubber.dataset.figure}"]`);
    const ready = () => figure && bind(scrubber, figure, page.exploraxFigures.get(figure));
    if (figure?.matches(".gl-ready")) ready();
    else figure?.addEventListener("gl-ready", ready, { once: true });
  }
}

if (typeof document !== "undefined") start();
