// What the stylesheet can't do: Escape shuts a term's definition, and on a touch screen the first tap shows it; code
// that is unfolded can be scrolled by keyboard; tabs keep to the name that the reader chose last; tables with a row for
// each library show only the two that the reader chooses; what a cell printed is only scrolled while it's in sight;
// Escape and a click elsewhere shut the header's menus; one switch shows the answers to all figures' questions, and "?"
// shows their keys; a figure's files are offered while its fold is open; and a story's steps move the figure that is
// pinned beside them.

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

// the theme's script does this for what is in sight at first
addEventListener(
  "toggle",
  ({ target }) => {
    for (const box of target.querySelectorAll("pre, .output")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    if (target.matches(".gl-more")) offerFiles(target);
  },
  true,
);

// the files that the book's build wrote for the figure, each under the names of the page and of the figure
function offerFiles(fold) {
  const figure = fold.closest("figure");
  if (!figure.querySelector(".gl-take")) {
    const { figure: name } = figure.dataset;
    const nth = [...document.querySelectorAll(`figure[data-figure="${name}"]:has(.gl-more)`)].indexOf(figure) + 1;
    const page = location.pathname.split("/").pop().replace(".html", "");
    const root = document.documentElement.dataset.content_root;
    const file = `${root}figures/${page}-${name}${nth > 1 ? `-${nth}` : ""}`;
    const here = document.querySelector("link[rel=canonical]")?.href ?? location.href; // where the book is published
    const address = here.startsWith("file:") ? file : new URL(file, here);
    const take = document.createElement("p");
    take.className = "gl-take gl-note";
    take.innerHTML = `To use elsewhere: <a href="${file}.svg" download>SVG</a>, or <a href="${file}.html">HTML to embed</a> with <code></code>`;
    take.lastChild.textContent = `<iframe src="${address}.html" width="100%" height="720" style="border: 0"></iframe>`;
    figure.append(take);
  }
  figure.querySelector(".gl-take").hidden = !fold.open;
}

// each box that scrolls is a layer, and costs every frame of a drag elsewhere in the page
const sight = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) target.classList.toggle("out-of-sight", !isIntersecting);
});
for (const printed of document.querySelectorAll(".output")) sight.observe(printed);

const CODE = "sccbook-code"; // what the reader has written in the page's editors
const KEPT = "sccbook-tab";
const stored = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // the browser keeps nothing for this page
  }
};
const turn = (name) => {
  for (const tab of document.querySelectorAll(".tabs > input")) {
    if (tab.nextElementSibling.textContent === name) tab.checked = true;
  }
};
turn(stored(KEPT));
addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs > input")) return;
  const name = target.nextElementSibling.textContent;
  localStorage.setItem(KEPT, name);
  turn(name);
});

// From one library to another. Where one has no row, the chapter says whose to take; a table with neither is shown whole.
const STAND_IN = { Sonnet: "TensorFlow", Flax: "JAX", Equinox: "JAX", scaleclip: "JAX" };
const tables = [...document.querySelectorAll("table.rows:not(:has(th code))")].map(({ rows }) => [...rows]);
const library = (row) => row.querySelector("strong").textContent.split(",")[0];
if (tables.length > 2) {
  const names = [...new Set(tables.flat().map(library))].map((name) => `<option>${name}</option>`).join("");
  const choice = (end) => `<label>${end} <select name="${end}"><option value="">any library</option>${names}</select></label>`;
  const bar = document.createElement("form");
  bar.className = "libraries";
  bar.autocomplete = "off"; // the address says what was chosen
  bar.innerHTML = choice("from") + choice("to");
  const query = new URLSearchParams(location.search);
  for (const end of bar) {
    end.value = query.get(end.name) ?? "";
    if (end.selectedIndex < 0) end.value = ""; // one that isn't here
  }
  const show = () => {
    for (const rows of tables) {
      const has = (name) => rows.some((row) => library(row) === name);
      const asked = [...bar].map(({ value }) => (has(value) ? value : STAND_IN[value])).filter(has);
      for (const row of rows) row.hidden = asked.length > 0 && !asked.includes(library(row));
      const place = (row) => asked.indexOf(library(row)); // "from" comes first
      rows[0].parentNode.append(...[...rows].sort((a, b) => place(a) - place(b)));
    }
    for (const { value } of bar) turn(STAND_IN[value] ?? value);
  };
  bar.addEventListener("change", () => {
    const query = new URLSearchParams(location.search);
    for (const { name, value } of bar) value ? query.set(name, value) : query.delete(name);
    history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    show();
  });
  document.querySelector("article section > section").before(bar);
  show();
}

