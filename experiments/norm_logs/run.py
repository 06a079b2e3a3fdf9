"""Train three small models, and record their gradient norms: ``python -m experiments.norm_logs.run``.

``protocol.md`` says what is run and why. The results stand in ``packages/sccbook/src/sccbook/records/norm_logs.json``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from jax.flatten_util import ravel_pytree

from experiments.record import made_with, short, store
from scaleclip import probe
from sccbook.models import recall
from sccbook.records import path, written

STEPS = 1000
WARM_UP = 100
"""Steps over which the language model's rate grows."""
WIDTH, HEADS, BLOCKS, WINDOW, BATCH = 64, 4, 2, 64, 16
ROWS, COLUMNS, HIDDEN, GAMES = 9, 5, 32, 16
DIGITS = 3

Params = dict[str, Any]
Loss = Callable[[Params, Array], tuple[Array, Array]]
"""From parameters and a key to what is descended, and what is logged."""


def text() -> tuple[np.ndarray, int]:
    """Return the topics of Python's manual as numbers of characters, and how many there are.

    The text differs from one version of Python to the next; the record says which one it was made with.
    """
    from pydoc_data.topics import topics

    whole = "\n".join(topics[name] for name in sorted(topics))
    letters = sorted(set(whole))
    places = {letter: n for n, letter in enumerate(letters)}
    return np.array([places[letter] for letter in whole], np.int32), len(letters)


def init_transformer(key: Array, letters: int) -> Params:
    """Draw the parameters of a small transformer with layer norm before each part."""
    draws = iter(jax.random.split(key, 4 * BLOCKS + 3))

    def matrix(rows: int, columns: int, scale: float = 1.0) -> Array:
        drawn: Array = scale * jax.random.normal(next(draws), (rows, columns)) / np.sqrt(rows)
        return drawn

    def block() -> Params:
        return {
            "qkv": matrix(WIDTH, 3 * WIDTH),
            "out": matrix(WIDTH, WIDTH, 0.5),
            "up": matrix(WIDTH, 4 * WIDTH),
            "down": matrix(4 * WIDTH, WIDTH, 0.5),
            "scales": jnp.ones((2, WIDTH)),
        }

    return {
        "letters": 0.02 * jax.random.normal(next(draws), (letters, WIDTH)),
        "places": 0.02 * jax.random.normal(next(draws), (WINDOW, WIDTH)),
        "blocks": [block() for _ in range(BLOCKS)],
        "scale": jnp.ones(WIDTH),
        "head": matrix(WIDTH, letters),
    }


def _normed(x: Array, scale: Array) -> Array:
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    return scale * centred * jax.lax.rsqrt(jnp.mean(centred**2, axis=-1, keepdims=True) + 1e-5)


