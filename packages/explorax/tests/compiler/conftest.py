"""Fixtures of the compiler's tests: programs in Node, and the comparison with JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
from tests.compiler.fuzzing.check import same
from tests.compiler.fuzzing.reference import compiled, interpreted
from tests.run_in_node import RunInNode

from explorax.compiler import Program, compile


@pytest.fixture(autouse=True, scope="module")
def _quickly(compile_module_quickly: None) -> None:
    """Each program is run a few times only."""


@pytest.fixture(scope="session")
def in_node(run_in_node: RunInNode) -> Callable[..., list[np.ndarray]]:
    """Compile a function and run it in Node: ``in_node(function, *arguments, dtype=)``."""

    def results(
        function: Callable[..., Any], *arguments: Any, dtype: str = "float64"
    ) -> list[np.ndarray]:
        program = compile(function, *arguments, dtype=dtype)
        (found,) = evaluated(program, [arguments], run_in_node)
        return [x.reshape(leaf.shape) for x, leaf in zip(found, program.outputs, strict=True)]

    return results


@pytest.fixture(scope="session")
def agree(run_in_node: RunInNode) -> Callable[..., None]:
    """Assert that Node and JAX agree: ``agree(function, *arguments, dtype=, rtol=, calls=)``.

    The function is traced at ``arguments`` and compared there and at ``calls``. Integers and
    booleans are compared exactly, floats to ``rtol`` of the leaf's largest magnitude. Where that
    is 0 the bits are compared.
    """

    def check(
        function: Callable[..., Any],
        *arguments: Any,
        dtype: str = "float64",
        rtol: float = 1e-12,
        calls: Any = (),
    ) -> None:
        program = compile(function, *arguments, dtype=dtype)
        by_jax = compiled(program.jaxpr)
        calls = [arguments, *calls]
        for call, found in zip(calls, evaluated(program, calls, run_in_node), strict=True):
            given = leaves(program, call)
            with jax.enable_x64(True):
                wrong = different(program, found, by_jax(given), rtol)
                if wrong and not rtol:  # fused operations may round once less
                    wrong = different(program, found, interpreted(program.jaxpr, given), rtol)
            assert not wrong, f"{wrong}\n{program.javascript}"

    return check


def different(
    program: Program, found: list[np.ndarray], expected: list[np.ndarray], rtol: float
) -> list[str]:
    """Say which results are not those expected."""
    return [
        f"{leaf.name}: Node {ours}, JAX {theirs}"
        for leaf, ours, theirs in zip(program.outputs, found, expected, strict=True)
        if not same(ours, theirs, not rtol, rtol)
    ]


def leaves(program: Program, arguments: Any) -> list[np.ndarray]:
    """Return the leaves of a call in the dtypes of a program's inputs."""
    pairs = zip(program.inputs, jax.tree.leaves(arguments), strict=True)
    return [np.asarray(value).astype(leaf.dtype) for leaf, value in pairs]


def evaluated(program: Program, calls: Any, run: RunInNode) -> list[list[np.ndarray]]:
    """Return a program's results in Node, flat and in their dtypes, for each call."""
    given = [leaves(program, call) for call in calls]
    return run(program.javascript, given, [leaf.dtype for leaf in program.outputs])
