// What the Python side writes and the views read. Types alone.

/**
 * @typedef {{name: string, label: string, symbol: string, kind: "range" | "integer" | "choice" | "toggle",
 *   initial: any, minimum: number, maximum: number, step: number, allowed: [number, number],
 *   options: [string, string][]}} Control
 * @typedef {Record<string, any>} Settings
 * @typedef {Record<string, any>} Values numbers, and flat arrays in row-major order
 * @typedef {{name: string, shape: number[], dtype: string}} Leaf
 * @typedef {{columns: [string, string][], rows: string, count: string, caption: string,
 *   triangle: boolean}} Table
 * @typedef {{name: string, view: string, title: string, look: string, controls: Control[],
 *   settings: Settings, sight: string[], more: string[], outputs: Leaf[], program: string,
 *   sentences: string[], table: Table, labels: Record<string, string>,
 *   presets: {label: string, settings: Settings}[], stills: Settings[],
 *   equation: Record<string, any>, note: string}} Description
 * @typedef {{kind: "loss" | "application", index: number} | null} Lit
 * @typedef {{description: Description, settings: Settings, values: Values, layout: string,
 *   ghost?: Values | null, lit?: Lit, id: string}} Drawing
 * @typedef {{control: string, x: number, y: number, axis: "x" | "y" | "both",
 *   value: (x: number, y: number) => number}} Handle a point to drag, in the drawing's units
 * @typedef {{layouts: Record<string, {width: number, height: number}>,
 *   draw: (drawing: Drawing) => any, handles: (drawing: Drawing) => Handle[]}} View
 */

export {};
