// The page around a figure: what is out of sight is not laid out and painted while it is dragged.

/**
 * Lets sections rest while they are out of sight, those without figures as a whole. Each keeps its
 * place as measured, so that links and the scroll bar are as before.
 * @param {Document} page
 */
export function quieten(page) {
  const holds = (/** @type {Element} */ section) => Boolean(section.querySelector("figure.gl-figure"));
  const resting = [...page.querySelectorAll("section section")].filter((section) =>
    holds(/** @type {Element} */ (section.parentElement?.closest("section"))),
  );
  const heights = resting.map((section) => section.getBoundingClientRect().height);
  for (const [i, section] of /** @type {HTMLElement[]} */ (resting).entries()) {
    section.style.containIntrinsicSize = `auto none auto ${heights[i]}px`;
    section.classList.add("gl-resting");
  }
}
