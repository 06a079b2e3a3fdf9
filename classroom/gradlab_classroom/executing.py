"""nbgrader's preprocessors: restore cells, run a notebook in the sandbox, judge outside, save points.

``nbgrader_config.py`` puts them in the place of nbgrader's own ``OverwriteCells``, ``Execute`` and
``SaveAutoGrades``.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_grade
from traitlets import Unicode

from gradlab_classroom.exercises import exercise, names_of, state
from gradlab_classroom.judging import Mark, judge, notes_on
from gradlab_classroom.reading import anchored, words
from gradlab_classroom.runs import Runs, job_of
from gradlab_classroom.sandbox.watching import Ended

Both = tuple[NotebookNode, dict[str, Any]]
OWN = "gradlab"
"""The key under which a graded notebook, and its test cells, keep what was found."""


class RestoreCells(NbGraderPreprocessor):
    """Give each cell the form that it was handed out in, whatever has become of it, and note it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Both:
        """Restore a notebook's cells. What nbgrader's metadata in it say doesn't count."""
        known = resources["nbgrader"]
        with Gradebook(known["db_url"]) as book:
            found = book.find_notebook(known["notebook"], known["assignment"])
            points = {cell.name: cell.max_score for cell in found.grade_cells}
            solutions = {cell.name for cell in found.solution_cells}
            handed_out = {cell.name: cell for cell in found.source_cells}
            forms = {name: _form(cell, points, solutions) for name, cell in handed_out.items()}
        notes: list[str] = []
        there: dict[str, NotebookNode] = {}
        for cell in nb.cells:
            name = _name(cell)
            cell.metadata = {}
            if name in forms:
                there.setdefault(name, cell)
                if anchored(there[name].source) and not words(there[name].source):
                    there[name] = cell  # of two answers in words the first that isn't blank
        for cell in nb.cells:  # typed again, into a cell of its own
            name = f"written_{anchored(cell.source)}"
            if name in forms and name not in there and cell.cell_type != "code":
                there[name] = cell
                notes.append(
                    f"the answer {name.removeprefix('written_')!r} stands in a cell of its own"
                )
        for name, form in forms.items():
            if name not in there:
                if name not in points:
                    continue  # the function may stand anywhere
                there[name] = _new(form)
                nb.cells.append(there[name])
                notes.append(f"its cell {name!r} was gone, and was put back")
            notes += _restore(there[name], form, nb)
        nb.metadata[OWN] = {"notes": notes}
        return nb, resources


def _name(cell: NotebookNode) -> str:
    """What nbgrader calls a cell; its metadata may hold anything."""
    own = cell.metadata.get("nbgrader") if isinstance(cell.metadata, dict) else None
    name = own.get("grade_id") if isinstance(own, dict) else None
    return name if isinstance(name, str) else ""


def _form(cell: Any, points: dict[str, float], solutions: set[str]) -> dict[str, Any]:
    """A cell as the gradebook has it."""
    metadata = {
        "grade_id": cell.name,
        "grade": cell.name in points,
        "solution": cell.name in solutions,
        "task": False,
        "locked": cell.locked,
        "checksum": cell.checksum,
        "cell_type": cell.cell_type,
        "schema_version": 3,
        **({"points": points[cell.name]} if cell.name in points else {}),
    }
    return {"type": cell.cell_type, "source": cell.source, "metadata": metadata}


def _new(form: dict[str, Any]) -> NotebookNode:
    make = new_code_cell if form["type"] == "code" else new_markdown_cell
    return make(form["source"])


def _restore(cell: NotebookNode, form: dict[str, Any], nb: NotebookNode) -> list[str]:
    """Bring one cell back into its form, and return notes on what was not as it should be."""
    name, notes = form["metadata"]["grade_id"], []
    if cell.cell_type != form["type"]:
        notes.append(f"its cell {name!r} was turned into {cell.cell_type}, and was turned back")
        made = _new({**form, "source": cell.source})
        made.id = cell.get("id", made.id)
        cell.clear()
        cell.update(made)
    if form["metadata"]["locked"] and cell.source.strip() != form["source"].strip():
        at = next(n for n, one in enumerate(nb.cells) if one is cell)
        nb.cells.insert(at, _new({**form, "source": cell.source}))  # it may be the answer
        notes.append(f"its cell {name!r} was changed; it was put back, after what it became")
    blank = form["type"] == "markdown" and form["metadata"]["solution"] and not words(cell.source)
    if form["metadata"]["locked"] or blank:  # nbgrader gives 0 to a blank answer in words
        cell.source = form["source"]
    cell.metadata = NotebookNode(nbgrader=NotebookNode(form["metadata"]))
    return notes


