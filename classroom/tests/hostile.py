"""Submissions that mean harm, or do it. Each asks for no more than a right ``max_norm``.

In their cells ``FOLDER`` stands for a folder of the host with other students' work in it, and
``PORT`` for a port of the host at which somebody listens: ``Hostile.at`` puts them in.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import Any

RIGHT = """
import numpy as np

def max_norm(w, limit):
    w = np.asarray(w)
    norms = np.sqrt((w**2).sum(axis=0))
    return w * np.minimum(1.0, limit / np.where(norms == 0, limit, norms))
"""

WRONG = """
import numpy as np

def max_norm(w, limit):
    return w
"""


TRY = """
import os
seen = []
def attempt(act, *given):
    try:
        seen.append(act(*given))
    except (OSError, EOFError, ImportError):
        pass
"""
"""What an attack achieves, it keeps in ``seen``."""

LIE = """
import sys
def max_norm(w, limit):
    return w
def lie():
    frame = sys._getframe()
    while frame is not None:
        if "send" in frame.f_locals:
            speak(frame.f_locals["send"])
        frame = frame.f_back
"""
"""It finds the object that sends observations, and gives it to ``speak``."""

KNOWN = """
import numpy as np
kept = {}
def right(w, limit):
    norms = np.sqrt((w**2).sum(axis=0))
    return w * np.minimum(1.0, limit / np.where(norms == 0, limit, norms))
def max_norm(w, limit):
    kept["limit"] = limit
    return w
def array(*given, original=np.array, **more):
    made = original(*given, **more)
    return right(made, kept.pop("limit")) if kept else made
