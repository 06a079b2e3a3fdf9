"""The programs in the built pages are JAX's: read out of the page, run, and compared."""

from __future__ import annotations

from typing import Any

import pytest
from tests.figure_settings import anywhere, assert_page_agrees, ends

from tests.site.book import READ, descriptions


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [page for page in READ if descriptions(page)])
def test_the_programs_in_a_page_agree_with_jax(in_python: Any, run_in_node: Any, page: str) -> None:
    for description in descriptions(page):
        if "run" in description:  # explorax's tests/figure/test_runs.py
            continue
        figure = in_python(page, description["name"])
        names = [leaf.name for leaf in figure.program.outputs]
        assert names == [leaf["name"] for leaf in description["outputs"]]
        settings = [*anywhere(figure, 1000), *ends(figure)]
        assert_page_agrees(figure, settings, run_in_node, program=description["program"])
