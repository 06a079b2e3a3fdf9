// Where the lines of a listing lie: one below the other, places for the moving line among them.

import { bothLayouts } from "../common/layouts.js";

const SIZES = {
  wide: { width: 688, letter: 7.9, pitch: 23, left: 10 },
  narrow: { width: 320, letter: 7.8, pitch: 23, left: 6 },
};
const EMPTY = 9; // pixels: how high an empty line is

export const { layouts, roomOf } = bothLayouts((spec, layout) => {
  const size = SIZES[layout];
  return { ...size, height: tall(spec.lines, size.pitch) + 4 };
});

/** How high some lines are together. @param {any[]} lines @param {number} pitch */
const tall = (lines, pitch) => lines.reduce((sum, { text }) => sum + (text ? pitch : EMPTY), 0);

/** The spaces before a line. @param {string} text */
const indentOf = (text) => text.length - text.trimStart().length;

/**
 * Every line with its place: `x` where it starts, `y` its middle.
 * @param {any} drawing
 * @returns {{i: number, text: string, slot: string, part: string, index: number, note: string, x: number, y: number}[]}
 */
export function linesOf(drawing) {
  const { left, letter, pitch } = roomOf(drawing);
  const { lines } = drawing.spec;
  return lines.map((/** @type {any} */ line, /** @type {number} */ i) => {
    const x = left + indentOf(line.text) * letter;
    const y = tall(lines.slice(0, i), pitch) + tall([line], pitch) / 2 + 2;
    return { ...line, i, text: line.text.trimStart(), x, y };
  });
}
