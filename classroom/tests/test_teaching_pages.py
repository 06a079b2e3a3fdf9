"""The pages for teaching name commands, assignments, places and numbers that exist."""

import re
import shlex
from fractions import Fraction

import pytest

from classroom.tests.assigned import COURSE
from classroom.tests.paths import ASSIGNMENTS, ROOT
from sccbook.figures import UnrolledFlow
from sccbook_classroom.__main__ import main
from sccbook_classroom.inventory import Inventory

TEACHING = ROOT / "book" / "teaching"
PAGES = [ROOT / "classroom" / "README.md", *sorted(TEACHING.glob("*.md"))]
TYPED = r"(?:^|`)((?:make|python -m sccbook_classroom) [^`#\n]+)"
COMMANDS = {typed.strip() for path in PAGES for typed in re.findall(TYPED, path.read_text(), re.M)}


def tables(page: str, first: str) -> list[list[list[str]]]:
    """The rows of each table of a page whose first header is this."""
    text = (TEACHING / page).read_text()
    found = re.findall(rf"^\| {first} \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[re.split(r" *\| *", row.strip("| ")) for row in rows.splitlines()] for rows in found]


@pytest.mark.slow  # the first imports nbgrader
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_and_its_options_exist(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)
    wanted = [f"$({word.partition('=')[0]})" for word in words[2:]]
    said = (ROOT / "Makefile").read_text()
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:.*## ", said, re.MULTILINE)
    else:
        with pytest.raises(SystemExit, match="0"):
            main([*(word for word in words[3:5] if re.fullmatch("[a-z]+", word)), "--help"])
        said, wanted = capsys.readouterr().out, [word for word in words if word.startswith("--")]
    assert all(word in said for word in wanted)


def test_the_assignments_have_the_minutes_and_points_of_the_course() -> None:
    (table,) = tables("instructors.md", "assignment")
    stated = [(row[0].strip("`"), int(row[2]), float(row[-1])) for row in table]
    assert stated == [(name, one.minutes, one.points) for name, one in COURSE.assignments.items()]


def test_each_mistake_has_its_place_and_its_question_of_the_inventory() -> None:
    questions = Inventory.read(ASSIGNMENTS / "inventory.yml").questions
    (table,) = tables("instructors.md", "what is said or written")
    for _, _, where, _, names, item in table:
        ((path, heading),) = re.findall(r"(notebooks/\w+\.ipynb)\), \*([^*]+)\*", where)
        chapter = re.sub(r'\\"|[“”`]', "", (ROOT / path).read_text())
        assert re.search(rf'"#+ {re.escape(re.sub("[“”`]", "", heading))}', chapter)
        choices = questions[int(item) - 1].forms["A"].choices.values()
        assert {*re.findall(r"`(\w+)`", names)} & {one.get("misconception") for one in choices}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "scale", "steps"), [(1, 1 / 2, 4), (2, 2 / 5, 4)])
def test_a_river_on_paper_is_what_the_view_draws(number: int, scale: float, steps: int) -> None:
    river = UnrolledFlow(scale=scale, steps=steps)
    assert (TEACHING / f"river_{number}.svg").read_text() == river.svg()
    _, *received = tables("generative_tools.md", "loss")[number - 1][-1]
    assert [*map(Fraction, received)] == pytest.approx([*river.value["received"][:steps]])
