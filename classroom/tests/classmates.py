"""A small class, graded, for the tests of reports; and how a test reads what was written."""

from __future__ import annotations

import csv
from dataclasses import replace
from html.parser import HTMLParser

from gradlab_classroom.course import load
from gradlab_classroom.grading.result import GRADED, MACHINE, UNREADABLE, Mark, Result
from gradlab_classroom.grading.roster import Person, Roster

from classroom.tests.notebooks_for_tests import FOURTH
from classroom.tests.paths import COURSE_FILE

COURSE = load(COURSE_FILE)
SCRIPT = "<script>alert('x')</script>"


def marked(student, assignment=FOURTH, credits=(1.0, 0.33, 0.0), **more):
    of = COURSE.assignments[assignment].functions
    marks = tuple(
        Mark(name, points, round(points * credit, 2), "passed" if credit == 1 else f"not_{name}",
             f"{name} was {SCRIPT}.", credit)
        for (name, points), credit in zip(of.items(), credits, strict=True)
    )  # fmt: skip
    written = dict.fromkeys(COURSE.assignments[assignment].written, f"By {student}.")
    return replace(
        Result(student, assignment, f"{student}.ipynb", GRADED, marks=marks, written=written),
        **more,
    )


JANE = marked("jane", prediction="C", platform="canvas:12", back="doejane_12_3_x-1.html")
JOE = marked("joe", credits=(1, 1, 1), platform="moodle:34", prediction=SCRIPT,
             back="Joe_34_assignsubmission_file_/feedback.html")  # fmt: skip
ANN = Result("ann", FOURTH, "ann.ipynb", UNREADABLE, f"it is {SCRIPT}")
KIM = Result("kim", FOURTH, "kim.ipynb", MACHINE, "no memory", platform="moodle:35")
ALL = [JANE, JOE, ANN, KIM]
ROSTER = Roster(
    {
        "jane": Person("jane", "=Jane()", canvas="12", email="jane@x.org", login="jd", section="A"),
        "eve": Person("eve", "Eve"),
    },
    ["student id", "name"],
)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data
