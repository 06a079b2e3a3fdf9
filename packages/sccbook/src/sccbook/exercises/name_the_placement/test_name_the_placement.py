"""A bank of answers to assignment 6's second function."""

from functools import partial

import jax.numpy as jnp
import numpy as np

from scaleclip.ledger import coefficients
from sccbook.checking.comparisons import renamed
from sccbook.exercises.name_the_placement.exercise import NAMES, right

AFTER, EVERY, BEFORE, OFF = NAMES


WRONG = {
    "always_the_same": [
        lambda through, root, s: AFTER,
        lambda through, root, s: OFF,
    ],
    "root_ignored": [
        renamed(right, {"every_input": AFTER}),
        renamed(right, {"after_heads": EVERY}),
    ],
    "through_ignored": [
        renamed(right, {"before_heads": EVERY}),
        renamed(right, {"every_input": BEFORE}),
    ],
    "after_and_before_swapped": [renamed(right, {"after_heads": BEFORE, "before_heads": AFTER})],
    "after_and_every_swapped": [renamed(right, {"after_heads": EVERY, "every_input": AFTER})],
    "every_and_before_swapped": [renamed(right, {"every_input": BEFORE, "before_heads": EVERY})],
    "off_overlooked": [renamed(right, {"off": AFTER}), renamed(right, {"off": EVERY})],
    "scaled_or_not": [renamed(right, {"every_input": AFTER, "before_heads": AFTER})],
    "paper_or_before": [
        lambda through, root, s: BEFORE if np.isclose(through[0, 0] * len(root), s) else AFTER
    ],
    "before_overlooked": [
        renamed(right, {"before_heads": AFTER}),
        renamed(right, {"before_heads": OFF}),
    ],
    "off_and_after_swapped": [renamed(right, {"off": AFTER, "after_heads": OFF})],
    "not_a_name": [
        lambda through, root, s: "P",
        lambda through, root, s: right(through, root, s).upper(),
    ],
    "returns_other": [lambda through, root, s: 1, lambda through, root, s: through],
    "structure_changed": [lambda through, root, s: [right(through, root, s)]],
    "not_callable": [AFTER],
    "raises": [lambda through, root: AFTER, lambda through, root, s: NAMES[9]],
    "wrong": [lambda through, root, s: EVERY if len(root) == 5 else right(through, root, s)],
}


def by_the_library(through, root, s):
    """With the coefficients of six steps, of which the first are taken: there is one shape."""
    n = len(root)
    for name in (AFTER, EVERY, BEFORE):
        whole, of_root = coefficients(6, s, name)
        expected = whole[:n, :n] * 6 / n, of_root[:n] * 6 / n
        if all(map(partial(np.allclose, rtol=1e-3, atol=1e-7), (through, root), expected)):
            return name
    return OFF


RIGHT = {
    "three comparisons": right,
    "by the library's own": by_the_library,
    "in JAX": lambda through, root, s: right(jnp.asarray(through), jnp.asarray(root), s),
}
