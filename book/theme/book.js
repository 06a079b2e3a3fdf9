// What the stylesheet cannot do for the terms of the glossary: Escape shuts a definition, and on a
// touch screen the first tap shows it. And tabs keep to the name that the reader chose last.

const term = (target) => (target instanceof Element ? target.closest(".term") : null);
const open = (box) => box.contains(document.activeElement);
let tapped = null;

addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const box of document.querySelectorAll(".term:is(:hover, :focus-within)")) box.classList.add("shut");
});
for (const leaving of ["pointerout", "focusout"]) {
  addEventListener(leaving, ({ target, relatedTarget }) => {
    const box = term(target);
    if (box && !box.contains(relatedTarget)) box.classList.remove("shut");
  });
}
addEventListener("pointerdown", ({ target, pointerType }) => {
  const box = term(target);
  tapped = box && pointerType !== "mouse" && !open(box) ? box : null;
  const last = term(document.activeElement);
  if (last && last !== box) document.activeElement.blur();
});
addEventListener("click", (event) => {
  const box = term(event.target);
  if (!box || box !== tapped) return;
  event.preventDefault();
  box.querySelector("a").focus();
});

const KEPT = "sccbook-tab";
const turn = (name) => {
  for (const tab of document.querySelectorAll(".tabs > input")) {
    if (tab.nextElementSibling.textContent === name) tab.checked = true;
  }
};
turn(localStorage.getItem(KEPT));
addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs > input")) return;
  const name = target.nextElementSibling.textContent;
  localStorage.setItem(KEPT, name);
  turn(name);
});
