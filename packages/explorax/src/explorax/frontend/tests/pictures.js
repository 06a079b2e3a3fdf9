// What a picture says, read from its text.

import assert from "node:assert/strict";

/** Count the matches of a pattern. */
export const count = (text, what) => [...text.matchAll(what)].length;
/** Return what a pattern captures, as numbers: a list for each match. */
export const numbers = (text, pattern) => [...text.matchAll(pattern)].map((all) => all.slice(1).map(Number));
/** Return the paths of a class. */
export const paths = (text, kind) =>
  [...text.matchAll(new RegExp(`class="${kind}" d="([^"]*)"`, "g"))].map(([, d]) => d);
/** Return the points of a path. */
export const points = (path) => numbers(path, /(-?[\d.]+) (-?[\d.]+)/g);
/** Return all text in a picture, without the tags inside it. */
export const texts = (text) =>
  [...text.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, inside]) => inside.replace(/<[^>]+>/g, ""));

/** Check that two numbers, or two lists of them, are equal but for rounding. */
export function close(a, b, by = 1e-9) {
  const [found, expected] = [a, b].map((each) => (typeof each === "number" ? [each] : [...each]));
  const near = (x, i) => Math.abs(x - expected[i]) <= by * Math.max(1, Math.abs(expected[i]));
  assert.ok(found.length === expected.length && found.every(near), `${a} and ${b} are not close`);
}

/** Find attributes that hold something other than a number. */
export const broken = (text) => text.match(/="[^"]*(NaN|undefined|Infinity)[^"]*"/g);
