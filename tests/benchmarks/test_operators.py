"""Timed operators do what they are said to do, and scale_gradient adds nothing to a function."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.operators.cases import (
    CLIPS,
    FALLS,
    OPERATORS,
    called,
    costs,
    cubes,
    descent,
    inside,
    norm,
    outline,
    outlined,
    shapes,
    tree,
)
from benchmarks.operators.run import memory, scaling
from scaleclip.ops import scale_gradient


@pytest.mark.parametrize("count", [100, 101, 1000, 4321, 10**5, 10**6, 10**8])
def test_a_tree_has_exactly_as_many_parameters_as_asked(count: int) -> None:
    found = shapes(count).values()
    assert sum(map(math.prod, found)) == count
    assert all(size > 0 for shape in found for size in shape)


@pytest.mark.exhaustive
@pytest.mark.parametrize("share", [0.5, 1000.0])
def test_both_clips_return_the_same(share: float) -> None:
    grads = tree(1000)
    limit = share * norm(grads)
    ours, theirs = (called(CLIPS[name], grads, limit)() for name in ("scaleclip", "optax"))
    assert norm(ours) == pytest.approx(min(share, 1) * norm(grads), rel=1e-6)
    for name in grads:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-6)


def test_the_floor_writes_every_leaf_almost_as_it_was() -> None:
    grads = tree(1000)
    written = called(CLIPS["floor"], grads, 1.0)()
    for name in grads:
        np.testing.assert_allclose(written[name], grads[name], rtol=1.1e-3)


@pytest.mark.exhaustive
def test_a_program_goes_on_where_it_ended_and_always_has_something_to_clip() -> None:
    grads = tree(1000)
    whole = norm(grads)
    call = inside(CLIPS["scaleclip"], grads, 0.5 * whole, 10)
    lengths = [norm(call()[0]) / whole for _ in range(3)]
    assert lengths == pytest.approx([0.5 * (1 - FALLS) ** last for last in (9, 19, 29)], rel=1e-6)
    assert norm(grads) == whole, "what was given is not given up"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["scale_gradient", "Optax's scale_gradient"])
def test_a_descent_is_scaled_by_the_operator_and_its_function_is_not(name: str) -> None:
    x = tree(100)
    rate = jnp.float32(0.1)
    plain, scaled = (descent(OPERATORS[operator])(x, rate) for operator in ("without", name))
    for leaf in x:
        np.testing.assert_allclose(x[leaf] - scaled[leaf], 0.5 * (x[leaf] - plain[leaf]), atol=1e-6)
    assert cubes(OPERATORS[name])(x) == cubes(OPERATORS["without"])(x)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.5, 0.0, 1.0, -2.0])
def test_scale_gradient_adds_nothing_to_a_function(scale: float) -> None:
    operated = costs(cubes(lambda x: scale_gradient(x, scale)), outline(1000))
    assert operated.tolist() == costs(cubes(OPERATORS["without"]), outline(1000)).tolist()


def test_scale_gradient_by_a_traced_scale_adds_no_operation_to_a_function() -> None:
    def function(x: Any, scale: Any) -> Any:
        return cubes(lambda leaves: scale_gradient(leaves, scale))(x)

    operated = costs(function, outline(1000), outlined())
    assert operated.tolist() == costs(cubes(OPERATORS["without"]), outline(1000)).tolist()


@pytest.mark.exhaustive
def test_scale_gradient_adds_one_multiplication_for_each_parameter_to_a_gradient() -> None:
    for row in scaling(1000):
        assert row["gradient: operations"] == row["parameters"]
        assert row["gradient: bytes"] == 0


@pytest.mark.exhaustive
def test_the_safe_norm_copies_no_leaf_and_wants_less_than_a_page_beside_what_optax_wants() -> None:
    wanted = [row for row in memory(10**8) if row["program"] == "scaleclip"]
    assert [row["gradients"] for row in wanted] == ["kept", "given up"]
    assert all(row["beyond Optax, bytes"] < 4096 for row in wanted)
    assert wanted[0]["temporary, bytes"] < 4096
