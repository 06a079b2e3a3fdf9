"""Runs of a notebook in the sandbox: what comes back, and what is said where it could not run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from gradlab_classroom.grading import delays, jail, sandbox, watching
from gradlab_classroom.grading.attempt import attempt
from gradlab_classroom.grading.sandbox import Limits, Question, Ran, SandboxMissing, run

import gradlab
from classroom.tests.hostile import HOSTILE, RIGHT
from classroom.tests.paths import ROOT
from classroom.tests.sandboxed import ASKED, SMALL, found, need_sandbox
from gradlab.exercises.checking.plain_data import Other
from gradlab.exercises.checking.probes import Observations

ROOMY = Limits(seconds=60, cell_seconds=30, answer_seconds=30)
GIVEN = np.ones(2)
pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    need_sandbox()


def returned(*names: str) -> list[Question]:
    """Each of the functions is called without arguments, once."""
    return [Question(name, "returned", [()]) for name in names]


# ------------------------------------------------------------------- what is returned


@pytest.fixture(scope="module")
def ordinary() -> Ran:
    need_sandbox()
    cells = [
        "import jax.numpy as jnp\nprediction = 'b'\nprint('hello')\nunplain = {1}",
        "def array(): return jnp.arange(3.0)",
        "def several(): return {'a': (1, 2.5), 'b': [None, 'text'], 'c': {1}}",
        "def raises(): raise ValueError('no')",
        "1 / 0",
        "number = 3",
        "def twice(): return 1",
        "def twice(): return 2",
        "lost = lambda: 5",
        "lost = lost()",
        "import inspect\nprint(inspect.getsource(array))",
        "from gradlab.exercises import check, points\n"
        "print(check('max_norm', array))\nearned = points('max_norm', globals(), of=5)",
        "%matplotlib inline\nif True:\n    %pip install nothing\n!ls\nafter_magics = 1",
        "%%time\nin_magic = 2",
        "%%bash\nexit 1",
        "listed = !ls\nthing = get_ipython().nothing()\ndisplay(number)",
        "def broken(:",
        "from gradlab.ops import scale_gradient\nimport optax",
        "class Own: pass\nOwn.__module__",
        "def changes(x):\n    x += 1\n    return x",
        "def half(): return '\\ud800'",
        "raise ValueError('\\ud800')",
    ]
    names = ("array", "several", "raises", "number", "twice", "lost", "missing", "half")
    questions = [*returned(*names), Question("changes", "returned", [(GIVEN,), (GIVEN,)])]
    wanted = ["prediction", "unplain", "nowhere", "earned", "after_magics", "in_magic", "listed"]
    return run(cells, questions, wanted, limits=ROOMY)


def seen(ran: Ran, name: str) -> object:
    answered = ran.answers[name]
    assert answered is not None
    (one,) = answered.seen
    return one.value if one.error is None else one.error


def test_a_notebook_finishes(ordinary: Ran) -> None:
    assert (ordinary.status, ordinary.detail) == ("finished", "every cell was run")
    assert ordinary.seconds > 0


def test_what_a_function_returns_comes_as_plain_data(ordinary: Ran) -> None:
    array = seen(ordinary, "array")
    assert isinstance(array, np.ndarray)
    assert (array.dtype, array.tolist()) == (np.float32, [0.0, 1.0, 2.0])
    assert seen(ordinary, "several") == {"a": (1, 2.5), "b": [None, "text"], "c": Other("set")}


def test_what_a_function_raises_is_told(ordinary: Ran) -> None:
    assert seen(ordinary, "raises") == "ValueError: no"


def test_a_missing_function_is_none_and_a_value_is_named(ordinary: Ran) -> None:
    assert ordinary.answers["missing"] is None
    assert ordinary.answers["number"] == Observations(kind="int")


def test_the_last_definition_counts(ordinary: Ran) -> None:
    assert seen(ordinary, "twice") == 2


def test_a_function_that_a_value_has_replaced_is_still_found(ordinary: Ran) -> None:
    assert seen(ordinary, "lost") == 5
    assert ordinary.notes == ("lost was a function, then a value; the function was run",)


def test_an_error_ends_its_own_cell_only(ordinary: Ran) -> None:
    assert ordinary.errors[4] == "ZeroDivisionError: division by zero"
    assert ordinary.errors[16].startswith("SyntaxError")
    assert ordinary.errors[21] == "ValueError: ?"  # half a character does no harm
    assert set(ordinary.errors) == {4, 16, 21}


def test_variables_come_as_plain_data_and_missing_ones_not_at_all(ordinary: Ran) -> None:
    assert ordinary.variables == {
        "prediction": "b", "unplain": Other("set"), "earned": 0.0, "after_magics": 1, "in_magic": 2,
        "listed": [],
    }  # fmt: skip


def test_what_is_printed_comes_with_it(ordinary: Ran) -> None:
    assert ordinary.output.startswith("hello\ndef array(): return jnp.arange(3.0)\n")
    assert "runs when the notebook has been handed in" in ordinary.output


def test_the_inputs_of_a_question_are_the_functions_own_copies(ordinary: Ran) -> None:
    answered = ordinary.answers["changes"]
    assert answered is not None
    assert [observation.value.tolist() for observation in answered.seen] == [[2.0, 2.0], [2.0, 2.0]]
    assert GIVEN.tolist() == [1.0, 1.0]


def test_half_a_character_does_no_harm(ordinary: Ran) -> None:
    assert seen(ordinary, "half") == "?"


@pytest.mark.exhaustive
def test_a_question_that_hangs_costs_no_other_one() -> None:
    cells = ["import os, time", "def first(): os._exit(3)", "def second(): return 2"]
    ran = run(cells, returned("first", "second"), limits=SMALL)
    assert ran.status == "finished"
    assert seen(ran, "first") == "in first the process ended by itself, with status 3"
    assert seen(ran, "second") == 2


@pytest.mark.exhaustive
def test_a_cell_that_ends_the_process_loses_its_calls_and_nothing_else() -> None:
    cells = [
        "import jax, jax.numpy as jnp, os\nfrom functools import partial\nmade = jnp.ones(3) + len('ab')",
        "def own(): return 4\nother = own()",
        """
@partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, s): return x
scaled.defvjp(lambda x, s: (x, None), lambda s, _, g: (s * g,))
jitted = jax.jit(scaled, static_argnums=1)
def slope(): return jax.grad(lambda x: jitted(x, 0.5))(1.0)
os._exit(1)
later = own()
""",
    ]
    ran = run(cells, returned("slope"), ["made", "other", "later"], limits=SMALL)
    assert ran.status == "died"
    assert seen(ran, "slope") == np.float32(0.5)
    assert ran.variables["other"] == 4  # another cell's call is made
    assert ran.variables["made"].tolist() == [3.0, 3.0, 3.0]
    assert "later" not in ran.variables
    assert ran.errors == {2: "in cell 3 the process ended by itself, with status 1"}
    assert "cell 3 was then run without calls" in ran.notes[0]


def test_what_is_hidden_cannot_be_seen() -> None:
    package = Path(gradlab.__file__).parent
    cells = [
        f"import os\nfound = os.listdir({str(package / 'ops')!r})",
        f"text = open({str(package / 'unroll' / '__init__.py')!r}).read()",
        f"whole = len(open({str(package / '__init__.py')!r}).read())",
    ]
    hidden = [package / "ops", package / "unroll" / "__init__.py", package / "no such file"]
    ran = run(cells, [], ["found", "text", "whole"], limits=SMALL, hidden=hidden)
    assert ran.variables.pop("whole") > 0
    assert ran.variables == {"found": []}
    assert ran.errors[1].startswith("PermissionError")


@pytest.mark.exhaustive
def test_an_installed_package_hides_its_solutions_too(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    for package in (jail.GRADLAB, jail.CLASSROOM):
        ignored = shutil.ignore_patterns("frontend")
        shutil.copytree(package, packages / package.name, ignore=ignored)
    one = HOSTILE["a search for the solution"]
    script = f"""
import sys
sys.path.insert(0, {str(packages)!r})
from gradlab_classroom.grading.sandbox import run
cells = {one.cells!r} + ("import gradlab\\nwhere = gradlab.__file__",)
print(run(cells, [], ["seen", "where"]).variables)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/"
    )
    expected = {"seen": one.sees, "where": str(packages / "gradlab" / "__init__.py")}
    assert done.stdout.strip() == str(expected)


