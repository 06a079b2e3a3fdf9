// What the reader has answered, kept in this browser for good; and whether all answers are shown.

/** @typedef {{phase: string, value?: any}} Kept what became of a question: the guess, or that it was skipped or found out */

const KEY = "explorax-answers";
const CHANGED = "explorax-answers";

/** All that is kept: `all`, whether every answer is shown, and what became of each question. @returns {{all: boolean, of: Record<string, Kept>}} */
function read() {
  try {
    const { all = false, of = {} } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { all: Boolean(all), of: Object(of) };
  } catch {
    return { all: false, of: {} }; // the browser keeps nothing for this page, or what it kept can't be read
  }
}

/** @param {{all: boolean, of: Record<string, Kept>}} kept @returns {boolean} whether the browser keeps it */
function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** One question's place. @param {string} question */
export const answerTo = (question) => ({
  read: () => read().of[question],
  write(/** @type {Kept} */ { phase, value }) {
    const { all, of } = read();
    const { [question]: _, ...others } = of;
    write({ all, of: phase === "open" ? others : { ...of, [question]: { phase, value } } });
  },
});

/** For the page: its one switch, and what erases both. */
export const answers = {
  get all() {
    return read().all;
  },
  get count() {
    return Object.keys(read().of).length;
  },
  /** Show all answers, or no longer. @param {boolean} all @returns {boolean} whether the browser remembers it */
  showAll(all) {
    const kept = write({ ...read(), all });
    dispatchEvent(new CustomEvent(CHANGED, { detail: { type: "share", all } }));
    return kept;
  },
  /** Forget every answer, and show none. */
  erase() {
    write({ all: false, of: {} });
    dispatchEvent(new CustomEvent(CHANGED, { detail: { type: "recall", phase: "open" } }));
  },
  /** Tell a figure of this page what it's to do, until the returned function is called. @param {(event: any) => void} hear */
  listen(hear) {
    const heard = (/** @type {any} */ { detail }) => hear(detail);
    addEventListener(CHANGED, heard);
    return () => removeEventListener(CHANGED, heard);
  },
};
