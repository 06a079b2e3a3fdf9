// What counts as a word: the same in the book, in what is searched for, and in what is marked.

/** A word, or a name with its joints: `clip_grad_norm_`, `tf.scale_gradient`, `per-sample`, `0.5`. */
export const WORD = /[\p{L}\p{N}]+(?:[._\-‐–’'][\p{L}\p{N}]+)*/gu;

const JOINT = /[._\-‐–’']|(?<=[a-z])(?=[A-Z][a-z])/u;
const IDLE = new Set(
  `a an and are as at be been by can do does for from get had has have how i if in into is it its me my of on or
  should so than use used using vs work about any not does doing did what whats who whose just only that the their then there these those they this to was we were what when where which why will with would
  you your s t re don doesn isn always above below`.split(/\s+/),
);

/** Return a word without its ending, so that "clipped", "clips" and "clipping" are one. @param {string} word */
export function stem(word) {
  let rest = word.toLowerCase().replace(/(?<=\p{L}{3})iz(?=e|ing|ation)/u, "is");
  if (rest.length < 4 || /\d/.test(rest)) return rest;
  rest = rest.replace(/ies$/, "y").replace(/(?<=[^suiy])s$/, "");
  const bare = rest.replace(/(?:ations?|ating|ated?|ing|ed|ion|ly)$/, "");
  if (bare.length >= 4 || (bare.length >= 3 && /(?:ing|ed)$/.test(rest)))
    rest = bare.replace(/([bdgmnprt])\1$/, "$1");
  return rest.length > 3 ? rest.replace(/e$/, "") : rest;
}

/** Return the pieces of a word or name, as stems. @param {string} word */
export const pieces = (word) =>
  (/^[\d.]+$/.test(word) ? [word] : word.split(JOINT))
    .filter((piece) => piece && !IDLE.has(piece.toLowerCase()))
    .map(stem);

/** What each word that has come up is found by. @type {Map<string, string[]>} */
const known = new Map();

/** Return what a word or name is found by: each of its pieces, and each name in it as a whole. @param {string} word */
export function terms(word) {
  const found = known.get(word) ?? pieces(word);
  if (known.has(word)) return found;
  known.set(word, found);
  for (const name of word.split(".")) {
    const parts = pieces(name);
    if (parts.length > 1) found.push(parts.join(""));
  }
  return found;
}

/** Return the words and names of a text. @param {string} text */
export const words = (text) => text.match(WORD) ?? [];
