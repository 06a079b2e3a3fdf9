"""A cap on columns, rows or the whole matrix: what is cut, what is kept, and which way it points."""

import numpy as np
import pytest

from sccbook.figures.capped_columns.figure import WEIGHTS

NORMS = np.linalg.norm(WEIGHTS, axis=0)


def test_columns_beyond_the_cap_are_cut_to_it_and_the_others_are_untouched(at):
    value = at(cap=2.0)
    expected = (WEIGHTS * np.minimum(1, 2 / NORMS)).T
    np.testing.assert_allclose(value["capped"], expected)
    np.testing.assert_array_equal(value["capped"][NORMS < 2], WEIGHTS.T[NORMS < 2])
    assert (value["cut"], value["answer"]) == (np.sum(NORMS > 2), 0) == (5, 0)
    assert np.argmin(NORMS) + 1 == 7, "the column that the words name"


@pytest.mark.parametrize(("by", "axis", "answer"), [("rows", 1, 2), ("all", None, 1)])
def test_a_norm_over_other_axes_reaches_even_the_shortest_column(at, by, axis, answer):
    value = at(cap=2.0, by=by)
    norms = np.linalg.norm(WEIGHTS, axis=axis).ravel()
    np.testing.assert_allclose(value["norms"][: len(norms)], norms)
    assert not np.any(value["norms"][len(norms) :])
    assert value["groups"] == len(norms) == value["cut"]
    factor = np.linalg.norm(value["capped"].T, axis=axis, keepdims=True)
    np.testing.assert_allclose(factor, 2)
    assert value["answer"] == answer
    assert value["short"] < 60
