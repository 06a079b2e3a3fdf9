// What the reader has written, kept in this browser: by page and block, and only where it differs from the book's.

const KEY = "sccbook-code"; // book.js erases it

/** All that's kept. @returns {Record<string, string>} */
export function kept() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {}; // the browser keeps nothing for this page, or what it kept can't be read
  }
}

/** @param {string} name of the block, in all pages @param {string | undefined} code undefined: the book's @returns {string} why it's not kept */
export function keep(name, code) {
  try {
    const all = JSON.stringify({ ...kept(), [name]: code });
    if (all === "{}") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, all);
    return "";
  } catch {
    return "This browser keeps nothing that you write here.";
  }
}
