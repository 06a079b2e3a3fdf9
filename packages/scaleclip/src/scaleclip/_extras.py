"""Say what to install where the packages of an extra are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

NAMES = {
    "jax": "JAX",
    "optax": "Optax",
    "torch": "PyTorch",
    "keras": "Keras 3",
    "explorax": "explorax",
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
        raise ImportError(
            f"{module} needs {NAMES[package]}. Install it from the repository: "
            f"pip install './packages/scaleclip[{extra}]'"
        ) from error
