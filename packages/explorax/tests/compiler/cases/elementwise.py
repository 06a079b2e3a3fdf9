"""Operations on each element: Node and JAX on the same trace, special values included."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

RANDOM = np.random.default_rng(0)
X = np.concatenate([RANDOM.normal(size=60) * scale for scale in (1e-6, 0.1, 1, 5, 20)])
Y = RANDOM.permutation(X)
P = np.abs(X)
U = np.tanh(X)  # in -1..1
V = RANDOM.normal(size=5)
SPECIAL = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.5, -0.5, 1e30, -2.5, 3.7, 3, -2])
PAIRS = [pair.ravel() for pair in np.meshgrid(SPECIAL, SPECIAL)]

CASES = {
    "arithmetic": (lambda x, y: (x + y - x * y) / y, X, Y),
    "scalar with array": (lambda a, x: a * x + a, 0.3, X),
    "signs": (lambda x: (jnp.abs(x), -x, jnp.sign(x)), X),
    "rounding": (lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x), jnp.trunc(x)), X),
    "rounding away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), X),
    "rounding to decimals": (lambda x: jnp.round(x, 2), X),
    "exponentials": (lambda x: (jnp.exp(x), jnp.expm1(x), jnp.exp2(x)), X),
    "logarithms": (lambda x: (jnp.log(x), jnp.log1p(x), jnp.log2(x), jnp.log10(x)), P),
    "roots": (lambda x: (jnp.sqrt(x), lax.rsqrt(x + 1), jnp.cbrt(x)), P),
    "trigonometry": (lambda x: (jnp.sin(x), jnp.cos(x), jnp.tan(U * x)), X),
    "inverse trigonometry": (lambda x: (jnp.arcsin(x), jnp.arccos(x), jnp.arctan(x)), U),
    "the angle of a point": (lambda x, y: jnp.arctan2(x, y), X, Y),
    "hyperbolic": (lambda x: (jnp.sinh(x), jnp.cosh(x), jnp.tanh(x)), X),
    "inverse hyperbolic": (
        lambda x, u: (jnp.arcsinh(x), jnp.arccosh(1.1 + x * x), jnp.arctanh(u)), X, U
    ),
    "logistic": (lambda x: lax.logistic(x), X),
    "error function": (lambda x: (lax.erf(x), lax.erfc(x)), X),
    "inverse error function": (lambda x: lax.erf_inv(x), 0.999 * U),
    "log gamma": (lambda x: lax.lgamma(x), X),
    "digamma": (lambda x: lax.digamma(x), P),
    "powers": (lambda x, y: (x**y, x**0.5, x**-1.5, 2.0**y), P[:200], U[:200]),
    "a power of a sign": (lambda x: jnp.power(x, jnp.array([2.0, -3.0, 0.5, 0.0, 1.0])), V),
    "powers of integers": (lambda x, i: x**i, V, np.array([3, -2, 0, 1, 7])),
    "whole powers": (lambda x: [lax.integer_pow(x, n) for n in (0, 1, 2, 3, 4, 7, 11, -1, -5)], V),
    "square": (lambda x: lax.square(x), X),
    "remainders": (lambda x, y: (lax.rem(x, y), x % y, x // y, jnp.fmod(x, y)), X, Y),
    "larger and smaller": (lambda x, y: (jnp.maximum(x, y), jnp.minimum(x, y)), X, Y),
    "clamp": (lambda x, y: (lax.clamp(-0.5, x, 0.5), lax.clamp(y, x, y + 1)), X, Y),
    "clip": (lambda x: (jnp.clip(x, 0, 1), jnp.clip(x, -1), jnp.clip(x, max=2)), X),
    "comparisons": (lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), X, Y),
    "in total order": (
        lambda x, y: [
            lax_p.bind(x, y) for lax_p in map(TOTAL_ORDER.get, ("eq_to", "lt_to", "le_to"))
        ], X, Y
    ),
    "finite": (lambda x: (jnp.isfinite(x), jnp.isnan(x), jnp.isinf(x)), SPECIAL),
    "logic": (lambda x, y: ((x > 0) & (y > 0), (x > 0) | (y > 0), ~(x > 0), (x > 0) ^ (y > 0)), X, Y),
    "where": (lambda x, y: jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1)), y), X, Y),
    "where of a scalar": (lambda a, x: jnp.where(a, x, 0.0), True, X),
    "select of three": (lambda i, x: lax.select_n(i, x, -x, x + 1), np.array([0, 2, 1, 1, 0]), V),
    "select of one": (lambda a, x: lax.select_n(a, x), V > 0, V),
    "neighbours": (lambda x, y: jnp.nextafter(x, y), X, Y),
    "rounded to single precision": (lambda x: lax.reduce_precision(x, 8, 23), X),
    "barrier": (lambda x: lax.optimization_barrier(x) + 1, X),
    "tangents of the same": (jax.grad(lambda x: jnp.sum(jnp.sin(x) * x + x * jnp.cos(x))), X),
    "sinc": (jax.vmap(jax.value_and_grad(jnp.sinc)), U[60:]),
    "hypot": (jnp.hypot, X, Y),
    "log of a sum": (lambda x, y: (jnp.logaddexp(x, y), jnp.logaddexp2(x, y)), X, Y),
    "heaviside": (jnp.heaviside, X, Y),
    "copysign": (lambda x, y: (jnp.copysign(x, y), jnp.signbit(x)), X, Y),
    "degrees": (lambda x: (jnp.deg2rad(x), jnp.rad2deg(x)), X),
    "nan_to_num": (jnp.nan_to_num, SPECIAL),
    "interp": (lambda x: jnp.interp(x, jnp.array([-1.0, 0.5, 2.0]), jnp.array([3.0, 1.0, 2.0])), X),
    "polynomial": (lambda x: jnp.polyval(jnp.array([1.0, -2.0, 0.5]), x), V),
    "one hot": (lambda i: nn.one_hot(i, 4), np.array([0, 3, 2, 7, -1])),
}  # fmt: skip
TOTAL_ORDER = {
    name: getattr(lax, f"{name}_p", None) or getattr(jax.extend.core.primitives, f"{name}_p")
    for name in ("eq_to", "lt_to", "le_to")
}

ARITHMETIC = ("add", "sub", "mul", "div", "max", "min", "rem")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def exact(*pair):
    return [getattr(lax, name)(*pair) for name in (*ARITHMETIC, "nextafter", *COMPARISONS)]


def numpys(*pair):
    names = ("copysign", "heaviside", "fmod", "mod", "floor_divide", "fmax", "fmin")
    return [getattr(jnp, name)(*pair) for name in names]


def clamped(x):
    bounds = [(0.0, 1.0), (1.0, 0.0), (-0.0, 0.0), (np.nan, 1.0)]
    return [lax.clamp(jnp.float64(a), x, jnp.float64(b)) for a, b in bounds]


def whole_powers(x):
    return [lax.integer_pow(x, n) for n in (*range(2, 18), 33, 100, -1, -2, -7)]


def chain(x, y):
    z = (x * y + x) * (y - x) / (x * x + 1)
    return z, jnp.sqrt(jnp.abs(z) * y * y), z * z * z - y


HALVES = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 4503599627370495.5, 2.0**52 + 1]
EXACT = {  # the same bits as JAX's
    "exact operations": (exact, *PAIRS),
    "exact operations of float32": (exact, *(x.astype("float32") for x in PAIRS)),
    "functions of NumPy": (numpys, *PAIRS),
    "halves": (lambda x: [lax.round(x, way) for way in lax.RoundingMethod], np.array([*HALVES, *SPECIAL])),
    "the bounds of a clamp": (clamped, SPECIAL),
    "whole powers": (whole_powers, V),
    "whole powers of float32": (whole_powers, V.astype("float32")),
    "a chain of float32": (chain, *RANDOM.normal(size=(2, 500)).astype("float32")),
}  # fmt: skip
