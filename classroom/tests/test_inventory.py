"""The inventory's forms are parallel, its sheets hide the key, and a class's score is right."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from gradlab_classroom.course import CourseError
from gradlab_classroom.inventory import Inventory, as_table, main, sheets_of

from classroom.tests.paths import ASSIGNMENTS, ROOT

PATH = ASSIGNMENTS / "inventory.yml"
INVENTORY = Inventory.read(PATH)
KINDS = {form: [one.forms[form].kinds() for one in INVENTORY.questions] for form in "AB"}
KEY = [at for kinds in KINDS["A"] for at, kind in kinds.items() if kind == "right"]
HEADER = "student,form,when," + ",".join(f"q{n}" for n in range(1, 13))


@pytest.mark.parametrize("form", ["A", "B"])
def test_a_printed_form_has_every_choice_and_nothing_of_the_key(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["print", "--form", form]) == 0
    text = capsys.readouterr().out
    for question in INVENTORY.questions:
        assert question.forms[form].stem.strip() in text
        for letter, choice in question.forms[form].choices.items():
            assert f"- **{letter}.** {choice['text']}\n" in text
            assert str(choice.get("shows", "right:")) not in text
    assert not [name for name in INVENTORY.misconceptions if name in text]
    places = Counter(at for kinds in KINDS[form] for at, kind in kinds.items() if kind == "right")
    assert {*places.values()} <= {2, 3}


def choice(questions: Any, n: int, form: str) -> Any:
    """The first wrong choice of a question."""
    choices = questions[n - 1]["forms"][form]["choices"].values()
    return next(one for one in choices if "misconception" in one)


ALTER: dict[str, Callable[[Any], Any]] = {
    "question 3 needs id 3": lambda raw: raw[2].update(id=4),
    "question 1 needs .*one right": lambda raw: choice(raw, 1, "A").pop("misconception"),
    "question 5 needs .*wrong_axis": lambda raw: choice(raw, 5, "B").update(
        misconception="wrong_axis"
    ),
    "group_clip_is_global.*not shown": lambda raw: raw.pop(),
    r"questions / 3 / .*Given: 0\.5": lambda raw: choice(raw, 4, "A").update(text=0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", ALTER)
def test_an_inventory_that_could_not_be_scored_is_refused(words: str, tmp_path: Path) -> None:
    raw = yaml.safe_load(PATH.read_text("utf-8"))
    ALTER[words](raw["questions"])
    path = tmp_path / "changed.yml"
    path.write_text(yaml.safe_dump(raw), "utf-8")
    with pytest.raises(CourseError, match=rf"(?s)changed\.yml.*{words}"):
        Inventory.read(path)


def row(student: str, when: str, right: int, then: str = "") -> str:
    return ",".join([student, "A", when, *KEY[:right], *[then] * (12 - right)])


def scored(path: Path, *rows: str) -> str:
    path.write_text("\n".join([HEADER, *rows]), "utf-8-sig")
    return as_table(INVENTORY, sheets_of(path, INVENTORY))


def test_a_class_is_scored(tmp_path: Path) -> None:
    ann = [row("ann", "before", 4), row("Ann", " After", 7).lower()]  # (7 - 4) / (12 - 4)
    ben = [row("ben", "before", 1), row("ben", "after", 12)]  # (12 - 1) / (12 - 1)
    top = [row("cyd", "before", 12), row("cyd", "after", 11)]  # who could gain nothing
    table = scored(tmp_path / "class.csv", *ann, *ben, *top, row("dan", "before", 0))
    assert "Normalised gain of 3 pairs: 0.69, the mean of 2" in table
    lines = [" ".join(line.split()) for line in table.splitlines()]
    assert {"1 What a gradient scale is 75% 100%", "right 17 30", "left out 31 6"} <= {*lines}
    assert "12 A clip for each group of parameters 25% 33%" in lines


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (row("ann", "before", 3, "E"), "line 3: 'E' is no column or value of student"),
        (row("ann", "pre", 3), "line 3: 'PRE'"),
        ("ann,A,before,B", "line 3: 'no cell'"),
        (row("ann", "before", 3) + ",A", "line 3: .* a cell too many"),
        (row("BEN", "before", 3), "line 3: .* their second sheet"),
    ],
)
def test_a_sheet_that_cannot_be_scored_is_refused(line: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=words):
        scored(tmp_path / "class.csv", row("ben", "before", 2), line)
