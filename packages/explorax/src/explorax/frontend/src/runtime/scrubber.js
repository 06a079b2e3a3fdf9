// A number in a page's text that sets a figure's control, and follows it: dragged, or by the arrow keys. Until then,
// and where no script runs, it is a plain number.
//
//   <span class="gl-scrub" data-figure="UnrolledFlow" data-control="scale" data-once="0.5">0.5</span>
//
// With `data-most` it goes so far, once no question is open. With `data-once` the figure goes to that value by itself,
// once, when it is seen first; never where the control waits for a prediction, or where anything has been set before.
// Until it goes, the number stays as the page has it: a quoted line is never misquoted.

/** @typedef {{label: string, symbol: string, step: number, value: number, initial: number, low: number, high: number, open?: boolean, waits: boolean, text: string}} Present */
/** @typedef {{send: (event: any) => void, listen: (hear: () => void) => void, control: (name: string) => Present | null}} Handle */

const REACH = 240; // pixels from one end to the other
const [SEEN, PAUSE, LASTS] = [0.6, 900, 1800]; // of the picture; milliseconds before it goes, and on the way

/** Steps by the keys that take them. @type {Record<string, number>} */
const KEYS = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 20, PageDown: -20 };

/**
 * A control as a number has it: with `most` it goes so far, once no question is open; where it is quoted it is at `once`.
 * @param {any} now @param {{most?: string, once?: string}} asked @param {boolean} quoted @returns {Present}
 */
export function standing(now, { most, once }, quoted) {
  const [value, high] = [quoted ? Number(once) : now.value, (!now.open && Number(most)) || now.high];
  return { ...now, value, high };
}

/** What a key asks for; undefined for any other key, and while it waits. @param {Present} present @param {string} key */
export function keyed({ value, low, high, step, waits }, key) {
  if (waits) return undefined;
  if (key === "Home") return low;
  if (key === "End") return high;
  const steps = KEYS[key];
  return steps && Math.min(high, Math.max(low, value + steps * step));
}

/** What a drag asks for. @param {Present} present @param {number} from the value where it began @param {number} pixels */
export const dragged = ({ low, high }, from, pixels) =>
  Math.min(high, Math.max(low, from + (pixels * (high - low)) / REACH));

/** Binds a number to a control, both ways. @param {HTMLElement} scrubber @param {HTMLElement} figure @param {Handle} handle */
function bind(scrubber, figure, handle) {
  const name = String(scrubber.dataset.control);
  if (!handle.control(name)) return;
  const present = (quoted = false) => standing(handle.control(name), scrubber.dataset, quoted);
  const set = (/** @type {number} */ to) => handle.send({ type: "drag", control: name, to, wide: true });
  const settle = () => handle.send({ type: "settle", rests: true });
  let quoted = Boolean(scrubber.dataset.once);
  const show = () => {
    const { label, symbol, low, high, value, initial, text, waits } = present();
    quoted &&= value === initial;
    if (!quoted) scrubber.textContent = text;
    const said = {
      label,
      valuemin: low,
      valuemax: high,
      valuenow: value,
      valuetext: `${symbol || label} = ${text}`,
      disabled: waits,
    };
    for (const [key, each] of Object.entries(said)) scrubber.setAttribute(`aria-${key}`, String(each));
  };
  scrubber.setAttribute("role", "slider");
  scrubber.setAttribute("tabindex", "0");
  if (figure.id) scrubber.setAttribute("aria-controls", figure.id);
  /** @type {{pointer: number, x: number, value: number} | null} */
  let held = null;
  scrubber.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || present().waits) return;
    event.preventDefault();
    scrubber.focus({ preventScroll: true });
    scrubber.setPointerCapture(event.pointerId);
    held = { pointer: event.pointerId, x: event.clientX, value: present(quoted).value };
  });
  scrubber.addEventListener("pointermove", (event) => {
    if (held?.pointer === event.pointerId) set(dragged(present(), held.value, event.clientX - held.x));
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
    const to = keyed(present(quoted), event.key);
    if (to === undefined) return;
    event.preventDefault();
    set(to);
    settle();
  });
  handle.listen(show);
  show();
  once(scrubber, figure, handle, present);
}

/** Goes once where the page says, when the picture is seen first. @param {HTMLElement} scrubber @param {HTMLElement} figure @param {Handle} handle @param {() => Present} present */
function once(scrubber, figure, handle, present) {
  const to = Number(scrubber.dataset.once);
  if (!scrubber.dataset.once) return;
  let touched = false;
  const hand = () => {
    touched = true;
  };
  for (const part of [figure, scrubber])
    for (const event of ["pointerdown", "keydown"])
      part.addEventListener(event, hand, { capture: true, once: true });
  const go = () => {
    const { value, initial, waits } = present();
    if (!touched && !waits && value === initial)
      handle.send({ type: "lead", changes: { [String(scrubber.dataset.control)]: to }, lasts: LASTS });
  };
  const seen = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      seen.disconnect();
      setTimeout(go, PAUSE);
    },
    { threshold: SEEN },
  );
  seen.observe(figure.querySelector(".gl-stage") ?? figure);
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
