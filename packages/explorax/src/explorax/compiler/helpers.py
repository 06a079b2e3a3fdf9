"""JavaScript functions that the forms of ``operations`` call, by name; emitted where needed.

Integers of 64 bits are float64 numbers (int64, exact to 2**53) or BigInts (uint64). Each
function stands after those that it calls itself.
"""

import jax

from explorax.compiler.linear_helpers import LINEAR_HELPERS
from explorax.compiler.order_helpers import ORDER_HELPERS

DIGAMMA_AT_ZERO = "-Infinity" if jax.__version_info__ >= (0, 11) else "NaN"  # as JAX has it

INTEGERS: dict[str, str] = {
    # XLA defines what C does not: x / 0 is -1, x % 0 is x
    "integer_div": "const integer_div = (a, b) => (b === 0 ? -1 : Math.trunc(a / b) + 0);",
    "integer_rem": "const integer_rem = (a, b) => (b === 0 ? a : (a % b) + 0);",
    "wide_div": "const wide_div = (a, b) => (b ? a / b : -1n);",
    "wide_rem": "const wide_rem = (a, b) => (b ? a % b : a);",
    # JavaScript takes shifts modulo 32; XLA shifts everything out
    "shift_left": "const shift_left = (x, by) => (by >>> 0 < 32 ? x << by : 0);",
    "shift_right": "const shift_right = (x, by) => x >> Math.min(by >>> 0, 31);",
    "shift_zeros": "const shift_zeros = (x, by) => (by >>> 0 < 32 ? x >>> by : 0);",
    "wide_shift_left": "const wide_shift_left = (x, by) => (by < 64n ? x << by : 0n);",
    "wide_shift_zeros": "const wide_shift_zeros = (x, by) => (by < 64n ? x >> by : 0n);",
    "bit_count": """\
const bit_count = (x) => {
  let count = 0;
  for (let left = x | 0; left; left &= left - 1) count++;
  return count;
};""",
    "integer_power": """\
const integer_power = (x, n, times) => {
  let product;
  for (; ; x = times(x, x)) {
    if (n % 2) product = product === undefined ? x : times(product, x);
    n = Math.floor(n / 2);
    if (!n) return product;
  }
};""",
    # int64 in two's complement: a signed high half over 32 low bits
    "high_half": "const high_half = (x) => Math.floor(x / 2 ** 32);",
    "from_halves": "const from_halves = (high, low) => high * 2 ** 32 + (low >>> 0);",
    "and_int64": ("const and_int64 = (a, b) => from_halves(high_half(a) & high_half(b), a & b);"),
    "or_int64": "const or_int64 = (a, b) => from_halves(high_half(a) | high_half(b), a | b);",
    "xor_int64": ("const xor_int64 = (a, b) => from_halves(high_half(a) ^ high_half(b), a ^ b);"),
    "shift_left_int64": (
        "const shift_left_int64 = (x, by) => (by >= 0 && by < 64 ? x * 2 ** by : 0);"
    ),
    "shift_right_int64": (
        "const shift_right_int64 = (x, by) => Math.floor(x / 2 ** (by >= 0 && by < 64 ? by : 63));"
    ),
    "shift_zeros_int64": (
        "const shift_zeros_int64 = (x, by) => (by < 0 || by > 63 ? 0"
        " : Math.floor(x / 2 ** by) + (x < 0 && by > 0 ? 2 ** (64 - by) : 0));"
    ),
    "bit_count_int64": ("const bit_count_int64 = (x) => bit_count(high_half(x)) + bit_count(x);"),
    "clz_int64": """\
const clz_int64 = (x) => {
  const high = high_half(x);
  return high ? Math.clz32(high) : 32 + Math.clz32(x);
};""",
}

