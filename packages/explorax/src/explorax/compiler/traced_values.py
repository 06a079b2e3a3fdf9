"""What to write where Python or NumPy asks a traced argument for its number, or precisions clash."""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from explorax.compiler.errors import ProgramError

WHY = "A function is traced once, for all values of its arguments, so there's no number yet"
CHOOSE = (
    "To choose a value write jnp.where(condition, a, b); to run one of two computations, "
    "jax.lax.cond; to repeat while something holds, jax.lax.while_loop. For and, or, not write &, "
    "|, ~; for max and min, jnp.maximum and jnp.minimum."
)
NUMPY = (
    "NumPy can't compute with it. Write this with jax.numpy (jnp.sin in place of np.sin), and random "
    "numbers with jax.random."
)
NUMBER = (
    "Leave out float(), .item() and the like: an array goes wherever a number does. For an integer "
    "write jnp.floor(x) or x.astype(int), and for functions of the math module those of jax.numpy."
)
COUNT = (
    "To repeat something n times write jax.lax.fori_loop(0, n, body, start), and to take one of a "
    "list jnp.array(list)[n]."
)
SIZE = (
    "The size of an array can't depend on an argument. Make it as large as it may get, and mask the "
    "rest: jnp.where(jnp.arange(most) < n, x, 0.0)."
)
EACH = "It is a single number: nothing to go through. To repeat n times write jax.lax.fori_loop."
TEXT = "A number isn't known yet, so no text can be made of it: return the number instead."
PLACE = "NumPy's arrays can't hold it. Write x = jnp.zeros(3), and x = x.at[0].set(s) for x[0] = s."
CLASH = r".*float(?:32\b.*float64|64\b.*float32).*"
PRECISION = (
    'A program computes in float64 unless you ask for dtype="float32", and JAX makes float32 arrays '
    "unless 64-bit numbers are on. Switch them on before you make arrays: "
    'jax.config.update("jax_enable_x64", True). Or convert the array, as in array.astype(x.dtype); '
    'or compute everything in float32, with dtype="float32".'
)

KINDS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str, str], ...] = (
    (jax.errors.TracerBoolConversionError, "", CHOOSE),
    (jax.errors.TracerArrayConversionError, "", NUMPY),
    (jax.errors.TracerIntegerConversionError, "", COUNT),
    (jax.errors.NonConcreteBooleanIndexError, "", SIZE),
    (jax.errors.ConcretizationTypeError, r"with the `\w+` function|item\(\) method", NUMBER),
    (jax.errors.ConcretizationTypeError, "", SIZE),
    (TypeError, "Shapes must be 1D sequences of concrete values", SIZE),
    (TypeError, "iteration over a 0-d array", EACH),
    (TypeError, r"Tracer\.__format__", TEXT),
    (IndexError, "must be static integers|have static start/stop/step", SIZE),
    (ValueError, "setting an array element with a sequence", PLACE),
)
OTHERS = tuple(str(Path(module.__file__).parent) for module in (jax, np) if module.__file__)


@contextmanager
def advised(name: str) -> Iterator[None]:
    """Turn JAX's error into advice, with the user's line.

    It is one for a traced value that is used as a number, or for float32 where float64 should be.

    Args:
      name: of the function that is traced.

    Raises:
      ProgramError: in place of such an error; any other goes on as it is.
    """
    try:
        yield
    except Exception as error:
        advice, clash = _advice(error), re.search(CLASH, str(error))
        if not advice and not (clash and isinstance(error, TypeError)):
            raise
        place, code = _place(error)
        where = f": {code}  ({place})" if code else f" ({place})"
        if clash and not advice:
            raise ProgramError(
                f"{name} mixes float32 and float64{where}. {clash[0].strip()} {PRECISION}"
            ) from None
        argument = re.search(
            r"depends on the values? of the arguments? (.+?)\.?$", str(error), re.M
        )
        of = f"the argument {argument[1]}" if argument else "a traced array"
        needs = f"{name} needs the number behind {of} in Python"
        called = re.search(r"\b(np|numpy|math)\.(\w+)\(", code)
        if called and advice in (NUMPY, NUMBER) and hasattr(jnp, called[2]):
            advice = (
                f"Write it with jax.numpy: jnp.{called[2]} in place of {called[1]}.{called[2]}."
            )
        raise ProgramError(f"{needs}{where}. {WHY}. {advice}") from None


def _advice(error: Exception) -> str:
    for kind, pattern, advice in KINDS:
        if isinstance(error, kind) and re.search(pattern, str(error)):
            return advice
    return ""


def _place(error: Exception) -> tuple[str, str]:
    """Find the user's own line in an error's traceback, and the code in it that failed."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = (*OTHERS, str(Path(__file__).parents[1]), "<__array_function__")
    outer = [frame for frame in frames if not frame.filename.startswith(inside)]
    own = [frame for frame in outer if "site-packages" not in frame.filename] or outer
    if not own:
        return "a line that JAX does not know", ""
    last = own[-1]
    line = linecache.getline(last.filename, last.lineno or 0).encode()
    whole = last.lineno == last.end_lineno and last.colno is not None
    code = line[last.colno : last.end_colno].decode(errors="ignore") if whole else line.decode()
    return f"{last.filename}:{last.lineno}", code.strip()
