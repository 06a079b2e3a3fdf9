"""Puts back what a submission has replaced in the modules that its answers are run with.

It is no wall: it undoes what is common, lets the instructor know, and misses what is done to
objects that no module names. What is judged, is judged outside, and can be no better than what was
observed here.
"""

from __future__ import annotations

import sys
import types
from typing import Any

WATCHED = (
    "builtins",
    "math",
    "json",
    "signal",
    "numpy",
    "numpy.linalg",
    "jax",
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.lax",
    "jax.nn",
    "jax.tree",
    "jax.tree_util",
    "gradlab.exercises",
    "gradlab.exercises.checking.check",
    "gradlab.exercises.checking.plain_data",
    "gradlab.exercises.checking.ports",
    "gradlab.exercises.checking.probes",
    "gradlab_classroom.grading.cells",
    "gradlab_classroom.grading.hygiene",
    "gradlab_classroom.grading.inside",
)
CODE = ("__code__", "__defaults__", "__kwdefaults__")
_MISSING = object()


class Kept:
    """The contents of the watched modules, to be put back later."""

    def __init__(self) -> None:
        present = {name: sys.modules[name] for name in WATCHED if name in sys.modules}
        self._modules = present
        # (what it is called, the dict itself, its items)
        self._dicts = [(name, vars(module), dict(vars(module))) for name, module in present.items()]
        self._functions: list[tuple[str, types.FunctionType, tuple[Any, ...]]] = []
        self._classes: list[tuple[str, type, dict[str, Any]]] = []
        for name, module in present.items():
            if name.startswith(("gradlab.", "gradlab_classroom.")):
                self._keep_own(name, module)
        self._set, self._type_set, self._get = setattr, type.__setattr__, getattr
        # builtins first: what follows is written with them
        self._dicts.sort(key=lambda saved: saved[0] != "builtins")

    def _keep_own(self, name: str, module: types.ModuleType) -> None:
        """The inner parts of a module of this package: code, tables, classes."""
        for key, value in vars(module).items():
            where = f"{name}.{key}"
            if getattr(value, "__module__", None) == name:
                if isinstance(value, types.FunctionType):
                    self._keep_function(where, value)
                elif isinstance(value, type):
                    self._classes.append((where, value, dict(vars(value))))
                    for method in vars(value).values():
                        if isinstance(method, types.FunctionType):
                            self._keep_function(f"{where}.{method.__name__}", method)
            elif isinstance(value, dict) and not key.startswith("__"):
                self._dicts.append((where, value, dict(value)))

    def _keep_function(self, where: str, function: types.FunctionType) -> None:
        self._functions.append((where, function, tuple(getattr(function, part) for part in CODE)))

    def put_back(self) -> list[str]:
        """Put back whatever is not as it was. Return a note for each of the first ten."""
        were = [
            (name, now, now.copy(), saved, now.update(saved)) for name, now, saved in self._dicts
        ]
        found = [
            f"{name}.{key}"
            for name, _, before, saved, _ in were
            for key, value in saved.items()
            if before.get(key, _MISSING) is not value
        ]
        for where, function, parts in self._functions:
            for attribute, part in zip(CODE, parts, strict=True):
                if self._get(function, attribute) is not part:
                    self._set(function, attribute, part)
                    found.append(where)
        for where, kind, members in self._classes:
            for key, member in members.items():
                if key not in ("__dict__", "__weakref__") and vars(kind).get(key) is not member:
                    self._type_set(kind, key, member)
                    found.append(f"{where}.{key}")
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                found.append(f"sys.modules[{name!r}]")
        names = dict.fromkeys(name[:100] for name in found)  # no name twice
        return [f"{name} was replaced, and put back before the answers were run" for name in names][
            :10
        ]
