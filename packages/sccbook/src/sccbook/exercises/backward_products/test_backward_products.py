"""A bank of answers to chapter 05's exercise."""

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np

SOLUTION = r"\.T|@|s\*\*|\[::-1\]"


def loop(step, order=-1):
    """An answer that loops over the applications, from the last by default."""

    def answer(jacobians, own, s):
        cotangent = np.zeros(own.shape[1])
        for j, sent in zip(jacobians[::order], own[::order], strict=True):
            cotangent = step(j, cotangent, sent, s)
        return cotangent

    return answer


def summed(way, power=lambda k, n, s: s**k):
    """An answer that sums over the losses; ``way`` makes of the Jacobians J_1..J_k a matrix."""

    def answer(jacobians, own, s):
        n = len(own)
        parts = [power(k, n, s) * way(jacobians[:k]) @ own[k - 1] for k in range(1, n + 1)]
        return np.sum(parts, axis=0)

    return answer


def products(js, s):
    """The products of the first Jacobians, one for each loss, scaled."""
    return np.array(list(itertools.accumulate(s * np.asarray(js), lambda past, j: j @ past)))


def transposed(js):
    return functools.reduce(np.matmul, [j.T for j in js])


by_loop = loop(lambda j, c, g, s: s * j.T @ (c + g))


def unroll(jacobians, own, s):
    """A linear unroll with these Jacobians and losses, differentiated by JAX."""

    def total(h):
        found = 0.0
        for j, g in zip(jacobians, own, strict=True):
            h = j @ (s * h)
            found += g @ h
        return found

    return jax.grad(total)(jnp.zeros(own.shape[1]))


def in_place(jacobians, own, s):
    own += 0.0
    for k in range(len(own) - 1, 0, -1):
        own[k - 1] += s * jacobians[k].T @ own[k]
    return s * jacobians[0].T @ own[0]


RIGHT = {
    "a loop from the end": by_loop,
    "by jax.grad of a linear unroll": unroll,
    "written into its argument": in_place,
    "a sum over the losses": summed(transposed),
    "by products of Jacobians": lambda js, own, s: jnp.einsum("kab,ka->b", products(js, s), own),
    "vectors from the left": loop(lambda j, c, g, s: (c + g) @ (s * j)),
    "a list": lambda js, own, s: list(by_loop(js, own, s)) and np.array(by_loop(js, own, s)),
}


WRONG = {
    "nothing_comes_back": [
        lambda js, own, s: np.zeros(own.shape[1]),
        lambda js, own, s: by_loop(js, 0 * own, s),
    ],
    "not_transposed": [
        loop(lambda j, c, g, s: s * j @ (c + g)),
        lambda js, own, s: loop(lambda j, c, g, s: s * j @ (c + g))(js[::-1], own[::-1], s),
        lambda js, own, s: jnp.einsum("kab,kb->a", products(js, s), own),
    ],
    "wrong_order": [
        summed(lambda js: functools.reduce(np.matmul, js).T),
        lambda js, own, s: sum(
            s ** (k + 1) * functools.reduce(np.matmul, js[: k + 1]).T @ own[k]
            for k in range(len(own))
        ),
    ],
    "wrong_direction": [loop(lambda j, c, g, s: s * j.T @ (c + g), order=1)],
    "scale_once": [
        summed(transposed, lambda k, n, s: s),
        lambda js, own, s: s * by_loop(js, own, 1.0),
    ],
    "scale_ignored": [lambda js, own, s: by_loop(js, own, 1.0)],
    "one_scale_too_few": [lambda js, own, s: by_loop(js, own, s) / s],
    "one_scale_too_many": [
        lambda js, own, s: s * by_loop(js, own, s),
        loop(lambda j, c, g, s: s * j.T @ (c + s * g)),
    ],
    "scale_of_the_whole_unroll": [lambda js, own, s: s ** len(own) * by_loop(js, own, 1.0)],
    "scale_counted_from_the_end": [
        summed(transposed, lambda k, n, s: s ** (n - k)),
        summed(transposed, lambda k, n, s: s ** (n - k + 1)),
    ],
    "scaled_twice": [loop(lambda j, c, g, s: s * j.T @ (s * (c + g)))],
    "one_minus_scale": [lambda js, own, s: by_loop(js, own, 1 - s)],
    "clipped": [
        loop(lambda j, c, g, s: (v := j.T @ (c + g)) * min(1.0, s / np.linalg.norm(v))),
        loop(lambda j, c, g, s: j.T @ ((c + g) * min(1.0, s / np.linalg.norm(c + g)))),
    ],
    "last_loss_only": [
        lambda js, own, s: np.asarray(products(js, s))[-1].T @ own[-1],
        lambda js, own, s: by_loop(js, np.r_[0 * own[:-1], own[-1:]], s),
    ],
    "first_loss_only": [lambda js, own, s: s * js[0].T @ own[0]],
    "joins_late": [loop(lambda j, c, g, s: s * j.T @ c + g)],
    "radius_for_the_matrix": [
        loop(lambda j, c, g, s: s * np.abs(np.linalg.eigvals(j)).max() * (c + g)),
    ],
    "norm_for_the_matrix": [loop(lambda j, c, g, s: s * np.linalg.norm(j, 2) * (c + g))],
    "elementwise": [
        summed(lambda js: np.prod(js, axis=0).T),
        summed(lambda js: np.prod(js, axis=0)),
    ],
    "one_jacobian_for_all": [
        lambda js, own, s: by_loop(np.stack([js[0]] * len(js)), own, s),
        lambda js, own, s: by_loop(np.stack([js[-1]] * len(js)), own, s),
    ],
    "added_up": [summed(lambda js: np.sum(js, axis=0).T)],
    "inverted": [
        loop(lambda j, c, g, s: s * np.linalg.solve(j, c + g)),
        loop(lambda j, c, g, s: s * np.linalg.inv(j).T @ (c + g)),
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
