// Code of a page that the reader edits and runs. This script comes with the first press of a block's button, the editor after
// it, and Python with the first run.

import { keep, recall } from "./kept.js";
import { makeSession } from "./session.js";

const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const session = makeSession(new URL("worker.js", script));
const page = location.pathname.split("/").pop()?.replace(".html", "");
const KEYS = "Ctrl+Enter (on a Mac ⌘+Enter) runs. Tab indents; to leave the editor, press Escape, then Tab.";
const FROM_FILE =
  "Python can’t run in a page that was opened from a file. In the book’s folder, run <code>python -m http.server</code> and open " +
  "<code>http://localhost:8000</code>, or open the chapter as a notebook (the first entry of the download menu above).";

/** @typedef {{readonly text: string, set: (text: string) => void, focus: () => void}} Editor */
/** @typedef {{host: HTMLElement, text: string, label: string, changed: () => void, run: () => void}} Wanted */

/** @param {string} tag @param {Partial<Record<string, any>>} [properties] @param {(Node | string)[]} inside */
function element(tag, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

/** A textarea, until the editor has come. @param {Wanted} wanted @returns {Editor} */
function plain({ host, text, label, changed, run }) {
  /** @type {any} */
  const area = element("textarea", {
    value: text,
    spellcheck: false,
    rows: text.split("\n").length,
    ariaLabel: label,
  });
  area.addEventListener("input", changed);
  area.addEventListener("keydown", (/** @type {KeyboardEvent} */ { key, ctrlKey, metaKey }) => {
    if (key === "Enter" && (ctrlKey || metaKey)) run();
  });
  host.append(area);
  const set = (/** @type {string} */ next) => {
    area.value = next;
  };
  return {
    get text() {
      return area.value;
    },
    set,
    focus: () => area.focus(),
  }; // prettier-ignore
}

/** The editor's script, when the first block opens. @type {Promise<any> | undefined} */
let editors;

function editor() {
  editors ??= new Promise((resolve, reject) => {
    const from = new URL("editor.js", script).href;
    const failed = () => reject(new Error(`${from} is missing`));
    document.head.append(element("script", { src: from, onload: resolve, onerror: failed }));
  });
  return editors.then(() => /** @type {any} */ (globalThis).sccbookEditor);
}

/** The cells of the page that can run here, in reading order. */
const blocks = [...document.querySelectorAll(".tag_run, .tag_exercise")].map(makeBlock);

/** @param {Element} cell @param {number} i */
function makeBlock(cell, i) {
  const source = /** @type {HTMLElement} */ (cell.querySelector(".cell_input"));
  const offer = /** @type {HTMLElement | null} */ (cell.querySelector(".edit-here"));
  const book = (source.querySelector("pre")?.textContent ?? "").trimEnd();
  const printed = /** @type {HTMLElement | null} */ (cell.querySelector(".cell_output"));
  const { needs, draws } =
    offer?.firstElementChild instanceof HTMLElement ? offer.firstElementChild.dataset : {};
  const kept = `${page}: ${book.split("\n").find((line) => line.startsWith("def ")) ?? i}`;
  const name = `block ${i + 1}`;
  const drawing = draws ? JSON.parse(draws) : null;
  /** @type {Editor | undefined} */
  let editing;
  const text = () => editing?.text ?? recall(kept) ?? book;
  const job = () => ({ code: text(), name, draws: drawing?.values });

  async function open() {
    if (!offer) return;
    const exercise = cell.matches(".tag_exercise");
    const runs = exercise ? "Check my answer" : "Run";
    const host = element("div", { className: "edit-code" });
    const button = element("button", { type: "button", className: "btn btn-sm edit-run", textContent: runs });
    const reset = element("button", {
      type: "button",
      className: "btn btn-sm",
      textContent: "Reset",
      title: "The book’s code",
    });
    const status = element("span", { role: "status" });
    const clock = element("span", { ariaHidden: "true" });
    const output = element("pre", {
      className: "edit-output",
      hidden: true,
      tabIndex: 0,
      ariaLive: "polite",
      ariaLabel: "Output",
    });
    const bar = element("div", { className: "edit-bar" }, button, reset, element("span", {}, status, clock));
    const parts = [host, bar, element("p", { className: "edit-keys", textContent: KEYS }), output];
    const box = element(
      "div",
      { className: "edit", role: "group", ariaLabel: `Python to edit, ${name}` },
      ...parts,
    );
    if (location.protocol === "file:") {
      offer.replaceChildren(element("span", { role: "status", innerHTML: FROM_FILE }));
      return;
    }
    source.hidden = offer.hidden = true;
    source.after(box);
    let running = false;

    const changed = () => {
      const code = editing?.text ?? book;
      if (!keep(kept, code === book ? null : code))
        status.textContent = "This browser keeps nothing you write here.";
    };
    const run = async () => {
      if (running) return session.stop();
      running = true;
      button.textContent = "Stop";
      output.textContent = "";
      output.hidden = false;
      clock.textContent = "";
      if (printed) printed.hidden = true;
      const began = performance.now();
      const ticking = setInterval(() => {
        clock.textContent = ` ${Math.round((performance.now() - began) / 1000)} s`;
      }, 1000);
      const before = exercise
        ? []
        : blocks.slice(0, i).filter((each) => each.first && !session.known.has(each.name));
      const why = await session.run(
        [...before.map((each) => each.job()), job()],
        needs === "numpy",
        (said) => {
          if (said.type === "loading") status.textContent = "Loading Python: 14 MB at most, once …";
          if (said.type === "ready") status.textContent = "Running …";
          if (said.type === "said" && said.name === name) output.append(said.text);
          if (said.type === "ran") tell(said);
        },
      );
      clearInterval(ticking);
      clock.textContent = "";
      if (why !== "done") status.textContent = `${why} The next run begins with a fresh Python.`;
      button.textContent = runs;
      running = false;
    };
    const tell = (/** @type {any} */ { name: ran, value, error, flood, seconds, drawn, undrawn }) => {
      if (error) output.append(element("span", { className: "edit-error", textContent: `${error}\n` }));
      if (ran !== name) return;
      if (value !== undefined) output.append(`${value}\n`);
      if (flood) output.append("… stopped here: a page shows 500 lines, or 20,000 characters.\n");
      status.textContent = error
        ? "It raised an error."
        : `Ran in ${seconds < 0.01 ? "under 0.01" : seconds.toFixed(2)} s.`;
      if (drawing && (drawn || undrawn)) draw(drawn, undrawn);
    };
    const draw = (/** @type {any} */ values, /** @type {string} */ problem) => {
      const after = (/** @type {Element} */ each) =>
        cell.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
      const figure = [...document.querySelectorAll(`figure[data-figure=${drawing.figure}]`)].find(after);
      const { exploraxFigures } = /** @type {any} */ (window);
      const why = problem || exploraxFigures?.get(figure)?.replace(values && { at: drawing.at, values });
      status.textContent += why
        ? ` The figure below can’t draw it: ${why.replace(/^\w+/, (/** @type {string} */ each) => drawing.values[each] ?? each)}`
        : values
          ? ` ${drawing.says}`
          : "";
    };
    const toBook = () => {
      editing?.set(book);
      changed();
      session.forget();
      output.hidden = true;
      if (printed) printed.hidden = false;
      if (drawing) draw(null, "");
      status.textContent = "The book’s code; the next run begins without your names.";
    };
    button.addEventListener("click", run);
    reset.addEventListener("click", toBook);
    addEventListener("explorax-answers", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.type === "recall") toBook(); // all is erased
    });
    const label = `Python code of ${name}. ${KEYS}`;
    const wanted = { host, text: text(), label, changed, run };
    if (wanted.text !== book) status.textContent = "Your code from last time.";
    editing = plain(wanted);
    editing.focus();
    const make = await editor().catch((error) => {
      status.textContent = `This is a plain text field, because ${error.message}.`;
    });
    if (!make) return;
    const had = host.contains(document.activeElement);
    const typed = editing.text;
    host.replaceChildren();
    editing = /** @type {Editor} */ (make({ ...wanted, text: typed }));
    if (had) editing.focus();
  }

  return { cell, open, job, name, first: cell.matches(".tag_run") };
}

const style = new URL("block.css", script).href;
document.head.append(element("link", { rel: "stylesheet", href: style }));
Object.assign(globalThis, {
  /** Open the block of a button. @param {Element} button */
  editBlock: (button) => blocks.find(({ cell }) => cell.contains(button))?.open(),
});
