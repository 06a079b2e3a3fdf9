// Code of a page that the reader edits and runs. This script comes with the first press of a block's button, the editor after
// it, and Python with the first run.

import { keep, kept } from "./kept.js";
import { LIMIT, makeSession } from "./session.js";

const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const session = makeSession(new URL("worker.js", script));
const page = location.pathname.split("/").pop()?.replace(".html", "");
const KEYS = "Ctrl+Enter (on a Mac ⌘+Enter) runs. Tab indents; Escape, then Tab, leaves the editor.";
const FROM_FILE =
  "Python can’t run in a page that was opened from a file. In the book’s folder, run <code>python -m http.server</code> and open " +
  "<code>http://localhost:8000</code>, or open the chapter as a notebook.";

const STOP = "Stop";
const SEEDS = /\bseed=\d+/g;

/** Ask an exercise's question of numbers drawn from a seed. @param {string} exercise @param {number} seed */
const question = (exercise, seed) =>
  `\n\n# New numbers, by name in given.numbers: put your result in place of None.\n` +
  `given = variant("${exercise}", seed=${seed})\nanswer = None\nprint(given)\n` +
  `if answer is not None:\n    print(check("${exercise}", answer, seed=${seed}))`;

/** @param {string} runs what the button does @param {string} name */
const form = (runs, name) =>
  `<div class="edit-code"><textarea spellcheck="false" aria-label="Python code of ${name}. ${KEYS}"></textarea></div>` +
  `<div class="edit-bar"><button type="button" class="btn btn-sm">${runs}</button>` +
  `<button type="button" class="btn btn-sm" title="The book’s code">Reset</button>` +
  `<button type="button" class="btn btn-sm">New numbers</button>` +
  `<span role="status"></span></div><p class="edit-keys">${KEYS}</p>` +
  `<pre class="edit-output" tabindex="0" aria-live="polite" aria-label="Output" hidden></pre>`;

/** Ask for a file beside this script. @param {string} tag @param {Record<string, string>} properties @returns {Promise<any>} */
const asked = (tag, properties) =>
  new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement(tag), { onload, onerror, ...properties }));
  });

/** The editor's script, when the first block opens. @type {Promise<any> | undefined} */
let editor;

/** What the cells of the page that can run here do, in reading order. */
const blocks = [...document.querySelectorAll(".tag_run, .tag_exercise")].map(makeBlock);

