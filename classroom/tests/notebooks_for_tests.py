"""Notebooks of students: cells, and the forms in which different programs store them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from classroom.tests.answers import IMPORTS

FIRST, FOURTH = "1_the_missing_function", "4_constraining"
POINTS = {
    FIRST: {"scale_gradient": 6, "report_and_differentiate": 4},
    FOURTH: {"max_norm": 5, "wrong_axis": 3, "three_places": 6},
}
WRITTEN = {FIRST: "tell_apart", FOURTH: "not_a_gradient"}


def code(text: str, grade_id: str = "") -> dict[str, Any]:
    return _cell("code", text, grade_id) | {"execution_count": None, "outputs": []}


def markdown(text: str, grade_id: str = "") -> dict[str, Any]:
    return _cell("markdown", text, grade_id)


def _cell(kind: str, text: str, grade_id: str) -> dict[str, Any]:
    metadata = {"nbgrader": {"grade_id": grade_id, "schema_version": 3}} if grade_id else {}
    return {
        "cell_type": kind,
        "id": f"cell-{zlib.crc32(text.encode())}",
        "metadata": metadata,
        "source": text.splitlines(keepends=True),
    }


def cells(
    assignment: str, answers: Sequence[str], *, prediction: str = "c", words: str = "In words."
) -> list[dict[str, Any]]:
    """An assignment's notebook, filled in: the answers in the order of its functions."""
    made = [markdown(f"# {assignment}"), code(IMPORTS), code(f'prediction = "{prediction}"')]
    for (name, points), answer in zip(POINTS[assignment].items(), answers, strict=True):
        made += [
            markdown(f"## `{name}`"),
            code(answer, name),
            code(f'check("{name}", {name})'),
            code(f'points("{name}", globals(), of={points})', f"test_{name}"),
        ]
    question = WRITTEN[assignment]
    made.append(markdown(f"**Your answer ({question}):**\n\n{words}", f"written_{question}"))
    return made


def notebook(
    given: Sequence[Mapping[str, Any]], assignment: str = "", **metadata: Any
) -> dict[str, Any]:
    """The JSON of a notebook, as JupyterLab stores it."""
    own = {"gradlab": {"assignment": assignment}} if assignment else {}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": list(given),
        "metadata": {"kernelspec": kernel, **own, **metadata},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def as_bytes(given: Any) -> bytes:
    return json.dumps(given, indent=1).encode()


def of_colab(given: dict[str, Any]) -> dict[str, Any]:
    """As Colab stores it: no ids of its cells' kind, its own metadata, sources as one text."""
    stored = []
    for cell in given["cells"]:
        kept = {key: value for key, value in cell.items() if key not in ("id", "execution_count")}
        metadata = {"id": "aB3_xYz", "colab": {"base_uri": "https://localhost"}}
        stored.append(kept | {"source": "".join(cell["source"]), "metadata": metadata})
    about = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": about, "cells": stored}


def of_vs_code(given: dict[str, Any]) -> dict[str, Any]:
    """As VS Code stores it: no ids, a language in each cell, and Windows's ends of lines."""
    stored = []
    for cell in given["cells"]:
        kept = {key: value for key, value in cell.items() if key != "id"}
        source = [line.rstrip("\n") + "\r\n" for line in cell["source"]]
        vs_code = {"vscode": {"languageId": "python"}}
        stored.append(kept | {"source": source, "metadata": cell["metadata"] | vs_code})
    return {**given, "cells": stored, "nbformat_minor": 2}


def of_ipython_2(given: dict[str, Any]) -> dict[str, Any]:
    """As IPython 2 stored it."""
    stored: list[dict[str, Any]] = []
    for cell in given["cells"]:
        if cell["cell_type"] == "code":
            stored.append(
                {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": []}
            )
        else:
            stored.append({"cell_type": "markdown", "source": cell["source"]})
    return {"metadata": {}, "nbformat": 3, "worksheets": [{"cells": stored}]}


def with_output(given: dict[str, Any], megabytes: int) -> dict[str, Any]:
    """With one cell whose output is huge."""
    at = next(n for n, cell in enumerate(given["cells"]) if cell["cell_type"] == "code")
    text = "0123456789abcde\n" * (megabytes * 2**16)
    shown = {"output_type": "stream", "name": "stdout", "text": text}
    changed = [dict(cell) for cell in given["cells"]]
    changed[at]["outputs"] = [shown]
    return {**given, "cells": changed}
