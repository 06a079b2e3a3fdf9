"""The inventory's forms ask the same, its sheets hide the key, and what the key calls right is computed."""

import csv
import re
from collections import Counter
from contextlib import chdir, redirect_stdout
from fractions import Fraction
from io import StringIO
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from classroom.tests.paths import ASSIGNMENTS, ROOT
from scaleclip.ops import clip_by_global_norm, clip_by_norm, max_norm, scale_gradient
from sccbook_classroom.__main__ import main
from sccbook_classroom.inventory import Inventory

INVENTORY = Inventory.read(ASSIGNMENTS / "inventory.yml")
FORMS = {form: [one.forms[form] for one in INVENTORY.questions] for form in "AB"}
pytestmark = pytest.mark.slow  # the first computation of a kind is compiled
EACH = pytest.mark.parametrize("form", ["A", "B"])
X, Y = jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0])


def kinds(n: int, form: str) -> dict[str, str]:
    """The words of each choice of a question, by "right" or its misconception."""
    choices = FORMS[form][n - 1].choices.values()
    return {str(one.get("misconception", "right")): str(one["text"]) for one in choices}


def printed(*command: str) -> str:
    with chdir(ROOT), redirect_stdout(StringIO()) as out:
        assert main(["inventory", *command]) == 0
    return out.getvalue()


def test_both_forms_have_one_right_choice_and_show_the_same_misconceptions() -> None:
    used = {"right"}
    for n, one in enumerate(INVENTORY.questions, start=1):
        letters = "".join(name + "".join(form.choices) for name, form in one.forms.items())
        assert (one.id, letters, len(kinds(n, "A"))) == (n, "AABCDBABCD", 4)
        assert {*kinds(n, "A")} == {*kinds(n, "B")}
        for choice in (choice for form in one.forms.values() for choice in form.choices.values()):
            assert len(choice) == (2 if "right" in choice else 3)
        used |= {*kinds(n, "A")}
    assert used == {"right", *INVENTORY.misconceptions}


@EACH
def test_a_printed_form_has_every_choice_and_nothing_of_the_key(form: str) -> None:
    text = printed("print", "--form", form)
    for question in FORMS[form]:
        assert question.stem.strip() in text
        for letter, choice in question.choices.items():
            assert f"- **{letter}.** {choice['text']}\n" in text
            assert str(choice.get("shows", "right:")) not in text
    assert not [name for name in INVENTORY.misconceptions if name in text]


def test_each_choice_is_looked_up_in_the_key() -> None:
    key = {row["lookup"]: row for row in csv.DictReader(printed("key").splitlines())}
    assert len(key) == 2 * 12 * 4
    right = Counter(row["form"] + at[-1] for at, row in key.items() if row["kind"] == "right")
    assert sum(right.values()) == 2 * 12
    assert {*right.values()} <= {2, 3, 4}  # no letter is right much more often than others
    *_, kind, words = key["B12C"].values()
    assert (kind, words) == ("clip_turns_nothing", INVENTORY.misconceptions["clip_turns_nothing"])


def numbers(n: int, form: str) -> list[float]:
    return [*map(float, re.findall(r"\d+(?:\.\d+)?", FORMS[form][n - 1].stem))]


def norms(*gradients: Any) -> str:
    return " and ".join(f"{float(jnp.linalg.norm(one)):g}" for one in gradients)


@EACH
def test_2_only_the_right_code_keeps_the_value_and_scales_the_slope(form: str) -> None:
    names, slope = {"stop": jax.lax.stop_gradient, "clip": jnp.clip}, {"A": 0.25, "B": 3.0}[form]
    for kind, text in kinds(2, form).items():
        found = jax.value_and_grad(eval(f"lambda x: {text.strip('`')}", names))(10.0)
        assert (found == (10.0, slope)) == (kind == "right")


@EACH
def test_4_and_11_a_clip_shortens_to_its_limit_and_no_more(form: str) -> None:
    norm, limit = numbers(4, form)
    assert kinds(4, form)["right"] == norms(clip_by_norm(norm * X, limit))
    *given, low, high = numbers(11, form)
    (step,) = {norms(min(given) * clip_by_norm(n * X, max(given))) for n in (low, high)}
    assert kinds(11, form)["right"].startswith(f"Every step was {step} long")


@EACH
def test_5_and_12_a_clip_of_each_part_is_no_clip_of_the_whole(form: str) -> None:
    a, b, *_, limit = numbers(5, form)
    assert numbers(12, form)[:3] == [limit, a, b]
    apart = norms(clip_by_norm(a * X, limit), clip_by_norm(b * Y, limit))
    whole = norms(*clip_by_global_norm([a * X, b * Y], limit)[0])
    five, twelve = kinds(5, form), kinds(12, form)
    assert (five["right"], five["clipnorm_is_global"]) == (apart, whole)
    assert twelve["right"] == f"Norms of {apart}, and another direction than the gradient's"
    assert twelve["group_clip_is_global"].startswith(f"Norms of {whole}, and the direction")


@EACH
def test_9_the_right_kernel_is_capped_by_columns(form: str) -> None:
    cap, _, *w = numbers(9, form)
    for axis, kind in enumerate(["right", "wrong_axis"]):
        capped = jnp.round(max_norm(jnp.array(w).reshape(2, 2), cap, axis=axis), 3)
        assert kinds(9, form)[kind] == f"`{capped.astype(int).tolist()}`"


@EACH
def test_10_the_printed_program_gives_the_right_factors(form: str) -> None:
    stem = FORMS[form][9].stem
    program = "\n".join(re.findall(r"^    (.*)$", stem, re.MULTILINE))

    def total(root: Any, step: int) -> Any:
        names = {"scale": scale_gradient, "observation": root, "representation": lambda x: x}
        names |= {"dynamics": lambda h: h, "loss": lambda k, h: h * (k == step)}
        exec(program, names)
        return names["total"]

    steps = map(int, re.findall(r"loss\s+of\s+step\s+(\d)", stem))
    factors = [str(Fraction(float(jax.grad(total)(1.0, step)))) for step in steps]
    assert kinds(10, form)["right"] == " and ".join(factors)
