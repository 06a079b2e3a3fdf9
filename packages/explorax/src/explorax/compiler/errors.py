"""Errors of functions that cannot become a program."""

from __future__ import annotations

import linecache
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

import jax

TESTED = ("0.8", "0.12")  # the oldest and the newest JAX whose primitives are known


def beyond() -> str:
    """Say what to do where JAX is newer than what was tested; elsewhere nothing."""
    newest = tuple(int(part) for part in TESTED[1].split("."))
    if jax.__version_info__[: len(newest)] <= newest:
        return ""
    return (
        " This JAX is newer, and primitives get new names: look for a newer explorax, or install "
        f"'jax<{newest[0]}.{newest[1] + 1}'."
    )


def warn(text: str) -> None:
    """Warn at the line outside this package that led here, which a notebook then names."""
    package, level, frame = str(Path(__file__).parents[1]), 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)


class ProgramError(ValueError):
    """A function or its arguments cannot be traced into a program."""


FOURIER = """\
For up to 256 points, multiply by the matrices of the transform (fft; for rfft keep n // 2 + 1 columns):
    k = jnp.arange(n)
    angle = 2 * jnp.pi * (jnp.outer(k, k) % n) / n
    real, imaginary = x @ jnp.cos(angle), -x @ jnp.sin(angle)
    size = jnp.hypot(real, imaginary)  # jnp.abs(jnp.fft.fft(x))
For more, compute the transform beforehand, and let the function use its numbers."""
COMPLEX = (
    "There are no complex numbers: keep the real and the imaginary part as two arrays, and use "
    "jnp.hypot for abs and jnp.arctan2 for angle."
)
SPECTRAL = (
    "Its results may be complex. For a symmetric matrix use jnp.linalg.eigh, and for sizes "
    "jnp.linalg.svd; or compute it beforehand, and let the function use the numbers."
)
CALLBACK = (
    "It calls Python, and there is none in a page. Take the call (or the print) out, or compute "
    "what it gives beforehand, and let the function use the numbers."
)
ANYTHING = (
    "Write that line with other functions of jax.numpy, or compute it beforehand (in NumPy), and "
    "let the function use the numbers."
)


def _advice(primitive: str, line: str, detail: str) -> str:
    """Say what to do about a primitive that has no translation."""
    file, _, number = line.rpartition(":")
    code = linecache.getline(file, int(number)) if number.isdecimal() else ""
    if primitive == "fft" or ("complex" in detail and "fft" in code):
        return FOURIER
    if primitive in ("eig", "schur", "hessenberg"):
        return SPECTRAL
    if "callback" in primitive or primitive == "debug_print":
        return CALLBACK
    return COMPLEX if "complex" in detail else ANYTHING


class UnsupportedPrimitive(ProgramError, NotImplementedError):
    """The traced function uses a JAX primitive that has no translation.

    Attributes:
      primitive: the primitive's name.
      line: ``file:line`` of the user's code that brought it in, where JAX knows it.
      supported: the names of the primitives that have a translation, sorted.
    """

    def __init__(self, primitive: str, line: str, detail: str, supported: Iterable[str]) -> None:
        self.primitive = primitive
        self.line = line
        self.supported = tuple(sorted(supported))
        why = f" ({detail})" if detail else ""
        super().__init__(
            f"The JAX primitive '{primitive}'{why} has no translation to JavaScript. "
            f"It comes from {line}. {_advice(primitive, line, detail)}\n"
            f"This is JAX {jax.__version__}; explorax.compiler was tested with JAX {TESTED[0]} to "
            f"{TESTED[1]}.{beyond()}"
        )
