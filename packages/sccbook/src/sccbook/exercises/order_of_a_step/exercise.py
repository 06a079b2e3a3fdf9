"""Assignment 2, for chapter 11: write one training step in the right order.

``update(weights, gradients, loss_scale, max_norm, learning_rate, cap)`` gets the gradients of
several micro-batches of a loss that was multiplied by ``loss_scale``, and returns new weights:
SGD, with a clip by the global norm, and a cap on the columns of the kernel. An answer is
observed by what it returns where each of these acts, and where it does not.
"""

from collections.abc import Sequence
from functools import partial, reduce
from operator import itemgetter
from typing import Any

import numpy as np

from sccbook.checking.parts import Case, Comparison, Function, Misconception, in_numpy

Tree = dict[str, np.ndarray]

WEIGHTS = {"w": [[0.9, -0.3], [1.2, 0.4]], "b": [0.5, -2.5]}  # columns of norm 1.5 and 0.5
G1 = {"w": [[-0.8, 0.6], [-2.4, 0.2]], "b": [0.3, 1.1]}
G2 = {"w": [[0.5, -0.7], [-0.9, 1.8]], "b": [-1.3, 0.4]}
G3 = {"w": [[-0.2, 0.1], [0.3, -0.4]], "b": [0.1, 0.2]}
LONG = {"w": [[-9.0, 4.0], [-12.0, 1.0]], "b": [3.0, -2.0]}


def _arrays(leaves: dict[str, Any], factor: float = 1.0) -> Tree:
    return {name: factor * np.asarray(leaf, np.float64) for name, leaf in leaves.items()}


def _case(
    words: str,
    gradients: Sequence[dict[str, Any]],
    scale: float,
    max_norm: float,
    rate: float,
    cap: float,
) -> Case:
    scaled = [_arrays(g, scale) for g in gradients]
    return Case(
        (_arrays(WEIGHTS), scaled, scale, max_norm, rate, cap),
        f"with {words}, loss_scale = {scale:g}, max_norm = {max_norm:g}, "
        f"learning_rate = {rate:g} and cap = {cap:g}",
    )


CASES = (
    _case("one small gradient", [G3], 1.0, 5.0, 0.1, 9.0),
    _case("one large gradient", [LONG], 1.0, 2.0, 0.1, 9.0),
    _case("a small gradient of a scaled loss", [G3], 1024.0, 2.0, 0.1, 9.0),
    _case("two micro-batches", [G1, G2], 4.0, 50.0, 0.1, 9.0),
    _case("micro-batches with a large and a small gradient", [LONG, G3], 1.0, 1.0, 0.5, 9.0),
    _case("a column that leaves its ball", [G1], 1.0, 20.0, 0.3, 1.6),
    _case("columns that start outside their ball", [G3, G2], 8.0, 0.5, 0.2, 0.4),
    _case("three micro-batches, and everything at once", [G1, LONG, G2], 256.0, 1.5, 0.7, 0.8),
)


def _times(tree: Tree, factor: Any) -> Tree:
    return {name: leaf * factor for name, leaf in tree.items()}


def _sum(trees: Sequence[Tree]) -> Tree:
    return {name: np.sum([tree[name] for tree in trees], axis=0) for name in trees[0]}


def _mean(trees: Sequence[Tree]) -> Tree:
    return _times(_sum(trees), 1 / len(trees))


def _norm(tree: Tree) -> Any:
    return np.linalg.norm([np.linalg.norm(leaf) for leaf in tree.values()])


def _clip(tree: Tree, limit: float) -> Tree:
    return _times(tree, min(1.0, limit / _norm(tree)))


def _cap(tree: Tree, cap: float, axis: int | None = 0, leaves: str = "w") -> Tree:
    """Shorten some leaves to the cap, by their norms along an axis."""
    norms = {name: np.linalg.norm(tree[name], axis=axis, keepdims=True) for name in leaves}
    return {**tree, **{name: tree[name] * np.minimum(1.0, cap / n) for name, n in norms.items()}}


def _less(weights: Tree, rate: float, g: Tree) -> Tree:
    return {name: w - rate * g[name] for name, w in weights.items()}


def _same(tree: Tree, *_: Any) -> Tree:
    return tree


def _step(
    *,
    merge: Function = _mean,
    clip: Function = _clip,
    unscale: Function = lambda g, scale: _times(g, 1 / scale),
    rate: Function = lambda rate: rate,
    constrain: Function = _cap,
) -> Function:
    """Make the right step, or one with a part replaced."""
    return lambda w, gs, s, c, lr, cap: constrain(
        _less(w, rate(lr), clip(unscale(merge(gs), s), c)), cap
    )


