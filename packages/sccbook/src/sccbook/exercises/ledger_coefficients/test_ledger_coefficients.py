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


WRONG = {
    "one_placement": [
        lambda n, s, at: right(n, s, "after_heads"),
        lambda n, s, at: right(n, s, "every_input"),
        lambda n, s, at: right(n, s, "before_heads"),
    ],
    "heads_the_wrong_way_round": [
        lambda n, s, at: right(
            n, s, {"after_heads": "before_heads", "before_heads": "after_heads"}.get(at, at)
        ),
    ],
    "one_too_many": [lambda n, s, at: tuple(s * part for part in right(n, s, at))],
    "one_root_off": [  # wrong for one placement alone
        lambda n, s, at: (
            right(n, s, at)[0],
            right(n, s, at)[1] * (s if at == "before_heads" else 1),
        ),
    ],
    "one_placement_off": [
        lambda n, s, at: (
            right(n, s, at)[0] * (s if at == "every_input" else 1),
            right(n, s, at)[1],
        ),
    ],
    "one_half_for_s": [lambda n, s, at: right(n, 0.5, at)],
    # shapes, kinds
    "structure_changed": [lambda n, s, at: right(n, s, at)[0]],
    "shape_changed": [lambda n, s, at: (right(n, s, at)[0], np.ones((n, 1)))],
    "not_callable": [np.ones((3, 3)), None],
    "raises": [lambda n, s: right(n, s, "after_heads")],
    "wrong": [lambda n, s, at: (0.9 * right(n, s, at)[0], right(n, s, at)[1])],
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
    "in JAX": lambda n, s, at: tuple(map(jnp.asarray, right(n, s, at))),
}
