"""The pages for teaching are right about commands, points, times and pictures."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
import yaml
from gradlab_classroom import inventory
from gradlab_classroom.__main__ import main

from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE, ROOT
from gradlab.figures import UnrolledFlow

PAGES = {path.stem: path for path in sorted((ROOT / "book" / "teaching").glob("*.md"))}
RIVERS = {1: (Fraction(1, 2), 4), 2: (Fraction(1, 4), 6)}


def text(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


def tables(page: str) -> Iterator[list[list[str]]]:
    """Every table of a page: its rows, the header first, as lists of cells."""
    for block in re.findall(r"(?:^\|.*\n)+", text(page), re.MULTILINE):
        rows = [re.split(r"\s*\|\s*", line.strip(" |")) for line in block.splitlines()]
        yield [rows[0], *rows[2:]]


def table(page: str, first: str) -> list[list[str]]:
    """The rows of the only table whose header begins so."""
    (found,) = (rows[1:] for rows in tables(page) if rows[0][0] == first)
    return found


def commands() -> list[str]:
    """List what the pages tell people to type, once each."""
    found = []
    for page in PAGES:
        blocks = re.findall(r"^```sh\n(.*?)^```", text(page), re.MULTILINE | re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += re.findall(r"`((?:make|python -m) [^`]+)`", text(page))
        found += [line.partition("#")[0].strip() for line in lines]
    return sorted(set(found))


MAKE = [command for command in commands() if command.startswith("make ")]
PYTHON = [command for command in commands() if command.startswith("python -m gradlab")]


def test_there_are_pages_and_commands():
    assert set(PAGES) >= {"instructors", "students", "pilot", "grading", "setup"}
    assert {"make grade SUBMITTED=folder", "make lab-kit"} <= set(MAKE)
    assert len(PYTHON) >= 4


@pytest.mark.parametrize("command", MAKE)
def test_what_is_made_is_a_command_of_the_makefile(command):
    target, *settings = command.split()[1:]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE)
    for setting in settings:
        assert f"$({setting.partition('=')[0]})" in makefile


@pytest.mark.parametrize("command", PYTHON)
def test_a_command_and_its_options_exist(command, capsys):
    words = shlex.split(command)
    assert words[2] == "gradlab_classroom"
    plain = next((n for n, word in enumerate(words) if word.startswith("--")), len(words))
    with pytest.raises(SystemExit) as ended:
        main([*words[3:plain], "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for option in (word for word in words if word.startswith("--")):
        assert option in said


def test_the_assignments_are_those_of_the_course():
    course = yaml.safe_load(COURSE_FILE.read_text(encoding="utf-8"))
    stated = {}
    for name, chapters, minutes, functions, written, total in table("instructors", "assignment"):
        stated[name.strip("`")] = (
            re.findall(r"\[(\d\d)\]", chapters),
            *(int(number) for number in (minutes, functions, written, total)),
        )
    known = {}
    for name, one in course["assignments"].items():
        functions = sum(one["functions"].values())
        written = sum(question["points"] for question in one["written"].values())
        known[name] = (one["chapters"], one["minutes"], functions, written, functions + written)
    assert stated == known


MISTAKES = table("instructors", "what is said or written")
PLACE = re.compile(r"\[(\d\d)\]\(\.\./\.\./notebooks/((\d\d)_\w+)\.ipynb\), \*([^*]+)\*")
WIDELY_HELD = {
    "adam_makes_clipping_pointless", "always_clipping_helps", "batch_norm_instead",
    "clip_after_step", "clip_before_summing", "clip_before_unscaling", "clip_helps_vanishing",
    "clip_tames_nan", "clipnorm_can_scale", "clipnorm_is_global", "constraint_on_gradient",
    "forward_scaled", "group_clip_is_global", "inputs_clipped", "line_outside_the_loop",
    "logged_norm_is_after", "max_norm_on_state", "one_over_k_on_step_0", "scale_before_the_heads",
    "scaling_is_clipping", "tf_function_was_removed", "wrong_axis", "wrong_term_stopped",
}  # fmt: skip
"""What people have said in public; micro-batches and machines are one of them, in two rows."""


def plain(words: str) -> str:
    return re.sub(r'["“”`]', "", words)


def headings(chapter: str) -> set[str]:
    """The headings of a chapter's sections, without marks."""
    cells = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return {plain(found) for found in re.findall(r"^##+ (.+)$", prose, re.MULTILINE)}


def test_every_widely_held_mistake_has_its_row():
    named = [name for row in MISTAKES for name in re.findall(r"`(\w+)`", row[4])]
    assert set(named) >= WIDELY_HELD
    assert len(MISTAKES) == len(WIDELY_HELD) + 1
    twice = {name for name in named if named.count(name) > 1}
    assert twice <= {"clip_before_summing"}, "cleared up in more than one place"


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row[0])
def test_a_mistake_has_one_place_one_question_and_one_item_of_the_inventory(row):
    _, ask, where, asked, names, item = row
    assert ask.endswith(("?", ".", ".)"))
    place = PLACE.fullmatch(where)
    assert place, where
    number, chapter, address, heading = place.groups()
    assert number == address
    assert plain(heading) in headings(chapter)

    named = re.findall(r"`(\w+)`", names)
    quiz = re.fullmatch(r"quiz (\d)(?: of (\d\d))?", asked)
    exercise = re.fullmatch(r"`(\w+)`", asked)
    assert quiz or exercise, asked
    if exercise:  # which names this very mistake when somebody makes it
        module = (ROOT / "gradlab" / "exercises" / f"{exercise[1]}.py").read_text(encoding="utf-8")
        assert [name for name in named if f'"{name}"' in module], asked
    else:
        (path,) = (ROOT / "notebooks").glob(f"{quiz[2] or number}_*.ipynb")
        assert f'"id": "quiz-{quiz[1]}"' in path.read_text(encoding="utf-8")
    asks = inventory.read(ASSIGNMENTS / "inventory.yml").forms["A"][int(item) - 1]
    assert {choice.misconception for choice in asks.choices.values()} & set(named)


