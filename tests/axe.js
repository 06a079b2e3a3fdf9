// What axe-core objects to in a page. Its time grows with the number of elements, most of
// which look alike: of words that look the same, three are looked at for their contrast; what is for paper goes.
async () => {
  const find = (selector) => [...document.querySelectorAll(selector)];
  for (const animation of document.getAnimations()) animation.finish(); // what fades in has its colour

  for (const still of find(".gl-stills")) still.remove();
  const hasWords = (e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
  const papers = (e) => {
    if (!e) return [];
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(e);
    const paper = [backgroundColor, backgroundImage, opacity];
    return backgroundColor.startsWith("rgb(") ? paper : [...paper, ...papers(e.parentElement)];
  };
  const alike = new Map();
  for (const e of find("*")) {
    const { width, height } = e.getBoundingClientRect();
    if (!hasWords(e) && !e.matches("input, select")) continue;
    if (!e.checkVisibility() || width < 2 || height < 2) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(e);
    const disabled = e.closest(":disabled, [aria-disabled=true]") !== null;
    const look = [color, fontSize, fontWeight, disabled, ...papers(e)].join();
    alike.set(look, [...(alike.get(look) ?? []), e]);
  }
  for (const [i, e] of [...alike.values()].flatMap((all) => [...all.entries()])) {
    e.toggleAttribute("data-looked-at", i < 3);
    if (i >= 3 && e.matches("pre span:not(figure *)")) e.replaceWith(e.textContent);
  }

  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-looked-at]" }] });
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id} (${help}): ${target.join(" ")}: ${html.slice(0, 200)}`),
  );
}
