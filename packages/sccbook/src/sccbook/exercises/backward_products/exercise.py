"""Chapter 05: write ``backward_products(jacobians, own, s)``, the cotangent at h_0.

Given are the Jacobians J_k = d h_k / d h_{k-1} ``[K, D, D]`` and what each loss sends to its own
state ``[K, D]``. A scale s is in front of every step.
"""

from collections.abc import Iterable
from functools import partial, reduce
from typing import Any

import numpy as np

from sccbook.checking.parts import Array, Case, Comparison, Function, Misconception


def _case(jacobians: Any, own: Any, s: float) -> Case:
    matrices = np.asarray(jacobians, np.float64)
    steps, size = matrices.shape[:2]
    words = f"for K = {steps}, states of {size} numbers and s = {s:g}"
    return Case((matrices, np.asarray(own, np.float64), s), words)


CASES = (
    _case([[[0.5, 1.5], [-0.25, 0.75]], [[1.0, -0.5], [0.75, 0.25]]],
          [[-1.0, 2.0], [0.5, -1.5]], 0.5),
    _case([[[2.0, -1.0], [0.5, 1.0]]], [[1.0, 3.0]], 0.25),
    _case([[[0.6, 1.2, 0.0], [0.3, -0.8, 0.5], [-0.4, 0.2, 1.1]],
           [[1.3, 0.1, -0.6], [0.0, 0.7, 0.9], [0.8, -0.3, 0.4]],
           [[0.2, -1.0, 0.5], [0.9, 0.4, 0.3], [-0.7, 0.6, 0.8]],
           [[0.7, 0.2, 0.1], [-0.5, 1.1, -0.3], [0.4, 0.0, 0.9]]],
          [[0.3, -1.0, 0.8], [1.1, 0.4, -0.2], [-0.6, 0.9, 0.5], [0.7, -0.3, 1.2]], 0.8),
    _case([[[0.9, -0.7], [0.2, 0.6]], [[-0.3, 1.4], [0.8, 0.1]], [[1.2, 0.4], [-0.9, 0.5]]],
          [[0.4, 0.9], [-1.3, 0.2], [0.6, -0.8]], 1.0),
)  # fmt: skip


def _chain(matrices: Iterable[Array]) -> Array:
    """Multiply matrices, the first one leftmost."""
    return reduce(np.matmul, matrices)


def _back(jacobians: Array) -> Array:
    """``(J_k ... J_1)^T``: what a cotangent at h_k is multiplied by."""
    return _chain(j.T for j in jacobians)


def _formula(
    product: Function = _back,
    power: Function = lambda k, steps, s: s**k,
    own: Function = lambda own: own,
    of_all: Function = lambda own, found: found,
) -> Function:
    """Make the right sum over the losses, or one with a piece replaced.

    Args:
      product: from the first k Jacobians to the matrix that own_k is multiplied by.
      power: by what loss k = 1..K is scaled, from k, K and s.
      own: what the losses send.
      of_all: from what the losses send and the sum to the answer.
    """

    def answer(jacobians: Array, sent: Array, s: float) -> Any:
        steps, losses = len(sent), own(sent)
        return of_all(sent, sum(
            power(k, steps, s) * product(jacobians[:k]) @ losses[k - 1] for k in range(1, steps + 1)
        ))  # fmt: skip

    return answer


def _numbers(size: Function) -> Function:
    """Use one number for each Jacobian, in place of the matrix."""
    return lambda jacobians: np.prod([size(j) for j in jacobians]) * np.eye(jacobians.shape[1])


def _loop(
    jacobians: Array, own: Array, s: float, *, step: Function, forward: bool = False
) -> Array:
    """Loop over the steps, from the last or from the first."""
    cotangent = np.zeros(own.shape[1])
    for k in range(len(own)) if forward else reversed(range(len(own))):
        cotangent = step(jacobians[k], cotangent, own[k], s)
    return cotangent


def _shortened(g: Array, limit: float) -> Any:
    return g * min(1.0, limit / np.linalg.norm(g))


def _elementwise(jacobians: Array) -> Any:
    return np.prod(jacobians, axis=0).T


right = _formula()

