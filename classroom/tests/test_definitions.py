"""What is kept of a cell where only its definitions are run, and what code reaches beyond it."""

from __future__ import annotations

import pytest

from sccbook_classroom.sandbox.definitions import BUILTINS, helper_reaches, only_definitions


def kept(source):
    return only_definitions(source, ["f"], set(BUILTINS)).splitlines()


def magic(*given):
    return f"get_ipython().run_cell_magic{given}\n"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import optax, jax\nx = 3\nprint(x)\nx.y()", ["import optax, jax", "x = 3"]),
        ("import optax\na = optax.sgd(1)\nb = run(a)", ["import optax", "a = optax.sgd(1)"]),
        ("f = made()\ng = made()", ["f = made()"]),
        ("import jax\nr = jax.random.key(1)\nx = r.uniform(3)", ["import jax", "r = jax.random.key(1)", "x = r.uniform(3)"]),
        ("class C:\n    y = 1\nc = C()\n(d := 2)", ["class C:", "    y = 1", "c = C()", "(d := 2)"]),
        ("g = lambda x: made(x)", ["g = lambda x: made(x)"]),
        ("f.defvjp(a, b)\nf.train()", ["f.defvjp(a, b)"]),
        ("class C:\n    x = run()\n    y = 1", ["class C:", "    y = 1"]),
        ("try:\n import abc\nexcept E:\n y()", ["try:", "    import abc", "except E:", "    pass"]),
        ("if run():\n    x = 1\nfor x in y:\n    z = 1\nwith open(x) as y:\n    pass", []),
        (magic("time", "", "x = 1\nprint(x)"), ["x = 1"]),
        (magic("bash", "", "x = 1"), []),
        ("get_ipython().run_line_magic('run', 'f.py')", []),
        (">>> >>> print(1)", []),
        ("class C:\n    def set(self):\n        self.x = 1", ["class C:", "", "    def set(self):", "        self.x = 1"]),
        ("class C:\n    def set(other):\n        other.x = 1", ["class C:", "    pass"]),
        ("import sys, jax, timeit\nfrom gc import get_objects", ["import jax"]),
        (magic("writefile", "h.py", "import gc"), []),
        (magic("writefile", "h.py", "x = 1"), [magic("writefile", "h.py", "x = 1").strip()]),
    ],
)  # fmt: skip
def test_definitions_are_kept_and_what_a_cell_does_is_left_out(source, lines):
    assert kept(source) == lines


@pytest.mark.parametrize(
    "body",
    [
        "gc.get_objects()", "sys.modules", "jax.vjp.__code__", "np.array = g", "del np.array",
        "for np.array in [g]: pass", "getattr(jax, 'vjp')", "ops.f(x)", "probes.PROBES",
        "import gc as g", "from threading import Thread as T", "exec('x = 1')",
        "np.load('x', allow_pickle=True)", "(i for i in x).gi_frame", "'{0.__globals__}'.format(g)",
        "jax._src.core", "'{0.gi_frame}'.format(x)",
        "x.tofile('a')", "np.loadtxt('/proc/self/environ')", "typing.ForwardRef('x')",
    ],
)  # fmt: skip
def test_code_that_reaches_beyond_the_notebook_is_no_definition(body):
    assert kept(f"def g(x):\n    {body}\n    return x") == []
    assert helper_reaches("helper.py", f"def f(x):\n    {body}") or body == "ops.f(x)"


@pytest.mark.parametrize(
    ("name", "content", "reaches"),
    [
        ("helper.py", b"import jax\ndef f(x): return x", False),
        ("w.npy", b"\x93NUMPY", False),
        ("helper.pyc", b"", True),
        ("helper.so", b"", True),
        ("helper.py", b"def broken(:", True),
        ("helper.py", b"import timeit", True),
    ],
)
def test_helpers_are_read_unless_they_reach_beyond_or_are_compiled(name, content, reaches):
    assert helper_reaches(name, content) == reaches


def test_a_helper_is_imported_unless_its_name_is_another_modules(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("own_helper", "timeit", "pytest", "code")  # the last three may be loaded already
    for name in names[:3]:
        (tmp_path / f"{name}.py").write_text("x = 1")
    (tmp_path / "code").mkdir()
    assert kept(f"import {', '.join(names)}") == ["import own_helper"]
