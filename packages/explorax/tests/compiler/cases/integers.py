"""Integers, their bits and conversions: as XLA has them, to the bit."""

import jax.numpy as jnp
import numpy as np
from jax import lax

ENDS = np.iinfo(np.int32)
SHORT = np.array(
    [ENDS.min, ENDS.max, 0, 1, -1, 7, -7, 3, 12345, 65537, -65536, 31, 32, 33, 2**30], np.int32
)
LONG = np.array(
    [0, 1, -1, 7, -7, 3, 2**53 - 1, 1 - 2**53, 2**31, -(2**31), 2**32, 2**32 + 5, 31, 52, 63, 64]
)
SHORTS = [pair.ravel() for pair in np.meshgrid(SHORT, SHORT)]
LONGS = [pair.ravel() for pair in np.meshgrid(LONG, LONG)]
SMALLS = [pair.ravel() for pair in np.meshgrid(np.arange(-5, 6), np.arange(-5, 6))]
FLOATS = np.array([
    np.nan, np.inf, -np.inf, 1e10, -1e10, 2147483647.5, -2147483648.9, 2.9, -2.9, -0.5, 0.5,
    4294967295.5, 5e9, -1, 1e15, -1e15, 0, -0.0,
])  # fmt: skip
ARITHMETIC = ("add", "sub", "mul", "div", "rem", "max", "min")
BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor")
SHIFTS = ("shift_left", "shift_right_logical", "shift_right_arithmetic")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
B = np.array([True, True, False, False])
C = np.array([True, False, True, False])


def words(x):
    """An unsigned result as one or two int64, of 32 bits each; others as they are."""
    if x.dtype == jnp.uint64:
        high = lax.shift_right_logical(x, jnp.uint64(32)).astype(int)
        return high, x.astype("uint32").astype(int)
    return x if x.dtype in (jnp.int32, jnp.int64, bool, float, jnp.float32) else x.astype(int)


def each(names, dtype=None):
    """All of some functions of lax by their names, of integers that become a dtype."""

    def apply(*given):
        xs = [x.astype(dtype) if dtype else x for x in given]
        return {name: words(getattr(lax, name)(*xs)) for name in names}

    return apply


def bits(x, through):
    return lax.bitcast_convert_type(lax.bitcast_convert_type(x, through), x.dtype)


