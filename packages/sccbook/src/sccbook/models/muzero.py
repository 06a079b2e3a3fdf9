"""MuZero without its search: the unroll of its networks, its losses, and ``update_weights``.

Functions of networks are for one example; ``loss`` and ``update_weights`` take batches.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ledger.placements import unroll_losses
from scaleclip.ops.scaling import scale_gradient
from sccbook.models.muzero_networks import (
    Params,
    Prediction,
    dynamics,
    init,
    min_max_normalise,
    prediction,
    representation,
)

__all__ = [
    "Batch",
    "Losses",
    "Parts",
    "Prediction",
    "dynamics",
    "init",
    "loss",
    "min_max_normalise",
    "parts",
    "prediction",
    "random_batch",
    "representation",
    "state_losses",
    "unroll",
    "update_weights",
]


class Batch(NamedTuple):
    """Examples for one update: B observations, K actions after each, targets for K + 1 states.

    Attributes:
      observation: float ``[B, O]``.
      actions: int ``[B, K]``, from 0 to A - 1.
      value: float ``[B, K + 1]``; target values.
      reward: float ``[B, K + 1]``; rewards observed, the root's (0) included.
      policy: float ``[B, K + 1, A]``; the search's policies: each sums to 1.
    """

    observation: Array
    actions: Array
    value: Array
    reward: Array
    policy: Array


class Losses(NamedTuple):
    """The losses of an unroll, means over the batch, unweighted: float ``[K + 1]`` each."""

    value: Array
    reward: Array
    policy: Array

    @property
    def each(self) -> Array:
        """The sum of the three at each state, float ``[K + 1]``."""
        return self.value + self.reward + self.policy


def unroll(
    params: Params,
    observation: Array,
    actions: Array,
    *,
    scale: ArrayLike = 0.5,
    placement: str = "after_heads",
    normalise: bool = True,
) -> Prediction:
    """The predictions at the root and after each of K actions.

    Args:
      params: of ``init``.
      observation: float ``[O]``.
      actions: int ``[K]``.
      scale: s, for the gradient of the state; values do not depend on it.
      placement: where it stands, one of ``scaleclip.ledger.PLACEMENTS``.
      normalise: whether states are min-max normalised.

    Returns:
      Predictions with a leading axis K + 1; the root's reward is 0.

    Raises:
      ValueError: for another placement.
    """
    root = representation(params, observation, normalise=normalise)
    first = prediction(params, root)._replace(reward=jnp.zeros((), root.dtype))

    _, rest = unroll_losses(
        lambda params, h, action: dynamics(params, h, action, normalise=normalise),
        lambda params, h, action: prediction(params, h),
        params, root, actions, scale=scale, placement=placement,
    )  # fmt: skip
    every: Prediction = jax.tree.map(
        lambda root, others: jnp.concatenate([root[None], others]), first, rest
    )
    return every


def state_losses(predicted: Prediction, value: Array, reward: Array, policy: Array) -> Losses:
    """Squared errors of value and reward, and the policy's cross-entropy; any leading axes.

    Args:
      predicted: value and reward ``[...]``, policy logits ``[..., A]``.
      value, reward: float ``[...]``; targets.
      policy: float ``[..., A]``; a target that sums to 1.
    """
    return Losses(
        (predicted.value - value) ** 2,
        (predicted.reward - reward) ** 2,
        -jnp.sum(policy * jax.nn.log_softmax(predicted.policy_logits), axis=-1),
    )


def loss(
    params: Params,
    batch: Batch,
    *,
    scale: ArrayLike = 0.5,
    placement: str = "after_heads",
    root_weight: ArrayLike = 1.0,
    normalise: bool = True,
    weight_decay: ArrayLike = 0.0,
) -> tuple[Array, Losses]:
    """The pseudocode's loss, as a value and as its gradient says.

    The value is ``sum_k l_k + (decay / 2) |params|^2``, l_k the mean over the batch of the three
    losses at state k. Its gradient is that of ``w_0 l_0 + (1/K) sum_{k>=1} l_k + ...``, with the
    state's gradient scaled: as in the pseudocode, weights and scale act on gradients alone.

    Args:
      params: of ``init``.
      batch: B examples.
      scale, placement, normalise: as for ``unroll``.
      root_weight: w_0 on the gradient of step 0's loss: 1 in the pseudocode, 1/K in some ports.
      weight_decay: the factor of the L2 term; 0 leaves it away.

    Returns:
      The whole loss, float ``[]``, and the losses of the K + 1 states.

    Raises:
      ValueError: for another placement, or a batch whose shapes do not fit each other.
    """
    steps = _steps(batch)
    predicted = jax.vmap(
        lambda observation, actions: unroll(
            params, observation, actions, scale=scale, placement=placement, normalise=normalise
        )
    )(batch.observation, batch.actions)
    losses = state_losses(predicted, batch.value, batch.reward, batch.policy)
    means = Losses(*(jnp.mean(term, axis=0) for term in losses))
    each = means.each
    total = scale_gradient(each[0], root_weight)
    total += jnp.sum(scale_gradient(each[1:], 1.0 / steps))
    squares = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))
    return total + weight_decay * squares / 2, means


def update_weights(
    optimizer: optax.GradientTransformation,
    params: Params,
    optimizer_state: Any,
    batch: Batch,
    *,
    scale: ArrayLike = 0.5,
    placement: str = "after_heads",
    root_weight: ArrayLike = 1.0,
    normalise: bool = True,
    weight_decay: ArrayLike = 1e-4,
    decay: Literal["l2", "decoupled"] = "l2",
) -> tuple[Params, Any, Losses]:
    """One update, as the pseudocode's function of that name, with its choices as arguments.

    Args:
      optimizer: an Optax transformation, and ``optimizer_state`` its state.
      params: of ``init``.
      batch: B examples. Losses are means over it; the pseudocode takes sums.
      scale, placement, root_weight, normalise: as for ``loss``.
      weight_decay: its factor.
      decay: ``"l2"``: ``(weight_decay / 2) |params|^2`` in the loss, as in the pseudocode, so
        that the optimizer sees its gradient. ``"decoupled"``: each weight loses ``weight_decay``
        of itself beside the optimizer's update, which does not see it. (AdamW's is that with
        learning rate times its decay.)

    Returns:
      The new parameters, the optimizer's new state, and the losses before the update.

    Raises:
      ValueError: for another placement or decay, or a batch whose shapes do not fit each other.

    Source: the pseudocode of Schrittwieser et al. 2020 (arXiv 1911.08265, supplementary data);
      decoupled: Loshchilov and Hutter 2019 (arXiv 1711.05101).
    """
    if decay not in ("l2", "decoupled"):
        raise ValueError(f"decay must be 'l2' or 'decoupled', but {decay!r} was given.")
    in_loss = weight_decay if decay == "l2" else 0.0
    gradient, losses = jax.grad(loss, has_aux=True)(
        params, batch, scale=scale, placement=placement, root_weight=root_weight,
        normalise=normalise, weight_decay=in_loss,
    )  # fmt: skip
    updates, optimizer_state = optimizer.update(gradient, optimizer_state, params)
    beside = weight_decay if decay == "decoupled" else 0.0
    params = jax.tree.map(lambda p, u: p - beside * p + u, params, updates)
    return params, optimizer_state, losses


class Parts(NamedTuple):
    """An unroll of MuZero in the form that ``ledger`` takes, losses 1..K of a batch.

    Attributes:
      step, head: of the parameters, the states ``[B, D]`` and one entry of ``inputs``.
      state: float ``[B, D]``; h_0.
      inputs: the actions and targets of steps 1..K, with the leading axis K.
    """

    step: Callable[[Params, Array, Any], Array]
    head: Callable[[Params, Array, Any], Array]
    state: Array
    inputs: tuple[Array, Array, Array, Array]


def parts(params: Params, batch: Batch, *, normalise: bool = True) -> Parts:
    """Take the unroll apart for ``ledger(step, head, params, state, inputs)``.

    The head's loss is the mean over the batch of the three losses. Step 0's loss, and the
    representation, are outside: the ledger's ``state_cotangent`` is what the representation
    gets from steps 1..K.

    Raises:
      ValueError: if the shapes of the batch do not fit each other.
    """
    _steps(batch)

    def step(params: Params, h: Array, x: Any) -> Array:
        return jax.vmap(lambda state, action: dynamics(params, state, action, normalise=normalise))(
            h, x[0]
        )

    def head(params: Params, h: Array, x: Any) -> Array:
        predicted = jax.vmap(lambda state: prediction(params, state))(h)
        return jnp.mean(state_losses(predicted, *x[1:]).each)

    state = jax.vmap(lambda o: representation(params, o, normalise=normalise))(batch.observation)
    value, reward, policy = (
        jnp.swapaxes(target[:, 1:], 0, 1) for target in (batch.value, batch.reward, batch.policy)
    )
    inputs = jnp.swapaxes(batch.actions, 0, 1), value, reward, policy
    return Parts(step, head, state, inputs)


def _steps(batch: Batch) -> int:
    """Return K, if the shapes of the batch fit each other: broadcasting would hide it."""
    shapes = [jnp.shape(array) for array in batch]
    size, steps = shapes[1] if len(shapes[1]) == 2 else (0, 0)
    states = (size, steps + 1)
    fit = shapes[0][:1] == (size,) and shapes[2:4] == [states] * 2 and shapes[4][:-1] == states
    if not fit or steps < 1:
        raise ValueError(
            "A batch has an observation [B, O], actions [B, K] with K >= 1, value and reward "
            f"[B, K + 1] and policy [B, K + 1, A], but shapes {', '.join(map(str, shapes))} were given."
        )
    return int(steps)


def random_batch(key: Array, size: int, steps: int, *, observation: int, actions: int) -> Batch:
    """A batch of independent draws: normal observations, values and rewards, random policies.

    Args:
      key: a PRNG key.
      size: B.
      steps: K.
      observation: O.
      actions: A.
    """
    keys = jax.random.split(key, 5)
    reward = jax.random.normal(keys[3], (size, steps + 1)).at[:, 0].set(0.0)
    return Batch(
        jax.random.normal(keys[0], (size, observation)),
        jax.random.randint(keys[1], (size, steps), 0, actions),
        jax.random.normal(keys[2], (size, steps + 1)),
        reward,
        jax.nn.softmax(jax.random.normal(keys[4], (size, steps + 1, actions))),
    )
