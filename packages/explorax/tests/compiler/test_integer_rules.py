"""Integers, their bits and conversions: as XLA has them, to the bit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorax.compiler import UnsupportedPrimitive, compile

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
    "powers": (lambda i, j: (i ** jnp.abs(j), i**3), *SMALLS),
    "greatest common divisor": (lambda i, j: (jnp.gcd(i, j), jnp.lcm(i, j)), *SMALLS),
    "signs": (lambda i: (jnp.sign(i), jnp.abs(i), -i), SHORT),
    "an integer has no -0": (lambda i, x: x / (i * -2), np.array([0, 3]), 1.0),
    "a bound of all integers": (lambda i: jnp.minimum(i, jnp.iinfo(jnp.int64).max), LONG),
    "to the bits and back": (lambda x: (bits(x, jnp.uint64), jnp.signbit(x)), FLOATS),
    "select by int32": (lambda i, x: lax.select_n(i, x, -x, 2 * x), np.int32([2, 0, 1]), np.ones(3)),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_node_agrees_with_jax(name, agree):
    agree(*CASES[name])


BINARY = {*ARITHMETIC, *BITWISE, *SHIFTS, *COMPARISONS}


@pytest.mark.parametrize(
    ("dtype", "given", "without"),
    [
        ("int32", SHORTS, ()),
        ("int64", LONGS, ("mul", "shift_left")),  # beyond 2**53 they are floats
        ("uint32", SHORTS, ("shift_right_arithmetic",)),
        ("uint64", LONGS, ("shift_right_arithmetic", "max", "min")),
    ],
)
def test_integers_have_the_bits_of_jax_at_all_edges(dtype, given, without, identical):
    identical(each(sorted(BINARY - {*without}), dtype), *given)


def test_products_of_int64_are_exact_below_2_to_the_53(identical):
    i, j = np.random.default_rng(0).integers(-9 * 10**7, 9 * 10**7, (2, 500))
    identical(lambda i, j: (i * j, i * j // 1000, (i * j) % 977, i * -j), i, j)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
def test_narrow_integers_wrap_too(dtype, identical):
    with jax.disable_jit():  # XLA crashes where it compiles an "and" of int8 together with others
        identical(each(sorted(BINARY - {*SHIFTS[1:]}), dtype), *SHORTS)


@pytest.mark.parametrize(("dtype", "given"), [("int32", SHORT), ("int64", LONG), ("uint32", SHORT)])
def test_unary_operations_have_the_bits_of_jax(dtype, given, identical):
    identical(each(["neg", "sign", "bitwise_not", "population_count", "clz"], dtype), given)


AMOUNTS = (0, 1, 5, 31, 32, 40, 63, 64, -1)


@pytest.mark.parametrize(
    ("dtype", "given", "names", "amounts"),
    [
        ("int32", SHORT, SHIFTS, AMOUNTS),
        ("int64", LONG, SHIFTS[1:], AMOUNTS),
        ("uint32", SHORT, SHIFTS[:2], AMOUNTS[:-1]),
        ("uint64", LONG, SHIFTS[:2], AMOUNTS[:-1]),
    ],
)
def test_shifts_by_constants_shift_everything_out(dtype, given, names, amounts, identical):
    def shifted(i):
        return {
            f"{name} by {amount}": words(
                getattr(lax, name)(i.astype(dtype), jnp.array(amount, dtype))
            )
            for name in names
            for amount in amounts
        }

    identical(shifted, given)


@pytest.mark.parametrize("dtype", ["int32", "uint32"])
def test_powers_of_int32_wrap(dtype, identical):
    exponents = (0, 1, 2, 3, 4, 5, 10, 13)
    identical(lambda i: [words(lax.integer_pow(i.astype(dtype), n)) for n in exponents], SHORT)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_floats_are_cut_to_the_integers_range(dtype, identical):
    wanted = ("int32", "int64", "uint32", "bool")
    identical(lambda x: [words(x.astype(w)) for w in wanted], FLOATS.astype(dtype), dtype=dtype)


@pytest.mark.parametrize("given", [SHORT, LONG, B], ids=["int32", "int64", "bool"])
def test_integers_are_converted_as_jax_converts_them(given, identical):
    wanted = ("int32", "int64", "uint32", "uint64", "float64", "float32", "bool")

    def converted(i):
        through = [i, i.astype("uint32"), i.astype("uint64")]
        return [words(x.astype(w)) for x in through for w in wanted]

    identical(converted, given)


def test_bits_are_those_of_the_numbers(identical):
    def successors(x):
        wide = lax.bitcast_convert_type(x, jnp.uint64)
        return words(wide), lax.bitcast_convert_type(wide + jnp.uint64(1), jnp.float64)

    identical(successors, np.array([1.0, 2.5, -3.0, 0.0, 1e-300, np.inf]))

    def successors_of_singles(x):
        signed = lax.bitcast_convert_type(x, jnp.int32)
        word = lax.bitcast_convert_type(x, jnp.uint32)
        back = lax.bitcast_convert_type(lax.bitcast_convert_type(word, jnp.int32), jnp.uint32)
        ends = lax.bitcast_convert_type(word + 1, jnp.float32)
        return signed, ends, words(back), lax.bitcast_convert_type(signed, jnp.float32)

    identical(successors_of_singles, np.float32([1, 2.5, -3, 1e-30, np.inf]), dtype="float32")


def test_mantissas_and_exponents_of_float32(identical):
    x = np.float32([1, 2.5, -3, 1e-30, 0, 1e30])
    identical(lambda x: (*jnp.frexp(x), jnp.ldexp(x, 3)), x, dtype="float32")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda x: lax.bitcast_convert_type(x, jnp.int64),
            "float64 to int64, but for the sign bit alone",
        ),
        (lambda x: x.astype("uint64").astype("float64"), "float64 to uint64"),
    ],
)
def test_what_would_need_64_bits_is_refused(function, message):
    with pytest.raises(UnsupportedPrimitive, match=message):
        compile(function, np.ones(2))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
def test_narrow_integers_are_converted_and_stored(dtype, identical):
    def converted(i, x):
        narrow, cut = i.astype(dtype), x.astype(dtype)
        stored = jnp.flip(narrow + jnp.cumsum(narrow.astype(int)).astype(dtype))
        return (
            narrow.astype(int),
            cut.astype(int),
            stored.astype(float),
            (narrow > 3).astype(dtype) > 0,
        )

    identical(converted, SHORT, FLOATS)


def test_counted_bits_are_narrow(agree):
    agree(lambda i: jnp.bitwise_count(i).astype(int), LONG)
