// Types of what Python writes and the views read.

/**
 * @typedef {{name: string, label: string, symbol: string,
 *   kind: "range" | "log" | "symlog" | "integer" | "choice" | "toggle" | "point",
 *   initial: any, minimum: any, maximum: any, step: any, allowed: [any, any], threshold: number,
 *   axes: [string, string], options: [string, string][], sets: [string, any[]][], idles: [string, string[]][]}} Control
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Values numbers, and flat arrays in row-major order
 * @typedef {{name: string, shape: number[], dtype: string}} Leaf
 * @typedef {{columns: [string, string][], rows: string | string[], count: string | number, caption: string,
 *   triangle: boolean, general: boolean, row_part: string, column_part: string}} Table
 * @typedef {{name: string, result: string, words: string}} Part what is said of a part of the picture
 * @typedef {{question: string, answer: string, how: "number" | "choice" | "place" | "sketch",
 *   settings: Settings, conceals: string[], options: string[], guess: any,
 *   count: number, unit: string, reveal: string[]}} Prediction `reveal` is one sentence, none, or one for each option
 * @typedef {{kind: string, [field: string]: any}} Spec a view as plain data
 * @typedef {{name: string, python: [string, string], view: Spec, title: string, look: string,
 *   controls: Control[], settings: Settings, sight: string[], more: string[], outputs: Leaf[],
 *   program: string, views?: Record<string, {script: string, style: string}>, source: string, sentences: string[], table: Table | null,
 *   labels: Record<string, string>, parts: Part[],
 *   presets: {label: string, settings: Settings}[], stills: Settings[], equation: string[],
 *   prediction: Prediction | null, note: string, run?: any, width?: "" | "half" | "margin",
 *   reserved: {sentence: string, outcome: string, equation: string[]}}} Description `reserved` is what `withRoom` adds
 * @typedef {{kind: string, index: number | null} | null} Lit a part, or one of several
 * @typedef {{value: any, committed: boolean, answer?: any}} Guess
 * @typedef {{description: Description, spec: Spec, settings: Settings, values: Values, layout: string,
 *   id: string, ghost?: Values | null, lit?: Lit, guess?: Guess | null,
 *   concealed: Set<string>}} Drawing
 * @typedef {{control: string, index?: number, x: number, y: number, axis: "x" | "y" | "both",
 *   label?: string, role?: string, value: (x: number, y: number) => number | [number, number] | string | undefined,
 *   sets?: Settings, carried?: boolean, exact?: boolean}} Handle a point to drag, in the drawing's units, and what is set where it is taken;
 *   what is `carried` the view draws itself, at the drawing's `hand`; an `exact` value is set as it is, between steps too
 * @typedef {{layouts: (spec: Spec, description: Description) => Record<string, {width: number, height: number}>,
 *   draw: (drawing: Drawing) => any, handles: (drawing: Drawing) => Handle[]}} View
 */

export {};