MISCONCEPTIONS = (
    Misconception("nothing_comes_back",
        "it is 0. Each loss sends a cotangent to its own state, and from there it goes back to h_0.",
        _formula(own=np.zeros_like)),
    Misconception("not_transposed",
        "you multiply by the Jacobians themselves, as the forward pass does. What does a cotangent meet on its "
        "way back?",
        _formula(_chain), _formula(lambda js: _chain(js[::-1])),
        partial(_loop, step=lambda j, c, g, s: s * j @ (c + g), forward=True)),
    Misconception("wrong_order",
        "the Jacobians are transposed, but in the wrong order: a cotangent at the last state meets the last "
        "step first.",
        _formula(lambda js: _back(js[::-1]))),
    Misconception("wrong_direction",
        "the pass runs from the first step to the last. A loss reaches the steps before it, so the way back "
        "begins at the end.",
        partial(_loop, step=lambda j, c, g, s: s * j.T @ (c + g), forward=True)),
    Misconception("scale_once",
        "every loss is scaled once, however far back it goes. There is a scale in front of each step, and a "
        "gradient meets one at every step that it passes.",
        _formula(power=lambda k, steps, s: s)),
    Misconception("scale_ignored",
        "nothing is scaled: this is the gradient at s = 1.",
        _formula(power=lambda k, steps, s: 1.0)),
    Misconception("one_scale_too_few",
        "each loss passes one scale too few. The first step has one in front of it, too.",
        _formula(power=lambda k, steps, s: s ** (k - 1))),
    Misconception("one_scale_too_many",
        "each loss passes one scale too many. A loss reads its state before any scale.",
        _formula(power=lambda k, steps, s: s ** (k + 1))),
    Misconception("scale_of_the_whole_unroll",
        "every loss is scaled once for each step of the whole unroll. A near loss passes only a few of them.",
        _formula(power=lambda k, steps, s: s**steps)),
    Misconception("scale_counted_from_the_end",
        "the near losses are scaled most, and the far ones least: the exponents are counted from the "
        "wrong end.",
        _formula(power=lambda k, steps, s: s ** (steps - k)),
        _formula(power=lambda k, steps, s: s ** (steps - k + 1))),
    Misconception("scaled_twice",
        "every scale is applied twice.",
        _formula(power=lambda k, steps, s: s ** (2 * k))),
    Misconception("one_minus_scale",
        "each step multiplies by 1 - s. At one half you can't see the difference.",
        _formula(power=lambda k, steps, s: (1 - s) ** k)),
    Misconception("clipped",
        "the scale is used as a limit: what is larger than s is cut to s, and what is smaller passes. That's "
        "a clip. A scale multiplies small gradients, too.",
        partial(_loop, step=lambda j, c, g, s: _shortened(j.T @ (c + g), s)),
        partial(_loop, step=lambda j, c, g, s: j.T @ _shortened(c + g, s))),
    Misconception("last_loss_only",
        "only the last loss counts. Each state has a loss of its own, whose cotangent is added to the one "
        "that comes back from the next step.",
        _formula(own=lambda g: g * (np.arange(len(g)) == len(g) - 1)[:, None])),
    Misconception("first_loss_only",
        "only the first loss counts: what arrives at a state has to be passed on to the state "
        "before.",
        _formula(own=lambda g: g * (np.arange(len(g)) == 0)[:, None])),
    Misconception("joins_late",
        "each loss joins one step too late: it goes back through the earlier steps, but not through its own.",
        partial(_loop, step=lambda j, c, g, s: s * j.T @ c + g)),
    Misconception("radius_for_the_matrix",
        "each Jacobian is replaced by a number, its spectral radius. That says how powers of one "
        "matrix grow in the end, not what a matrix does to a vector.",
        _formula(_numbers(lambda j: np.max(np.abs(np.linalg.eigvals(j)))))),
    Misconception("norm_for_the_matrix",
        "each Jacobian is replaced by a number, its largest singular value. That bounds how "
        "large a gradient comes back, and says nothing about its direction.",
        _formula(_numbers(lambda j: np.linalg.norm(j, 2)))),
    Misconception("elementwise",
        "the Jacobians are multiplied entry by entry. The chain rule multiplies them as matrices.",
        _formula(_elementwise), _formula(lambda js: _elementwise(js).T)),
    Misconception("one_jacobian_for_all",
        "one Jacobian is used for every step. Each step has its own, at its own state.",
        _formula(lambda js: np.linalg.matrix_power(js[0].T, len(js))),
        lambda js, g, s: right(np.stack([js[-1]] * len(js)), g, s)),
    Misconception("added_up",
        "the Jacobians along a path are added. Steps in a row multiply; separate paths add.",
        _formula(lambda js: np.asarray(np.sum(js, axis=0).T))),
    Misconception("inverted",
        "the Jacobians are inverted. To go back through a step, multiply by its transpose. An inverse would "
        "make what vanishes explode.",
        _formula(lambda js: np.linalg.inv(_chain(js[::-1]))),
        _formula(lambda js: np.linalg.inv(_back(js[::-1])))),
    Misconception("averaged",
        "it is the mean over the losses. The losses add up; any weight is already in `own`.",
        _formula(of_all=lambda g, found: found / len(g))),
    Misconception("sign",
        "the size is right and the sign is wrong. You're asked for the gradient, not an update.",
        _formula(of_all=lambda g, found: -found)),
)  # fmt: skip

PASSED = (
    "each loss's cotangent passes its own step and every earlier one, with the Jacobians transposed and in "
    "the right order, and one scale at each."
)

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    quantity="the cotangent at h_0",
    draw=lambda random: {
        "jacobians": np.reshape(  # the diagonals are large enough for an inverse
            [
                random.choice(entries)
                for entries in ((-2.0, 1.5), (-0.5, 0.5), (-0.5, 0.5), (-1.0, 2.0)) * 2
            ],
            (2, 2, 2),
        ),
        "own": np.reshape(random.choices((-2.0, -1.0, 0.5, 1.5), k=4), (2, 2)),
        "s": random.choice((0.25, 0.5, 2.0)),
    },
).exercise(
    "backward_products",
    partial={
        "one_scale_too_few": 0.75,
        "one_scale_too_many": 0.75,
        "averaged": 0.75,
        "sign": 0.75,
        "wrong_order": 0.5,
    },
)
