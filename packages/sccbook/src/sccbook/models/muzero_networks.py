"""MuZero's three networks in plain JAX: representation, dynamics, and the heads.

Parameters are dictionaries, and each function is for one example: batches are left to ``vmap``.
"""

from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

Layer = dict[str, Array]
Params = dict[str, Any]


class Prediction(NamedTuple):
    """Outputs of the heads for a state, or for K + 1 states with a leading axis.

    Attributes:
      value: float ``[]``; the return expected from here on.
      reward: float ``[]``; of the action that led here; 0 at the root, where none did.
      policy_logits: float ``[A]``; of the next action.
    """

    value: Array
    reward: Array
    policy_logits: Array


def init(
    key: Array,
    *,
    observation: int,
    actions: int,
    state: int = 16,
    hidden: int = 32,
    reward_in: Literal["head", "dynamics"] = "head",
) -> Params:
    """Draw parameters of the three networks, each with one hidden layer.

    Args:
      key: a PRNG key.
      observation: O, the length of an observation.
      actions: A, their number.
      state: D, the length of the hidden state.
      hidden: the width of each hidden layer.
      reward_in: what predicts rewards: a head of the state, as in several public ports, so that all
        three losses reach it the same way; or the dynamics beside the new state, as in the paper. A
        state then has D + 1 numbers, the reward last: only ``prediction`` reads it.

    Returns:
      A dictionary of ``representation`` (O to D), ``dynamics`` (D + A to D), and the heads
      ``value`` (D to 1), ``reward`` (D to 1) and ``policy`` (D to A); kernels normal with
      variance 1 / fan-in, biases 0. With the reward in the dynamics, they go to D + 1, and there
      is no ``reward``.
    """
    sizes = {
        "representation": (observation, state),
        "dynamics": (state + actions, state),
        "value": (state, 1),
        "reward": (state, 1),
        "policy": (state, actions),
    }
    if reward_in == "dynamics":
        del sizes["reward"]
        sizes["dynamics"] = (state + actions, state + 1)
    keys = jax.random.split(key, len(sizes))
    return {
        name: _init_network(subkey, (into, hidden, out))
        for subkey, (name, (into, out)) in zip(keys, sizes.items(), strict=True)
    }


def representation(params: Params, observation: Array, *, normalise: bool = True) -> Array:
    """h_0, float ``[D]``, of an observation ``[O]``; ``[D + 1]`` with the reward, which is 0."""
    state = _latent(_network(params["representation"], observation), normalise)
    return state if "reward" in params else jnp.append(state, 0.0)


def dynamics(params: Params, h: Array, action: ArrayLike, *, normalise: bool = True) -> Array:
    """h_k, float ``[D]``, of h_{k-1} ``[D]`` and an action, int ``[]`` from 0 to A - 1."""
    width = params["value"][0]["w"].shape[0]
    actions = params["dynamics"][0]["w"].shape[0] - width
    chosen = jax.nn.one_hot(action, actions, dtype=h.dtype)
    after = _network(params["dynamics"], jnp.concatenate([h[:width], chosen]))
    state = _latent(after[:width], normalise)
    return state if "reward" in params else jnp.append(state, after[width])


def prediction(params: Params, h: Array) -> Prediction:
    """Value, reward and policy of a state ``[D]``, or ``[D + 1]`` with the reward."""
    width = params["value"][0]["w"].shape[0]
    reward = _network(params["reward"], h)[0] if "reward" in params else h[width]
    state = h[:width]
    return Prediction(
        _network(params["value"], state)[0], reward, _network(params["policy"], state)
    )


def min_max_normalise(h: Array) -> Array:
    """``(h - min h) / (max h - min h)``: a state scaled to [0, 1], each example by itself.

    Where all entries are equal, to less than the smallest normal number, the result is 0. The
    derivative grows as 1 / (max h - min h); least or greatest entries that are equal share theirs.

    Source: Schrittwieser et al. 2020 (arXiv 1911.08265), appendix G.
    """
    low, high = jnp.min(h), jnp.max(h)
    spread = high - low
    return (h - low) / jnp.where(spread > 0, spread, 1.0)


def _init_network(key: Array, sizes: tuple[int, ...]) -> list[Layer]:
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(subkey, (into, out)) / jnp.sqrt(into), "b": jnp.zeros(out)}
        for subkey, into, out in zip(keys, sizes[:-1], sizes[1:], strict=True)
    ]


def _network(layers: list[Layer], x: Array) -> Array:
    for layer in layers[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ layers[-1]["w"] + layers[-1]["b"]


def _latent(h: Array, normalise: bool) -> Array:
    return min_max_normalise(h) if normalise else h