def test_a_plan_has_no_gap_and_ends_when_it_says():
    plans = [rows[1:] for rows in tables("instructors") if rows[0][0] == "minutes"]
    ends = []
    for rows in plans:
        now = 0
        for when, *what in rows:
            start, end = map(int, when.split(" to "))
            assert start == now
            parts = [int(n) for n in re.findall(r"\((\d+)\)", " ".join(what))]
            assert not parts or sum(parts) == end - start
            now = end
        ends.append(now)
    assert ends == [60, 90, 90]


def test_the_tasks_of_the_pilot_fill_the_time_for_tasks():
    (hour,) = (rows[1:] for rows in tables("pilot") if rows[0][0] == "minutes")
    (span,) = (when for when, what in hour if what == "Five tasks.")
    start, end = map(int, span.split(" to "))
    assert sum(int(row[2]) for row in table("pilot", "task")) == end - start


# ------------------------------------------------------------------- the river, on paper


def river(number: int) -> UnrolledFlow:
    scale, steps = RIVERS[number]
    return UnrolledFlow(scale=float(scale), steps=steps)


@pytest.mark.slow
@pytest.mark.parametrize("number", RIVERS)
def test_a_picture_to_print_is_what_the_view_draws(number):
    stored = (ROOT / "book" / "teaching" / f"river_{number}.svg").read_text(encoding="utf-8")
    assert stored == river(number).svg(), (
        "run the code of book/teaching/generative_tools.md with the s and K of RIVERS"
    )


def fractions(cells: list[str]) -> list[Fraction]:
    return [Fraction(cell) for cell in cells if cell]


@pytest.mark.slow
@pytest.mark.parametrize("number", RIVERS)
def test_the_table_beside_a_picture_has_its_numbers(number):
    (rows,) = (
        rows[1:]
        for rows in tables("generative_tools")
        if rows[0][0] == "loss" and len(rows[0]) == RIVERS[number][1] + 1
    )
    value, steps = river(number).value, RIVERS[number][1]
    for k, row in enumerate(rows[:-1]):
        stated = np.array(fractions(row[1:]), float)
        np.testing.assert_allclose(stated, value["contributions"][k][: k + 1], rtol=1e-12)
    stated = np.array(fractions(rows[-1][1:]), float)
    np.testing.assert_allclose(stated, value["received"][:steps], rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("number", RIVERS)
def test_the_key_is_right(number):
    key = {int(row[0]): row[number] for row in table("generative_tools", "question")}
    scale, steps = map(float, RIVERS[number])
    now = river(number).value
    one_more = UnrolledFlow(scale=scale, steps=int(steps) + 1).value
    doubled = UnrolledFlow(scale=scale, steps=int(steps), gain=2.0).value
    # 1: what the last loss sends through application 2 has passed the gate at h_2
    assert float(Fraction(key[1])) == pytest.approx(now["contributions"][int(steps) - 1][1])
    # 2: the values are what they are at s = 1
    plain = UnrolledFlow(scale=1.0, steps=int(steps)).value
    np.testing.assert_array_equal(now["states"], plain["states"])
    # 4: the new number over h_1, by the rule that the key states, and below the line
    first, _, passes = key[4].partition("; ")
    assert float(Fraction(first)) == pytest.approx(one_more["received"][0])
    assert float(Fraction(first)) == pytest.approx(1 + scale * now["received"][0])
    assert passes == "no"
    assert one_more["received"][0] < now["bound"] == pytest.approx(1 / (1 - scale))
    # 5: the line at a gain of 2
    stated = re.match(r"yes, at (\d+):", key[5])
    assert float(stated[1]) == pytest.approx(doubled["bound"]) if stated else True
    assert np.isfinite(doubled["bound"]) == bool(stated)


@pytest.mark.slow
def test_a_clip_lets_out_no_more_than_its_limit_as_the_key_says():
    clipped = UnrolledFlow(scale=1.0, steps=4, clip=True, limit=1.0).value
    own = clipped["own"][:4]
    through = np.array(clipped["received"][:4])
    assert (through <= 1 + own + 1e-12).all()  # what came out of the gate, and the loss's own
    assert through.max() == pytest.approx(2)


@pytest.mark.slow
def test_the_code_for_other_pictures_runs(tmp_path, monkeypatch):
    (code,) = re.findall(r"^```python\n(.*?)^```", text("generative_tools"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "generative_tools.md", "exec"), {})
    assert "K = 5" in (tmp_path / "river_1.svg").read_text(encoding="utf-8")
    assert "K = 7" in (tmp_path / "river_2.svg").read_text(encoding="utf-8")
