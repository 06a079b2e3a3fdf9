"""A bank of answers to chapter 06's exercise."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from scaleclip.ledger import coefficients, unroll_losses

SOLUTION = r"k ?[-−] ?j|np\.|\*\*|k ?- ?1"


def right(n, s, at):
    through, root = np.zeros((n, n)), np.zeros(n)
    for k in range(1, n + 1):
        for j in range(1, k + 1):
            through[k - 1, j - 1] = s ** (k - j + (at == "before_heads")) / n
        root[k - 1] = s ** (k - 1 if at == "after_heads" else k) / n
    return through, root


def changed(change):
    return lambda n, s, at: change(*right(n, s, at))


def lower(n):
    return np.tril(np.ones((n, n)))


def powers(through, root):
    """An answer of NumPy's powers: exponents of k, j and the placement, from 1."""

    def answer(n, s, at):
        k = np.arange(1, n + 1)
        down, across = np.meshgrid(k, k, indexing="ij")
        exponents = np.where(across <= down, through(down, across, at), 0)
        return lower(n) * float(s) ** exponents / n, float(s) ** root(k, at) / n

    return answer


def before(at):
    return at == "before_heads"


def after(at):
    return at == "after_heads"


def to_root(k, at):
    return k - after(at)


# 0 / 0, and 0 to a negative power


WRONG = {
    "one_root_off": [
        powers(lambda k, j, at: k - j + before(at), lambda k, at: k - after(at) - before(at)),
        powers(lambda k, j, at: k - j + before(at), lambda k, at: k - after(at) + before(at)),
    ],
    "one_placement_off": [
        powers(lambda k, j, at: k - j + (not after(at)), lambda k, at: k - after(at)),
        powers(lambda k, j, at: k - j + 2 * before(at), lambda k, at: k - after(at)),
    ],
    "one_placement": [
        lambda n, s, at: right(n, s, "after_heads"),
        lambda n, s, at: right(n, s, "every_input"),
        lambda n, s, at: right(n, s, "before_heads"),
    ],
    "every_input_is_after_heads": [
        powers(lambda k, j, at: k - j + before(at), lambda k, at: k - 1 + before(at))
    ],
    "root_has_no_gate": [powers(lambda k, j, at: k - j + before(at), lambda k, at: k - 1)],
    "root_one_too_many": [powers(lambda k, j, at: k - j + before(at), lambda k, at: k)],
    "root_unscaled": [changed(lambda through, root: (through, np.full(root.size, 1 / root.size)))],
    "root_reversed": [changed(lambda through, root: (through, root[::-1]))],
    "before_is_after": [powers(lambda k, j, at: k - j, to_root)],
    "heads_the_wrong_way_round": [
        powers(lambda k, j, at: k - j + after(at), to_root),
        lambda n, s, at: right(
            n, s, {"after_heads": "before_heads", "before_heads": "after_heads"}.get(at, at)
        ),
    ],
    "one_too_many": [
        lambda n, s, at: tuple(s * part for part in right(n, s, at)),
        powers(lambda k, j, at: k - j + 1 + before(at), to_root),
    ],
    "power_of_loss": [
        powers(lambda k, j, at: k - 1 + before(at), to_root),
        powers(lambda k, j, at: k, to_root),
    ],
    "power_of_application": [powers(lambda k, j, at: j - 1 + before(at), to_root)],
    "one_gate_for_all": [
        powers(lambda k, j, at: 1, lambda k, at: np.ones(k.size)),
        powers(
            lambda k, j, at: np.minimum(k - j + before(at), 1),
            lambda k, at: np.minimum(k - after(at), 1),
        ),
    ],
    "unscaled": [powers(lambda k, j, at: 0, lambda k, at: np.zeros(k.size))],
    "transposed": [changed(lambda through, root: (through.T, root))],
    "reversed": [
        changed(lambda through, root: (through[::-1], root)),
        changed(lambda through, root: (through[:, ::-1], root)),
    ],
    "future": [
        lambda n, s, at: (
            float(s) ** (np.abs(np.arange(n)[:, None] - np.arange(n)) + before(at)) / n,
            right(n, s, at)[1],
        )
    ],
    "diagonal_missing": [changed(lambda through, root: (np.tril(through, -1), root))],
    "diagonal_only": [changed(lambda through, root: (np.diag(np.diag(through)), root))],
    "weights_missing": [changed(lambda through, root: (through * root.size, root * root.size))],
    "root_weights_missing": [changed(lambda through, root: (through, root * root.size))],
    "applications_weights_missing": [changed(lambda through, root: (through * root.size, root))],
    "weights_by_step": [
        changed(
            lambda through, root: (
                through * root.size / np.arange(1, root.size + 1)[:, None],
                root * root.size / np.arange(1, root.size + 1),
            )
        )
    ],
    "weights_with_step_0": [
        changed(
            lambda through, root: (
                through * root.size / (root.size + 1),
                root * root.size / (root.size + 1),
            )
        )
    ],
    "weights_twice": [changed(lambda through, root: (through / root.size, root / root.size))],
    "one_half_for_s": [lambda n, s, at: right(n, 0.5, at)],
    # shapes, kinds
    "structure_changed": [lambda n, s, at: right(n, s, at)[0]],
    "shape_changed": [changed(lambda through, root: (through, root[:, None]))],
    "not_callable": [np.ones((3, 3)), None],
    "raises": [lambda n, s: right(n, s, "after_heads")],
    "wrong": [changed(lambda through, root: (0.9 * through, root))],
}


@partial(jax.jit, static_argnums=0)
def backpropagated(at, s):
    def losses(copies, h0):
        step, head = (lambda _, h, theta: h + theta), (lambda _, h, theta: h)
        return unroll_losses(step, head, (), h0, copies, scale=s, placement=at)[1]

    return jax.jacrev(losses, (0, 1))(jnp.zeros(4), jnp.ones(()))


def by_backpropagation(n, s, at):
    """Through four steps, of which the first n are taken: so there is one shape to compile for."""
    through, root = backpropagated(at, s)
    return through[:n, :n] / n, root[:n] / n


RIGHT = {
    "loops": right,
    "a list of two": lambda n, s, at: list(right(n, s, at)),
    "by backpropagation": by_backpropagation,
    "the library's": lambda n, s, at: coefficients(n, s, at),
    "a Toeplitz matrix": lambda n, s, at: (
        sum(s ** (i + before(at)) * np.eye(n, k=-i) for i in range(n)) / n,
        s ** (np.arange(n) + (not after(at))) / n,
    ),
    "in JAX": lambda n, s, at: tuple(map(jnp.asarray, right(n, s, at))),
}