def transformer(params: Params, given: Array) -> Array:
    """Compute the logits of the next letters: int ``[WINDOW]`` to float ``[WINDOW, letters]``."""
    x = params["letters"][given] + params["places"]
    past = jnp.tril(jnp.ones((WINDOW, WINDOW), bool))
    for block in params["blocks"]:
        q, k, v = jnp.split(_normed(x, block["scales"][0]) @ block["qkv"], 3, axis=1)
        q, k, v = (a.reshape(WINDOW, HEADS, -1) for a in (q, k, v))
        scores = jnp.einsum("qhd,khd->hqk", q, k) / np.sqrt(WIDTH // HEADS)
        weights = jax.nn.softmax(jnp.where(past, scores, -1e9), axis=-1)
        x = x + jnp.einsum("hqk,khd->qhd", weights, v).reshape(WINDOW, WIDTH) @ block["out"]
        x = x + jax.nn.gelu(_normed(x, block["scales"][1]) @ block["up"]) @ block["down"]
    logits: Array = _normed(x, params["scale"]) @ params["head"]
    return logits


def language() -> tuple[Params, Loss, optax.GradientTransformation]:
    """The language model: its parameters, its loss and its optimizer."""
    corpus, letters = text()
    letters_of = jnp.asarray(corpus)

    def loss(params: Params, key: Array) -> tuple[Array, Array]:
        first = jax.random.randint(key, (BATCH, 1), 0, len(corpus) - WINDOW - 1)
        windows = letters_of[first + jnp.arange(WINDOW + 1)]
        logits = jax.vmap(transformer, (None, 0))(params, windows[:, :-1])
        found = optax.softmax_cross_entropy_with_integer_labels(logits, windows[:, 1:]).mean()
        return found, found

    rate = optax.warmup_cosine_decay_schedule(0.0, 3e-3, WARM_UP, STEPS, 3e-4)
    tx = optax.adamw(rate, b2=0.95, weight_decay=0.1)
    return init_transformer(jax.random.key(0), letters), loss, tx


def recurrent() -> tuple[Params, Loss, optax.GradientTransformation]:
    """The network that fails to train, with plain SGD."""

    def loss(params: Params, key: Array) -> tuple[Array, Array]:
        found, _ = recall.loss(params, *recall.draw(key))
        return found, found

    return recall.init(jax.random.key(0)), loss, optax.sgd(recall.RATE)


def game(params: Params, key: Array) -> tuple[Array, Array]:
    """Play Catch once: the log-probability of all moves, and the return, 1 or -1."""
    first, moves = jax.random.split(key)
    ball, paddle = jax.random.randint(first, (2,), 0, COLUMNS)

    def move(paddle: Array, given: tuple[Array, Array]) -> tuple[Array, Array]:
        row, key = given
        board = jnp.zeros((ROWS, COLUMNS)).at[row, ball].set(1.0).at[ROWS - 1, paddle].set(1.0)
        hidden = jax.nn.relu(board.ravel() @ params["w"] + params["b"])
        logits = hidden @ params["w_out"] + params["b_out"]
        taken = jax.random.categorical(key, logits)
        after = jnp.clip(paddle + taken - 1, 0, COLUMNS - 1)
        return after, jax.nn.log_softmax(logits)[taken]

    keys = jax.random.split(moves, ROWS - 1)
    paddle, logs = jax.lax.scan(move, paddle, (jnp.arange(ROWS - 1), keys))
    return jnp.sum(logs), jnp.where(paddle == ball, 1.0, -1.0)


def policy() -> tuple[Params, Loss, optax.GradientTransformation]:
    """REINFORCE with the batch's mean return as its baseline."""

    def loss(params: Params, key: Array) -> tuple[Array, Array]:
        logs, returns = jax.vmap(game, (None, 0))(params, jax.random.split(key, GAMES))
        return -jnp.mean(logs * (returns - returns.mean())), returns.mean()

    first, last = jax.random.split(jax.random.key(0))
    inputs = ROWS * COLUMNS
    params = {
        "w": jax.random.normal(first, (inputs, HIDDEN)) / np.sqrt(inputs),
        "b": jnp.zeros(HIDDEN),
        "w_out": 0.1 * jax.random.normal(last, (HIDDEN, 3)) / np.sqrt(HIDDEN),
        "b_out": jnp.zeros(3),
    }
    return params, loss, optax.adam(0.01)


RUNS = {"language": language, "recurrent": recurrent, "policy": policy}


def train(name: str, limit: float = np.inf, steps: int = STEPS) -> tuple[np.ndarray, np.ndarray]:
    """Train one of ``RUNS``: the norms before the clip, and what was logged, ``[steps]`` each."""
    params, loss, optimizer = RUNS[name]()
    tx = optax.chain(probe.clip_by_global_norm(limit, keep=steps), optimizer)

    def step(carry: Any, key: Array) -> tuple[Any, Array]:
        params, state = carry
        (_, logged), grads = jax.value_and_grad(loss, has_aux=True)(params, key)
        updates, state = tx.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), logged

    keys = jax.random.split(jax.random.key(1), steps)
    (_, state), logged = jax.jit(lambda: jax.lax.scan(step, (params, tx.init(params)), keys))()
    return probe.read(state).norms, np.asarray(logged)


