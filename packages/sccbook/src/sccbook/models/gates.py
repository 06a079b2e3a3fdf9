"""A scalar linear recurrence with gates at its states, and where each loss's gradient goes."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops.clipping import clip_gradient
from scaleclip.ops.scaling import scale_gradient


class Gates(NamedTuple):
    """Identity gates, one for each application: they act on the cotangent alone.

    Attributes:
      factor: float ``[K]``; what the gate multiplies the cotangent by.
      limit_before: float ``[K]`` >= 0; what it clips the cotangent to before that.
      limit_after: float ``[K]`` >= 0; what it clips the product to. ``inf`` does not clip.
    """

    factor: Array
    limit_before: Array
    limit_after: Array

    def __call__(self, h: Array) -> Array:
        """Pass ``h`` through. The backward pass runs these lines from last to first."""
        h = clip_gradient(h, -self.limit_after, self.limit_after)
        h = scale_gradient(h, self.factor)
        clipped: Array = clip_gradient(h, -self.limit_before, self.limit_before)
        return clipped


class Probes(NamedTuple):
    """Zeros added at the edges of the gates, to read the cotangents there. All ``[K]``.

    Attributes:
      root_side: before the input gate of application j, on the side of h_{j-1}.
      input: after it, at the input of application j.
      output: after the output gate, at h_j as the head sees it.
    """

    root_side: Array
    input: Array
    output: Array


class Flow(NamedTuple):
    """Ways of the gradient of each loss. Rows are losses k, columns applications j.

    Attributes:
      states: float ``[K + 1]``; h_0 to h_K.
      contributions: float ``[K, K]``; what loss k sends to theta through application j.
      arrivals: float ``[K, K]``; the cotangent of loss k at the input of application j.
      root: float ``[K]``; what loss k sends to h_0.
    """

    states: Array
    contributions: Array
    arrivals: Array
    root: Array


def gate_places(steps: int, placement: ArrayLike) -> tuple[Array, Array]:
    """Tell where a placement has gates: at which inputs of applications, at which outputs.

    Args:
      steps: K, the number of applications.
      placement: int ``[]``; an index into ``scaleclip.ledger.PLACEMENTS``. 0: after the heads, before the
        next application, so never at the root. 1: at the input of every application, the
        root's too. 2: before the heads. 3: no scale (a clip stands where 0 has it).

    Returns:
      Two boolean arrays ``[K]``.

    Source: 0 is the pseudocode of MuZero (Schrittwieser et al. 2020); 1 its prose, read
      literally, and muax; 2 muzero-general, EfficientZero and jax_muzero.
    """
    beyond_the_root = jnp.arange(steps) > 0
    at_input = jnp.where(placement == 1, True, (placement != 2) & beyond_the_root)
    return at_input, jnp.full(steps, placement == 2)


def place_gates(
    steps: int,
    placement: ArrayLike,
    scale: ArrayLike,
    limit: ArrayLike = jnp.inf,
    clip_first: ArrayLike = False,
) -> tuple[Gates, Gates]:
    """Put the scale s, and a clip beside it, where a placement says.

    Args:
      steps: K, the number of applications.
      placement: int ``[]``; an index into ``scaleclip.ledger.PLACEMENTS``, as ``gate_places`` has it.
      scale: float ``[]``; s.
      limit: float ``[]`` >= 0; cotangents are clipped to [-limit, limit].
      clip_first: bool ``[]``; whether the cotangent meets the clip before the scale.

    Returns:
      The gates at the inputs of the applications and those at their outputs, ``[K]`` each.
    """
    at_input, at_output = gate_places(steps, placement)
    factor = jnp.where(placement == 3, 1.0, scale)

    def gates(where: Array) -> Gates:
        return Gates(
            jnp.where(where, factor, 1.0),
            jnp.where(where & clip_first, limit, jnp.inf),
            jnp.where(where & jnp.logical_not(clip_first), limit, jnp.inf),
        )

    return gates(at_input), gates(at_output)


def unroll(
    theta: ArrayLike,
    gain: ArrayLike,
    at_input: Gates,
    at_output: Gates,
    probes: Probes | None = None,
) -> Array:
    """Unroll h_j = gain * h_{j-1} + theta_j, with gates before and after each application.

    Args:
      theta: float ``[]``, or ``[K]``: a copy for each application.
      gain: float ``[]``; rho, the Jacobian of one application.
      at_input: gates ``[K]`` between h_{j-1} and application j.
      at_output: gates ``[K]`` between application j and h_j, as its head sees it.
      probes: zeros ``[K]`` each, added at the gates' edges; none by default.

    Returns:
      float ``[K + 1]``; h_0 = 1 to h_K. Gates leave them as they are.
    """
    steps = at_input.factor.shape[0]
    if probes is None:
        probes = Probes(jnp.zeros(steps), jnp.zeros(steps), jnp.zeros(steps))

    def application(h: Array, step: tuple[Array, Gates, Gates, Probes]) -> tuple[Array, Array]:
        theta_j, gate_in, gate_out, probe = step
        h = gate_in(h + probe.root_side) + probe.input
        h = gate_out(jnp.asarray(gain * h + theta_j)) + probe.output
        return h, h

    copies: Array = jnp.broadcast_to(jnp.asarray(theta, dtype=probes.input.dtype), (steps,))
    first = jnp.ones((), dtype=copies.dtype)
    _, states = jax.lax.scan(application, first, (copies, at_input, at_output, probes))
    return jnp.concatenate([first[None], states])


def total_gradient(gain: ArrayLike, at_input: Gates, at_output: Gates, weights: Array) -> Array:
    """Compute the gradient of sum_k weights_k h_k with respect to theta, at theta = 0.

    Args:
      gain: float ``[]``; rho.
      at_input, at_output: gates ``[K]``.
      weights: float ``[K]``; the weight of each loss k = 1..K.

    Returns:
      float ``[]``; exactly what ``jax.grad`` gives for the whole unroll.
    """

    def loss(theta: Array) -> Array:
        return jnp.sum(weights * unroll(theta, gain, at_input, at_output)[1:])

    gradient: Array = jax.grad(loss)(jnp.zeros((), dtype=weights.dtype))
    return gradient


def flow(gain: ArrayLike, at_input: Gates, at_output: Gates, weights: Array) -> Flow:
    """Compute how much of each loss reaches theta, and through which application.

    A clip looks at the sum of the losses that pass it. So the whole stream runs backward
    first; what it keeps of itself at each gate is a factor, and with that factor in place
    of the clip the backward pass is linear and splits into the losses.

    Args:
      gain: float ``[]``; rho.
      at_input, at_output: gates ``[K]``.
      weights: float ``[K]``; the weight of each loss k = 1..K.

    Returns:
      The flow of loss_k = weights_k h_k. Its contributions add up to
      ``total_gradient`` of the same arguments.
    """
    steps = weights.shape[0]
    zeros = jnp.zeros(steps, dtype=weights.dtype)
    nothing = Probes(zeros, zeros, zeros)

    def losses(theta: Array, probes: Probes, gate_in: Gates, gate_out: Gates) -> Array:
        return weights * unroll(theta, gain, gate_in, gate_out, probes)[1:]

    def stream(theta: Array, probes: Probes) -> Array:
        return jnp.sum(losses(theta, probes, at_input, at_output))

    inside, edge = jax.grad(stream, argnums=(0, 1))(zeros, nothing)
    frozen_in = _linear(_kept(edge.root_side, edge.input, at_input.factor))
    frozen_out = _linear(_kept(inside, edge.output, at_output.factor))
    contributions, at = jax.jacrev(losses, argnums=(0, 1))(zeros, nothing, frozen_in, frozen_out)
    states = unroll(zeros, gain, at_input, at_output)
    return Flow(states, contributions, at.input, at.root_side[:, 0])


def _kept(leaves: Array, arrives: Array, otherwise: Array) -> Array:
    """Return the factor by which a gate shrank the whole stream; ``otherwise`` where none came."""
    came = arrives != 0
    return jnp.where(came, leaves / jnp.where(came, arrives, 1.0), otherwise)


def _linear(factor: Array) -> Gates:
    """Return gates ``[K]`` that clip nothing."""
    return Gates(factor, *2 * [jnp.full(factor.shape, jnp.inf)])
