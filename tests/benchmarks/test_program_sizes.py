"""Bytes are weighed as they travel, and what was recorded is weighed apart."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from jax import Array

from benchmarks.program.sizes import RECORDED, compiled, figures_in, payloads, unknown
from gradlab.program import compile

NORMS = np.random.default_rng(0).normal(size=200)


def share(limit: Array) -> Array:
    return jnp.mean(jnp.minimum(NORMS, limit))


def test_an_array_in_a_module_is_found_and_weighed_apart() -> None:
    module = compile(share, 1.0).javascript
    (apart,) = payloads([(module, True)])
    (whole,) = payloads([(module, False)])
    assert len(RECORDED.findall(module)) == 1
    assert apart.arrays > 1000
    assert whole.arrays == 0
    assert whole.gzip == len(gzip.compress(module.encode(), 9, mtime=0))
    assert apart.gzip < whole.gzip - 1000
    assert apart.brotli < apart.gzip


def test_a_copy_of_a_function_is_another_that_does_the_same() -> None:
    def shifted(x: int, *, by: int = 2) -> int:
        return x + by

    copy = unknown(shifted)
    assert copy is not shifted
    assert (copy(1), copy(1, by=5), copy.__name__) == (3, 6, "shifted")


def test_what_is_compiled_is_the_same_program_each_time() -> None:
    program, first, again = compiled(share, (1.0,), 2)
    assert program.javascript == compile(share, 1.0).javascript
    assert first > 0
    assert again > 0


def test_a_figure_in_two_pages_is_found_once_and_its_stages_each(tmp_path: Path) -> None:
    def write(page: str, *sights: list[str]) -> None:
        parts = [{"name": "F", "program": "", "sight": sight, "more": []} for sight in sights]
        start = '<script type="application/json" class="gl-description">'
        text = "".join(f"{start}{json.dumps(part)}</script>" for part in parts)
        (tmp_path / page).write_text(f"<html>{text}</html>", encoding="utf-8")

    write("a.html", ["s"])
    write("b.html", ["s"], ["s", "K"])
    assert [(shown.page, shown.place) for shown in figures_in(tmp_path)] == [
        ("a.html", 0),
        ("b.html", 1),
    ]
