"""Random numbers from keys that depend on an argument: JAX's own streams, bit for bit."""

import jax
import jax.numpy as jnp
from jax import lax, random

KEY = random.key(7)
RTOL = 1e-13
CALLS = ((-2,), (2**40 + 17,))  # besides the seed 0


def in_a_loop(draw):
    """Draws in the body of a scan, from keys that are split and folded there."""

    def draws(seed):
        def step(key, t):
            key, now = random.split(key)
            return key, draw(random.fold_in(now, t))

        return lax.scan(step, random.key(seed), jnp.arange(3))[1]

    return draws


def words(key):
    return random.key_data(key).astype(int)


CASES = {
    "a seed": lambda i: words(random.key(i)),
    "an int32 seed": lambda i: words(random.key(i.astype(jnp.int32))),
    "a uint64 seed": lambda i: words(random.key(i.astype(jnp.uint64))),
    "folds": lambda i: words(random.fold_in(KEY, i)),
    "splits": lambda i: words(random.split(random.key(i), (3, 2))),
    "an odd number of splits": lambda i: words(random.split(random.key(i), 3)),
    "bits": lambda i: random.bits(random.key(i), (5,)).astype(int),
    "bits of an even number": lambda i: random.bits(random.key(i), (2, 3)).astype(int),
    "wide bits": lambda i: random.bits(random.key(i), (3,), jnp.uint64).astype(jnp.uint32).astype(int),
    "narrow bits": lambda i: [
        random.bits(random.key(i), (3,), dtype).astype(int) for dtype in (jnp.uint8, jnp.uint16)
    ],
    "raw keys": lambda i: random.normal(random.split(random.PRNGKey(i))[1], (2,)),
    "raw words": lambda i: words(random.wrap_key_data(random.PRNGKey(i))[None]),
    "uniform": in_a_loop(lambda key: random.uniform(key, (3, 2))),
    "uniform between": in_a_loop(lambda key: random.uniform(key, (3,), minval=-2, maxval=5)),
    "normal": in_a_loop(lambda key: random.normal(key, (3,))),
    "bernoulli": in_a_loop(lambda key: random.bernoulli(key, 0.3, (6,))),
    "randint": in_a_loop(lambda key: random.randint(key, (5,), 0, 10)),
    "randint of int32": in_a_loop(lambda key: random.randint(key, (5,), -3, 100, jnp.int32)),
    "randint to a bound": lambda i: random.randint(random.key(i), (4,), 0, jnp.abs(i) % 50 + 1),
    "permutation": in_a_loop(lambda key: random.permutation(key, 7)),
    "permuted rows": lambda i: random.permutation(random.key(i), jnp.arange(12.0).reshape(4, 3)),
    "categorical": in_a_loop(lambda key: random.categorical(key, jnp.arange(4.0))),
    "choice": in_a_loop(lambda key: random.choice(key, 5, (3,))),
    "choice by weights": in_a_loop(lambda key: random.choice(key, 4, (3,), p=jnp.arange(4.0) / 6)),
    "choice without replacement": in_a_loop(lambda key: random.choice(key, 6, (3,), replace=False)),
    "gumbel": in_a_loop(lambda key: random.gumbel(key, (2,))),
    "exponential": in_a_loop(lambda key: random.exponential(key, (2,))),
    "laplace": in_a_loop(lambda key: random.laplace(key, (2,))),
    "truncated normal": in_a_loop(lambda key: random.truncated_normal(key, -1.0, 2.0, (2,))),
    "rademacher": in_a_loop(lambda key: random.rademacher(key, (6,), int)),
    "one of many keys": lambda i: random.normal(random.split(random.fold_in(KEY, i), 3)[i % 3]),
    "one of two keys": lambda i: random.normal(jnp.where(i > 3, random.key(i), KEY)),
    "keys of branches": lambda i: random.normal(lax.cond(i > 3, lambda: random.key(i), lambda: KEY)),
    "keys in arrays": lambda i: words(
        jnp.concatenate([random.split(random.key(i), 2), random.split(KEY, 2)])[::-1].reshape(2, 2)
    ),
    "a batch of keys": lambda i: jax.vmap(random.normal)(random.split(random.key(i), 4)),
    "a batch of draws": lambda i: jax.vmap(lambda key: random.uniform(key, (2,)))(
        random.split(random.key(i), 3)
    ),
    "a batch of seeds": lambda i: words(jax.vmap(random.key)(i + jnp.arange(3))),
    "a batch of folds": lambda i: words(jax.vmap(lambda t: random.fold_in(KEY, t))(i + jnp.arange(3))),
    "a sequence of keys": lambda i: lax.scan(
        lambda c, key: (c + random.uniform(key), random.normal(key)),
        0.0,
        random.split(random.key(i), 4),
    ),
    "folds in a loop": lambda i: lax.fori_loop(
        0, 5, lambda t, c: c + random.normal(random.fold_in(KEY, t + i)), 0.0
    ),
    "draws until": lambda i: lax.while_loop(
        lambda c: c[1] < 2, lambda c: (random.split(c[0])[0], c[1] + random.uniform(c[0])),
        (random.key(i), 0.0),
    )[1],
    "dropout": lambda i: jnp.where(random.bernoulli(random.fold_in(KEY, i), 0.5, (8,)), 2.0, 0.0),
    "a clone": lambda i: random.normal(random.clone(random.key(i))),
    "the hash itself": lambda i: [
        word.astype(int)
        for word in jax.extend.core.primitives.threefry2x32_p.bind(
            *(jnp.arange(4, dtype=jnp.uint32) * n + i.astype(jnp.uint32) for n in (1, 2, 3, 4))
        )
    ],
}  # fmt: skip
IN_FLOAT32 = ("bits", "randint of int32", "normal")
CASES = {name: (function, 0) for name, function in CASES.items()}
CASES |= {f"{name}, in float32": CASES[name] for name in IN_FLOAT32}
LATER = (  # they are made of others
    "permuted rows", "categorical", "choice", "choice by weights", "gumbel", "exponential", "laplace",
    "truncated normal", "rademacher", "randint to a bound", "uniform between", "dropout",
    "a batch of seeds", "one of two keys", "folds in a loop",
)  # fmt: skip
NOW = CASES.keys() - LATER
EXACT = {"uniform, in float32": CASES["uniform"]}
