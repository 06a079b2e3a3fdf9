"""Say what to install where the packages of an extra are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

NAMES = {
    "jax": "JAX",
    "optax": "Optax",
    "torch": "PyTorch",
    "keras": "Keras 3",
    "explorax": "explorax",
    "transformers": "Transformers",
    "accelerate": "Accelerate",
    "lightning": "Lightning",
}
"""The packages that extras install, and what people call them."""


@contextmanager
def needed(module: str, extra: str) -> Iterator[None]:
    """Turn a failed import of an extra's package into an error that says how to install it.

    Args:
      module: what is imported, such as ``"scaleclip.ops"``.
      extra: the extra that installs the missing package, such as ``"jax"``.

    Raises:
      ImportError: if a package in ``NAMES`` is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in NAMES:
            raise
        beside = "./packages/explorax " if extra == "figure" else ""  # which isn't on PyPI
        raise ImportError(
            f"{module} needs {NAMES[package]}. Install it from the repository: "
            f"pip install {beside}'./packages/scaleclip[{extra}]'"
        ) from error


def lazily(package: str, modules: Mapping[str, str], extra: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package, which imports a name's module when the name is used.

    Args:
      package: its name.
      modules: by exported name the module that defines it. None of them has the name of its module:
        importing that would put the module in the place of the name.
      extra: the extra that installs what these modules need.
    """

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with needed(f"{package}.{name}", extra):
            return getattr(import_module(f"{package}.{modules[name]}"), name)

    return get