for (const menu of document.querySelectorAll(".menu")) {
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  addEventListener("click", ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
}

// "?" opens it from anywhere but a text field, and who closes it is where they were
function offerHelp({ answers }) {
  const menu = document.querySelector(".answers");
  if (!menu) return;
  let before;
  const [all, words, forget] = menu.querySelectorAll("input, p, button");
  const show = (kept = true) => {
    const { count } = answers;
    const code = stored(CODE) !== null;
    const known = count === 1 ? "One answer is" : `${count || "No"} answers are`;
    words.textContent = kept ? `${known} remembered in this browser.` : "This browser remembers nothing for this page.";
    if (code) words.textContent += " It keeps code that you wrote.";
    all.checked = answers.all;
    forget.disabled = !count && !answers.all && !code;
  };
  all.addEventListener("change", () => show(answers.showAll(all.checked)));
  forget.addEventListener("click", () => {
    const code = stored(CODE) !== null;
    if (code) localStorage.removeItem(CODE);
    answers.erase();
    show();
    if (code) words.textContent += " Your code is erased in all chapters.";
    all.focus();
  });
  addEventListener("keydown", ({ key, target }) => {
    if (key !== "?" || target.matches?.("textarea, [contenteditable], :is([type=search], [type=text])")) return;
    before = document.activeElement;
    menu.open = true;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("toggle", () => {
    if (menu.open) return show();
    if (menu.contains(document.activeElement)) before?.focus();
    before = undefined;
  });
  menu.hidden = false;
}

function tellStory() {
  const figure = document.querySelector(".tag_story figure");
  if (!figure) return;
  const { figure: name } = figure.dataset;
  const nth = [...document.querySelectorAll(`figure[data-figure=${name}]`)].indexOf(figure) + 1;
  let given = location.search.includes(`${name}${nth > 1 ? `-${nth}` : ""}.`); // a link has set it
  const steps = [...document.querySelectorAll(".story-step")];
  const passed = new Set();
  let shown;
  // above the window everything counts as seen, so that a step that is jumped over is passed too
  const reading = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) passed[isIntersecting ? "add" : "delete"](target);
      const step = steps.findLast((each) => passed.has(each));
      if (!step || step === shown) return;
      shown = step;
      const changes = JSON.parse(step.dataset.settings);
      if (!given) exploraxFigures.get(figure)?.send({ type: "lead", changes });
      given = false;
    },
    { rootMargin: "1000000px 0px -35% 0px" },
  );
  const begin = () => steps.forEach((step) => reading.observe(step));
  if (figure.matches(".gl-ready")) begin();
  else figure.addEventListener("gl-ready", begin, { once: true });
}

// the script of the figures, where a page has any, comes before this one
if (globalThis.explorax?.answers) offerHelp(explorax); // and not an element: the reference has one with this id
tellStory();

// the scripts of an editor are fetched when somebody wants one
addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest(".edit-here button");
  if (!button) return;
  if (globalThis.editBlock) return editBlock(button);
  const block = document.createElement("script");
  block.src = new URL("python/block.js", search.src);
  block.onload = () => editBlock(button);
  block.onerror = () => button.replaceWith(`The editor is missing: ${block.src}`);
  document.head.append(block);
});

const search = document.createElement("script");
search.src = new URL("search.js", document.currentScript.src); // beside this one; it runs once, however often it's put in
const searches = (target) => target instanceof Element && target.matches("form.bd-search input") && document.head.append(search);
addEventListener("focusin", ({ target }) => searches(target));
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || target.closest("input, textarea, select")) return;
  event.preventDefault();
  const dialog = document.querySelector("#pst-search-dialog"); // the theme's script may not listen to its button yet
  dialog.showModal();
  dialog.querySelector("input").focus();
});
if (/[?&](?:q|highlight)=/.test(location.search)) document.head.append(search);
searches(document.activeElement);
