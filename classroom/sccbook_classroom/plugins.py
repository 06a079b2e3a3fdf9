"""What nbgrader calls: run a notebook in the sandbox, judge outside, save points, show them; late days.

``nbgrader_config.py`` puts these in the place of nbgrader's own ``Execute``, ``SaveAutoGrades`` and
``GetGrades``.
"""

import math
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Any

import bleach
from nbconvert.filters import strip_files_prefix
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_grade
from traitlets import Float, Unicode

from sccbook_classroom.judging import Mark, judge, notes_on
from sccbook_classroom.restoring import OWN
from sccbook_classroom.runs import Runs, job_of, key_of, state
from sccbook_classroom.sandbox.watching import Ended

TAGS = bleach.ALLOWED_TAGS | {
    *(f"h{n}" for n in range(1, 7)),
    *("p", "br", "hr", "pre", "div", "span", "img", "del", "sub", "sup"),
    *("table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd"),
}
"""What a student's words may hold on a page."""


class SandboxExecute(NbGraderPreprocessor):
    """Run a notebook in the sandbox, and write into each test cell what was found, and its points."""

    runs = Unicode("runs", help="folder in which the sandbox's results are kept").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, Any]:
        """Run a notebook, or read what it did when it was run before."""
        known, course = resources["nbgrader"], self.parent.parent.coursedir
        root, name = Path(course.root), known["assignment"]
        submitted = course.format_path(course.submitted_directory, known["student"], name)
        job = job_of(nb, Path(submitted), root, name)
        own = nb.metadata.setdefault(OWN, {"notes": []})
        own["key"], own["state"] = key_of(nb, job), state(root)
        kept = Runs(root / self.runs)
        own["same"] = kept.same(f"{known['student']}/{name}", own["key"])
        tests = [cell for cell in nb.cells if is_grade(cell) and cell.cell_type == "code"]
        asked = [(cell.metadata.nbgrader.grade_id, cell.metadata.nbgrader.points) for cell in tests]
        try:
            passes = kept.result(job)
        except Ended as ended:
            own["machine"] = str(ended)
            self.log.error("%s could not be run on this machine: %s", known["student"], ended)
            why = f"It could not be run on this machine: {ended}. Grade it again."
            marks = [Mark(name, of, None, "machine", why, why=why) for name, of in asked]
        else:
            texts = [cell.source for cell in nb.cells if cell.cell_type != "code"]
            marks = [judge(job.exercise(n), of, job.cells, texts, *passes) for n, of in asked]
            own["prediction"] = passes[1].prediction
            source = (root / "source" / name / f"{name}.ipynb").read_text("utf-8")
            own["notes"] += notes_on(job.functions, job.cells, *passes, source)
            code = [cell for cell in nb.cells if cell.cell_type == "code" and not is_grade(cell)]
            for number, cell in enumerate(code):
                said, error = passes[1].printed.get(number), passes[1].errors.get(number)
                cell.outputs = [new_output("stream", name="stdout", text=said)] if said else []
                if error:
                    kind, _, rest = error.partition(": ")
                    made = new_output("error", ename=kind, evalue=rest, traceback=[error])
                    cell.outputs.append(made)
        for cell, mark in zip(tests, marks, strict=True):
            cell.metadata[OWN], cell.outputs = asdict(mark), outputs(mark)
        return nb, resources


def outputs(mark: Mark) -> list[NotebookNode]:
    """What a test cell shows; the last is the number that nbgrader takes for the points."""
    passed = mark.finding == "passed"
    lines = [f"{'Passed' if passed else 'Not yet'}: {mark.message}"]
    if mark.why:
        why = mark.why.partition(". ")[0]  # what to do is the teacher's
        lines = [f"Left open: a person will look at it. It isn't zero. {why}.", *lines]
    lines = [textwrap.fill(line, 88) for line in lines]
    if mark.quote and not passed:
        lines.append(f"It's about this:\n\n{textwrap.indent(mark.quote, '    ')}")
    made = [new_output("stream", name="stdout", text="\n\n".join(lines) + "\n")]
    if mark.points is not None:
        number = {"text/plain": f"{mark.points:g}"}
        made.append(new_output("execute_result", number, execution_count=1))
    return made


class SavePoints(SaveAutoGrades):
    """Save points as nbgrader does; of what is left open, none, and a person has to look at it.

    A mark by hand stays, and is looked at again only if the notebook or the automatic points changed.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, Any]:
        """Save the points of a notebook's cells."""
        self.same = nb.metadata[OWN]["same"]
        return super().preprocess(nb, resources)

    def _add_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        grade = _entry(self, cell)
        before = (grade.auto_score, grade.needs_manual_grade)
        super()._add_score(cell, resources)
        if OWN in cell.metadata and cell.metadata[OWN]["points"] is None:
            grade.auto_score, grade.needs_manual_grade = None, True
        if grade.manual_score is not None and self.same and grade.auto_score == before[0]:
            grade.needs_manual_grade = before[1]
        self.gradebook.db.commit()


class ShowPoints(GetGrades):
    """Show a student what is marked. What isn't yet is NaN, and so is a total with it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, Any]:
        """Write points into a graded notebook."""
        nb, resources = super().preprocess(nb, resources)
        if any(math.isnan(cell.metadata.nbgrader.score) for cell in filter(is_grade, nb.cells)):
            resources["nbgrader"]["score"] = math.nan
        return nb, resources

    def _get_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._get_score(cell, resources)
        if points_of(_entry(self, cell)) is None:
            cell.metadata.nbgrader["score"] = math.nan


def _entry(step: Any, cell: NotebookNode) -> Any:
    """A cell's entry in the gradebook, of the submission that a step of nbgrader is at."""
    where = (step.notebook_id, step.assignment_id, step.student_id)
    return step.gradebook.find_grade(cell.metadata.nbgrader.grade_id, *where)


def points_of(entry: Any) -> float | None:
    """Return an entry's points; None until somebody, or something, has decided."""
    nobody = entry.auto_score is None and entry.manual_score is None
    return None if nobody or entry.needs_manual_grade else round(entry.score, 2)


def shown(number: float, digits: int = 0) -> float | str:
    """Round a number for a page, as Jinja's own ``round`` does, and say so where it's NaN."""
    return "not marked yet" if math.isnan(number) else round(number, digits)


def safe(html: str) -> str:
    """Return what a student's Markdown became, without what a browser would run."""
    own = {"*": ["class", "id"], "a": ["href"], "img": ["src", "alt"]}
    return bleach.clean(strip_files_prefix(html), tags=TAGS, attributes=own)


class TenthADay(LateSubmissionPlugin):
    """Take a part of the points for each day that has begun after the due date, up to a limit."""

    a_day = Float(0.1, help="the part of the points that a day costs").tag(config=True)
    most = Float(0.5, help="the part that all days together cost at most").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, seconds_late: float) -> float:
        """Return the points that come off. The due date is set in the formgrader."""
        return round(score * min(self.most, self.a_day * math.ceil(seconds_late / 86_400)), 2)
