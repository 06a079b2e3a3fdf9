"""What ``check`` promises for every exercise, and what may run beside an answer."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sccbook.checking import muzero_ports, plain_data, probes
from sccbook.checking.findings import LONGEST, Finding, Mistake
from sccbook.checking.plain_data import describe_error
from sccbook.exercises import check
from sccbook.exercises.answers import PUT_OFF, Result


def test_a_results_text_is_wrapped_and_reproducible():
    result = check("scale_gradient", None)
    assert all(len(line) <= 78 for line in repr(result).splitlines())
    assert repr(check("scale_gradient", None)) == repr(result)


def test_error_descriptions_are_the_same_in_every_run():
    text = describe_error(ValueError(f"bad {object()!r}\nsecond line"))
    assert text == "ValueError: bad <object object at 0x...>"
    assert describe_error(KeyError()) == "KeyError"
    assert len(describe_error(ValueError("long " * 100))) <= 140


def test_long_messages_are_cut():
    long = "x" * 10**6
    for finding in (Finding("wrong", long), Mistake("wrong", long).finding):
        assert finding.message == "x" * (LONGEST - 3) + "..."
    assert Finding("wrong", "x" * LONGEST).message == "x" * LONGEST


def test_a_deferred_check_passes_an_assert():
    assert Result("max_norm", False, PUT_OFF, "This check runs later.", 0.0)
    assert not Result("max_norm", False, "rows", "the norm is taken along the rows.", 0.0)


SECRET = (
    "sccbook.exercises.catalogue",
    "sccbook.checking.comparisons",
    "scaleclip.ops",
)


@pytest.mark.slow
def test_probes_import_no_solution():
    """Not even one that another module brings along, and not within a function."""
    imported = "import sys, sccbook.checking.probes; print(*sys.modules, sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", imported], capture_output=True, text=True, check=True
    )
    modules = run.stdout.split()
    assert "sccbook.checking.plain_data" in modules
    assert not [module for module in modules if module.startswith(SECRET)]
    for module in (probes, muzero_ports, plain_data):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
        assert names
        assert not [name for name in names if name.startswith(SECRET)]
