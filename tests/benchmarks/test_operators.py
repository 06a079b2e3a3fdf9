"""scale_gradient adds nothing to a function, and the safe norm copies no array: XLA's own counts."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.operators.run import CLIPS, compiled, costs, cubes, outline, outlined, scaling
from scaleclip.ops import scale_gradient


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.5, 0.0, 1.0, -2.0])
def test_scale_gradient_adds_nothing_to_a_function(scale: float) -> None:
    operated = costs(cubes(lambda x: scale_gradient(x, scale)), outline(1000))
    assert operated.tolist() == costs(cubes(lambda x: x), outline(1000)).tolist()


def test_a_traced_scale_adds_nothing_to_a_function_either() -> None:
    def function(x: Any, scale: Any) -> Any:
        return cubes(lambda leaves: scale_gradient(leaves, scale))(x)

    operated = costs(function, outline(1000), outlined())
    assert operated.tolist() == costs(cubes(lambda x: x), outline(1000)).tolist()


@pytest.mark.exhaustive
def test_scale_gradient_adds_one_multiplication_for_each_parameter_to_a_gradient() -> None:
    row = scaling(1000)
    assert row["gradient: operations"] == row["parameters"]
    assert row["gradient: bytes"] == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("donate", [(), (0,)], ids=["kept", "donated"])
def test_the_safe_norm_needs_less_than_a_page_more_than_optax(donate: tuple[int, ...]) -> None:
    ours, theirs = (
        compiled(CLIPS[name], outline(10**8), outlined(), donate=donate)
        .memory_analysis()
        .temp_size_in_bytes
        for name in ("scaleclip", "optax")
    )
    assert ours - theirs < 4096
    assert ours < 4096 or donate