@pytest.mark.exhaustive
def test_a_program_without_a_filter_of_system_calls_runs_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert run(["x = 1"], [], ["x"], limits=SMALL).variables == {"x": 1}


def test_a_question_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no probe 'no such'"):
        run([], [Question("f", "no such", [()])])
    with pytest.raises(ValueError, match="can be asked for once"):
        run([], returned("f", "f"))


@pytest.mark.exhaustive
def test_a_notebook_of_much_code_is_read_in_time() -> None:
    started = time.monotonic()
    assert run(["x = '" + "é" * 2**22 + "'", "n = len(x)"], [], ["n"]).variables == {"n": 2**22}
    assert time.monotonic() - started < 30  # what grows with the square of it takes a minute


@pytest.mark.exhaustive
def test_another_copy_of_the_package_is_not_to_be_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "lib" / "python3.11" / "site-packages"
    for package in (jail.GRADLAB, jail.CLASSROOM):
        (other / package.name).mkdir(parents=True)
        (other / package.name / "solutions.py").write_text("", encoding="ascii")
    (other / "other_package.py").write_text("here = 1", encoding="ascii")
    monkeypatch.syspath_prepend(str(other))
    jail._trees.cache_clear()
    try:
        cell = f"""
            import importlib.util, os, other_package
            import gradlab.exercises, gradlab_classroom
            files = [os.listdir({str(other)!r} + "/" + name) for name in ("gradlab", "gradlab_classroom")]
            ours = [gradlab.__file__, gradlab_classroom.__file__]
            solutions = importlib.util.find_spec("gradlab.exercises.checking.catalogue") is not None
        """
        found = run([dedent(cell)], [], ["files", "ours", "solutions"], limits=SMALL).variables
    finally:
        jail._trees.cache_clear()
    ours = [str(package / "__init__.py") for package in (jail.GRADLAB, jail.CLASSROOM)]
    assert found == {"files": [[], []], "ours": ours, "solutions": False}


def test_an_environment_in_somebodys_folder_shows_nothing_else_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "seed.txt").write_text("secret", encoding="ascii")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    jail._trees.cache_clear()
    try:
        trees = jail._trees()
    finally:
        jail._trees.cache_clear()
    assert [tree for tree in trees if tree.is_relative_to(tmp_path)] == [tmp_path / "bin"]
    assert not any(tmp_path.is_relative_to(tree) for tree in trees)


def test_the_thread_that_waits_most_for_a_processor_is_the_one_that_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert str(os.getpid()) in delays.delays("self")
    monkeypatch.setattr(delays, "delays", lambda process: {"1": 2.0, "2": 9.0, "3": 5.0})
    assert delays.waited("self", {"1": 1.0, "2": 8.5}) == 5.0
    monkeypatch.setattr(delays, "delays", lambda process: {})
    assert delays.waited("self", {"1": 1.0}) == 0.0


# ------------------------------------------------------------------------ without a wall


def test_unsafe_needs_no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "require", lambda: pytest.fail("it was asked for"))
    ran = run(
        [RIGHT, "import os\nhere = os.getcwd()"], [ASKED], ["here"], limits=SMALL, unsafe=True
    )
    assert (ran.status, found(ran)) == ("finished", "passed")
    assert not Path(ran.variables["here"]).exists()  # a folder of its own, and gone


@pytest.mark.exhaustive
def test_unsafe_keeps_the_limits() -> None:
    ran = run([RIGHT, "while True: pass", "x = 'x' * 2**33"], [ASKED], limits=SMALL, unsafe=True)
    assert found(ran) == "passed"
    assert ran.errors == {1: "it ran longer than 1.5 s, and was stopped", 2: "MemoryError"}


def _problem_of(monkeypatch: pytest.MonkeyPatch) -> str:
    sandbox._problem.cache_clear()
    try:
        with pytest.raises(SandboxMissing) as missing:
            run([], [])
        return str(missing.value)
    finally:
        monkeypatch.undo()
        sandbox._problem.cache_clear()


def test_without_bubblewrap_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    problem = _problem_of(monkeypatch)
    assert "apt-get install bubblewrap" in problem
    assert "--unsafe" in problem


