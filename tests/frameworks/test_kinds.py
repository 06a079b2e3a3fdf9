"""What snippets make of gradients that aren't one dense float32 array, as ``tests/kinds_of_gradient.toml`` has it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frameworks.kinds import TRIED, tried
from tests.frameworks.run import KINDS_IN, LIBRARIES

TABLE = tomllib.loads(
    (Path(__file__).parents[2] / "packages/scaleclip/tests/kinds_of_gradient.toml").read_text(
        encoding="utf-8"
    )
)


@pytest.mark.parametrize("snippet", TRIED)
@pytest.mark.parametrize("library", KINDS_IN)
def test_a_snippet_does_with_each_kind_of_gradient_what_the_table_says(
    told: Callable[[str, str], Any], library: str, snippet: str
) -> None:
    said = TABLE["snippets"][KINDS_IN[library]][snippet]
    assert {*said} == {*tried(LIBRARIES[library].snippet, snippet)}
    found = told(library, "kinds")[snippet]
    for kind, outcome in said.items():
        exactly = outcome in ("value", "passes", "nan")
        assert found[kind] == outcome if exactly else re.search(outcome, found[kind]), kind
        assert not found[kind].startswith("wrong")


@pytest.mark.parametrize("library", [name for name in LIBRARIES if name.startswith("Keras")])
def test_keras_refuses_a_second_clip_and_its_layers_hold_on_every_backend(
    told: Callable[[str, str], Any], library: str
) -> None:
    said = told(library, "two limits")
    assert all("clipnorm" in said[limit] for limit in ("clipnorm", "clipvalue"))
    assert said["global_clipnorm"] == "nothing"
    tolerance = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-14}
    for case, errors in told(library, "layers").items():
        assert max(errors.values()) < tolerance[case.rpartition(" ")[2]], (case, errors)