class SandboxExecute(NbGraderPreprocessor):
    """Run a notebook in the sandbox, and write into each test cell what was found, and its points."""

    runs = Unicode("runs", help="folder in which the sandbox's results are kept").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> Both:
        """Run a notebook, or read what it did when it was run before."""
        known, converter = resources["nbgrader"], self.parent.parent
        coursedir = converter.coursedir
        folder = coursedir.format_path(
            coursedir.submitted_directory, known["student"], known["assignment"]
        )
        functions = names_of(Path(coursedir.root), known["assignment"])
        job = job_of(nb, Path(folder), functions)
        own = nb.metadata.setdefault(OWN, {"notes": []})
        own["key"], own["state"] = job.key, state(Path(coursedir.root))
        code = [cell for cell in nb.cells if cell.cell_type == "code" and not is_grade(cell)]
        texts = [cell.source for cell in nb.cells if cell.cell_type != "code"]
        try:
            definitions, notebook = Runs(Path(coursedir.root, self.runs)).result(job)
        except Ended as ended:
            own["machine"] = str(ended)
            self.log.error("%s could not be run on this machine: %s", known["student"], ended)
        for cell in filter(is_grade, nb.cells):
            name = cell.metadata.nbgrader.grade_id
            if name not in functions:
                continue
            if "machine" in own:
                why = f"It could not be run on this machine: {own['machine']}. Grade it again."
                mark = Mark(name, cell.metadata.nbgrader.points, None, "machine", why, why=why)
            else:
                of = cell.metadata.nbgrader.points
                mark = judge(exercise(name), of, job.cells, texts, definitions, notebook)
            cell.metadata[OWN] = asdict(mark)
            cell.outputs = outputs(mark)
        if "machine" not in own:
            own["prediction"] = notebook.prediction
            own["notes"] += notes_on(list(functions), job.cells, definitions, notebook)
            for number, cell in enumerate(code):
                cell.outputs = _of_cell(
                    notebook.printed.get(number, ""), notebook.errors.get(number, "")
                )
        return nb, resources


def outputs(mark: Mark) -> list[NotebookNode]:
    """What a test cell shows; the last is the number that nbgrader takes for the points."""
    passed = mark.finding == "passed"
    lines = [f"{'Passed' if passed else 'Not yet'}: {mark.message}"]
    if mark.why:
        lines = [f"Left open: a person will look at it. It isn't zero.\n{mark.why}", *lines]
    if mark.quote and not passed:
        lines.append("It's about this:\n\n" + re.sub("^", "    ", mark.quote, flags=re.MULTILINE))
    made = [new_output("stream", name="stdout", text="\n\n".join(lines) + "\n")]
    if mark.points is not None:
        made.append(
            new_output("execute_result", {"text/plain": f"{mark.points:g}"}, execution_count=1)
        )
    return made


def _of_cell(printed: str, error: str) -> list[NotebookNode]:
    made = [new_output("stream", name="stdout", text=printed)] if printed else []
    if error:
        name, _, words = error.partition(": ")
        made.append(new_output("error", ename=name, evalue=words, traceback=[error]))
    return made


class SavePoints(SaveAutoGrades):
    """Save points as nbgrader does; of what is left open, none, and a person has to look at it."""

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        name = cell.metadata.nbgrader.grade_id
        grade = self.gradebook.find_grade(
            name, self.notebook_id, self.assignment_id, self.student_id
        )
        before = (grade.auto_score, grade.needs_manual_grade)
        super()._add_score(cell, resources)
        if OWN in cell.metadata and cell.metadata[OWN]["points"] is None:
            grade.auto_score = None
            grade.needs_manual_grade = True
        if grade.manual_score is not None and grade.auto_score == before[0]:
            grade.needs_manual_grade = before[1]  # nothing new: a person has decided on it
        self.gradebook.db.commit()
