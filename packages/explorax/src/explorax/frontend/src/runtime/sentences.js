// What a figure says of its state: the sentence below the picture, and what a part of it is.

import { general } from "../common/numberFormat.js";
import { asked, fill } from "../common/template.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {import("../common/types.js").Values} Values */
/** @typedef {import("./state.js").State} State */

/** The sentence that states the present. @param {Description} description @param {Settings} settings @param {Values} values */
export function sentence(description, settings, values) {
  return fill(description.sentences[values.case ?? 0], { ...settings, ...values });
}

/** What is said instead, while a mask hides some of it. */
export const MASKED = "This is what the question asks. Stop here to see the answer.";

/** The same, where it may say less: what a mask hides isn't told. @param {Description} description @param {State} state */
export function visibleSentence(description, { settings, values, concealed }) {
  const tells =
    concealed.has("case") ||
    asked(description.sentences[values.case ?? 0]).some((name) => concealed.has(name));
  return tells ? MASKED : sentence(description, settings, values);
}

/** A part in words. @param {Description} description @param {State} state @param {{kind: string, index: number | null}} lit */
export function partInWords(description, state, { kind, index }) {
  const part = description.parts.find(({ name }) => name === kind);
  const result = part?.result || kind;
  const told = [result, ...asked(part?.words ?? "")];
  if (told.some((name) => state.concealed.has(name))) return MASKED;
  const all = state.values[result];
  const value = index === null || typeof all !== "object" ? all : all[index - 1];
  const n = index === null ? "" : String(index);
  const m = index === null ? "" : String(index - 1);
  if (part?.words) return fill(part.words, { ...state.settings, ...state.values, n, m, value });
  const named = kind.replaceAll("_", " ");
  if (value === undefined || (typeof value === "object" && value.length > 4)) return `${named} ${n}`.trim();
  const text = typeof value === "object" ? Array.from(value, general).join(", ") : general(Number(value));
  return `${named}${n && ` ${n}`}: ${text}.`;
}
