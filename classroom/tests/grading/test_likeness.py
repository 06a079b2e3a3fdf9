"""Likeness of answers: the same text, and what is not their own."""

from __future__ import annotations

import pytest
from gradlab_classroom.grading import likeness

from classroom.tests.notebooks_for_tests import FIRST, FOURTH

LONG = """def max_norm(w, limit):
    {doc}norms = jnp.sqrt(jnp.sum(w ** 2, axis=0, keepdims=True))
    factor = jnp.where(norms > limit, limit / norms, 1.0)  {comment}
    result = w * factor
    return jnp.asarray(result, dtype=w.dtype)
"""


def prints(source):
    return likeness.fingerprints(likeness.trees([source]), ["max_norm"])


def test_comments_layout_and_docstrings_do_not_make_a_text_another_and_names_do():
    plain = LONG.format(doc="", comment="")
    disguised = LONG.format(doc='"""My own."""\n    ', comment="# mine").replace("w ** 2", "w**2")
    assert prints(plain) == prints(disguised) != {}
    assert prints(plain) != prints(plain.replace("factor", "f"))


DEEP = {
    "a long sum": "1" + " + 1" * 2000,
    "a chain of attributes": "a" + ".b" * 2500,
    "a chain of calls": "a" + "()" * 1500,
    "an integer that is not written out": "[" + "0, " * 80 + "0x" + "f" * 5000 + "]",
}
DEEP_FUNCTIONS = {
    **{name: f"def max_norm(w, limit):\n    return {text}\n" for name, text in DEEP.items()},
    "many branches": "def max_norm(w, limit):\n    if w:\n        pass\n"
    + "    elif limit:\n        pass\n" * 900,
}


@pytest.mark.parametrize("name", DEEP_FUNCTIONS)
def test_a_function_too_deep_to_be_written_out_has_no_print_and_costs_others_none(name):
    honest = LONG.format(doc="", comment="")
    other = honest.replace("max_norm", "other")
    (cell,) = likeness.trees([f"{other}\n{DEEP_FUNCTIONS[name]}"])
    found = likeness.fingerprints([*likeness.trees([honest]), cell], ["max_norm", "other"])
    assert "other" in found
    assert found.get("max_norm") not in prints(honest).values()


def test_short_functions_are_alike_by_nature():
    assert prints("def max_norm(w, limit):\n    return w * jnp.minimum(1, limit / norm(w))") == {}


def test_the_last_definition_is_the_one_that_is_compared():
    assert (
        prints(LONG.format(doc="", comment="") + "\ndef max_norm(w, limit):\n    return w\n") == {}
    )


def test_students_whose_function_is_the_same_text_are_reported_once():
    found = likeness.alike(
        [
            ("a", FOURTH, {"f": "1"}),
            ("b", FOURTH, {"f": "1"}),
            ("c", FOURTH, {"f": "2"}),
            ("d", FIRST, {"f": "1"}),
        ]
    )
    assert list(found) == [(FOURTH, "f", ["a", "b"])]


@pytest.mark.parametrize(
    "source",
    [
        "from gradlab.ops import max_norm",
        "from gradlab.ops.constraints import max_norm as cap",
        "import gradlab.ops as ops\nf = ops.max_norm",
        "import gradlab\nf = gradlab.ops.max_norm",
        "from gradlab import ops\nf = ops.constraints.max_norm",
    ],
)
def test_the_packages_own_version_of_what_is_asked_for_is_noted(source):
    assert len(likeness.borrowed(likeness.trees([source]), ["max_norm"])) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from gradlab.ops import unit_norm",
        "from gradlab.exercises import check",
        "import optax\nf = optax.max_norm",
        "def max_norm(w): return w\nmy.max_norm",
        "not python (",
        "x = " + "(" * 5000,
    ],
)
def test_other_imports_are_not_noted(source):
    assert likeness.borrowed(likeness.trees([source]), ["max_norm"]) == []
