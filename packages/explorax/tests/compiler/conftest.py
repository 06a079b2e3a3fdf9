"""Fixtures of the compiler's tests: the comparison with JAX, which compiles quickly here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
import pytest
from tests.run_in_node import RunInNode

from explorax.compiler import compile
from explorax.compiler.program import Program


@pytest.fixture(autouse=True, scope="session")
def _quickly() -> Iterator[None]:
    """Let XLA translate a program and hardly optimise it: each is run a few times only."""
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.fixture(scope="session")
def agree(run_in_node: RunInNode) -> Callable[..., Program]:
    """Assert that Node and JAX agree: ``agree(function, *arguments, dtype=, rtol=, calls=)``.

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
        found = run_in_node(
            program.javascript,
            [leaves(program, jax.tree.leaves(call)) for call in calls],
            [leaf.dtype for leaf in program.outputs],
        )
        for call, results in zip(calls, found, strict=True):
            expected = jax.tree.leaves(program(*call))
            for leaf, result, value in zip(program.outputs, results, expected, strict=True):
                flat = np.asarray(value, float).ravel()
                size = np.max(np.abs(flat[np.isfinite(flat)]), initial=0.0)
                close = rtol * size if leaf.dtype.startswith("float") else 0
                np.testing.assert_allclose(
                    result.astype(float), flat, rtol=0, atol=close,
                    err_msg=f"{leaf.name} of\n{program.javascript}",
                )  # fmt: skip
        return program

    return check


@pytest.fixture(scope="session")
def identical(run_in_node: RunInNode) -> Callable[..., Program]:
    """Assert that Node gives the bits of JAX op by op: ``identical(function, *arguments, dtype=)``.

    NaNs are equal to each other, and subnormal results are set aside: JAX makes them zero.
    Integers beyond 2**53 are set aside too.
    """

    def check(function: Callable[..., Any], *arguments: Any, dtype: str = "float64") -> Program:
        program = compile(function, *arguments, dtype=dtype)
        call = leaves(program, arguments)
        dtypes = [leaf.dtype for leaf in program.outputs]
        (found,) = run_in_node(program.javascript, [call], dtypes)
        if different(program, found, program(*call)):  # compiled as one, it is nearly always that
            with jax.enable_x64(True), jax.disable_jit():
                expected = function(*map(jax.numpy.asarray, call))
            assert not different(program, found, expected)
        return program

    return check


def different(program: Program, found: list[np.ndarray], expected: Any) -> list[str]:
    """Say where the bits of results are not those expected."""
    said = []
    for leaf, result, value in zip(program.outputs, found, jax.tree.leaves(expected), strict=True):
        flat = np.asarray(value).ravel()
        apart = (result != flat) & ((result == result) | (flat == flat))
        if leaf.dtype.startswith("float"):
            apart |= (np.signbit(result) != np.signbit(flat)) & (flat == flat)
            apart &= ~(np.abs(flat) < np.finfo(leaf.dtype).tiny) | (result == 0)
        elif leaf.dtype == "int64":
            apart &= np.abs(flat.astype(float)) <= 2.0**53
        if np.any(apart):
            said.append(f"{leaf.name}: Node {result[apart][:5]}, JAX {flat[apart][:5]}")
    return said


def leaves(program: Program, given: Any) -> list[np.ndarray]:
    """Return the leaves of a call in the dtypes of a program's inputs."""
    pairs = zip(program.inputs, given, strict=True)
    return [np.asarray(value).astype(leaf.dtype) for leaf, value in pairs]
