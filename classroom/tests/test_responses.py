"""The score of a class: what it got right, which misconceptions it had, and what it gained."""

from __future__ import annotations

import csv
import json
import re

import pytest
from gradlab_classroom import inventory, inventory_command, responses

from classroom.tests.paths import ASSIGNMENTS

PATH = ASSIGNMENTS / "inventory.yml"
COLUMNS = ["student", "form", "when", *(f"q{n}" for n in range(1, 13))]


@pytest.fixture(scope="module")
def questions():
    return inventory.read(PATH)


def sheet(questions, student, form, when, right=(), wrong=None):
    """A row: right where ``right`` says, else empty, or the letter of a misconception."""
    row = [student, form, when]
    for question in questions.forms[form]:
        letters = {choice.misconception: letter for letter, choice in question.choices.items()}
        row.append(
            question.right if question.id in right else letters.get(wrong, "") if wrong else ""
        )
    return row


@pytest.fixture
def write(tmp_path):
    def to_file(rows, columns=COLUMNS, encoding="utf-8"):
        path = tmp_path / "class.csv"
        with path.open("w", newline="", encoding=encoding) as file:
            csv.writer(file).writerows([columns, *rows])
        return path

    return to_file


@pytest.fixture
def scored(questions, write):
    rows = [
        sheet(questions, "ann", "A", "before", range(1, 5), "scaling_is_clipping"),  # 4
        sheet(questions, "ann", "B", "after", range(1, 8)),  # 7: (7 - 4) / 8
        sheet(questions, "ben", "B", "before", [1], "scaling_is_clipping"),  # 1; chosen in 4 and 8
        sheet(questions, "ben", "A", "after", range(1, 13)),  # 12: 11 / 11 = 1
        sheet(questions, "cyd", "A", "before", range(1, 13)),  # 12: no gain is defined
        sheet(questions, "cyd", "A", "after", range(1, 10)),  # 9
        sheet(questions, "dan", "B", "before"),  # 0, and no second sheet
    ]
    return responses.score(questions, responses.read(write(rows), 12))


def test_the_mean_gain_is_over_the_pairs_that_could_gain(scored):
    gain = scored["gain"]
    assert gain["pairs"] == 3
    assert gain["at_the_top_before"] == 1
    assert gain["mean"] == pytest.approx((3 / 8 + 1) / 2)
    assert gain["standard_error"] == pytest.approx(
        5 / 16
    )  # two values, half of 5/8 from their mean
    assert gain["same_form_twice"] == 1
    assert gain["unpaired"] == 1


def test_the_gain_of_the_means_is_hakes(scored):
    before, after = (4 + 1 + 12) / 3, (7 + 12 + 9) / 3
    assert scored["gain"]["of_means"] == pytest.approx((after - before) / (12 - before))


def test_a_class_that_knew_everything_has_no_gain_and_not_a_gain_of_zero(questions, write):
    rows = [sheet(questions, "ann", "A", when, range(1, 13)) for when in responses.WHEN]
    gain = responses.score(questions, responses.read(write(rows), 12))["gain"]
    assert (gain["mean"], gain["of_means"], gain["standard_error"]) == (None, None, None)
    assert gain["at_the_top_before"] == gain["pairs"] == 1


def test_the_difficulty_of_a_question_is_the_share_that_had_it_right(scored):
    first, last = scored["items"][0], scored["items"][-1]
    assert first["right"]["before"] == {"A": 1, "B": 1 / 2, "all": 3 / 4}
    assert first["right"]["after"] == {"A": 1, "B": 1, "all": 1}
    assert last["right"]["after"] == {"A": 1 / 2, "B": 0, "all": 1 / 3}
    assert last["left_out"]["before"] == 3 / 4


def test_a_misconception_counts_where_it_is_offered(scored):
    shares = {misconception["name"]: misconception for misconception in scored["misconceptions"]}
    # questions 1, 4 and 8 offer it to four students before: ann chose it in 8, ben in 4 and 8
    assert shares["scaling_is_clipping"]["before"] == 3 / 12
    assert shares["scaling_is_clipping"]["after"] == 0
    assert shares["wrong_axis"]["before"] == 0