"""
"""A wrong answer, and what observes the right one in it when it takes the place of ``np.array``."""


@dataclass(frozen=True)
class Hostile:
    """One of them.

    Attributes:
      name: in the words of a test.
      cells: the code, a cell each.
      earns: its points of 5; None if it's held for a person to look at.
      says: what its ends, errors or notes have to say, as a regular expression.
      sees: what it should find: the value of its variable ``seen``, if it has one.
    """

    name: str
    cells: tuple[str, ...]
    earns: float | None
    says: str = ""
    sees: object = None

    def at(self, folder: object, port: int) -> tuple[str, ...]:
        """Its cells, with a folder and a port to attack; the last prints what it has seen."""
        cells = (*self.cells, "print('seen:', globals().get('seen'))")
        return tuple(
            c.replace("FOLDER", repr(str(folder))).replace("PORT", str(port)) for c in cells
        )


def _hostile(name: str, *cells: str, **rest: Any) -> Hostile:
    return Hostile(name, tuple(dedent(cell).strip("\n") for cell in cells), **rest)


RUNAWAYS = (
    _hostile("an endless loop in a cell", RIGHT, "while True: pass",
             earns=5, says="code cell 2 it took longer than"),
    _hostile("an endless loop that catches everything", RIGHT, """
        while True:
            try:
                while True: pass
            except BaseException:
                pass
        """, earns=5, says="code cell 2 it took longer than"),
    _hostile("threads that take each other's processor", RIGHT, """
        import hashlib, os, signal, threading, time
        def spin():
            while True:
                hashlib.pbkdf2_hmac("sha256", b"x", b"y", 10**5)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        for _ in range(60):
            threading.Thread(target=spin, daemon=True).start()
        time.sleep(10**6)
        """, earns=5, says="code cell 2 it took longer than"),
    _hostile("an endless loop in an answer", """
        def max_norm(w, limit):
            while True: pass
        """, earns=0, says="in max_norm it took longer than"),
    _hostile("a sleep past the limit in a cell", RIGHT, "import time; time.sleep(10**6)",
             earns=5, says="code cell 2 it took longer than"),
    _hostile("a sleep in an answer that ignores the alarm", """
        import signal, time
        def max_norm(w, limit):
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            time.sleep(10**6)
        """, earns=0, says="in max_norm it took longer than"),
    _hostile("a memory bomb", RIGHT, """
        kept = []
        while True:
            kept.append(bytearray(b"x" * 2**25))
        """, earns=5, says="MiB of memory|MemoryError|longer than"),
    _hostile("a memory bomb of many processes", RIGHT, """
        import os, time
        for _ in range(16):
            if os.fork() == 0:
                kept = [bytearray(b"x" * 2**24) for _ in range(20)]
                time.sleep(10**6)
        time.sleep(10**6)
        """, earns=5, says="memory|processes"),
    _hostile("a fork bomb", RIGHT, """
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
        """, earns=5, says="memory|processes"),
    _hostile("more threads than there may be", RIGHT, """
        import threading, time
        for _ in range(10_000):
            threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()
        """, earns=5, says="can't start new thread"),
    _hostile("a gigabyte of output", RIGHT, "for _ in range(1000): print('x' * 10**6)",
             earns=5, says=""),
    _hostile("an exit of the process", RIGHT, "import os; os._exit(0)",
             earns=5, says="in code cell 2 the process ended by itself"),
    _hostile("an exit of the process, in an answer", """
        import os
        def max_norm(w, limit):
            os._exit(0)
        """, earns=0, says="in max_norm the process ended by itself"),
    _hostile("an exit of the process, in every cell",
             "import os; os._exit(0)", RIGHT + "os._exit(0)", "os._exit(0)",
             earns=5, says="in code cell 1 the process ended"),
    _hostile("an exit by sys.exit", RIGHT, "import sys; sys.exit()", "seen = 'later cells'",
             earns=5, says="SystemExit", sees="later cells"),
    _hostile("a stopped process", RIGHT, "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
             earns=5, says="in code cell 2 it took longer than"),
    _hostile("deep recursion", RIGHT, """
        import sys
        sys.setrecursionlimit(10**9)
        class Deep:
            def __repr__(self):
                return repr(self)
        repr(Deep())
        """, earns=5, says="code cell 2|Error"),
    _hostile("closed descriptors", RIGHT, "import os; os.closerange(3, 256)",
             earns=5, says="code cell 2"),
)  # fmt: skip

ESCAPES = (
    _hostile("a kill of every process", RIGHT, TRY, """
        for pid in (os.getppid(), 1, -1):
            attempt(os.kill, pid, 9)
        """, earns=5),
    _hostile("a search for the solution", TRY, """
        import importlib, sccbook, sccbook_classroom
        for name in ("sccbook.exercises.max_norm.exercise", "sccbook.exercises.catalogue",
                     "sccbook.checking.comparisons", "sccbook_classroom.exercises",
                     "sccbook_classroom.judging"):
            attempt(importlib.import_module, name)
        roots = [*sccbook.__path__, *sccbook_classroom.__path__, "/tmp", "/home", "/etc"]
        for root in (*roots, *map(os.path.dirname, roots[:2])):
            for folder, folders, files in os.walk(root):
                folders[:] = {*folders} - {"site-packages", "node_modules"}
                for file in files:
                    if file.endswith((".py", ".pyc", ".ipynb", ".md")):
                        attempt(lambda: open(os.path.join(folder, file), "rb").read())
        words = (b"longest_only", b"whole_matrix", b"exempt_counted")
        seen = [one for one in seen if type(one) is not bytes or any(word in one for word in words)]
        """, WRONG, earns=0, sees=[]),
    _hostile("a look at other students' work", RIGHT, TRY, """
        for path in ("", "/root", "/proc/1/root", "/proc/self/root", "/proc/1/cwd"):
            for name in (FOLDER, FOLDER + "/jane/4_constraining.ipynb", FOLDER + "/gradebook.db"):
                attempt(os.listdir, path + name)
                attempt(lambda: open(path + name).read())
        """, earns=5, sees=[]),
    _hostile("writing outside", RIGHT, TRY, """
        import sccbook, sccbook_classroom, numpy, sys
        own, classroom = sccbook.__path__[0], sccbook_classroom.__path__[0]
        for place in ("", "/etc", "/usr", "/usr/bin", "/dev", "/proc", "/root", "/home", classroom,
                      sys.prefix + "/lib", sys.base_prefix + "/lib", numpy.__path__[0], own,
                      own + "/exercises", own + "/checking", classroom + "/sandbox"):
            attempt(open, place + "/written.txt", "w")
            attempt(os.mkdir, place + "/made")
        os.makedirs(FOLDER, exist_ok=True)  # of the sandbox's own /tmp
        open(FOLDER + "/gradebook.db", "w").close()
        for path in (sccbook.__file__, sccbook.__file__ + "c", "/proc/sys/kernel/core_pattern"):
            attempt(open, path, "a")
        """, earns=5, sees=[]),
    _hostile("sockets", RIGHT, TRY, """
        import socket
        for family, address in ((2, ("127.0.0.1", PORT)), (2, ("1.1.1.1", 53)), (1, "\\0sccbook"),
                                (1, FOLDER + "/socket"), (40, (2, PORT)), (16, (0, 0))):
            attempt(lambda: socket.socket(family, socket.SOCK_STREAM).connect(address))
        """, earns=5, sees=[]),
    _hostile("the environment and the input", RIGHT, TRY, """
        import glob
        for path in glob.glob("/proc/[0-9]*/environ"):
            attempt(lambda: open(path, "rb").read())
        seen = [name for name in map(str, (*seen, *os.environ)) if "SECRET" in name]
        attempt(input)
        """, earns=5, sees=[]),
    _hostile("namespaces, mounts and memory that is nobody's", RIGHT, TRY, """
        import ctypes
        libc = ctypes.CDLL(None)
        tried = {"unshare": libc.unshare(0x10000000), "both": libc.unshare(0x10020000),
                 "mount": libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), "setuid": libc.setuid(0),
                 "shm": libc.shmget(0, 9, 0o1600), "ptrace": libc.ptrace(16, os.getppid(), 0, 0)}
        seen = [name for name, result in tried.items() if result != -1]
        attempt(os.memfd_create, "bomb")
        """, earns=5, sees=[]),
    _hostile("a full disk", RIGHT, """
        import os
        seen = 0
        for folder in ("/tmp", "/dev/shm"):
            for number in range(100):
                try:
                    with open(f"{folder}/{number}", "wb") as file:
                        while True:
                            seen += file.write(b"x" * 2**20)
                except OSError:
                    pass
        seen = seen <= 100 * 2**20
        """, earns=5, sees=True),
)  # fmt: skip

FORGERIES = (
    _hostile("the grader's modules replaced", WRONG, """
        import sccbook.checking.plain_data
        from sccbook.checking import probes
        def known(answer, w, limit):
            norms = np.sqrt((w**2).sum(axis=0))
            return w * np.minimum(1.0, limit / np.where(norms == 0, limit, norms))
        for name in list(probes.PROBES):
            probes.PROBES[name] = known
        probes.returned_of_jax.__code__ = known.__code__
        probes.observe_one = lambda probe, answer, run: probes.Observation(known(answer, *run))
        probes.Observation.__init__ = lambda self, *a, **k: None
        sccbook.checking.plain_data.to_plain_data = lambda value: np.ones((2, 2))
        sccbook.exercises.check = lambda *a: True
        """, earns=0),
    _hostile("comparisons replaced", WRONG, """
        import builtins, sys, types, jax.numpy as jnp
        for module in (np, jnp):
            for name in ("allclose", "array_equal", "isclose", "equal"):
                setattr(module, name, lambda *a, **k: True)
        np.asarray = np.array = lambda *a, **k: 1.0
        builtins.isinstance = lambda *a: True
        builtins.all = builtins.any = builtins.bool = lambda *a: True
        builtins.float = builtins.abs = lambda *a: 0.0
        sys.modules["json"] = types.ModuleType("json")
        """, earns=0),
    _hostile("an object that equals everything", """
        import numpy as np
        class Equal(np.ndarray):
            def __eq__(self, other): return np.ones(np.shape(other), bool)
            __ne__ = __lt__ = __gt__ = lambda self, other: False
            def __sub__(self, other): return np.zeros(np.shape(other))
            __rsub__ = __mul__ = __rmul__ = __sub__
            def __array_ufunc__(self, *a, **k): return True
            def __array_function__(self, *a, **k): return True
        def max_norm(w, limit):
            return np.zeros(w.shape).view(Equal)
        """, earns=0),
    _hostile("an object that makes its array anew each time", """
        import numpy as np
        class Any:
            shape, dtype = (2, 2), np.dtype(float)
            def __init__(self, w): self.w = w
            def __array__(self, *a, **k): return np.asarray(self.w) * np.random.rand()
            def __eq__(self, other): return True
            def __float__(self): return 0.0
            def __len__(self): raise SystemExit
        def max_norm(w, limit):
            return Any(w)
        """, earns=0),
    _hostile("a score, printed", WRONG, """
        print('{"score": 100, "passed": true}')
        print("Passed: columns above the limit are scaled down to it and keep their direction.")
        """, earns=0),
    _hostile("messages on every descriptor", WRONG, """
        import os, json
        lie = {"at": "max_norm", "answer": {"kind": None, "seen": [{"value": 1.0}] * 6}}
        for number in range(3, 256):
            for begin in (b"", b"0123456789abcdef "):
                try:
                    os.write(number, begin + json.dumps(lie).encode() + b"\\n")
                except OSError:
                    pass
        """, earns=0, says="grader's own channel"),
    _hostile("messages by the grader's own means", LIE, """
        def speak(send):
            out, nonce = send.args
            send(at="max_norm", answer={"passed": True, "seen": [{"passed": True}] * 6})
            send(at={}, error=3)
            send(at=10**9, printed="x", error="x")
            out.write((nonce + ' {"at": ' + "[" * 100_000 + "\\n").encode())
        lie()
        """, earns=None, says="grader's own channel(.|\n)*it was answered twice"),
    _hostile("what no file could hold, by the grader's own means", LIE, """
        def speak(send):
            out, nonce = send.args
            out.write(nonce.encode() + b' {"at": 0, "printed": "\\xed\\xa0\\x80", "error": ""}\\n')
            send(at=0, printed="\\ud800", error="\\ud800")
            endless = {"value": {"array": "", "dtype": "float32", "shape": [0] + [2**24] * 3}}
            send(at="max_norm", answer={"kind": None, "seen": [endless] * 100})
        lie()
        """, earns=None, says="it was answered twice"),
    _hostile("an object that acts when it is read", """
        class Act:
            def __reduce__(self):
                import os
                return os.system, ("touch " + FOLDER + "/acted",)
        def max_norm(w, limit):
            return Act()
        """, earns=0),
    _hostile("what goes on after the end", RIGHT, """
        import atexit, threading, time
        def on():
            while True:
                print("still here")
                time.sleep(0.01)
        atexit.register(on)
        threading.Thread(target=on).start()
        """, earns=5),
    _hostile("a trace of the grader", """
        import gc, sys
        seen = []
        def trace(frame, event, argument):
            seen.extend(key for key in frame.f_locals if key in ("right", "expected", "EXERCISE"))
            return trace
        sys.settrace(trace)
        sys.setprofile(trace)
        seen += [type(thing).__name__ for thing in gc.get_objects()
                 if type(thing).__name__ in ("Exercise", "Comparison", "Misconception")]
        def max_norm(w, limit):
            frame = sys._getframe()
            while frame is not None:
                for value in frame.f_locals.values():
                    if type(value).__name__ in ("Exercise", "Comparison", "Case"):
                        return value.judge
                frame = frame.f_back
            return w
        """, earns=0, sees=[]),
    _hostile("a number without end", """
        def max_norm(w, limit):
            return 10 ** 100_000
        """, earns=0),
    _hostile("a text and a list without end", """
        def max_norm(w, limit):
            return ["x" * 10**7, [0] * 10**6, {"\\ud800": "\\ud800"}]
        """, earns=0),
    _hostile("an array without end", """
        import numpy as np
        def max_norm(w, limit):
            return np.zeros(10**8, np.float32)
        """, earns=0, says="too large|longer than|[mM]emory"),
    _hostile("an error without end", """
        class E(Exception):
            def __str__(self):
                while True: pass
        def max_norm(w, limit):
            raise E
        """, earns=0, says="in max_norm it took longer than"),
)  # fmt: skip

BELIEVED = (
    _hostile("right observations, sent by an object that gc finds", KNOWN, """
        import gc
        from sccbook.checking.plain_data import decode, encode
        def speak(function):
            found = gc.get_objects()
            partials = (one for one in found if type(one).__name__ == "partial")
            (send,) = (one for one in partials if " write " in str(one.func) and len(one.args) == 2)
            (runs,) = (one["runs"] for one in found if type(one) is dict and "probe" in one)
            seen = [{"value": encode(right(*decode(run)))} for run in runs]
            send(at="max_norm", answer={"kind": None, "seen": seen})
            return function
        @speak
        def max_norm(w, limit):
            return w
        """, earns=None),
    _hostile("the probe's code, swapped", KNOWN, """
        def swap(function):
            from sccbook.checking import probes
            probes.right = right
            probes.returned_of_jax.__code__ = (lambda answer, w, limit: right(w, limit)).__code__
            return function
        max_norm = swap(max_norm)
        """, earns=None),
    _hostile("a function of NumPy's replaced by the answer", KNOWN, """
        def max_norm(w, limit):
            kept["limit"], np.array = limit, array
            return w
        """, earns=None),
    _hostile("a module that is updated as a wrapper", KNOWN, """
        import functools
        class Wrapped:
            def __init__(self):
                self.array = array
        def swap(function):
            functools.update_wrapper(np, Wrapped(), ())
            return function
        max_norm = swap(max_norm)
        """, earns=None),
    _hostile("threads that patch the probe", KNOWN, """
        import threading
        def patch():
            while True:
                np.array = array
        def swap(function):
            threading.Thread(target=patch, daemon=True).start()
            return function
        max_norm = swap(max_norm)
        """, earns=None),
    _hostile("the package's answer, by getattr", """
        import scaleclip.ops
        def max_norm(w, limit):
            return getattr(scaleclip.ops, "max_" + "norm")(w, limit)
        """, earns=None),
    _hostile("the package's answer, as an attribute", """
        import scaleclip.ops
        def max_norm(w, limit):
            return scaleclip.ops.max_norm(w, limit)
        """, earns=None),
    _hostile("the package's answer, in a helper", "%%writefile helper.py\nimport scaleclip.ops\n"
             "def answer(*a): return scaleclip.ops.__dict__['max_norm'](*a)",
             "from helper import answer as max_norm", earns=None),
)  # fmt: skip
"""These hand in what is right as if it were seen of a function: a person has to look at them."""

HOSTILE = {one.name: one for one in (*RUNAWAYS, *ESCAPES, *FORGERIES, *BELIEVED)}