right = _step()


def _clipped(part: Function, whole: Function, *, so_far: bool) -> Function:
    """Clip every micro-batch times one factor, or the sum so far, and multiply the sum by another.

    Both factors are functions of the loss scale and the number of micro-batches.
    """

    def answer(w: Tree, gs: Any, s: float, c: float, rate: float, cap: float) -> Tree:
        total = _times(gs[0], 0.0)
        for g in gs:
            own = _times(g, part(s, len(gs)))
            total = _clip(_sum([total, own]), c) if so_far else _sum([total, _clip(own, c)])
        return _cap(_less(w, rate, _times(total, whole(s, len(gs)))), cap)

    return answer


_clipped_each, _clipped_so_far = partial(_clipped, so_far=False), partial(_clipped, so_far=True)
_UNITS = "The limit is for the gradient itself, in its own units. "

MISCONCEPTIONS = (
    Misconception("unchanged", "the weights come back as they were: no step is taken.",
                  lambda w, gs, s, c, rate, cap: w),
    Misconception(
        "clip_before_unscaling",
        "the clip gets gradients that are still multiplied by the loss scale. " + _UNITS + "So it acts even on small "
        "gradients, and what's left of them is then divided.",
        lambda w, gs, s, c, rate, cap: _cap(
            _less(w, rate, _times(_clip(_mean(gs), c), 1 / s)), cap)),
    Misconception(
        "clips_every_micro_batch",
        "every micro-batch's gradient is clipped by itself, before the mean. So a large one counts for less than it "
        "should, and the mean turns. The limit is for the gradient of the whole batch.",
        _clipped_each(lambda s, n: 1 / s, lambda s, n: 1 / n),
        _clipped_each(lambda s, n: 1 / s, lambda s, n: 1.0),
        _clipped_each(lambda s, n: 1 / s / n, lambda s, n: 1.0)),
    Misconception(
        "clips_after_every_micro_batch",
        "the clip comes after every micro-batch, on the sum so far. So an early gradient is cut again and again. The "
        "limit is for the gradient of the whole batch: when is that complete?",
        _clipped_so_far(lambda s, n: 1 / s / n, lambda s, n: 1.0),
        _clipped_so_far(lambda s, n: 1 / s, lambda s, n: 1 / n),
        _clipped_so_far(lambda s, n: 1 / s, lambda s, n: 1.0)),
    Misconception(
        "clips_scaled_micro_batches",
        "two things come too early: the clip acts on every micro-batch, and on gradients that are still multiplied by "
        "the loss scale.",
        *(clipped(part, whole)
          for clipped in (_clipped_each, _clipped_so_far)
          for part, whole in (
              (lambda s, n: 1.0, lambda s, n: 1 / s / n),
              (lambda s, n: 1.0, lambda s, n: 1 / s),
              (lambda s, n: 1 / n, lambda s, n: 1 / s)))),
    Misconception(
        "clips_the_sum",
        "the micro-batches' gradients are added up, clipped, and only then divided by their number. "
        + _UNITS + "With n micro-batches the step is then at most an n-th of what's allowed.",
        lambda w, gs, s, c, rate, cap: _cap(_less(
            w, rate, _times(_clip(_times(_sum(gs), 1 / s), c), 1 / len(gs))), cap)),
    Misconception(
        "clips_the_update",
        "the update is clipped, after it was multiplied by the learning rate. " + _UNITS + "A small update can come "
        "from a gradient that is far too large.",
        lambda w, gs, s, c, rate, cap: _cap(
            _less(w, 1.0, _clip(_times(_mean(gs), rate / s), c)), cap)),
    Misconception(
        "never_clipped",
        "the step is taken with gradients that haven't been clipped. A clip after the step comes too late.",
        _step(clip=_same)),
    Misconception(
        "clips_the_weights",
        "the weights are clipped as if they were gradients, by max_norm. A clip is for gradients; "
        "what limits the weights here is the cap on columns.",
        lambda w, gs, s, c, rate, cap: _cap(
            _clip(_less(w, rate, _times(_mean(gs), 1 / s)), c), cap)),
    Misconception(
        "constrained_before_the_step",
        "the columns are capped and then moved, so the new ones can be outside their ball: {run} the weights should "
        "be {expected}, but they are {given}.",
        lambda w, gs, s, c, rate, cap: _less(
            _cap(w, cap), rate, _clip(_times(_mean(gs), 1 / s), c))),
    Misconception(
        "constrains_the_gradient",
        "the cap is applied to the gradient, or to the update. A constraint is for weights: many small steps can lead "
        "far outside.",
        lambda w, gs, s, c, rate, cap: _less(
            w, rate, _cap(_clip(_times(_mean(gs), 1 / s), c), cap)),
        lambda w, gs, s, c, rate, cap: _less(
            w, rate, _clip(_cap(_times(_mean(gs), 1 / s), cap), c)),
        lambda w, gs, s, c, rate, cap: _less(
            w, 1.0, _cap(_clip(_times(_mean(gs), 1 / s), c), cap)),
        lambda w, gs, s, c, rate, cap: _less(
            w, 1.0, _cap(_times(_clip(_times(_mean(gs), 1 / s), c), rate), cap))),
    Misconception("never_constrained", "no column is capped, although some leave their ball.",
                  _step(constrain=_same)),
    Misconception(
        "sums",
        "the micro-batches' gradients are added up, so the sum grows with their number. Each is the gradient of a "
        "mean, and the whole batch's should be too.",
        _step(merge=_sum)),
    Misconception("one_micro_batch", "only one micro-batch is used; the others are lost.",
                  _step(merge=itemgetter(0)), _step(merge=itemgetter(-1))),
    Misconception(
        "one_step_each",
        "a step is taken for each micro-batch. Together they make one batch, for one step.",
        lambda w, gs, *numbers: reduce(lambda w, g: right(w, [g], *numbers), gs, w)),
    Misconception(
        "not_unscaled",
        "the division by loss_scale is missing, so the gradients are those of the scaled loss.",
        _step(unscale=_same)),
    Misconception(
        "unscaled_twice",
        "the gradients are divided by loss_scale twice. They contain this factor only once, and so does their mean.",
        _step(unscale=lambda g, s: _times(g, s**-2.0))),
    Misconception(
        "scaled_again",
        "the gradients are multiplied by loss_scale. They already contain this factor, and it has to go.",
        _step(unscale=_times)),
    Misconception(
        "clips_each_leaf",
        "kernel and bias are each clipped by their own norm, which turns the gradient. All leaves share one norm and "
        "one factor.",
        _step(clip=lambda g, c: _cap(g, c, None, leaves="wb"))),
    Misconception(
        "clips_the_kernel_alone",
        "the kernel is clipped by its own norm, and the bias not at all. All leaves share one norm "
        "and one factor.",
        _step(clip=lambda g, c: _cap(g, c, None))),
    Misconception(
        "clips_by_value",
        "every entry is clipped by itself, which turns the gradient. The limit is for its norm.",
        _step(clip=lambda g, c: {name: np.clip(leaf, -c, c) for name, leaf in g.items()})),
    Misconception(
        "always_normalised",
        "small gradients are scaled up to the limit. A clip leaves them alone.",
        _step(clip=lambda g, c: _times(g, c / _norm(g)))),
    Misconception(
        "caps_the_wrong_norm",
        "the wrong norm is capped. In a kernel [in, out] one column holds the weights of one unit, and "
        "each column has a cap of its own.",
        _step(constrain=lambda w, cap: _cap(w, cap, 1)),
        _step(constrain=lambda w, cap: _cap(w, cap, None)),
        _step(constrain=_clip)),
    Misconception(
        "caps_the_bias",
        "the bias is capped too. It isn't a column of the kernel, so it has no cap here.",
        _step(constrain=lambda w, cap: _cap(w, cap, leaves="wb"))),
    Misconception(
        "limits_swapped",
        "max_norm and cap are swapped: one is for the gradient, the other for the columns of the kernel.",
        lambda w, gs, s, c, rate, cap: right(w, gs, s, cap, rate, c)),
    Misconception("uphill", "the step goes up the gradient. Descent goes against it.",
                  _step(rate=lambda rate: -rate)),
    Misconception("no_rate", "the learning rate isn't used: the step is the gradient itself.",
                  _step(rate=lambda rate: 1.0)),
)  # fmt: skip

PASSED = "average, unscale, clip, step, constrain: each comes where it should, and both limits are in their own units."

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    quantity="the weights",
).exercise(
    "order_of_a_step",
    partial={
        "caps_the_bias": 0.75,
        "caps_the_wrong_norm": 0.5,
        "clips_each_leaf": 0.5,
        "sums": 0.5,
        "clips_the_sum": 0.25,
    },
)