/** @param {Element} cell @param {number} i */
function makeBlock(cell, i) {
  const part = (/** @type {string} */ kind) => /** @type {any} */ (cell.querySelector(`.${kind}`));
  const [source, offer] = ["cell_input", "edit-here"].map(part);
  const { needs, draws, variant } = offer?.firstChild.dataset ?? {};
  const drawing = draws && JSON.parse(draws);
  const exercise = cell.matches(".tag_exercise");
  const book = source.querySelector("pre").textContent.trimEnd();
  const name = `block ${i + 1}, “${book.split("\n")[0]}”`;
  const key = `${page}: ${book.match(/^def .*/m)?.[0] ?? i}`;
  /** The editor, or a text field. @type {{value: string, focus: () => void} | undefined} */
  let editing;
  const code = () => editing?.value ?? book;
  const job = () => ({ code: code(), name, draws: drawing?.values });
  if (offer && kept()[key] !== undefined)
    offer.firstChild.textContent = "Edit and run your code from last time";

  async function open() {
    if (location.protocol === "file:") {
      offer.innerHTML = `<span role="status" tabindex="-1">${FROM_FILE}</span>`;
      offer.firstChild.focus();
      return;
    }
    const label = exercise ? "Check my answer" : "Run";
    const box = document.createElement("div");
    Object.assign(box, { className: "edit", role: "group", ariaLabel: `Python to edit, ${name}` });
    box.innerHTML = form(label, name);
    offer.replaceWith(box);
    source.hidden = true;
    const [host, area, button, reset, anew, status, output] = /** @type {any[]} */ ([
      ...box.querySelectorAll(".edit-code, textarea, button, span, pre"),
    ]);
    area.value = kept()[key] ?? book;
    status.textContent = area.value === book ? "" : "Your code from last time.";
    area.rows = area.value.split("\n").length;
    editing = area;

    const changed = () => {
      for (const each of blocks.slice(i)) session.known.delete(each.name); // what comes after builds on it
      status.textContent = keep(key, code() === book ? undefined : code());
    };
    /** @param {boolean} own whether the reader's output shows, in place of the book's */
    const show = (own) => {
      output.textContent = "";
      output.hidden = !own;
      cell.classList.toggle("edit-own", own);
      if (drawing) draw(null);
    };
    /** @param {any} values @param {string} [problem] */
    const draw = (values, problem) => {
      const { figure, at, says } = drawing;
      const after = (/** @type {Element} */ each) => cell.compareDocumentPosition(each) & 4;
      const drawn = [...document.querySelectorAll(`figure[data-figure=${figure}]`)].find(after);
      const live = /** @type {any} */ (window).exploraxFigures?.get(drawn);
      const why = problem || (live ? live.replace(values && { at, values }) : "it isn’t live yet.");
      const named = why.replace(/^\w+/, (/** @type {string} */ each) => drawing.values[each] ?? each);
      return why ? ` The figure below can’t draw it: ${named}` : ` ${says}`;
    };
    /** @param {any} said by Python */
    const hear = ({ type, again, name: of, text, error, seconds, drawn, undrawn }) => {
      if (type === "loading")
        status.textContent = again
          ? "Starting Python again …"
          : `Loading Python: ${needs === "numpy" ? 17 : 14} MB at most, once …`;
      if (type === "ready") status.textContent = `Running, for at most ${LIMIT} s …`;
      if (type === "said" && of === name) output.append(text);
      if (type !== "ran") return;
      const textContent = (error && /[^\n]$/.test(output.textContent) ? "\n" : "") + error;
      output.append(Object.assign(document.createElement("span"), { className: "edit-error", textContent }));
      status.textContent = error
        ? `${of === name ? "It" : `Before it, ${of}`} didn’t finish: see below.`
        : `Ran in ${Math.max(seconds, 0.01).toFixed(2)} s.`;
      if (drawing && of === name && !error) status.textContent += draw(drawn, undrawn);
    };
    const run = async () => {
      if (button.textContent === STOP) return session.stop();
      button.textContent = STOP;
      show(true);
      const before = exercise
        ? []
        : blocks.slice(0, i).filter((each) => each.first && !session.known.has(each.name));
      const stopped = await session.run(
        [...before, { job }].map((each) => each.job()),
        needs === "numpy",
        hear,
      );
      status.textContent = stopped || status.textContent;
      button.textContent = label;
    };
    const toBook = () => {
      if (editing) editing.value = book;
      changed();
      show(false);
      session.known.clear();
      status.textContent = "The book’s code. The next run begins without your names.";
    };
    button.addEventListener("click", run);
    reset.addEventListener("click", toBook);
    anew.hidden = !variant;
    anew.addEventListener("click", () => {
      const seed = Math.floor(1000 * Math.random());
      if (editing)
        editing.value = code().match(SEEDS)
          ? code().replace(SEEDS, `seed=${seed}`)
          : code() + question(variant, seed);
      changed();
      run();
    });
    // all that's remembered has been erased
    addEventListener(
      "explorax-answers",
      (/** @type {any} */ { detail }) => detail.type === "recall" && toBook(),
    );
    area.addEventListener("input", changed);
    // no shortcut of the page hears what is typed, as it sees no text field from outside
    host.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      event.stopPropagation();
      if (event.target === area && event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
    });
    area.focus();
    try {
      editor ??= asked("script", { src: new URL("editor.js", script).href });
      await editor;
      const had = document.activeElement === area;
      editing = /** @type {any} */ (globalThis).sccbookEditor(host, area, changed, () => Boolean(run()));
      if (had) editing?.focus();
    } catch {
      status.textContent = "The editor is missing, so this is a plain text field.";
    }
  }

  return { cell, open, job, name, first: cell.matches(".tag_run") };
}

asked("link", { rel: "stylesheet", href: new URL("block.css", script).href });
/** Open the block of a button. @param {Element} button */
const editBlock = (button) => blocks.find(({ cell }) => cell.contains(button))?.open();
Object.assign(globalThis, { editBlock });
