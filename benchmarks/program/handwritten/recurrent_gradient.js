/** The gradient of a recurrent network's loss, backpropagated through time by hand. */

const WIDTH = 16;
const STEPS = 12;

export function evaluate(dynamics, bias, action, head, state, actions, returns, scale) {
  const states = [state];
  const errors = [];
  let loss = 0;
  for (let t = 0; t < STEPS; t++) {
    const h = states[t];
    const next = new Float64Array(WIDTH);
    let value = 0;
    for (let i = 0; i < WIDTH; i++) {
      let sum = bias[i] + actions[t] * action[i];
      for (let j = 0; j < WIDTH; j++) sum += dynamics[i * WIDTH + j] * h[j];
      next[i] = Math.tanh(sum);
      value += head[i] * next[i];
    }
    errors.push(value - returns[t]);
    loss += (errors[t] * errors[t]) / STEPS;
    states.push(next);
  }

  const toDynamics = new Float64Array(WIDTH * WIDTH);
  const toBias = new Float64Array(WIDTH);
  const toAction = new Float64Array(WIDTH);
  const toHead = new Float64Array(WIDTH);
  let cotangent = new Float64Array(WIDTH);
  for (let t = STEPS - 1; t >= 0; t--) {
    const h = states[t];
    const next = states[t + 1];
    const slope = (2 * errors[t]) / STEPS;
    const before = new Float64Array(WIDTH);
    for (let i = 0; i < WIDTH; i++) {
      toHead[i] += slope * next[i];
      const inner = (scale * cotangent[i] + slope * head[i]) * (1 - next[i] * next[i]);
      toBias[i] += inner;
      toAction[i] += actions[t] * inner;
      for (let j = 0; j < WIDTH; j++) {
        toDynamics[i * WIDTH + j] += inner * h[j];
        before[j] += inner * dynamics[i * WIDTH + j];
      }
    }
    cotangent = before;
  }
  return [toDynamics, toBias, toAction, toHead, new Float64Array([loss]), cotangent];
}
