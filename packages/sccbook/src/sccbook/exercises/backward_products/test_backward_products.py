"""A bank of answers to chapter 05's exercise."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np

SOLUTION = r"\.T|@|s\*\*|\[::-1\]"


def by_loop(jacobians, own, s):
    cotangent = np.zeros(own.shape[1])
    for j, sent in zip(jacobians[::-1], own[::-1], strict=True):
        cotangent = s * j.T @ (cotangent + sent)
    return cotangent


def products(js, s):
    """The products of the first Jacobians, one for each loss, scaled."""
    return np.array(list(itertools.accumulate(s * np.asarray(js), lambda past, j: j @ past)))


def unroll(jacobians, own, s):
    """A linear unroll with these Jacobians and losses, differentiated by JAX."""

    def total(h):
        found = 0.0
        for j, g in zip(jacobians, own, strict=True):
            h = j @ (s * h)
            found += g @ h
        return found

    return jax.grad(total)(jnp.zeros(own.shape[1]))


RIGHT = {
    "a loop from the end": by_loop,
    "by jax.grad of a linear unroll": unroll,
    "by products of Jacobians": lambda js, own, s: jnp.einsum("kab,ka->b", products(js, s), own),
    "a list": lambda js, own, s: list(by_loop(js, own, s)) and np.array(by_loop(js, own, s)),
}


WRONG = {
    "nothing_comes_back": [
        lambda js, own, s: np.zeros(own.shape[1]),
        lambda js, own, s: by_loop(js, 0 * own, s),
    ],
    "not_transposed": [lambda js, own, s: jnp.einsum("kab,kb->a", products(js, s), own)],
    "scale_once": [lambda js, own, s: s * by_loop(js, own, 1.0)],
    "scale_ignored": [lambda js, own, s: by_loop(js, own, 1.0)],
    "one_scale_too_few": [lambda js, own, s: by_loop(js, own, s) / s],
    "one_scale_too_many": [lambda js, own, s: s * by_loop(js, own, s)],
    "scale_of_the_whole_unroll": [lambda js, own, s: s ** len(own) * by_loop(js, own, 1.0)],
    "one_minus_scale": [lambda js, own, s: by_loop(js, own, 1 - s)],
    "last_loss_only": [
        lambda js, own, s: np.asarray(products(js, s))[-1].T @ own[-1],
        lambda js, own, s: by_loop(js, np.r_[0 * own[:-1], own[-1:]], s),
    ],
    "first_loss_only": [lambda js, own, s: s * js[0].T @ own[0]],
    "one_jacobian_for_all": [
        lambda js, own, s: by_loop(np.stack([js[0]] * len(js)), own, s),
        lambda js, own, s: by_loop(np.stack([js[-1]] * len(js)), own, s),
    ],
    "averaged": [lambda js, own, s: by_loop(js, own, s) / len(own)],
    "sign": [lambda js, own, s: -by_loop(js, own, s)],
    # shapes, kinds
    "shape_changed": [
        lambda js, own, s: np.linalg.norm(by_loop(js, own, s)),
        lambda js, own, s: by_loop(js, own, s)[None],
    ],
    "structure_changed": [lambda js, own, s: (by_loop(js, own, s), s)],
    "raises": [lambda js, own: own, lambda js, own, s: js @ own],
    "not_callable": [np.zeros(2)],
    "wrong": [lambda js, own, s: np.abs(by_loop(js, own, s)), lambda js, own, s: own[0]],
}