CONVERSIONS: dict[str, str] = {
    # towards zero, to the nearest end of the range; NaN becomes 0
    "whole": ("const whole = (x, low, high) => Math.min(Math.max(Math.trunc(x) || 0, low), high);"),
    "wide": "const wide = new BigUint64Array(1);",
    "halves": "const halves = new Uint32Array(wide.buffer); // the low half first",
    "single": "const single = new Float32Array(wide.buffer);",
    "double": "const double = new Float64Array(wide.buffer);",
    "float_of_bits": "const float_of_bits = (x) => ((halves[0] = x), single[0]);",
    "bits_of_float": "const bits_of_float = (x) => ((single[0] = x), halves[0]);",
    "double_of_bits": "const double_of_bits = (x) => ((wide[0] = x), double[0]);",
    "bits_of_double": "const bits_of_double = (x) => ((double[0] = x), wide[0]);",
}

FLOATS: dict[str, str] = {
    # C's pow: 1 to any power is 1, and so is -1 to an infinite one
    "power": """\
const power = (x, y) =>
  x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;""",
    "round_even": """\
const round_even = (x) => {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 ? up - 1 : up;
};""",
    "round_away": "const round_away = (x) => Math.sign(x) * Math.round(Math.abs(x));",
    # the total order: -0 before 0, NaN after all
    "before": """\
const before = (a, b) =>
  a < b || (a === a && b !== b) || (a === 0 && b === 0 && 1 / a < 1 / b);""",
    "is_negative": "const is_negative = (x) => x < 0 || Object.is(x, -0);",
    # of what has the sign of x the bits are one more farther from zero
    "next_double": """\
const next_double = (x, to) => {
  if (x === to || x !== x || to !== to) return x === to ? to : NaN;
  if (x === 0) return to > 0 ? 5e-324 : -5e-324;
  return double_of_bits(bits_of_double(x) + (x > 0 === to > x ? 1n : -1n));
};""",
    "next_float": """\
const next_float = (x, to) => {
  if (x === to || x !== x || to !== to) return x === to ? to : NaN;
  if (x === 0) return to > 0 ? 2 ** -149 : -(2 ** -149);
  return float_of_bits(bits_of_float(x) + (x > 0 === to > x ? 1 : -1));
};""",
}