def test_a_bubblewrap_that_does_not_work_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _fake_bubblewrap(monkeypatch, tmp_path)
    assert "bwrap: no namespaces today. It needs user namespaces" in _problem_of(monkeypatch)


def _fake_bubblewrap(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no namespaces today' >&2\nexit 1\n")
    (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


# -------------------------------------------------------------- where it is the machine's fault


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The outcomes of the starts of a sandbox."""
    made: list[object] = []

    def counted(*given: object, **rest: object) -> object:
        made.append(attempt(*given, **rest))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(sandbox, "attempt", counted)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    return made


def test_a_sandbox_that_does_not_start_is_tried_twice_and_is_the_machines_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, starts: Sequence[object]
) -> None:
    _fake_bubblewrap(monkeypatch, tmp_path)
    ran = run([RIGHT], [ASKED], limits=SMALL)
    assert (ran.status, ran.answers, len(starts)) == ("machine", {}, 2)
    assert "no namespaces today" in ran.detail


def test_a_process_that_cannot_be_made_is_the_machines_fault(
    monkeypatch: pytest.MonkeyPatch, starts: Sequence[object]
) -> None:
    def none(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", none)
    ran = run([RIGHT], [ASKED], limits=SMALL)
    assert (ran.status, ran.answers, len(starts)) == ("machine", {}, 2)


@pytest.mark.exhaustive
def test_time_without_a_processor_is_not_the_notebooks(
    monkeypatch: pytest.MonkeyPatch, starts: Sequence[object]
) -> None:
    began = time.monotonic()
    monkeypatch.setattr(watching, "waited", lambda pid, since: time.monotonic() - began)
    monkeypatch.setattr(watching, "GRACE", 0.0)
    monkeypatch.setattr("gradlab_classroom.grading.attempt.GRACE", 0.0)
    quick = Limits(seconds=20, cell_seconds=0.3)
    stuck = "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(10**6)"
    ran = run([RIGHT, stuck], [ASKED], limits=quick)
    assert (ran.status, len(starts)) == ("machine", 2)
    assert "no processor" in ran.detail


@pytest.mark.exhaustive
def test_a_kernel_out_of_memory_is_the_machines_fault(
    monkeypatch: pytest.MonkeyPatch, starts: Sequence[object]
) -> None:
    killed = iter(range(100))
    monkeypatch.setattr(watching, "_killed_for_memory", lambda: next(killed))
    ran = run([RIGHT, "import os; os.kill(os.getpid(), 9)"], [ASKED], limits=SMALL)
    assert (ran.status, len(starts)) == ("machine", 2)


# ------------------------------------------------------------------ without the rights of root


@pytest.mark.exhaustive
@pytest.mark.skipif(os.getuid() != 0, reason="every other test here runs without root's rights")
def test_the_wall_and_the_limits_hold_without_root() -> None:
    names = [
        *("a fork bomb", "a memory bomb of many processes", "a search for the solution"),
        *("writing outside", "namespaces, mounts and memory that is nobody's", "a full disk"),
    ]
    script = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from classroom.tests.hostile import HOSTILE
from classroom.tests.sandboxed import ASKED, SMALL, found
from gradlab_classroom.grading.sandbox import run
assert os.getuid() == 1000
for name in {names}:
    one = HOSTILE[name]
    ran = run(one.at("/nowhere", 1), [ASKED], ["seen"], limits=SMALL)
    earned = (found(ran) == "passed") == one.earns
    print(name, earned, ran.status in one.status, ran.variables.get("seen") == one.sees, sep=" | ")
"""
    # folders above Python may be closed to all but root: it is put where uid 1000 can read it
    folders = []
    python = Path(sys.base_prefix)
    for parent in reversed(python.parents[:-1]):
        if not parent.stat().st_mode & 0o001:
            folders = ["--perms", "0755", "--tmpfs", str(parent)]
        elif folders:
            folders += ["--perms", "0755", "--dir", str(parent)]
    if folders:
        folders += ["--ro-bind", str(python), str(python)]
    as_another = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "env", "HOME=/tmp"]
    command = ["bwrap", "--dev-bind", "/", "/", *folders, "--cap-add", "ALL", "--", *as_another]
    done = subprocess.run(
        [*command, sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    if "SandboxMissing" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip(f"another user cannot run Python or bubblewrap here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} | True | True | True" for name in names]