CASES = {
    "bitwise": (lambda i, j: (i & j, i | j, i ^ j, ~i), *SHORTS),
    "bitwise of int64": (lambda i, j: (i & j, i | j, i ^ j, ~i), *LONGS),
    "logic": (lambda a, b: (a & b, a | b, a ^ b, ~a, a == b, a != b, a < b, a >= b), B, C),
    "arithmetic of logic": (lambda a, b: (a + b, a * b, jnp.maximum(a, b), a * 2.0), B, C),
    "counts of bits": (lambda i: (lax.population_count(i), lax.clz(i)), SHORT),
    "counts of bits of int64": (lambda i: (lax.population_count(i), lax.clz(i)), LONG),
    "shifts": (lambda i: (i << 3, i >> 3, lax.shift_right_logical(i, 3 + 0 * i)), SHORT),
    "remainder of int32": (lambda i, j: (i % j, lax.rem(i, j)), *SHORTS),
    "quotient of int32": (lambda i, j: (i // j, lax.div(i, j)), *SHORTS),
    "remainder of int64": (lambda i, j: (i % j, i // j, jnp.fmod(i, j)), *LONGS),
    "powers": (lambda i, j: (i ** jnp.abs(j), i**3, i**13), *SMALLS),
    "greatest common divisor": (lambda i, j: (jnp.gcd(i, j), jnp.lcm(i, j)), *SMALLS),
    "signs": (lambda i: (jnp.sign(i), jnp.abs(i), -i), SHORT),
    "an integer has no -0": (lambda i, x: x / (i * -2), np.array([0, 3]), 1.0),
    "a bound of all integers": (lambda i: jnp.minimum(i, jnp.iinfo(jnp.int64).max), LONG),
    "to the bits and back": (lambda x: (bits(x, jnp.uint64), jnp.signbit(x)), FLOATS),
    "select by int32": (lambda i, x: lax.select_n(i, x, -x, 2 * x), np.int32([2, 0, 1]), np.ones(3)),
}  # fmt: skip


BINARY = {*ARITHMETIC, *BITWISE, *SHIFTS, *COMPARISONS}
UNARY = ("neg", "sign", "bitwise_not", "population_count", "clz")
AMOUNTS = (0, 1, 5, 31, 32, 40, 63, 64, -1)
NARROW = ("int8", "uint8", "int16", "uint16")
WANTED = ("int32", "int64", "uint32", "bool", "uint64", "float64", "float32")


def without(dtype, *left_out):
    return each(sorted(BINARY - {*left_out}), dtype)


def shifted(dtype, names, amounts):
    """Shifts by constants, which shift everything out."""
    return lambda i: [
        words(getattr(lax, name)(i.astype(dtype), jnp.array(amount, dtype)))
        for name in names
        for amount in amounts
    ]


def converted(i):
    through = [i, i.astype("uint32"), i.astype("uint64")]
    return [words(x.astype(w)) for x in through for w in WANTED]


def stored(dtype):
    def narrowed(i, x):
        narrow, cut = i.astype(dtype), x.astype(dtype)
        flipped = jnp.flip(narrow + jnp.cumsum(narrow.astype(int)).astype(dtype))
        larger = (narrow > 3).astype(dtype) > 0
        return narrow.astype(int), cut.astype(int), flipped.astype(float), larger

    return narrowed


def successors(x):
    wide = lax.bitcast_convert_type(x, jnp.uint64)
    return words(wide), lax.bitcast_convert_type(wide + jnp.uint64(1), jnp.float64)


def successors_of_singles(x):
    signed = lax.bitcast_convert_type(x, jnp.int32)
    word = lax.bitcast_convert_type(x, jnp.uint32)
    back = lax.bitcast_convert_type(lax.bitcast_convert_type(word, jnp.int32), jnp.uint32)
    ends = lax.bitcast_convert_type(word + 1, jnp.float32)
    return signed, ends, words(back), lax.bitcast_convert_type(signed, jnp.float32)


EXACT = {  # the same bits as JAX's
    "int32 at all edges": (without("int32"), *SHORTS),
    "int64 at all edges": (without("int64", "mul", "shift_left"), *LONGS),  # beyond 2**53 they are floats
    "uint32 at all edges": (without("uint32", "shift_right_arithmetic"), *SHORTS),
    "uint64 at all edges": (without("uint64", "shift_right_arithmetic", "max", "min"), *LONGS),
    "products of int64 below 2**53": (
        lambda i, j: (i * j, i * j // 1000, (i * j) % 977, i * -j),
        *np.random.default_rng(0).integers(-9 * 10**7, 9 * 10**7, (2, 500)),
    ),
    "unary of int32": (each(UNARY, "int32"), SHORT),
    "unary of int64": (each(UNARY, "int64"), LONG),
    "unary of uint32": (each(UNARY, "uint32"), SHORT),
    "unary of uint64": (each(("neg", "bitwise_not"), "uint64"), LONG),
    "small int64 to the left": (lambda i: [i << n for n in (0, 1, 40)], np.arange(-5, 6)),
    "narrow, to the right": (
        lambda i, j: [
            getattr(lax, f"shift_right_{how}")(i.astype(d), j.astype(d)).astype(int)
            for how, dtypes in (("arithmetic", NARROW[::2]), ("logical", NARROW[1::2])) for d in dtypes
        ],
        SHORT, SHORT % 8,
    ),
    "shifts of int32 by constants": (shifted("int32", SHIFTS, AMOUNTS), SHORT),
    "shifts of int64 by constants": (shifted("int64", SHIFTS[1:], AMOUNTS), LONG),
    "shifts of uint32 by constants": (shifted("uint32", SHIFTS[:2], AMOUNTS[:-1]), SHORT),
    "shifts of uint64 by constants": (shifted("uint64", SHIFTS[:2], AMOUNTS[:-1]), LONG),
    "powers that wrap": (
        lambda i: [words(lax.integer_pow(i.astype(d), n)) for d in ("int32", "uint32") for n in (*range(6), 10, 13)], SHORT
    ),
    "float64 cut to integers": (lambda x: [words(x.astype(w)) for w in WANTED[:4]], FLOATS),
    "float32 cut to integers": (lambda x: [words(x.astype(w)) for w in WANTED[:4]], FLOATS.astype("float32")),
    "int32 converted": (converted, SHORT),
    "int64 converted": (converted, LONG),
    "bool converted": (converted, B),
    "the bits of float64": (successors, np.array([1.0, 2.5, -3.0, 0.0, 1e-300, np.inf])),
    "the bits of float32": (successors_of_singles, np.float32([1, 2.5, -3, 1e-30, np.inf])),
    "mantissas and exponents of float32": (
        lambda x: (*jnp.frexp(x), jnp.ldexp(x, 3)), np.float32([1, 2.5, -3, 1e-30, 0, 1e30])
    ),
    "counted bits are narrow": (lambda i: jnp.bitwise_count(i).astype(int), LONG),
    **{f"{dtype} converted and stored": (stored(dtype), SHORT, FLOATS) for dtype in NARROW},
}  # fmt: skip
