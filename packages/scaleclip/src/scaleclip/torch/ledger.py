"""The ledger of an unroll in PyTorch, by its definition: the parameters of each step are a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from scaleclip.ledger import Ledger
from scaleclip.ledger._places import check_placement, factors
from scaleclip.torch._arguments import describe, real_number
from scaleclip.torch.at_tensors import scale_gradient

Step = Callable[[Any, Any, Any], Any]


def ledger(
    step: Step,
    head: Step,
    params: Any,
    state: Any,
    inputs: Any,
    *,
    scale: float = 1.0,
    placement: str = "after_heads",
    weights: Sequence[float] | None = None,
) -> Ledger:
    """Measure through which step each loss's gradient reaches the parameters.

    >>> import torch
    >>> from scaleclip.torch import ledger
    >>> step = lambda w, h, x: w * h
    >>> head = lambda w, h, x: h
    >>> one = torch.tensor(1.0)
    >>> print(ledger(step, head, one, one, [None] * 2, scale=0.5, weights=[1, 1]).norms)
    [[1.  0. ]
     [0.5 1. ]]

    What it says is what ``scaleclip.ledger`` says, as the same ``Ledger``: it prints the
    triangle, and a notebook draws it. With ``torch.func`` a module's step is plain::

        params = dict(cell.named_parameters())
        step = lambda p, h, x: torch.func.functional_call(cell, p, (x, h))
        print(ledger(step, lambda p, h, x: h.square().mean(), params, h, xs, scale=0.5))

    It takes a backward pass for each of the K losses, and memory for K copies of the parameters.

    Args:
      step: ``(params, state, input) -> state``.
      head: ``(params, state, input) -> loss``, a float ``[]``.
      params: float tensors in dicts, lists and tuples.
      state: h_0, a tensor, or several in the same way.
      inputs: K of them: a sequence, or a tensor with a leading axis K.
      scale: s.
      placement: one of ``scaleclip.ledger.PLACEMENTS``.
      weights: of the losses; 1/K each by default.

    Returns:
      The ledger, of NumPy arrays.

    Raises:
      TypeError: if a parameter isn't a float tensor, or a loss isn't a float ``[]``.
      ValueError: for another placement, no inputs, or weights of another number.

    Source: as ``scaleclip.ledger``, which does without the copies.
    """
    check_placement(placement)
    s = float(real_number(scale, "scale"))
    inputs = list(inputs)
    weighted = (
        [1 / max(1, len(inputs))] * len(inputs) if weights is None else [float(w) for w in weights]
    )
    if not inputs or len(weighted) != len(inputs):
        raise ValueError(
            f"inputs must be one or more, and weights one for each, but {len(inputs)} inputs and "
            f"{len(weighted)} weights were given."
        )
    steps = len(inputs)
    losses, groups = _unroll(step, head, params, state, inputs, s, placement)
    terms = [w * loss for w, loss in zip(weighted, losses, strict=True)]
    *parts, at_root = _gradient(sum(terms[1:], start=terms[0]), groups)
    step_total, head_total = _summed(parts[:steps]), _summed(parts[steps : 2 * steps])
    along = _flat(step_total)
    norms, products = np.zeros((2, steps, steps))
    own, through, root, heads = np.zeros((4, steps))
    later = [torch.zeros_like(_flat(out)) for out in parts[2 * steps :]]
    summed = torch.zeros_like(along)
    for k, term in enumerate(terms):
        *found, of_root = _gradient(term, groups)
        copies, of_heads, outputs = found[:steps], found[steps : 2 * steps], found[2 * steps :]
        for j in range(k + 1):
            entry = _flat(copies[j])
            norms[k, j], products[k, j] = entry.norm(), entry @ along
            summed += entry
        heads[k], root[k] = _flat(of_heads[k]).norm(), _flat(of_root).norm()
        own[k] = _flat(outputs[k]).norm()
        for j in range(k):
            later[j] += _flat(outputs[j])
    through[:] = [float(cotangent.norm()) for cotangent in later]
    through_gates, _ = factors(
        steps, 1.0 if placement == "off" else s, placement, np.asarray(weighted)
    )
    structure = tree_flatten(params)[1]
    both = [a + b for a, b in zip(step_total, head_total, strict=True)]
    contents: Any = {  # NumPy's arrays where a ledger of JAX has JAX's
        "scale": np.asarray(s),
        "placement": placement,
        "weights": np.asarray(weighted),
        "losses": np.asarray([float(loss.detach()) for loss in losses]),
        "coefficients": through_gates,
        "norms": norms,
        "inner_products": products,
        "sum_norm": np.asarray(float(summed.norm())),
        "sum_error": np.asarray(float((summed - along).norm())),
        "head_norms": heads,
        "own": own,
        "through": through,
        "root": root,
        "state_cotangent": [_plain(leaf) for leaf in at_root],
        "total": tree_unflatten([_plain(leaf) for leaf in both], structure),
        "step_total": tree_unflatten([_plain(leaf) for leaf in step_total], structure),
    }
    return Ledger(**contents)


def _unroll(
    step: Step, head: Step, params: Any, state: Any, inputs: list[Any], s: float, place: str
) -> tuple[list[Tensor], list[list[Tensor]]]:
    """Unroll K steps whose parameters are copies of their own, and those of the heads.

    Returns:
      The losses, and lists of tensors to differentiate them by: the copies of the steps, those
      of the heads, the states that come out, and h_0.
    """
    given, structure = tree_flatten(params)
    for leaf in given:
        if not isinstance(leaf, Tensor) or not leaf.is_floating_point():
            raise TypeError(f"params must be float tensors, but one is {describe(leaf)}.")

    def copy(leaves: Sequence[Tensor]) -> list[Tensor]:
        return [leaf.detach().clone().requires_grad_() for leaf in leaves]

    def gated(tree: Any, at: str) -> Any:
        return tree_map(lambda leaf: scale_gradient(leaf, s), tree) if place == at else tree

    start, shape = tree_flatten(state)
    root, outputs, losses = copy(start), list[list[Tensor]](), list[Tensor]()
    copies, heads = [copy(given) for _ in inputs], [copy(given) for _ in inputs]
    h = tree_unflatten(root, shape)
    for of_step, of_head, x in zip(copies, heads, inputs, strict=True):
        h = step(tree_unflatten(of_step, structure), gated(h, "every_input"), x)
        outputs.append(tree_flatten(h)[0])
        h = gated(h, "before_heads")
        loss = head(tree_unflatten(of_head, structure), h, x)
        if not isinstance(loss, Tensor) or loss.shape != () or not loss.is_floating_point():
            raise TypeError(f"head must return a float [], such as a mean, not {describe(loss)}.")
        losses.append(loss)
        h = gated(h, "after_heads")
    return losses, [*copies, *heads, *outputs, root]


def _gradient(loss: Tensor, groups: list[list[Tensor]]) -> list[list[Tensor]]:
    """Take the gradient of one loss by lists of tensors: zeros where there is none."""
    leaves = [leaf for group in groups for leaf in group]
    found = torch.autograd.grad(loss, leaves, retain_graph=True, allow_unused=True)
    pairs = zip(found, leaves, strict=True)
    filled = iter([torch.zeros_like(leaf) if g is None else g for g, leaf in pairs])
    return [[next(filled) for _ in group] for group in groups]


def _summed(groups: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    return [torch.stack(leaves).sum(0) for leaves in zip(*groups, strict=True)]


def _flat(leaves: Sequence[Tensor]) -> Tensor:
    return torch.cat([leaf.detach().reshape(-1).double() for leaf in leaves])


def _plain(leaf: Tensor) -> np.ndarray:
    wide = leaf if leaf.dtype == torch.float64 else leaf.float()  # NumPy has no bfloat16
    array: np.ndarray = wide.detach().cpu().numpy()
    return array
