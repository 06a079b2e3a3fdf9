"""``grade``: one command from a folder of what was handed in to scores, feedback and a summary."""

import argparse
import hashlib
import json
import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy.exc import SAWarning
from tqdm import tqdm

from sccbook_classroom import collecting, exam, exporting, roster, summary
from sccbook_classroom.collecting import Handed
from sccbook_classroom.course import ASSIGNMENTS, CourseError, load
from sccbook_classroom.reading import read
from sccbook_classroom.release import nbgrader_in, sources, write
from sccbook_classroom.restoring import OWN, RestoreCells
from sccbook_classroom.results import GRADED, MACHINE, UNREADABLE, Result, results
from sccbook_classroom.roster import Roster, printable
from sccbook_classroom.runs import Runs, job_of, key_of, state
from sccbook_classroom.sandbox.wall import SandboxMissing, require


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade a folder.

    Returns:
      0 where all was graded or is the teacher's to decide; 1 where something couldn't be run here; 2
      where nothing could be done; 130 where it was interrupted.
    """
    parser = argparse.ArgumentParser(
        prog="python -m sccbook_classroom grade",
        description="Grade a folder of notebooks, as Canvas, Moodle or nbgrader name them, in a sandbox. "
        "The folder of results is an nbgrader course: look at it with nbgrader's formgrader.",
    )
    parser.add_argument("submitted", type=Path, metavar="DIR", help="the folder")
    parser.add_argument("--out", type=Path, required=True, help="the folder of results")
    parser.add_argument("--roster", type=Path, help="a CSV: student id, name, canvas_id, ...")
    parser.add_argument("--course", type=Path, default=ASSIGNMENTS, help="default: %(default)s")
    parser.add_argument("--assignment", default="", help="which it is, where a file doesn't tell")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--again", action="store_true", help="grade what is in DIR again")
    given = parser.parse_args(arguments)
    warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's, of its own gradebook
    try:
        return _grade(given, given.out.resolve())
    except (CourseError, SandboxMissing) as error:
        sys.stderr.write(printable(f"{error}\n"))
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted. What was run is kept: the same command goes on.\n")
        return 130


def _grade(given: argparse.Namespace, out: Path) -> int:
    require()
    people = roster.read(given.roster) if given.roster else Roster()
    course = load(given.course / "course.yml")
    if not given.submitted.is_dir() or out == given.submitted.resolve():
        raise CourseError(
            f"{given.submitted} should be a folder, and not --out. Unpack an archive first."
        )
    if given.assignment and given.assignment not in course.assignments:
        raise CourseError(f"There is no {given.assignment!r}, but {', '.join(course.assignments)}.")
    handed = collecting.find(given.submitted, course, people, given.assignment)
    if not handed:
        raise CourseError(
            f"There is no notebook in {given.submitted}. Unpack what was downloaded there."
        )
    api, everybody = prepare(out, given.course), _collect(out, handed)
    for name in sorted({one.assignment for one in everybody} & set(course.assignments)):
        _checked(api.generate_assignment(name), f"nbgrader refuses {name}")
    again = {(one.student, one.assignment) for one in handed if given.again}
    with Gradebook(api.coursedir.db_url) as book:
        for one in people.people.values():
            first, _, last = one.name.rpartition(" ")
            book.update_or_create_student(one.id, first_name=first, last_name=last, email=one.email)
        for each in (each for assignment in book.assignments for each in assignment.submissions):
            if each.total_seconds_late:  # a penalty is of the marks as they are now
                again.add((each.student.id, each.assignment.name))
    with ProcessPoolExecutor(max(1, given.workers), get_context("spawn")) as pool:
        _run(out, api, everybody, pool, again)
    found = results(out, everybody, course)
    _feedback(out, api, found)
    scores = {"course": course.title, "submissions": [one.as_json() for one in found]}
    text = json.dumps(scores, indent=2, ensure_ascii=False) + "\n"
    (out / "scores.json").write_text(text, "utf-8", "replace")
    exporting.canvas(out / "canvas.csv", found, course, people)
    for name in {one.assignment for one in found} & set(course.assignments):
        exporting.moodle(out / f"moodle_{name}.csv", found, course.assignments[name], people)
    summary.write(out, found, course, people)
    return _say(out, found)


def prepare(out: Path, source: Path) -> NbGraderAPI:
    """Make the folder of results an nbgrader course, or bring it up to date with the course's files."""
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    if out.stat().st_mode & 0o077:
        sys.stderr.write(f"Others on this machine may read {out}: chmod go= '{out}'\n")
    own = [source / name for name in ("course.yml", "nbgrader_config.py", exam.FILE)]
    write({path.name: path.read_bytes() for path in own if path.is_file()}, out)
    write(sources(source), out / "source")
    # nbgrader calls alembic by its name, and this environment need not be activated
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return nbgrader_in(out, out)