SEEDS = 16
SPIKE_AT, SPIKE, RUN = 150, 1000.0, 400
LOOKS = ((160, 210), (350, 400))
"""Between these steps the share named right is the mean."""
OPTIMIZERS: dict[str, tuple[optax.GradientTransformation, float]] = {
    "SGD": (optax.identity(), 0.03),
    "momentum": (optax.trace(0.9), 0.005),
    "Adam, beta2 = 0.999": (optax.scale_by_adam(b2=0.999), 0.001),
    "Adam, beta2 = 0.95": (optax.scale_by_adam(b2=0.95), 0.001),
}
ANSWERS = ("no spike", "nothing", "clip", "skip", "clip the update")


def spiked(optimizer: str, answer: str, seeds: int = SEEDS) -> list[list[float]]:
    """Train the recurrent network with a spike: the share named right in each of ``LOOKS``, by seed.

    Each limit is the longest that was seen in the 50 steps before the spike, so that none of them
    acts then: of the gradient's norm for a clip, ten times that for a skip, of the update's norm for
    a clip of the update.
    """
    tx, rate = OPTIMIZERS[optimizer]

    def run(seed: Array) -> Array:
        start, data = jax.random.split(jax.random.key(seed))
        params, unravel = ravel_pytree(recall.init(start))

        def step(carry: Any, n: Array) -> tuple[Any, Array]:
            params, state, longest, longest_update = carry
            batch = recall.draw(jax.random.fold_in(data, n))
            (_, right), g = jax.value_and_grad(
                lambda params: recall.loss(unravel(params), *batch), has_aux=True
            )(params)
            now = n == SPIKE_AT
            g = g * jnp.where(now & (answer != "no spike"), SPIKE, 1.0)
            norm, armed = jnp.linalg.norm(g), n >= SPIKE_AT
            c = jnp.where(armed & (answer == "clip"), longest, jnp.inf)
            update, new = tx.update(g * jnp.minimum(1.0, c / norm), state)
            size = jnp.linalg.norm(update)
            c = jnp.where(armed & (answer == "clip the update"), longest_update, jnp.inf)
            moved = params - rate * update * jnp.minimum(1.0, c / size)
            skipped = armed & (answer == "skip") & (norm > 10 * longest)
            params, state = jax.tree.map(
                lambda old, new: jnp.where(skipped, old, new), (params, state), (moved, new)
            )
            seen = (n >= SPIKE_AT - 50) & ~armed
            longest = jnp.where(seen, jnp.maximum(longest, norm), longest)
            longest_update = jnp.where(seen, jnp.maximum(longest_update, size), longest_update)
            return (params, state, longest, longest_update), right

        nothing = jnp.zeros(())
        carry = params, tx.init(params), nothing, nothing
        right = jax.lax.scan(step, carry, jnp.arange(RUN))[1]
        return jnp.stack([right[first:last].mean() for first, last in LOOKS])

    with jax.enable_x64(True):
        found = jax.jit(jax.vmap(run))(jnp.arange(seeds))
    return [list(row) for row in short(found, DIGITS)]


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    found: dict[str, dict[str, list[float]]] = {}

    def add(name: str, norms: np.ndarray, logged: np.ndarray, limit: float) -> None:
        found[name] = {
            "norms": list(short(norms, DIGITS)),
            "logged": list(short(logged, DIGITS)),
            "limit": [] if np.isinf(limit) else [limit],
        }

    for name in RUNS:
        since = time.time()
        add(name, *train(name), np.inf)
        print(f"{name}: {time.time() - since:.0f} s", flush=True)
    limit = float(f"{np.percentile(found['language']['norms'], 95):.3g}")
    add("language, clipped", *train("language", limit), limit)
    spikes = {
        optimizer: {answer: spiked(optimizer, answer) for answer in ANSWERS}
        for optimizer in OPTIMIZERS
    }
    made = made_with("jax", "optax", steps=STEPS, warm_up=WARM_UP, dtype="float32")
    store(path("norm_logs"), written({"provenance": made, "logs": found, "spikes": spikes}))


if __name__ == "__main__":
    main()
