"""A small policy-gradient problem: which of five actions pays best in each of twelve contexts.

Each batch is used for several steps, so the policy moves away from the one that drew the batch, and
the ratio of the two probabilities leaves 1. The surrogate says what a sample's ratio does to its
gradient. Chapter 15 compares three, and a figure trains with them in the page.

Source: Schulman et al. 2017 (arXiv 1707.06347), equation 7, for PPO's; MiniMax 2025 (arXiv
2506.13585) for CISPO's, with its upper limit alone.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops import scale_gradient

CONTEXTS, ACTIONS, FEATURES, BATCH = 12, 5, 6, 48
NOISE = 1.0
"""Standard deviation of what is added to every reward; the best action of a context pays 1."""
EPOCHS = 16
"""Steps that can be taken on one batch, at most."""
EPSILON = 0.2
SURROGATES = ("plain", "ppo", "cispo")
"""Names: the importance ratio as it is, PPO's clip of it, and CISPO's."""
OPTIMIZERS = ("sgd", "adam")
_PLAIN, _PPO, _CISPO = range(len(SURROGATES))


def _problem() -> tuple[np.ndarray, np.ndarray]:
    """Features ``[CONTEXTS, FEATURES]`` of length 1, and mean rewards ``[CONTEXTS, ACTIONS]``."""
    source = np.random.default_rng(7)
    features = source.normal(size=(CONTEXTS, FEATURES))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    scores = np.exp(3 * features @ source.normal(size=(FEATURES, ACTIONS)))
    return np.round(features, 3), np.round(scores / scores.max(axis=1, keepdims=True), 3)


FEATURES_OF, REWARDS = _problem()


def log_policy(w: Array) -> Array:
    """Compute the logarithm of the probability of every action in every context.

    Args:
      w: ``[FEATURES, ACTIONS]``.

    Returns:
      ``[CONTEXTS, ACTIONS]``.
    """
    logs: Array = jax.nn.log_softmax(jnp.asarray(FEATURES_OF) @ w)
    return logs


def plain(log_new: Array, log_old: Array, advantage: Array, epsilon: ArrayLike = EPSILON) -> Array:
    """Compute the surrogate r A, with the ratio r of the two probabilities."""
    return jnp.exp(log_new - log_old) * advantage


def ppo(log_new: Array, log_old: Array, advantage: Array, epsilon: ArrayLike = EPSILON) -> Array:
    """Compute PPO's, the smaller of r A and clip(r, 1 - epsilon, 1 + epsilon) A.

    The ratio's logarithm counts as 20 at most: from 89 on, float32's ratio is infinite, and its derivative
    NaN even where the other product is taken.
    """
    ratio = jnp.exp(jnp.minimum(log_new - log_old, 20))
    return jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - epsilon, 1 + epsilon) * advantage)


def past(ratio: Array, advantage: Array, epsilon: ArrayLike = EPSILON) -> Array:
    """Tell where PPO's clip acts: beyond its limits, and as far as the advantage asks for."""
    return jnp.where(advantage > 0, ratio > 1 + epsilon, ratio < 1 - epsilon)


def cispo(log_new: Array, log_old: Array, advantage: Array, epsilon: ArrayLike = EPSILON) -> Array:
    """Compute CISPO's: log_new, its gradient scaled by A and by r, which counts as 1 + epsilon at most."""
    weight = jnp.minimum(jnp.exp(log_new - log_old), 1 + epsilon) * advantage
    scaled: Array = jax.vmap(scale_gradient)(log_new, weight)
    return scaled


class Batch(NamedTuple):
    """Samples ``[B]``: the context, the action, its logarithmic probability then, and the advantage."""

    context: Array
    action: Array
    log_old: Array
    advantage: Array


def draw(key: Array, w: Array, batch: int = BATCH) -> Batch:
    """Draw contexts, actions of the policy, and rewards; brought to mean 0 and variance 1, they are advantages."""
    contexts, actions, noise = jax.random.split(key, 3)
    context = jax.random.randint(contexts, (batch,), 0, CONTEXTS)
    logs = log_policy(w)[context]
    action = jax.random.categorical(actions, logs)
    reward = jnp.asarray(REWARDS)[context, action] + NOISE * jax.random.normal(noise, (batch,))
    spread = jnp.sqrt(jnp.mean((reward - jnp.mean(reward)) ** 2))
    advantage = (reward - jnp.mean(reward)) / spread
    return Batch(context, action, _of(logs, action), advantage)


