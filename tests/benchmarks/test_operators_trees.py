"""The pytrees have as many parameters as asked, in leaves of mixed sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.operators.trees import LEAST, outline, shapes, tree


@pytest.mark.parametrize("count", [LEAST, 101, 1000, 4321, 10**5, 10**6, 10**8])
def test_a_tree_has_exactly_as_many_parameters_as_asked(count: int) -> None:
    found = shapes(count)
    assert sum(math.prod(shape) for shape in found.values()) == count
    assert all(size > 0 for shape in found.values() for size in shape)


@pytest.mark.parametrize("count", [1000, 10**6, 10**8])
def test_a_tree_has_matrices_of_one_shape_and_of_another_and_small_vectors(count: int) -> None:
    found = shapes(count)
    matrices = [shape for shape in found.values() if len(shape) == 2]
    assert len(matrices) == 4
    assert len(set(matrices)) == 2
    vectors = sum(shape[0] for shape in found.values() if len(shape) == 1)
    assert vectors < (0.3 if count == 1000 else 0.02) * count


def test_too_few_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match=f"at least {LEAST} parameters, but 99"):
        shapes(LEAST - 1)


def test_the_entries_are_float32_of_the_size_asked_and_the_same_each_time() -> None:
    first, again = tree(10**4, 1e25), tree(10**4, 1e25)
    entries = np.concatenate([np.asarray(leaf, np.float64).ravel() for leaf in first.values()])
    assert entries.size == 10**4
    assert np.std(entries) == pytest.approx(1e25, rel=0.05)
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert {name: (leaf.shape, leaf.dtype) for name, leaf in first.items()} == {
        name: (leaf.shape, leaf.dtype) for name, leaf in outline(10**4).items()
    }
