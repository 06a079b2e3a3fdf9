// What the reader has written, kept in this browser: by page and block, and only where it differs from the book's.

const KEY = "sccbook-code"; // book.js erases it

/** @returns {Record<string, string>} */
function read() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {}; // the browser keeps nothing for this page, or what it kept can't be read
  }
}

/** @param {string} name of the block, in all pages */
export const recall = (name) => read()[name];

/** @param {string} name @param {string | null} code null: the book's @returns {boolean} whether the browser keeps it */
export function keep(name, code) {
  const { [name]: _, ...others } = read();
  const all = code === null ? others : { ...others, [name]: code };
  try {
    if (Object.keys(all).length) localStorage.setItem(KEY, JSON.stringify(all));
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