def log_probability(w: Array, batch: Batch) -> Array:
    """Compute the logarithmic probability of a batch's actions under a policy, ``[B]``."""
    return _of(log_policy(w)[batch.context], batch.action)


def _of(logs: Array, action: Array) -> Array:
    return jnp.sum(logs * jax.nn.one_hot(action, ACTIONS, dtype=logs.dtype), axis=-1)


class Training(NamedTuple):
    """What one batch hands to the next."""

    w: Array
    adam: Any
    key: Array


def start(seed: ArrayLike) -> Training:
    """Begin with every action equally probable; ``seed`` draws the data."""
    w = jnp.zeros((FEATURES, ACTIONS))
    return Training(w, optax.scale_by_adam().init(w), jax.random.key(seed))


def step(
    carry: Training,
    surrogate: ArrayLike,
    limit: ArrayLike,
    rate: ArrayLike,
    epochs: ArrayLike,
    optimizer: ArrayLike,
) -> tuple[Training, dict[str, Array]]:
    """Draw one batch, and take several steps on it.

    Args:
      carry: of ``start``, or of the batch before.
      surrogate, optimizer: the place in ``SURROGATES`` and in ``OPTIMIZERS``, which may be traced.
      limit: of a clip of the gradient's norm; infinite for none.
      rate: the learning rate.
      epochs: steps on the batch, up to ``EPOCHS``.

    Returns:
      The next carry, and a record: ``reward``, the policy's mean reward in per cent of the best, after
      these steps and without noise; ``entropy``, its mean over the contexts, in nats; ``ratio``, the
      largest of the batch after these steps; ``stopped``, the share of the samples that PPO's clip
      would give no gradient then; ``norm``, the longest gradient, before it is clipped.
    """
    key, drawn = jax.random.split(carry.key)
    batch = draw(drawn, carry.w)

    def loss(w: Array) -> Array:
        log_new = log_probability(w, batch)
        given = log_new, batch.log_old, batch.advantage
        # the gradient of each is a weight times that of log_new
        each = jnp.select(
            [surrogate == _PLAIN, surrogate == _PPO], [plain(*given), ppo(*given)], cispo(*given)
        )
        return -jnp.mean(each)

    def once(n: Array, now: tuple[Array, Any, Array]) -> tuple[Array, Any, Array]:
        w, adam, longest = now
        gradient = jax.grad(loss)(w)
        norm = optax.tree.norm(gradient)
        gradient = gradient * (jnp.minimum(norm, limit) / jnp.maximum(norm, 1e-30))
        update, seen = optax.scale_by_adam().update(gradient, adam)
        update = jnp.where(optimizer == 0, gradient, update)
        after = w - jnp.asarray(rate) * update, seen, jnp.maximum(longest, norm)
        taken: tuple[Array, Any, Array] = jax.tree.map(
            lambda new, old: jnp.where(n < epochs, new, old), after, now
        )
        return taken

    begun = carry.w, carry.adam, jnp.zeros((), carry.w.dtype)
    w, adam, longest = jax.lax.fori_loop(0, EPOCHS, once, begun)
    ratio = jnp.exp(log_probability(w, batch) - batch.log_old)
    logs = log_policy(w)
    mean = jnp.mean(jnp.sum(jnp.exp(logs) * jnp.asarray(REWARDS), axis=1))
    record = {
        "reward": 100 * mean / float(np.mean(REWARDS.max(axis=1))),
        "entropy": -jnp.mean(jnp.sum(jnp.exp(logs) * logs, axis=1)),
        "ratio": jnp.max(ratio),
        "stopped": jnp.mean(past(ratio, batch.advantage).astype(ratio.dtype)),
        "norm": longest,
    }
    return Training(w, adam, key), record
