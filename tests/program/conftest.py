"""What the tests of the compiler share: one Node that stays, and the comparison with JAX."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from gradlab.program import compile
from gradlab.program.program import Program

sys.path.insert(0, str(Path(__file__).parent))  # for `fuzzing`


@pytest.fixture(scope="session")
def node() -> Iterator[Any]:
    """Evaluates emitted modules: ``node.run(program, calls, dtypes)``."""
    from fuzzing.node import Node

    with Node() as running:
        yield running


@pytest.fixture(scope="session")
def agree(node: Any) -> Callable[..., Program]:
    """Asserts that Node and JAX agree: ``agree(function, *arguments, dtype=, rtol=, calls=)``.

    The program is traced at ``arguments`` and compared there and at ``calls``. Integers and
    booleans are compared exactly, floats to ``rtol`` of the leaf's largest magnitude.
    """

    def check(
        function: Callable[..., Any],
        *arguments: Any,
        dtype: str = "float64",
        rtol: float = 1e-12,
        calls: Any = (),
    ) -> Program:
        program = compile(function, *arguments, dtype=dtype)
        calls = [arguments, *calls]
        given = [
            [
                np.asarray(value).astype(leaf.dtype)
                for leaf, value in zip(program.inputs, jax.tree.leaves(call), strict=True)
            ]
            for call in calls
        ]
        found = node.run(program.javascript, given, [leaf.dtype for leaf in program.outputs])
        for call, results in zip(calls, found, strict=True):
            expected = jax.tree.leaves(program(*call))
            for leaf, result, value in zip(program.outputs, results, expected, strict=True):
                flat = np.asarray(value).ravel()
                if leaf.dtype.startswith("float"):
                    size = np.max(np.abs(flat[np.isfinite(flat)]), initial=0.0)
                    np.testing.assert_allclose(
                        result.astype(float), flat.astype(float), rtol=0, atol=rtol * size,
                        err_msg=f"{leaf.name} of\n{program.javascript}",
                    )  # fmt: skip
                else:
                    np.testing.assert_array_equal(
                        result.astype(float), flat.astype(float),
                        err_msg=f"{leaf.name} of\n{program.javascript}",
                    )  # fmt: skip
        return program

    return check
