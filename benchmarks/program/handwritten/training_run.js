/** Trains a small network by Adam with a clipped gradient: [losses, inner, outer, shift]. */

const POINTS = 10;
const UNITS = 4;
const STEPS = 200;
const INPUTS = Float64Array.from({ length: POINTS }, (_, i) => -1 + (2 * i) / (POINTS - 1));
const TARGETS = INPUTS.map((x) => Math.sin(3 * x));

const units = (value) => Float64Array.from({ length: UNITS }, (_, i) => value(i + 1));

export function evaluate(rate, limit, scale) {
  const inner = units((i) => Math.sin(i));
  const shift = units((i) => 0.5 * Math.cos(2 * i));
  const outer = units((i) => 0.5 * Math.sin(3 * i));
  const parameters = [inner, outer, shift];
  const gradients = parameters.map(() => new Float64Array(UNITS));
  const [toInner, toOuter, toShift] = gradients;
  const firsts = parameters.map(() => new Float64Array(UNITS));
  const seconds = parameters.map(() => new Float64Array(UNITS));
  const hidden = new Float64Array(UNITS);
  const losses = new Float64Array(STEPS);

  for (let step = 0; step < STEPS; step++) {
    for (const gradient of gradients) gradient.fill(0);
    for (let p = 0; p < POINTS; p++) {
      let value = 0;
      for (let u = 0; u < UNITS; u++) {
        hidden[u] = Math.tanh(inner[u] * INPUTS[p] + shift[u]);
        value += hidden[u] * outer[u];
      }
      const error = value - TARGETS[p];
      losses[step] += (error * error) / POINTS;
      const slope = (2 * error) / POINTS;
      for (let u = 0; u < UNITS; u++) {
        const cotangent = scale * slope * outer[u] * (1 - hidden[u] * hidden[u]);
        toOuter[u] += slope * hidden[u];
        toShift[u] += cotangent;
        toInner[u] += cotangent * INPUTS[p];
      }
    }

    let square = 0;
    for (let u = 0; u < UNITS; u++) {
      square += toInner[u] * toInner[u] + toOuter[u] * toOuter[u] + toShift[u] * toShift[u];
    }
    const norm = Math.sqrt(square);
    const factor = norm < limit ? 1 : limit / norm;
    const first = 1 - 0.9 ** (step + 1);
    const second = 1 - 0.999 ** (step + 1);
    for (let k = 0; k < parameters.length; k++) {
      const x = parameters[k];
      const g = gradients[k];
      const m = firsts[k];
      const v = seconds[k];
      for (let u = 0; u < UNITS; u++) {
        const clipped = factor * g[u];
        m[u] = 0.9 * m[u] + 0.1 * clipped;
        v[u] = 0.999 * v[u] + 0.001 * clipped * clipped;
        x[u] -= (rate * (m[u] / first)) / (Math.sqrt(v[u] / second) + 1e-8);
      }
    }
  }
  return [losses, inner, outer, shift];
}
