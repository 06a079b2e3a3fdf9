/** Clips the norm of a gradient [2]: [clipped, factor, norm]. */
export function evaluate(gradient, limit) {
  const x = gradient[0];
  const y = gradient[1];
  const norm = Math.sqrt(x * x + y * y);
  const factor = Math.min(1, limit / norm);
  const clipped = new Float64Array(2);
  clipped[0] = factor * x;
  clipped[1] = factor * y;
  return [clipped, array(factor), array(norm)];
}

function array(number) {
  const made = new Float64Array(1);
  made[0] = number;
  return made;
}
