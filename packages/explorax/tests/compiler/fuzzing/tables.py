"""Kinds of statements, one row each; ``programs.write_row`` says how to read a row."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.writer import Text, Var


def rows(text: str) -> tuple[str, ...]:
    """The rows of a table."""
    return tuple(line.strip() for line in text.strip().splitlines())


TABLES: dict[str, tuple[str, ...]] = {
    "arithmetic": rows("""
        n &: {0} + {1}
        n &: {0} - {1}
        n &: {0} * {1}
        f &: {0} / {1}
        n n&: {0} + {1}
        n b&: {0} * {1}
        f: {0} * {s}
        f: {s} - {0}
        f: {0} / {s}
        f: {s} / {0}
        n: {0} + {k}
        n: -{0}
        n: jnp.abs({0})
        n: jnp.sign({0})
        n: {0} ** 2
        n: {0} ** 3
        f: {0} ** -1
        f: {0} ** -3
        n: lax.integer_pow({0}, {k})
        n: jnp.square({0})
        f: jnp.reciprocal({0})
        f &: {0} % {1}
        f: {0} % {s}
        f &: {0} // {1}
        f =: lax.rem({0}, {1})
        n &: jnp.maximum({0}, {1})
        n &: jnp.minimum({0}, {1})
        n: jnp.maximum({0}, {k})
        f &: jnp.copysign({0}, {1})
        f =: lax.nextafter({0}, {1})
        f =: lax.nextafter({0}, {1} + 1) - {0}
        f: jnp.clip({0}, -0.5, {p})
        f = =: lax.clamp({0}, {1}, {2})
        f: lax.clamp(-1.0, {0}, 0.75)
        f &: jnp.fmax({0}, {1})
        f: jnp.nan_to_num({0})
        f: jnp.floor({0})
        f: jnp.ceil({0})
        f: jnp.trunc({0})
        f: jnp.round({0})
        f: jnp.round({0}, 1)
        f: lax.round({0}, lax.RoundingMethod.AWAY_FROM_ZERO)
        f: jnp.sqrt({0})
        f: jnp.divmod({0}, {p})[1]
        f: jnp.modf({0})[0]
    """),
    "transcendental": rows("""
        f: jnp.exp({0})
        f: jnp.exp2({0})
        f: jnp.expm1({0})
        f: jnp.log({0})
        f: jnp.log(jnp.abs({0}) + 1)
        f: jnp.log1p({0})
        f: jnp.log2({0})
        f: jnp.log10(jnp.square({0}))
        f: lax.rsqrt({0})
        f: jnp.cbrt({0})
        f: jnp.sin({0})
        f: jnp.cos({0})
        f: jnp.tan({0})
        f: jnp.tanh({0})
        f: jnp.sinh({0})
        f: jnp.cosh({0})
        f: jnp.arcsin(jnp.sin({0}))
        f: jnp.arccos({0})
        f: jnp.arctan({0})
        f: jnp.arcsinh({0})
        f: jnp.arccosh({0} + 1.5)
        f: jnp.arctanh({0})
        f &: jnp.arctan2({0}, {1})
        f &: jnp.hypot({0}, {1})
        f &: jnp.power(jnp.abs({0}), {1})
        f &: {0} ** {1}
        f i&: {0} ** {1}
        f: {s} ** {0}
        f: {0} ** {p}
        f &: jnp.logaddexp({0}, {1})
        f &: jnp.logaddexp2({0}, {1})
        f: jnp.sinc({0})
        f: lax.erf({0})
        f: lax.erfc({0})
        f: lax.erf_inv(jnp.tanh({0}))
        f: lax.logistic({0})
        f: jax.scipy.special.logit(jax.nn.sigmoid({0}))
        f &: jax.scipy.special.xlogy({0}, {1})
        f &: jax.scipy.special.xlog1py({0}, {1})
        f: jax.scipy.special.entr({0})
        f: jnp.deg2rad({0})
        f: jax.scipy.special.gammaln({0})
        f: jax.scipy.special.digamma({0})
    """),
    "comparisons": rows("""
        n &: {0} < {1}
        n &: {0} <= {1}
        n &: {0} > {1}
        n &: {0} >= {1}
        a &: {0} == {1}
        a &: {0} != {1}
        n: {0} > {k}
        f: {0} <= {s}
        n n&: {0} < {1}
        f: jnp.isnan({0})
        f: jnp.isfinite({0})
        f: jnp.isinf({0})
        f: jnp.signbit({0})
        f &: jnp.isclose({0}, {1})
        b &: {0} & {1}
        b &: {0} | {1}
        b &: {0} ^ {1}
        b: ~{0}
        a: jnp.logical_not({0})
        n n&: jnp.logical_and({0}, {1})
        b &: {0} <= {1}
        b &: jnp.maximum({0}, {1})
    """),
    "where": rows("""
        b n& n&: jnp.where({0}, {1}, {2})
        n & b&: jnp.where({2}, {0}, {1})
        f b&: jnp.where({1}, {0}, 0.0)
        n: jnp.where({0} > 0, {0}, 0)
        f: jnp.where({0} < 0, jnp.nan, {0})
        f: jnp.where(jnp.abs({0}) > 1, -jnp.inf, {0})
        f = =: jnp.select([{0} > 0.5, {0} < -0.5], [{1}, {2}], 1.0)
        f =: lax.select({0} > 0, {0}, {1})
        f = = i=: lax.select_n(jnp.clip({3}, 0, 2).astype(jnp.int32), {0}, {1}, {2})
        f = i0-0: jax.lax.select_n(({2} > 0), {0}, {1})
        n =: jnp.choose(({0} > 0).astype(jnp.int32), [{0}, {1}], mode="clip")
        f: jnp.heaviside({0}, 0.5)
        f: jnp.interp({0}, jnp.array([-1.0, 0.0, 2.0], {0}.dtype), jnp.array([3.0, -1.0, 0.5], {0}.dtype))
        f: jnp.piecewise({0}, [{0} < 0, {0} > 1], [lambda t: -t, lambda t: t * t, 0.5])
    """),
    "integers": rows("""
        w &: {0} + {1}
        w &: {0} - {1}
        w &: {0} * {1}
        i &: {0} // {1}
        i &: {0} % {1}
        w &: lax.div({0}, {1} + ({1} == 0))
        w =: lax.rem({0}, {1})
        i =: lax.div({0}, {1})
        i: {0} // 3
        i: {0} % 5
        i: {0} % -3
        w &: {0} & {1}
        w &: {0} | {1}
        w &: {0} ^ {1}
        w: ~{0}
        w: {0} << {k}
        w: {0} >> {k}
        w =: lax.shift_right_logical({0}, {1})
        w =: lax.shift_left({0}, {1})
        w =: lax.shift_right_arithmetic({0}, {1})
        w: lax.population_count({0})
        w: lax.clz({0})
        i: jnp.abs({0})
        i: jnp.sign({0})
        i: {0} ** 2
        i: {0} ** 5
        f: {0} ** 21
        i: jnp.clip({0}, -4, 4).astype(jnp.int64) ** 21
        i: {0}.astype(jnp.uint32) ** 23 % 1000
        i: {0} * 65537
        i: {0} + 2147483647
        i i&: {0} ** jnp.abs({1} % 4)
        i: jnp.clip({0}, -2, 3)
        i &: jnp.gcd({0} % 50, {1} % 50)
        i: {0} / 4
        i &: {0} / {1}
        w &: jnp.maximum({0}, {1})
        u &: {0} < {1}
        u: jnp.sum({0}).astype(jnp.int64)
        i: ~({0} << {k})
        i: {0}.astype(jnp.int64) << 33
        i: {0}.astype(jnp.int32) << {k}
        i: lax.shift_right_logical({0}.astype(jnp.int32), jnp.int32({k}))
        i: lax.population_count({0}.astype(jnp.int64))
        i: lax.clz({0}.astype(jnp.int64))
        w: lax.population_count({0}.astype(jnp.uint32)).astype(jnp.int32)
        w: lax.clz({0}.astype(jnp.uint32)).astype(jnp.int32)
        f1-1 f&: jnp.searchsorted(jnp.sort({0}), {1}, side="right")
        i1-1 i&: jnp.searchsorted(jnp.sort({0}), {1}.astype({0}.dtype), side="right")
        i1-1 &: jnp.searchsorted(jnp.sort({0}), {1})
        i: {0} >> 35
        w: {0} ** 3
        i =: lax.shift_right_logical({0}, jnp.abs({1}))
        u: -{0}
        u1: jnp.sort({0})
    """),
    "conversions": rows("""
        f: {0}.astype(jnp.int32)
        f: {0}.astype(jnp.int64)
        f: {0}.astype(bool)
        f: {0}.astype(jnp.float32)
        f: {0}.astype(jnp.float64)
        f: ({0} * 1e9).astype(jnp.int32)
        f: jnp.round({0} * 3).astype(jnp.int32)
        f: {0}.astype(jnp.uint32)
        i: {0}.astype(jnp.float32)
        i: {0}.astype(jnp.float64)
        i: {0}.astype(jnp.int32)
        i: {0}.astype(jnp.int64)
        i: {0}.astype(jnp.uint32)
        u: {0}.astype(jnp.int32)
        u: {0}.astype(jnp.int64)
        u: {0}.astype(jnp.float32)
        u: {0}.astype(jnp.float64)
        i: {0}.astype(bool)
        b: {0}.astype(jnp.int32)
        b: {0}.astype(jnp.int64)
        b: {0}.astype(jnp.float64)
        b: {0} + {0}
        b: {0} + 1
        f: lax.reduce_precision({0}, 8, 23)
        f: lax.reduce_precision({0}, 5, 10)
        f: lax.bitcast_convert_type({0}.astype(jnp.float32), jnp.int32)
        i: lax.bitcast_convert_type({0}.astype(jnp.int32), jnp.float32)
        f: jnp.array({0}, copy=True)
        w: ({0}.astype(jnp.int8) * 3).astype(jnp.int32)
        w: ({0}.astype(jnp.int16) * 171).astype(jnp.int32)
        w: (({0}.astype(jnp.int8) >> 2) + 5).astype(jnp.int64)
        w: lax.shift_right_arithmetic({0}.astype(jnp.int16), jnp.int16(3)).astype(jnp.int64)
        w: lax.shift_right_logical({0}.astype(jnp.uint8), jnp.full({0}.shape, {k}, jnp.uint8)).astype(jnp.int32)
        w: lax.shift_right_logical({0}.astype(jnp.uint16), jnp.full({0}.shape, {k}, jnp.uint16)).astype(jnp.int32)
        w: lax.population_count({0}.astype(jnp.uint8)).astype(jnp.int32)
        w: lax.population_count({0}.astype(jnp.uint16)).astype(jnp.int32)
        w: (-{0}.astype(jnp.uint8)).astype(jnp.int32)
        w =: lax.shift_right_arithmetic({0}.astype(jnp.int8), {1}.astype(jnp.int8) % 9).astype(jnp.int32)
        w =: lax.shift_right_arithmetic({0}.astype(jnp.int16), {1}.astype(jnp.int16) % 9).astype(jnp.int32)
        w =: lax.shift_right_logical({0}.astype(jnp.uint8), {1}.astype(jnp.uint8) % 9).astype(jnp.int32)
        w =: lax.shift_right_logical({0}.astype(jnp.uint16), {1}.astype(jnp.uint16) % 17).astype(jnp.int32)
        w =: lax.shift_right_logical({0}.astype(jnp.uint32), {1}.astype(jnp.uint32) % 33).astype(jnp.int64)
        w =: lax.shift_right_logical({0}.astype(jnp.uint64), {1}.astype(jnp.uint64) % 65).astype(jnp.float64)
        w =: lax.shift_left({0}.astype(jnp.uint64), {1}.astype(jnp.uint64) % 65).astype(jnp.float64)
        w =: lax.shift_left({0}.astype(jnp.int32), {1}.astype(jnp.int32))
        f: ({0} * 50).astype(jnp.int8).astype(jnp.int32)
        f: ({0} * 9000).astype(jnp.int16).astype(jnp.int32)
        f: ({0} * 50).astype(jnp.uint8).astype(jnp.int32)
        f: ({0} * 9000).astype(jnp.uint16).astype(jnp.int32)
        w: ({0}.astype(jnp.uint64) * 12345678912345).astype(jnp.uint32).astype(jnp.int64)
        w: (({0}.astype(jnp.uint64) - 3) >> 12).astype(jnp.int64)
        w: (~{0}.astype(jnp.uint64) // 1000003).astype(jnp.float64)
        w: (-{0}.astype(jnp.uint64) % 1000).astype(jnp.int64)
        w: (({0}.astype(jnp.uint64) ^ 77) & 1023 | 4096).astype(jnp.int64)
        w: (({0}.astype(jnp.uint64) << 40) >> 33).astype(jnp.int64)
        w: {0}.astype(jnp.uint64).astype(bool)
        b: {0}.astype(jnp.uint64).astype(jnp.int64)
        w: {0}.astype(jnp.uint64) < 5
        w: {0}.astype(jnp.uint64) <= 3
        w: {0}.astype(jnp.uint64) > 2
        w: {0}.astype(jnp.uint64) >= 5
        w: {0}.astype(jnp.uint64) == 3
        w: {0}.astype(jnp.uint64) != 3
        f: lax.bitcast_convert_type({0}.astype(jnp.float64), jnp.uint64) >> 52 == 1023
        b =: {0} == {1}
    """),
    "reductions": rows("""
        a: jnp.sum({0})
        n1: jnp.sum({0}, axis={axis})
        n1: jnp.sum({0}, axis={axis}, keepdims=True)
        n2: jnp.sum({0}, axis=(0, -1))
        n: jnp.prod({0})
        n1: jnp.prod({0}, axis={axis})
        n1: jnp.max({0}, axis={axis}, initial=-7)
        n1: jnp.max({0}, axis={axis})
        n: jnp.min({0})
        n1: jnp.min({0}, axis={axis}, keepdims=True)
        f1: jnp.mean({0}, axis={axis})
        f: jnp.mean({0})
        f: jnp.var({0})
        f1: jnp.std({0}, axis={axis})
        f1: jnp.ptp({0}, axis={axis})
        b: jnp.any({0})
        b1: jnp.all({0}, axis={axis})
        n1: jnp.any({0} > 0, axis={axis})
        b: jnp.sum({0})
        b1: jnp.max({0}, axis={axis})
        n: jnp.count_nonzero({0})
        i1: jnp.bitwise_xor.reduce({0}, axis={axis})
        i1: jnp.bitwise_and.reduce({0}, axis={axis})
        i1: jnp.bitwise_or.reduce({0}, axis={axis})
        f b=: jnp.sum({0}, where={1})
        f1 b=: jnp.max({0}, axis={axis}, where={1}, initial=0.0)
        f: jnp.nansum({0})
        f1: jnp.nanmax({0}, axis={axis})
        f1: jnp.nanmean({0}, axis={axis})
        f1 =: jnp.average({0}, weights={1})
        f =: jnp.allclose({0}, {1})
        f =: jnp.array_equal({0}, {1})
        f1: jnp.linalg.norm({0}, axis={axis})
        f: jnp.linalg.norm({0})
        f1: jnp.linalg.norm({0}, ord=1, axis={axis})
        f1: jnp.linalg.norm({0}, ord=jnp.inf, axis={axis})
        f1: jnp.linalg.norm({0}, ord=3, axis={axis})
        f: optax.tree.norm([{0}, {0}])
        f1: jax.nn.logsumexp({0}, axis={axis})
        f: jax.nn.logsumexp({0})
        f1 =: jax.nn.logsumexp({0}, axis={axis}, b={1})
        f1: jnp.median({0}, axis={axis})
        f1: jnp.quantile({0}, 0.3, axis={axis})
        f2: jnp.trace({0})
    """),
    "products": rows("""
        f1-1 =: {0} @ {1}
        f1 =: jnp.vdot({0}, {1})
        n1 =: jnp.sum({0} * {1}, axis={axis})
        n2-3: {0} @ jnp.swapaxes({0}, -1, -2)
        n2-2: {0}.T @ {0}
        f2-2 =: {0} @ {1}.T
        f2-2 =: jnp.einsum("ij,ij->i", {0}, {1})
        f2-2 =: jnp.einsum("ij,kj->ki", {0}, {1})
        f3-3 =: jnp.einsum("bij,bkj->bik", {0}, {1})
        f3-3 =: jnp.einsum("bij,bkj->bki", {0}, {1})
        f3-3: jnp.einsum("ijk->kij", {0})
        f2-2: jnp.einsum("ij->j", {0})
        f3-3: jnp.einsum("iij->ij", {0}[: {0}.shape[1], : {0}.shape[0]])
        f1-1 =: jnp.outer({0}, {1})
        f1-2 =: jnp.inner({0}, {1})
        f1-2 =: jnp.tensordot({0}, {1}, axes=[[0], [0]])
        f1-1 =: jnp.kron({0}, {1})
        f1-1: jnp.cross({0}[:3], {0}[:3][::-1])
        f2-2: {0} @ jnp.ones({0}.shape[1], {0}.dtype)
        f2-2: jnp.ones((2, {0}.shape[0]), {0}.dtype) @ {0}
        f1-1: jnp.polyval({0}, 0.5)
        f2-2: jnp.linalg.multi_dot([{0}, {0}.T, {0}])
        i2-2: jnp.dot({0}, {0}.T)
        b2-2: jnp.dot({0}, {0}.T)
        i1 =: jnp.vdot({0}, {1})
        f2-2: jnp.cov({0})
        f2 =: lax.dot_general({0}, {1}, ((({0}.ndim - 1,), ({0}.ndim - 1,)), ((0,), (0,))))
        f1-1: jnp.vander({0}, 3)
        f2-2: jnp.matvec({0}, jnp.arange({0}.shape[1]) * 0.5)
    """),
    # convolutions of numbers alone: in the padding JAX has no products with zeros
    "windows": rows("""
        f1-1 =: jnp.convolve(jnp.nan_to_num(jnp.tanh({0})), jnp.nan_to_num(jnp.tanh({1})))
        f1-1 =: jnp.correlate(jnp.nan_to_num(jnp.tanh({0})), jnp.nan_to_num(jnp.tanh({1})), mode="same")
        f1-1: jnp.convolve({0}, jnp.ones(2, {0}.dtype), mode="valid")
        f2-2: jax.scipy.signal.convolve(jnp.nan_to_num(jnp.tanh({0})), jnp.ones((2, 2), {0}.dtype), mode="same")
        n1-1: lax.reduce_window({0}, 0, lax.add, (2,), (1,), "VALID")
        f1-1: lax.reduce_window({0}, -jnp.inf, lax.max, (2,), (2,), "SAME")
        f2-2: lax.reduce_window({0}, jnp.inf, lax.min, (2, 2), (1, 1), "SAME")
        f1-1: jax.grad(lambda t: lax.reduce_window(t, -jnp.inf, lax.max, (2,), (1,), "SAME").sum())({0})
        f1-1: (lambda t: jax.jvp(lambda t: lax.reduce_window(t, -jnp.inf, lax.max, (2,), (1,), "SAME"), (t,), (t,))[1])({0})
    """),
    "linear": rows("""
        f2-2: (lambda a: jnp.linalg.solve(a @ a.T + jnp.eye(len(a), dtype=a.dtype), a))(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: (lambda a: jnp.linalg.inv(a @ a.T + jnp.eye(len(a), dtype=a.dtype)))(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: (lambda a: jnp.linalg.det(a @ a.T + jnp.eye(len(a), dtype=a.dtype)))(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: (lambda a: jnp.linalg.slogdet(a @ a.T + jnp.eye(len(a), dtype=a.dtype))[1])(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: (lambda a: jnp.linalg.cholesky(a @ a.T + jnp.eye(len(a), dtype=a.dtype)))(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: (lambda a: jax.scipy.linalg.solve_triangular(jnp.tril(a @ a.T) + jnp.eye(len(a), dtype=a.dtype), a, lower=True))(jnp.nan_to_num(jnp.round(jnp.sin({0}), 3)))
        f2-2: jnp.linalg.matrix_power({0} @ {0}.T, 3)
    """),
    "keys": rows("""
        i0-0: jax.random.normal(jax.random.fold_in(jax.random.PRNGKey(3), {0}), (3,))
        i0-0: jax.random.key_data(jax.random.clone(jax.random.wrap_key_data(jax.random.fold_in(jax.random.PRNGKey(1), {0})))).astype(jnp.int64)
        i0-0: jax.random.PRNGKey({0}).astype(jnp.int64)
        i0-0: jax.random.key_data(jax.random.key({0}.astype(jnp.uint64) << 3)).astype(jnp.int64)
        i0-0: jax.random.uniform(jax.random.key({0}), (2, 2))
        i0-0: jax.random.bits(jax.random.key({0}), (3,), jnp.uint32).astype(jnp.int64)
        i0-0: (jax.random.bits(jax.random.key({0}), (3,), jnp.uint64) >> 20).astype(jnp.int64)
        i1-1: jax.vmap(lambda n: jax.random.uniform(jax.random.key(n)))({0})
        i0-0: jax.vmap(jax.random.normal)(jax.random.split(jax.random.key({0}), 3))
        i0-0: jax.random.choice(jax.random.key({0}), jnp.arange(6), (3,), replace=False)
        i0-0: jax.random.bernoulli(jax.random.split(jax.random.key({0}))[1], 0.3, (2, 3))
        i0-0: jax.random.randint(jax.random.key({0}), (3,), -3, 9)
        i0-0: jax.random.randint(jax.random.key({0}), (2,), 0, 5, dtype=jnp.int32)
        i0-0: jax.random.permutation(jax.random.fold_in(jax.random.key(42), {0}), 5)
        i0-0: jax.random.categorical(jax.random.key({0}), jnp.zeros(3), shape=(2,))
        i0-0: jax.random.exponential(jax.random.key({0}), (2,))
        i0-0: jax.random.truncated_normal(jax.random.key({0}), -1.0, 1.0, (3,))
        i0-0: jax.random.laplace(jax.random.key({0}), (2,))
        i0-0: jax.random.rademacher(jax.random.key({0}), (3,), dtype=jnp.float32)
        i0-0: lax.scan(lambda key, _: jax.random.split(key), jax.random.PRNGKey({0}), length=2)[1].astype(jnp.int64)
        i0-0: jax.extend.random.threefry_2x32(jax.random.PRNGKey({0}), jnp.arange(6, dtype=jnp.uint32)).astype(jnp.int64)
    """),
    "softmax": rows("""
        f1: jax.nn.softmax({0}, axis={axis})
        f1: jax.nn.log_softmax({0}, axis={axis})
        f: jax.nn.softmax({0}, axis=None)
        f1 b=: jax.nn.softmax({0}, where={1})
        f1: jax.nn.standardize({0}, axis={axis})
        f1: jnp.sum(jax.nn.log_softmax({0}), axis={axis})
        f1 =: optax.softmax_cross_entropy({0}, jax.nn.softmax({1}))
        f2-2: optax.softmax_cross_entropy_with_integer_labels({0}, jnp.zeros({0}.shape[0], int))
        f =: optax.huber_loss({0}, {1})
        f =: optax.sigmoid_binary_cross_entropy({0}, jax.nn.sigmoid({1}))
        f =: optax.l2_loss({0}, {1})
    """),
    "activations": rows("""
        f: jax.nn.relu({0})
        f: jax.nn.relu6({0})
        f: jax.nn.sigmoid({0})
        f: jax.nn.softplus({0})
        f: jax.nn.soft_sign({0})
        f: jax.nn.silu({0})
        f: jax.nn.log_sigmoid({0})
        f: jax.nn.leaky_relu({0})
        f: jax.nn.hard_sigmoid({0})
        f: jax.nn.hard_silu({0})
        f: jax.nn.hard_tanh({0})
        f: jax.nn.elu({0})
        f: jax.nn.celu({0})
        f: jax.nn.selu({0})
        f: jax.nn.gelu({0})
        f: jax.nn.gelu({0}, approximate=False)
        f: jax.nn.squareplus({0})
        f: jax.nn.mish({0})
        f: jax.nn.sparse_plus({0})
        f1: jax.nn.glu(jnp.concatenate([{0}, {0}], axis=0), axis=0)
        i1-1: jax.nn.one_hot({0}, 4)
        f: jax.nn.identity({0})
        f: jnp.tanh({0})
    """),
    "cumulative": rows("""
        n1: jnp.cumsum({0}, axis={axis})
        n: jnp.cumsum({0})
        n1: jnp.cumprod({0}, axis={axis})
        n1: lax.cumsum({0}, axis=0, reverse=True)
        n1: lax.cummax({0}, axis=0)
        n1: lax.cummin({0}, axis=0, reverse=True)
        f1: lax.cumlogsumexp({0}, axis=0)
        f1: lax.cumlogsumexp({0}, axis=0, reverse=True)
        b1: jnp.cumsum({0}, axis={axis})
        f1: jnp.diff({0}, axis={axis})
        f1: jnp.maximum.accumulate({0}, axis={axis})
        f1: lax.associative_scan(lambda p, q: p * 0.5 + q, {0})
        f1-1: jnp.gradient({0})
        f1: jax.scipy.integrate.trapezoid({0}, axis={axis})
    """),
    "sorting": rows("""
        n1: jnp.sort({0}, axis={axis})
        n1: jnp.sort({0}, axis={axis}, descending=True)
        a1: jnp.argsort({0}, axis={axis})
        f1: jnp.argsort({0}, axis={axis}, descending=True)
        n1: jnp.argmax({0}, axis={axis})
        n1: jnp.argmin({0}, axis={axis})
        b: jnp.argmax({0})
        n: jnp.argmin({0})
        f1: jnp.argmax({0}, axis={axis}, keepdims=True)
        f1 i=: lax.sort_key_val({1}, {0}, dimension={naxis})[1]
        f1 =: lax.sort(({0}, {1}), dimension={naxis}, num_keys=2)[1]
        f1: lax.top_k({0}, min(2, {0}.shape[-1]))[0]
        f1: lax.top_k({0}, min(2, {0}.shape[-1]))[1]
        f1-1 f&: jnp.searchsorted(jnp.sort({0}), {1})
        f1-1 f&: jnp.digitize({1}, jnp.array([-1.0, 0.0, 0.5], {1}.dtype))
        i1-1: jnp.bincount(jnp.clip({0}, 0, 4), length=5)
        f1: jnp.nanargmax({0}, axis={axis})
        n1-1 =: jnp.lexsort(({0}, {1}))
    """),
    "arranging": rows("""
        a1: jnp.concatenate([{0}, {0}], axis={axis})
        a1 =: jnp.concatenate([{1}, {0}, {1}], axis={axis})
        n1 n=: jnp.concatenate([{0}, {1}], axis={axis})
        a =: jnp.stack([{0}, {1}], axis={naxis0})
        a: jnp.stack([{0}])
        a1: jnp.append({0}, {0})
        a2: {0}.T
        a2: jnp.transpose({0}, {perm})
        a2: jnp.swapaxes({0}, 0, -1)
        a2: jnp.moveaxis({0}, 0, -1)
        a: jnp.ravel({0})
        a: {0}.reshape({reshape})
        a: {0}.reshape(-1)
        a2: {0}.T.reshape({reshape})
        a: {0}[None]
        a: jnp.expand_dims({0}, {naxis0})
        a: jnp.squeeze({0}[None])
        a1: jnp.flip({0}, axis={axis})
        a: jnp.flip({0})
        a2: jnp.rot90({0})
        a1: jnp.roll({0}, {k}, axis={axis})
        a: jnp.roll({0}, -2)
        a1 i0-0: jnp.roll({0}, {1}, axis={axis})
        a: jnp.tile({0}, 2)
        a1: jnp.tile({0}, (2, 1))
        a1: jnp.repeat({0}, 2, axis={axis})
        a: jnp.broadcast_to({0}, (2, *{0}.shape))
        a1: jnp.broadcast_to({0}[..., None], (*{0}.shape, 3))
        a1: jnp.split({0}, [1], axis={axis})[{k01}]
        a1: jnp.array_split({0}, 2, axis={axis})[{k01}]
        a1: jnp.unstack({0})[0]
        n: lax.pad({0}, jnp.array({k}, {0}.dtype), {padding})
        n1: lax.pad({0}, jnp.array(1, {0}.dtype), {padding})
        n1: jnp.pad({0}, 1)
        n1: jnp.pad({0}, 1, mode="edge")
        n1: jnp.pad({0}, 1, mode="wrap")
        n1: jnp.pad({0}, 1, mode="reflect")
        f1: jnp.pad({0}, (2, 1), mode="symmetric")
        n2: jnp.tril({0})
        n2: jnp.triu({0}, 1)
        n1-2: jnp.diag({0})
        n2: jnp.diagonal({0})
        n1-1 =: jnp.stack(jnp.meshgrid({0}, {1}))
        n: {0} + jnp.arange({0}.size).reshape({0}.shape)
        n: {0} + jnp.arange(600)[{0}.size]
        f: {0} * jnp.linspace(0, 1, {0}.size).reshape({0}.shape)
        f2-2: {0} + jnp.eye(*{0}.shape)
        n: jnp.zeros_like({0})
        n: jnp.full_like({0}, 3)
        a1: jnp.hstack([{0}, {0}])
        a =: jnp.vstack([{0}, {1}])
        a: jnp.atleast_2d({0})
        f: jax.flatten_util.ravel_pytree([{0}, {0}])[0]
    """),
    "indexing": rows("""
        a1: {0}[1:]
        a1: {0}[:-1]
        a1: {0}[::-1]
        a1: {0}[::2]
        a1: {0}[-1]
        a1: {0}[..., 0]
        a1: {0}[..., None, :]
        a2: {0}[:, 0]
        a2: {0}[1:, ::-1]
        a2: {0}[::-2, 1:]
        a1: lax.slice_in_dim({0}, 0, {0}.shape[0], stride=2)
        a1 i0-0: {0}[{1}]
        a2 i0-0: {0}[:, {1}]
        a2 i0-0: {0}[{1}, {1} - 1]
        a1 i1-1: {0}[{1}]
        a1 i2-2: {0}[{1}]
        a2 i1-1: {0}[:, {1}]
        a2 i1-1: {0}[{1}, {1} // 2]
        a2 i1-1: {0}[{1}[:, None], {1}]
        a3 i1-1: {0}[{1}, :, {1}]
        a1 i0-0: lax.dynamic_slice_in_dim({0}, {1}, 1)
        a1 i0-0: lax.dynamic_slice_in_dim({0}, {1}, {0}.shape[0] // 2)
        a2-2 i0-0: lax.dynamic_slice({0}, ({1}, {1}), (1, {0}.shape[1]))
        a2-2 i0-0: lax.dynamic_slice({0}, ({1}, {1}), (1, 1))
        a1 i0-0: lax.dynamic_index_in_dim({0}, {1}, keepdims=False)
        a1 i1-1: jnp.take({0}, {1})
        a1 i1-2: jnp.take({0}, {1}, axis={axis}, mode="clip")
        a1 i1-1: jnp.take({0}, {1}, axis={axis}, mode="wrap")
        f1 i1-1: jnp.take({0}, {1}, axis={axis}, mode="fill", fill_value=-1.5)
        n1 i1-1: jnp.take({0}, {1}, axis={axis}, mode="fill")
        a1 i=: jnp.take_along_axis({0}, {1}, axis={axis})
        f1: jnp.take_along_axis({0}, jnp.argsort({0}, axis={axis0}), axis={axis0})
        n1 i=: jnp.take_along_axis({0}, {1}, axis={axis}, mode="clip")
        n1 i0-1: {0}.at[{1}].get(mode="fill", fill_value=5)
        n1 i0-1: {0}.at[{1}].get(mode="clip")
        f1 i1-1: {0}.at[{1}].get(mode="promise_in_bounds")
        n1-1 b=: jnp.where({1}, {0}, {0}[0])
        i1-1: jnp.nonzero({0}, size=3, fill_value=-1)[0]
    """),
    "updating": rows("""
        n1: {0}.at[0].set(5)
        n1: {0}.at[1:].add(2)
        f1: {0}.at[::2].multiply(-0.5)
        f1: {0}.at[-1].set({s})
        n1: {0}.at[..., 0].set(1)
        n1 i0-0: {0}.at[{1}].set(3)
        n1 i0-0: {0}.at[{1}].add(1)
        n1 i1-1: {0}.at[{1}].add(2)
        f1 i1-1: {0}.at[{1}].set(0.25)
        f1-1 i1-1 f&: {0}.at[{1} % 2].set(jnp.sum({2}))
        f1 i1-1: {0}.at[{1}].max(0.5)
        n1 i1-1: {0}.at[{1}].min(0)
        f1 i1-1: {0}.at[{1}].multiply({s})
        f1 i1-1: {0}.at[{1}].set(0.25, mode="clip")
        n1 i1-1: {0}.at[{1}].add(1, mode="drop")
        f2 i0-0: {0}.at[{1}, 1 - {1}].set(2.5)
        f2 i1-1: {0}.at[{1}, {1} - 1].add(2.5)
        n1 i0-1: {0}.at[{1}].subtract(3)
        f2 i1-1: {0}.at[:, {1}].add(-1.0)
        f2 i1-1: {0}.at[{1}].set({0}[0])
        f1-1 i1-1: jnp.zeros(5, {0}.dtype).at[{1}].add({0}[0])
        f1 i0-0: lax.dynamic_update_slice({0}, {0}[:1] * 2, ({1}, *[0] * ({0}.ndim - 1)))
        n1 i0-0: lax.dynamic_update_index_in_dim({0}, {0}[0], {1}, 0)
        f1-1 i=: jax.ops.segment_sum({0}, {1}, 3)
        f1-1 i=: jax.ops.segment_max({0}, {1} % 2, 2)
        n1 i=: jnp.put_along_axis({0}, {1} % {0}.shape[-1], 7, axis=-1, inplace=False)
        f1: {0}.at[0].apply(jnp.tanh)
        n1-1 b=: jnp.where({1}, {0}.at[0].set(0), {0})
    """),
    "loops": rows("""
        f1: lax.scan(lambda c, x: (c * 0.5 + jnp.sum(x), c), jnp.zeros((), {0}.dtype), {0})[1]
        f1: lax.scan(lambda c, x: (c * 0.5 + jnp.sum(x), c), {0}[0].sum(), {0}, reverse=True)[1]
        f1: lax.scan(lambda c, x: (c[::-1] * 0.5 + jnp.sum(x), c), jnp.arange(3, dtype={0}.dtype), {0})[0]
        f1: lax.scan(lambda c, x: ((c[1], c[0] * 0.5 + x.sum()), c[0]), ({0}.sum(), {0}.max()), {0})[1]
        f2: lax.scan(lambda c, r: lax.scan(lambda d, y: (d * 0.5 + y.sum(), d), c, r), {0}.sum(), {0}, reverse=True)[1]
        i1: lax.scan(lambda c, x: (c * 3 + jnp.sum(x), c % 7), jnp.zeros((), {0}.dtype), {0})[1]
        b1: lax.scan(lambda c, x: (c ^ jnp.all(x), c), True, {0})[1]
        f1-1: lax.fori_loop(0, {0}.shape[0], lambda i, c: c.at[i].add(c[i - 1] * 0.5), {0})
        f i0-0: lax.fori_loop(0, jnp.clip({1}, 0, 5), lambda i, c: c * 0.5 + i, {0})
        f i0-0: lax.fori_loop(jnp.clip({1}, -3, 3), 4, lambda i, c: c * 0.5 + i, {0})
        f0-0: lax.while_loop(lambda c: c < 50, lambda c: jnp.abs(c) * 2 + 1, {0})
        f1-1: lax.while_loop(lambda c: jnp.sum(c) < 50, lambda c: jnp.abs(c[::-1]) * 2 + 1, {0})
        f b0-0: lax.cond({1}, jnp.sin, jnp.cos, {0})
        f: lax.cond(jnp.sum({0}) > 0, lambda t: t * 2, lambda t: t - 1, {0})
        f i0-0: lax.switch({1}, [jnp.sin, jnp.cos, jnp.tanh], {0})
        f1 i0-0: lax.switch({1}, [lambda t: t[::-1], lambda t: t * 2, lambda t: t], {0})
    """),
    "nested": rows("""
        f: {f}({0})
        f =: {f}({0}) * {f}({1})
        f =: (lambda g: g({0}) + g({1}))(jax.jit({f}))
        f0-2: jax.grad(lambda t: jnp.sum({f}(t)))({0})
        f0-2 =: jax.grad(lambda t: jnp.sum({f}(t) * {1}))({0})
        f0-2 =: jax.grad(lambda t, u: jnp.sum({f}(t) * {f}(u)), argnums=1)({0}, {1})
        f0-2: jax.value_and_grad(lambda t: jnp.sum(jnp.sin({f}(t))))({0})[0]
        f0-2 =: jax.grad(lambda t: jnp.sum({f}(clip_gradient({f}(t), -0.5, 0.5)) * {1}))({0})
        f0-2: jax.grad(lambda t: jnp.sum(lax.scan(lambda c, x: (clip_gradient({f}(c), -x, x), c), t, jnp.arange(3, dtype={0}.dtype))[1]))({0})
        f0-2 =: jax.jvp({f}, [{0}], [{1}])[1]
        f0-2 =: jax.vjp({f}, {0})[1]({1})[0]
        f1: jax.vmap({f})({0})
        f2-2: jax.vmap({f}, in_axes=1, out_axes=1)({0})
        f1 i=: jax.vmap(lambda t, i: lax.switch(i.sum(), [{f}, {f}, {f}], t))({0}, {1})
        f1-1: jax.jacrev({f})({0})
        f1-1: jax.jacfwd({f})({0})
        f1-1: jax.hessian(lambda t: jnp.sum({f}(t)))({0})
        f b0-0: lax.cond({1}, {f}, {f}, {0})
        f i0-0: lax.switch({1}, [{f}, {f}, {f}], {0})
        f i0-0: lax.fori_loop({1} % 2, jnp.clip({1}, 0, 4), lambda i, c: {f}(c) * 0.5 + i, {0})
        f =: lax.scan(lambda c, x: ({f}(c) + {1} * x, {f}(c)), {0}, jnp.arange(3, dtype={0}.dtype))[1]
        f1: lax.scan(lambda c, x: (c * 0.5 + jnp.sum({f}(x)), {f}(x)), {0}.sum(), {0}, reverse=True)[1]
        f1: lax.scan(lambda c, x: ({f}(x), c), {0}[0], {0}, unroll=2)[1]
        f =: lax.while_loop(lambda s: (s[0] < 3) & jnp.any(s[1] < 4), lambda s: (s[0] + 1, {f}(s[1]) + {1}), (0, {0}))[1]
    """),
    "functions": rows("""
        f: lax.stop_gradient({0}) * {0}
        f: jax.jit(lambda t: t * 2 + 1)({0})
        f &: jax.jit(lambda p, q: jnp.sin(p) * q)({0}, {1})
        f: jax.checkpoint(lambda t: jnp.sin(jnp.cos(t)))({0})
        f: lax.optimization_barrier({0}) * 0.5
        f1: lax.map(lambda t: t * 2 + 1, {0})
        f1: lax.map(lambda t: jnp.sum(jnp.tanh(t)), {0})
        f: jnp.vectorize(lambda t: jnp.where(t > 0, t, -2 * t))({0})
        f1: jnp.apply_along_axis(lambda t: t - jnp.mean(t), -1, {0})
        f1: jax.vmap(lambda t: t / (1 + jnp.sum(t ** 2)))({0})
        f1 i0-0: jax.vmap(lambda t: t * {1})({0})
        f2-2: jax.vmap(lambda t: jnp.sort(t), in_axes=1, out_axes=1)({0})
        f1-1 i=: jax.vmap(lambda t, n: jnp.arange(4.0, dtype=t.dtype)[n] * t)({0}, {1})
        f2-2 i1-1: jax.vmap(lambda t: t[{1}])({0})
        f1-1: jax.vmap(lambda t: jnp.full((3,), t).at[1].set(0.0))({0})
        f1: jax.vmap(lambda t: lax.fori_loop(0, 3, lambda i, c: c * 0.5 + i, t))({0})
        f1: jax.vmap(lambda t: lax.cond(jnp.sum(t) > 0, jnp.sin, jnp.cos, t))({0})
        f1-1: jax.vmap(lambda t: lax.while_loop(lambda c: c < 1, lambda c: jnp.abs(c) * 1.5 + 0.5, t))({0})
        f1-1 i=: jax.vmap(lambda t, i: lax.dynamic_slice({0}, (i,), (1,)) + t)({0}, {1})
        f1-1 i=: jax.vmap(lambda t, i: lax.dynamic_update_slice({0}, t[None], (i,)))({0}, {1})
        f1-1 i=: jax.vmap(lambda t, i: lax.switch(i, [jnp.sin, jnp.exp, jnp.abs], t))({0}, {1})
        f0-0: jax.grad(jnp.tanh)({0})
        f0-0: jax.grad(jax.grad(jnp.sin))({0})
        f1-1: jax.vmap(jax.grad(lambda t: jnp.sin(t) * t))({0})
        f1-1: jax.hessian(lambda t: jnp.sum(t ** 3))({0})
        f1-1: jax.jacfwd(lambda t: jnp.tanh(t) * t[0])({0})
        f1-1: jax.jacrev(lambda t: jnp.cumsum(t) * t)({0})
        f: jax.linearize(jnp.sin, {0})[1](jnp.ones_like({0}))
        f: optax.projections.projection_l2_ball({0}, 1.0)
        f1-1: optax.projections.projection_simplex({0})
    """),
}


# Functions of floats that keep their shape and dtype.
PLAIN = rows("""
    jnp.sin
    lambda t: t * {s}
    jax.nn.relu
    lambda t: jnp.where(t > 0, t, -2 * t)
    lambda t: t / (1 + jnp.sum(t ** 2))
    lambda t: t - jnp.mean(t)
    lambda t: jnp.tanh(t) * jnp.flip(t)
    lambda t: jnp.sort(t, axis=None).reshape(t.shape)
""")
OF_FUNCTIONS = rows("""
    jax.jit({f})
    jax.checkpoint({f})
    lambda t: {f}({f}(t))
    lambda t: {f}(t) * t + {f}(t)
    lambda t: lax.cond(jnp.sum(t) > 0, {f}, {f}, t)
    lambda t: lax.switch(jnp.sum(t > 0), [{f}, {f}, {f}], t)
    lambda t: lax.scan(lambda c, x: ({f}(c) + x, c), t, jnp.arange(3, dtype=t.dtype))[0]
    lambda t: lax.scan(lambda c, x: (c * 0.5 + jnp.sum({f}(x)), x * c), t.sum(), t, reverse=True)[1]
    lambda t: lax.fori_loop(0, 3, lambda i, c: {f}(c) * 0.5 + i, t)
    lambda t: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, {f}(s[1])), (0, t))[1]
    jax.grad(lambda t: jnp.sum({f}(t)))
    lambda t: jax.jvp({f}, [t], [t])[1]
    lambda t: jax.vjp({f}, t)[1](t)[0]
    jax.vmap({f})
""")


def _function(text: Text, x: Var, deepest: int = 2) -> str:
    function = text.pick((*PLAIN, *OF_FUNCTIONS) if deepest else PLAIN)
    for _ in range(function.count("{f}")):
        function = function.replace("{f}", _function(text, x, deepest - 1), 1)
    return "(" + function.replace("{s}", SETTINGS["s"](text, x)) + ")"


def _axis(text: Text, x: Var) -> str:
    rank = max(len(x.shape), 1)
    return str(text.pick([*range(rank), -1]))


def _reshape(text: Text, x: Var) -> str:
    size = 1
    for length in x.shape:
        size *= length
    if size == 0:
        return text.pick(["(0,)", "(0, 3)", "(2, 0)"])
    shapes = [(size,), (1, size), (size, 1)]
    shapes += [(a, size // a) for a in range(2, size) if size % a == 0]
    if size % 4 == 0:
        shapes.append((2, size // 4, 2))
    return str(text.pick(shapes))


def _padding(text: Text, x: Var) -> str:
    return str(
        [
            (text.pick((0, 1, -1, 2)), text.pick((0, 1, -1)), text.pick((0, 0, 1, 2)))
            for _ in x.shape
        ]
    )


SETTINGS: dict[str, Callable[[Text, Var], str]] = {
    "s": lambda text, x: text.pick(("2.0", "0.5", "-1.5", "3.0", "0.1", "1e-3", "-0.0", "7.25")),
    "p": lambda text, x: text.pick(("2.0", "0.5", "1.5", "0.3", "3.0")),
    "k": lambda text, x: text.pick(("1", "0", "2", "3")),
    "k01": lambda text, x: text.pick(("0", "1")),
    "f": _function,
    "axis": _axis,
    "axis0": lambda text, x: "0",
    "naxis": lambda text, x: str(text.pick(range(len(x.shape)))),
    "naxis0": lambda text, x: str(text.pick(range(len(x.shape) + 1))),
    "perm": lambda text, x: str(text.pick(_permutations(len(x.shape)))),
    "reshape": _reshape,
    "padding": _padding,
}  # fmt: skip


def _permutations(rank: int) -> list[tuple[int, ...]]:
    backward = tuple(reversed(range(rank)))
    return [backward, (*range(1, rank), 0), (rank - 1, *range(rank - 1)), tuple(range(rank))]