SPECIAL: dict[str, str] = {
    # erfc for x >= 1 by the trapezoidal rule of step 1/2: F. Matta and A. Reichel, Uniform
    # computation of the error function and other related functions, Math. Comp. 25 (1971);
    # exp(-x x) in two factors, so that the rounding of x x is not magnified
    "erfc_weights": (
        "const erfc_weights = Array.from({ length: 12 }, (_, n) => Math.exp(-((n + 1) ** 2) / 4));"
    ),
    "erfc_tail": """\
const erfc_tail = (x) => {
  if (x > 27) return 0;
  let sum = 0.5 / (x * x);
  for (let n = 1; n <= 12; n++) sum += erfc_weights[n - 1] / ((n * n) / 4 + x * x);
  const y = Math.fround(x);
  const gauss = Math.exp(-y * y) * Math.exp((y - x) * (y + x));
  return (x / Math.PI) * gauss * sum - (x < 6 ? 2 / Math.expm1(4 * Math.PI * x) : 0);
};""",
    # 2 x / sqrt(pi) exp(-x x) (1 + 2 x x / 3 (1 + 2 x x / 5 (1 + ...))) for |x| < 1
    "erf_series": """\
const erf_series = (x) => {
  let sum = 1;
  for (let n = 45; n > 1; n -= 2) sum = 1 + ((2 * x * x) / n) * sum;
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum * x;
};""",
    "erf": """\
const erf = (x) =>
  Math.abs(x) < 1 ? erf_series(x) : Math.sign(x) * (1 - erfc_tail(Math.abs(x)));""",
    "erfc": """\
const erfc = (x) =>
  Math.abs(x) < 1 ? 1 - erf_series(x) : x < 0 ? 2 - erfc_tail(-x) : erfc_tail(x);""",
    # S. Winitzki's estimate (A handy approximation for the error function and its inverse,
    # 2008), and three steps of Halley's
    "erf_inv": """\
const erf_inv = (x) => {
  const size = Math.abs(x);
  if (!(size < 1)) return size === 1 ? x / 0 : NaN;
  if (size < 1e-8) return (Math.sqrt(Math.PI) / 2) * x;
  const log = Math.log1p(-size) + Math.log1p(size);
  const half = 2 / (0.147 * Math.PI) + log / 2;
  let y = Math.sqrt(-log / 0.147 / (Math.sqrt(half * half - log / 0.147) + half));
  for (let step = 0; step < 3; step++) {
    const error = size < 0.5 ? erf(y) - size : 1 - size - erfc(y);
    y -= error / ((2 / Math.sqrt(Math.PI)) * Math.exp(-y * y) + y * error);
  }
  return Math.sign(x) * y;
};""",
    # Stirling's series from 12 on, the recurrence below, the reflection below 1/2
    "lgamma": """\
const lgamma = (x) => {
  if (x === -Infinity) return Infinity;
  if (x < 0.5) {
    const part = x - Math.round(x);
    return part ? Math.log(Math.PI / Math.abs(Math.sin(Math.PI * part))) - lgamma(1 - x) : Infinity;
  }
  if (x === Infinity || x === 1 || x === 2) return x === Infinity ? x : 0;
  let product = 1;
  for (; x < 12; x++) product *= x;
  let series = 0;
  const z = 1 / (x * x);
  for (const c of [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12]) series = series * z + c;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series / x - Math.log(product);
};""",
    "digamma": """\
const digamma = (x) => {
  if (x === 0) return AT_ZERO;
  if (x < 0.5) {
    const part = x - Math.round(x);
    return part ? digamma(1 - x) - Math.PI / Math.tan(Math.PI * part) : NaN;
  }
  let sum = 0;
  for (; x < 12; x++) sum -= 1 / x;
  let series = 0;
  const z = 1 / (x * x);
  for (const c of [-691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12]) series = (series + c) * z;
  return sum + Math.log(x) - 0.5 / x - series;
};""".replace("AT_ZERO", DIGAMMA_AT_ZERO),
}

RANDOM: dict[str, str] = {
    # 20 rounds on two words: J. Salmon and others, Parallel random numbers: as easy as
    # 1, 2, 3 (2011). The result is in wide and halves.
    "rotations": "const rotations = [[17, 29, 16, 24], [13, 15, 26, 6]];",
    "threefry": """\
const threefry = (first, second, x, y) => {
  let [a, b, c] = [second | 0, first ^ second ^ 0x1bd11bda, first | 0];
  x = (x + c) | 0;
  y = (y + a) | 0;
  for (let group = 1; group <= 5; group++) {
    for (const by of rotations[group % 2]) {
      x = (x + y) | 0;
      y = ((y << by) | (y >>> (32 - by))) ^ x;
    }
    x = (x + a) | 0;
    y = (y + b + group) | 0;
    [a, b, c] = [b, c, a];
  }
  halves[1] = x;
  halves[0] = y;
};""",
    "threefry_first": ("const threefry_first = (a, b, x, y) => (threefry(a, b, x, y), halves[1]);"),
    "threefry_second": (
        "const threefry_second = (a, b, x, y) => (threefry(a, b, x, y), halves[0]);"
    ),
    "draw": "const draw = (a, b, x, y) => (threefry(a, b, x, y), halves[0] ^ halves[1]);",
    "draw_wide": "const draw_wide = (a, b, x, y) => (threefry(a, b, x, y), wide[0]);",
    # word i of count, where x counts the first half of them and y the second: JAX's older way
    "word": """\
const word = (a, b, i, count) => {
  const half = Math.ceil(count / 2);
  const x = i % half;
  threefry(a, b, x, x + half < count ? x + half : 0);
  return halves[i < half ? 1 : 0];
};""",
}

HELPERS: dict[str, str] = (
    INTEGERS | CONVERSIONS | FLOATS | SPECIAL | RANDOM | ORDER_HELPERS | LINEAR_HELPERS
)
