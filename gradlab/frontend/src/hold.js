// While the hand is on a figure, its size is settled: then nothing around it is laid out anew.

/**
 * @param {HTMLElement} figure
 * @param {HTMLElement} content what may grow in the meantime, with the figure
 * @returns {{hold: () => void, release: () => void}}
 */
export function holder(figure, content) {
  let [height, inside] = [0, 0];
  const growing = new ResizeObserver(() => {
    const { blockSize } = figure.style;
    const needed = `${height + Math.max(0, content.offsetHeight - inside)}px`;
    if (blockSize !== needed) figure.style.blockSize = needed;
  });
  function release() {
    if (!height) return;
    height = 0;
    growing.disconnect();
    removeEventListener("resize", release);
    figure.classList.remove("gl-held");
    figure.style.removeProperty("inline-size");
    figure.style.removeProperty("block-size");
  }
  return {
    hold() {
      if (height) return;
      const box = figure.getBoundingClientRect();
      if (!box.height) return;
      [height, inside] = [box.height, content.offsetHeight];
      figure.style.inlineSize = `${box.width}px`;
      figure.style.blockSize = `${height}px`;
      figure.classList.add("gl-held");
      growing.observe(content);
      addEventListener("resize", release);
    },
    release,
  };
}