def _checked(result: dict[str, Any], what: str) -> None:
    if not result["success"]:
        raise CourseError(f"{what}:\n{result.get('log', '')}{result.get('error', '')}")


def _collect(out: Path, handed: Sequence[Handed]) -> list[Handed]:
    """Put what was handed in where nbgrader looks for it; return it with all that was collected before."""
    path = out / "collected.json"
    before = json.loads(path.read_text("utf-8")) if path.is_file() else []
    known = {(one["student"], one["assignment"]): Handed(**one) for one in before}
    for one in handed:
        key = (one.student, one.assignment)
        if not one.problem:
            known[key], at = one, out / "submitted" / one.student / one.assignment
            time = datetime.fromtimestamp(one.path.stat().st_mtime, UTC)
            files = {
                "timestamp.txt": f"{time:%Y-%m-%d %H:%M:%S} UTC\n".encode()
            }  # or nbgrader's own
            nb, plain = read(one.path), {n: p for n, p in one.beside.items() if not p.is_symlink()}
            files |= {name: path.read_bytes() for name, path in plain.items()}
            shutil.rmtree(at, ignore_errors=True)  # all is read: DIR may be this very folder
            write(files, at)
            nbformat.write(nb, at / f"{one.assignment}.ipynb")
        elif key not in known or known[key].problem:
            known[key] = one
        else:
            note = f"a newer file, {one.name}, can't be graded: {one.problem}"
            known[key] = replace(known[key], notes=(*known[key].notes, note))
    everybody = [known[key] for key in sorted(known)]
    kept = [{**asdict(one), "path": "", "beside": {}} for one in everybody]
    path.write_text(json.dumps(kept, indent=1), "utf-8")
    return everybody


def _run(
    out: Path, api: NbGraderAPI, handed: Sequence[Handed], pool: Executor, again: set[tuple[str, str]]
) -> None:  # fmt: skip
    """Run what was not run before, in processes; then have nbgrader grade it, one after another."""
    jobs, keys, now = {}, {}, state(out)
    for one in (one for one in handed if not one.problem):
        at, name = out / "submitted" / one.student / one.assignment, one.assignment
        nb = nbformat.read(at / f"{name}.ipynb", as_version=4)
        about = {"notebook": name, "assignment": name, "db_url": api.coursedir.db_url}
        nb, _ = RestoreCells().preprocess(nb, {"nbgrader": about})
        jobs[one.student, name] = job_of(nb, at, out, name)
        keys[one.student, name] = key_of(nb, jobs[one.student, name])
    ran = Runs(out / "runs").compute_all(jobs.values(), pool)
    for problem in filter(None, tqdm(ran, "running", unit="notebook", disable=None)):
        tqdm.write(f"Not run: {problem}", file=sys.stderr)
    for (student, name), key in tqdm(keys.items(), "grading", unit="notebook", disable=None):
        path = out / "autograded" / student / name / f"{name}.ipynb"
        own = json.loads(path.read_text("utf-8"))["metadata"].get(OWN, {}) if path.is_file() else {}
        fresh = (own.get("key"), own.get("state")) == (key, now) and "machine" not in own
        if not fresh or (student, name) in again:
            done = api.autograde(name, student)
            if not done["success"]:
                with (out / "log.txt").open("a", encoding="utf-8", errors="replace") as log:
                    log.write(f"{student}, {name}\n{done.get('log')}\n{done.get('error')}\n")


def _feedback(out: Path, api: NbGraderAPI, found: Sequence[Result]) -> None:
    """Write the students' pages that are not as their marks are now."""
    path, now = out / "feedback.json", {}
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    for one in tqdm(found, "feedback", unit="page", disable=None):
        if one.status == GRADED:
            shown, key = json.dumps(one.as_json()), f"{one.student}/{one.assignment}"
            now[key] = hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()
            if before.get(key) != now[key]:
                _checked(
                    api.generate_feedback(one.assignment, one.student), f"No feedback for {key}"
                )
    path.write_text(json.dumps(now), "utf-8")


def _say(out: Path, found: Sequence[Result]) -> int:
    """Say what was done and what is left to do; return the exit status."""
    status = [one.status for one in found]
    words = sum(item.points is None for one in found for item in one.written)
    left = sum(item.points is None for one in found for item in one.marks)
    print(
        f"{status.count(GRADED)} graded, {status.count(UNREADABLE)} unreadable, {status.count(MACHINE)} that "
        f"couldn't be run here.\nBegin with {out / 'summary.html'}."
    )
    if words or left:
        print(
            f"To mark: {words} answers in words, {left} functions that are left open. Mark them in\n"
            f"    cd {out} && {Path(sys.executable).with_name('jupyter')} lab    (Nbgrader, Formgrader)\n"
            "and give the same command again."
        )
    return int(MACHINE in status)
