/** Clips the norm of a gradient [2]: [clipped, factor, norm]. */
export function evaluate(gradient, limit) {
  const [x, y] = gradient;
  const norm = Math.sqrt(x * x + y * y);
  const factor = Math.min(1, limit / norm);
  return [Float64Array.of(factor * x, factor * y), Float64Array.of(factor), Float64Array.of(norm)];
}
