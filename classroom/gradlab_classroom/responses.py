"""A class's answers to the concept inventory: how hard each question was, and the gain."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from gradlab_classroom.inventory import Inventory

HEADER = "student, form (A, B), when (before, after), q1, q2, ... (A, B, C, D or empty)"
WHEN = ("before", "after")


@dataclass(frozen=True)
class Response:
    """One sheet: who, which form, before or after, and a letter for each question, or ``""``."""

    student: str
    form: str
    when: str
    letters: tuple[str, ...]


def read(path: str | Path, questions: int) -> list[Response]:
    """Read the responses of a class from a CSV file.

    Args:
      path: UTF-8, with the columns student, form, when and q1 to qN, in any order. A letter
        may be small; an empty cell is a question that was left out.
      questions: N.

    Returns:
      One response for each row.

    Raises:
      FileNotFoundError: if there is no such file.
      ValueError: if a column is missing, a cell holds something else, or a student has two
        sheets of one time; it names the row as a spreadsheet counts it, the header being row 1.
    """
    columns = ["student", "form", "when", *(f"q{n}" for n in range(1, questions + 1))]
    rows: list[Response] = []
    first: dict[tuple[str, str], int] = {}
    try:
        text = Path(path).read_text(encoding="utf-8-sig")  # Excel begins with a byte-order mark
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8. Save it as “CSV UTF-8”.") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
    if missing := [name for name in columns if name not in reader.fieldnames]:
        raise ValueError(
            f"{path} has no column {', '.join(missing)}. Its first row must name, separated by "
            f"commas: {', '.join(columns)}."
        )
    for cells in reader:
        row = _response(cells, reader.line_num, questions)
        if (key := (row.student, row.when)) in first:
            raise ValueError(
                f"Rows {first[key]} and {reader.line_num} are both of {row.student!r}, "
                f"{row.when}. Keep one."
            )
        first[key] = reader.line_num
        rows.append(row)
    if not rows:
        raise ValueError(f"{path} has no row below its header. Write one row for each sheet.")
    return rows


def score(inventory: Inventory, rows: Sequence[Response]) -> dict[str, Any]:
    """Return what a class got right, which misconceptions it chose, and what it gained.

    With N questions, and for one student ``pre`` right before and ``post`` right after, the
    normalised gain is the part gained of what could be gained,

        g = (post - pre) / (N - pre).

    ``gain.mean`` is the mean of g over the pairs, the students with both sheets.
    ``gain.of_means`` is the same formula for the mean ``pre`` and ``post`` of all pairs, as Hake
    takes it. Where ``pre = N`` nothing could be gained and g is not defined: such a pair counts in
    ``gain.at_the_top_before`` and ``gain.of_means``, and not in ``gain.mean``.

    Args:
      inventory: the questions and their key.
      rows: what ``read`` returned. A question that was left out is not right.

    Returns:
      What JSON can hold, without names. Shares are of 1; None where there is nobody to count. The
      share of a misconception is that of its choices among all answers, empty ones too, to the
      questions that offer it. ``standard_error`` is that of ``gain.mean``, None below two pairs.

    Source: Hake 1998, American Journal of Physics 66, 64-74.
    """
    total = len(inventory.forms["A"])
    right = {
        (row.student, row.when): sum(
            question.right == letter
            for question, letter in zip(inventory.forms[row.form], row.letters, strict=True)
        )
        for row in rows
    }
    by_time = {when: [row for row in rows if row.when == when] for when in WHEN}
    return {
        "questions": total,
        "responses": {
            when: {form: sum(row.form == form for row in some) for form in inventory.forms}
            for when, some in by_time.items()
        },
        "mean_score": {
            when: _mean(n for (_, at), n in right.items() if at == when) for when in WHEN
        },
        "items": [_item(inventory, place, by_time) for place in range(total)],
        "misconceptions": [
            _misconception(inventory, name, by_time) for name in inventory.misconceptions
        ],
        "gain": _gain(rows, right, total),
    }


def as_table(results: dict[str, Any]) -> str:
    """Return the results of ``score`` as a text to read."""
    of = results["questions"]
    lines = [
        f"{'':58}{'before':>10}{'after':>10}",
        _line("sheets", [sum(results["responses"][when].values()) for when in WHEN], ""),
        _line(f"mean score, of {of}", [results["mean_score"][when] for when in WHEN], ".1f"),
        "\nright",
        *(
            _line(
                f"{item['id']:>2} {item['concept']}", [item["right"][w]["all"] for w in WHEN], ".0%"
            )
            for item in results["items"]
        ),
        "\nmisconceptions, chosen where they are offered",
    ]
    seen = sorted(
        results["misconceptions"],
        key=lambda misconception: -max(misconception[w] or 0.0 for w in WHEN),
    )
    lines += [
        _line(misconception["name"], [misconception[when] for when in WHEN], ".0%")
        for misconception in seen
    ]
    gain = results["gain"]
    lines += [
        f"\nnormalised gain (after - before) / ({of} - before), {gain['pairs']} pairs",
        f"mean over the pairs: {_show(gain['mean'], '.2f')}"
        f" (standard error {_show(gain['standard_error'], '.2f')});"
        f" left out, since they had {of} of {of} before: {gain['at_the_top_before']}",
        f"of the pairs' mean scores: {_show(gain['of_means'], '.2f')}",
        f"pairs with one form twice: {gain['same_form_twice']}; sheets without a pair:"
        f" {gain['unpaired']}",
    ]
    return "\n".join(lines) + "\n"


def _response(row: dict[str, Any], n: int, questions: int) -> Response:
    if None in row or None in row.values():
        raise ValueError(f"Row {n} has more or fewer cells than the header. Is a comma amiss?")
    cells = {name: cell.strip() for name, cell in row.items()}
    letters = tuple(cells[f"q{place}"].upper() for place in range(1, questions + 1))
    form, when = cells["form"].upper(), cells["when"].lower()
    for name, value, allowed in (
        ("form", form, ("A", "B")),
        ("when", when, WHEN),
        *((f"q{place}", at, ("A", "B", "C", "D", "")) for place, at in enumerate(letters, start=1)),
    ):
        if value not in allowed:
            words = ", ".join(letter or "nothing" for letter in allowed)
            raise ValueError(f"Row {n}, {name}: {cells[name]!r} was given, expected {words}.")
    if not cells["student"]:
        raise ValueError(f"Row {n} names no student. Any id will do that is the same twice.")
    return Response(cells["student"], form, when, letters)


def _item(inventory: Inventory, place: int, rows: dict[str, list[Response]]) -> dict[str, Any]:
    def share(some: list[Response]) -> float | None:
        return _mean(row.letters[place] == inventory.forms[row.form][place].right for row in some)

    question = inventory.forms["A"][place]
    right = {
        when: {form: share([row for row in some if row.form == form]) for form in inventory.forms}
        | {"all": share(some)}
        for when, some in rows.items()
    }
    left_out = {when: _mean(not row.letters[place] for row in some) for when, some in rows.items()}
    return {"id": question.id, "concept": question.concept, "right": right, "left_out": left_out}


def _misconception(
    inventory: Inventory, name: str, rows: dict[str, list[Response]]
) -> dict[str, Any]:
    shares = {
        when: _mean(
            bool(letter) and question.choices[letter].misconception == name
            for row in some
            for question, letter in zip(inventory.forms[row.form], row.letters, strict=True)
            if any(choice.misconception == name for choice in question.choices.values())
        )
        for when, some in rows.items()
    }
    return {"name": name, "words": inventory.misconceptions[name], **shares}


def _gain(
    rows: Sequence[Response], right: dict[tuple[str, str], int], total: int
) -> dict[str, Any]:
    form = {(row.student, row.when): row.form for row in rows}
    both = [name for name, when in right if when == "before" and (name, "after") in right]
    pairs = [(right[name, "before"], right[name, "after"]) for name in both]
    gains = [(post - pre) / (total - pre) for pre, post in pairs if pre < total]
    could = sum(total - pre for pre, _ in pairs)
    return {
        "pairs": len(pairs),
        "at_the_top_before": len(pairs) - len(gains),
        "mean": _mean(gains),
        "standard_error": stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else None,
        "of_means": sum(post - pre for pre, post in pairs) / could if could else None,
        "same_form_twice": sum(form[name, "before"] == form[name, "after"] for name in both),
        "unpaired": len(rows) - 2 * len(pairs),
    }


def _mean(values: Iterable[float]) -> float | None:
    all_of_them = list(values)
    return fmean(all_of_them) if all_of_them else None


def _line(name: str, values: Sequence[Any], form: str) -> str:
    return f"{name:58}" + "".join(f"{_show(value, form):>10}" for value in values)


def _show(value: Any, form: str) -> str:
    return "-" if value is None else format(value, form)
