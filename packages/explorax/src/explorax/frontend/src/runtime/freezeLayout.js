// While the hand is on a figure, its size is settled: then nothing around it is laid out anew.

/**
 * @param {HTMLElement} figure
 * @param {HTMLElement} content the part of it whose growth it follows in the meantime
 * @returns {{freeze: () => void, release: () => void}}
 */
export function freezeLayout(figure, content) {
  /** @type {{height: number, inside: number, room: number} | null} */
  let held = null;
  const room = () => figure.parentElement?.clientWidth ?? 0;
  const changing = new ResizeObserver(() => {
    if (!held) return;
    if (room() !== held.room) return release();
    const blockSize = `${held.height + Math.max(0, content.offsetHeight - held.inside)}px`;
    if (figure.style.blockSize !== blockSize) figure.style.blockSize = blockSize;
  });

  function freeze() {
    if (held) return;
    const { width, height } = getComputedStyle(figure); // in the figure's own pixels, whatever its scale
    if (!Number.parseFloat(height)) return;
    held = { height: Number.parseFloat(height), inside: content.offsetHeight, room: room() };
    figure.style.inlineSize = width;
    figure.style.blockSize = height;
    figure.classList.add("gl-held");
    changing.observe(content);
    if (figure.parentElement) changing.observe(figure.parentElement);
    addEventListener("beforeprint", release);
  }

  function release() {
    if (!held) return;
    held = null;
    changing.disconnect();
    removeEventListener("beforeprint", release);
    figure.classList.remove("gl-held");
    figure.style.removeProperty("inline-size");
    figure.style.removeProperty("block-size");
  }

  return { freeze, release };
}
