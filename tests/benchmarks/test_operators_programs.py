"""What is read off compiled programs: scale_gradient leaves a function's program alone."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import pytest

from benchmarks.operators.cases import OPERATORS, cubes, dynamics
from benchmarks.operators.programs import (
    canonical,
    instructions,
    kernels,
    memory,
    multiplications,
    optimised,
)
from benchmarks.operators.programs import scaling as measured
from benchmarks.operators.trees import outline, outlined
from gradlab.ops import scale_gradient


@pytest.mark.parametrize("scale", [0.5, 0.0, 1.0, -2.0])
def test_scale_gradient_leaves_the_program_of_a_function_unchanged(scale: float) -> None:
    operated = optimised(cubes(lambda x: scale_gradient(x, scale)), outline(1000))
    assert canonical(operated) == canonical(optimised(cubes(OPERATORS["without"]), outline(1000)))


def test_scale_gradient_by_a_traced_scale_adds_no_instruction_to_a_function() -> None:
    def function(x: Any, scale: Any) -> Any:
        return cubes(lambda leaves: scale_gradient(leaves, scale))(x)

    def work(compiled: Any) -> list[Any]:
        return [one for one in instructions(compiled) if one.kind != "parameter"]

    # the argument is still there, and nothing reads it
    assert work(optimised(function, outline(1000), outlined())) == work(
        optimised(cubes(OPERATORS["without"]), outline(1000))
    )


@pytest.mark.slow
def test_scale_gradient_adds_one_multiplication_for_each_array_and_no_kernel() -> None:
    rows = [row for row in measured() if row["operator"] == "gradlab"]
    assert {row["function"] for row in rows} == {"sum of cubes", "dynamics"}
    for row in rows:
        assert row["forward"]
        assert row["multiplications"] == row["met"] > 1
        assert row["kernels"] == 0


def test_functions_that_differ_have_programs_that_differ() -> None:
    texts = {
        canonical(optimised(function, outlined(8)))
        for function in (jnp.sin, jnp.cos, lambda x: 2.0 * x, lambda x: 3.0 * x, lambda x: x * x)
    }
    assert len(texts) == 5
    weights = {"w": outlined(64, 64), "b": outlined(64), "value": outlined(64)}
    state = outlined(2, 64)
    four, five = (
        optimised(dynamics(OPERATORS["without"], steps), weights, state) for steps in (4, 5)
    )
    assert canonical(four) != canonical(five)


def test_names_and_places_in_files_are_no_part_of_a_program() -> None:
    def first(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) * x)

    def second(number: Any) -> Any:
        sine = jnp.sin(number)

        return jnp.sum(sine * number)

    one, other = (optimised(function, outlined(8)) for function in (first, second))
    assert one.as_text() != other.as_text()
    assert canonical(one) == canonical(other)


def test_multiplications_of_arrays_are_counted_and_those_of_scalars_are_not() -> None:
    assert multiplications(optimised(lambda x, y: x * y, outlined(8), outlined(8))) == 1
    assert multiplications(optimised(lambda x: x * x * x, outlined(8))) == 2
    assert multiplications(optimised(lambda x: x * x, outlined())) == 0


def test_what_is_fused_is_one_kernel_and_a_sum_that_is_needed_first_is_another() -> None:
    assert kernels(optimised(lambda x: jnp.tanh(x) * x + 1, outlined(8))) == 1
    assert kernels(optimised(lambda x: x / jnp.sum(x), outlined(8))) >= 2


def test_an_array_that_is_copied_is_seen() -> None:
    # what is kept and returned as it is has to be copied
    copied = optimised(lambda x: (jnp.copy(x), x + 1), outlined(8))
    assert [one.entries for one in instructions(copied) if one.kind == "copy"] == [8]


@pytest.fixture(scope="module")
def wanted() -> dict[tuple[str, bool], dict[str, Any]]:
    """What the clips want, by program and by whether the gradients are given up."""
    return {(row["program"], row["donated"]): row for row in memory(10**8)}


@pytest.mark.slow
@pytest.mark.parametrize("donated", [False, True])
def test_no_leaf_is_copied_into_the_conditional_of_the_safe_norm(
    wanted: dict[tuple[str, bool], dict[str, Any]], donated: bool
) -> None:
    assert wanted["gradlab", donated]["copies"] == 0


@pytest.mark.slow
def test_the_safe_norm_wants_less_than_a_page_beside_the_result_and_what_optax_wants(
    wanted: dict[tuple[str, bool], dict[str, Any]],
) -> None:
    assert wanted["gradlab", False]["temporary"] < 4096
    assert wanted["gradlab", True]["temporary"] < wanted["optax", True]["temporary"] + 4096
    assert wanted["gradlab", False]["largest"] > 10**8
