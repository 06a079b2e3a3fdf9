// Mark the words that a reader came for, on the page that a result has led to, until Escape is pressed.

import { places } from "./excerpt.js";

const UNMARKED = "figure, math, button, select, script, style, .headerlink";

/** @param {string} query */
export function mark(query) {
  const article = document.querySelector("article");
  if (!article || !CSS.highlights) return;
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
    parentElement?.closest(UNMARKED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  /** Each text, and where it begins in all of them together: a name may be in several. @type {[Node, number][]} */
  const texts = [];
  let whole = "";
  while (walker.nextNode()) {
    const { currentNode } = walker;
    texts.push([currentNode, whole.length]);
    whole += currentNode.textContent;
  }
  let nth = 0;
  const ranges = places(whole, query).map(([from, to]) => {
    const range = new Range();
    while (texts[nth + 1]?.[1] <= from) nth++;
    range.setStart(texts[nth][0], from - texts[nth][1]);
    while (texts[nth + 1]?.[1] < to) nth++;
    range.setEnd(texts[nth][0], to - texts[nth][1]);
    return range;
  });
  CSS.highlights.set("found", new Highlight(...ranges));
  const clear = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && CSS.highlights.delete("found");
  addEventListener("keydown", clear);
}