def test_the_results_are_json_without_names(scored):
    text = json.dumps(scored, allow_nan=False)
    assert not re.search(r"ann|ben\b|cyd|dan", text)


def test_what_nobody_answered_has_no_share(questions, write):
    rows = [sheet(questions, "ann", "A", "before", [1])]
    results = responses.score(questions, responses.read(write(rows), 12))
    assert results["items"][0]["right"]["after"] == {"A": None, "B": None, "all": None}
    assert results["mean_score"] == {"before": 1, "after": None}
    assert "-" in responses.as_table(results)


def test_the_table_states_counts_and_gain(scored):
    text = responses.as_table(scored)
    assert re.search(r"sheets +4 +3\n", text)
    assert re.search(r"mean score, of 12 +4\.2 +9\.3\n", text)
    assert re.search(r"12 A clip for each group of parameters +25% +33%\n", text)
    assert "mean over the pairs: 0.69 (standard error 0.31)" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_small_letters_spaces_a_byte_order_mark_and_other_columns_are_read(questions, write):
    row = sheet(questions, "ann", "A", "before", range(1, 13))
    untidy = [row[0], " a", "Before ", *(f" {letter.lower()}" for letter in row[3:]), "room 3"]
    path = write([untidy], [*COLUMNS, "remark"], encoding="utf-8-sig")
    (one,) = responses.read(path, 12)
    assert one == responses.Response("ann", "A", "before", tuple(row[3:]))


@pytest.mark.parametrize(
    ("alter", "match"),
    [
        (lambda rows: rows[1].__setitem__(3, "E"), "Row 3, q1: 'E' was given, expected A, B, C, D"),
        (lambda rows: rows[1].__setitem__(1, "C"), "Row 3, form: 'C' was given, expected A, B"),
        (lambda rows: rows[0].__setitem__(2, "pre"), "Row 2, when: 'pre' was given, expected bef"),
        (lambda rows: rows[0].__setitem__(0, " "), "Row 2 names no student"),
        (lambda rows: rows[0].append("A"), "Row 2 has more or fewer cells"),
        (lambda rows: rows[1].pop(), "Row 3 has more or fewer cells"),
        (lambda rows: rows.append(list(rows[0])), "Rows 2 and 4 are both of 'ann', before"),
        (lambda rows: rows.clear(), "no row below its header"),
    ],
)
def test_a_row_that_cannot_be_scored_is_refused_with_its_place(questions, write, alter, match):
    rows = [sheet(questions, "ann", "A", "before"), sheet(questions, "ben", "B", "before")]
    alter(rows)
    with pytest.raises(ValueError, match=match):
        responses.read(write(rows), 12)


def test_missing_columns_are_named(write):
    with pytest.raises(ValueError, match="no column when, q10"):
        responses.read(write([], [name for name in COLUMNS if name not in ("when", "q10")]), 10)


def test_a_file_in_another_encoding_is_refused(questions, write):
    path = write([sheet(questions, "Zoë", "A", "before")], encoding="latin-1")
    with pytest.raises(ValueError, match="not UTF-8"):
        responses.read(path, 12)


def test_the_command_scores_a_class(questions, write, tmp_path, capsys):
    rows = [sheet(questions, "ann", "A", "before"), sheet(questions, "ann", "B", "after", [1, 2])]
    out = tmp_path / "results.json"
    given = ["--inventory", str(PATH), "score", str(write(rows)), "--json", str(out)]
    assert inventory_command.main(given) == 0
    results = json.loads(out.read_text(encoding="utf-8"))
    assert results["gain"]["mean"] == pytest.approx(2 / 12)
    assert capsys.readouterr().out == responses.as_table(results)


@pytest.mark.parametrize("missing", ["inventory", "responses"])
def test_the_command_says_which_file_is_missing(missing, tmp_path, capsys):
    path = PATH if missing == "responses" else tmp_path / "none.yml"
    assert (
        inventory_command.main(["--inventory", str(path), "score", str(tmp_path / "none.csv")]) == 2
    )
    assert ("none.csv" if missing == "responses" else "none.yml") in capsys.readouterr().err
