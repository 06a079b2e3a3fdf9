"""Check the form of results before they are compared.

Each function raises a ``Mistake`` where it is something else.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sccbook.checking.descriptions import describe
from sccbook.checking.findings import Case, Mistake
from sccbook.checking.plain_data import Other
from sccbook.checking.probes import FAILED, NOT_ATTEMPTED, RETURNED, Observations


def leaves(value: Any) -> Iterator[Any]:
    """Yield the numbers, texts and arrays of plain data, dicts in the order of their sorted keys."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key])
    elif isinstance(value, tuple | list):
        for part in value:
            yield from leaves(part)
    elif value is not None:
        yield value


def structure(value: Any) -> Any:
    """Return the structure of plain data: everything but its leaves."""
    if isinstance(value, dict):
        return {key: structure(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return type(value)([structure(part) for part in value])
    return value is None


def shape_of(leaf: Any) -> tuple[int, ...]:
    """Return the shape of a leaf, which is empty for a number."""
    return tuple(getattr(leaf, "shape", ()))


def require_attempted(observations: Observations) -> None:
    """Raise a ``Mistake`` if the answer isn't a function, or is an untouched stub."""
    if observations.kind is not None:
        raise Mistake(
            "not_callable",
            "the answer should be the function itself, written without calling it, but "
            f"it is of type {observations.kind}.",
        )
    if observations.seen and all(seen.error == NOT_ATTEMPTED for seen in observations.seen):
        raise Mistake(
            "not_attempted", "there's nothing to check so far: the function has no code of its own."
        )


def require_no_error(words: str, error: str | None) -> None:
    """Raise a ``Mistake`` if an answer failed on the run that these words describe.

    Args:
      words: the run.
      error: an exception's type and text, or what else happened, such as ``"it took longer than 20 s"``;
        None where the answer didn't fail.
    """
    if error is None:
        return
    is_exception = re.match(r"\w+(:|$)", error)
    raise Mistake("raises", f"{words} it raised {error}" if is_exception else f"{error}.")


def require_not_none(value: Any, words: str) -> None:
    """Raise a ``Mistake`` if an answer returned None on the run that these words describe."""
    if value is None:
        raise Mistake(
            "returns_none",
            f"{words} it returned None. Is a return missing, or did none of its conditions hold?",
        )


def require_a_number(value: Any, case: Case, quantity: str) -> Any:
    """Return an answer's result if it is one number.

    Args:
      value: what it returned.
      case: on which run.
      quantity: the number that it should return, such as ``"the sum of the losses"``.

    Raises:
      Mistake: if it is something else.
    """
    require_not_none(value, case.words)
    if isinstance(value, tuple | list | dict) or shape_of(value) != ():
        kind = f"a {type(value).__name__}"
        if hasattr(value, "shape"):
            kind = f"an array of shape {tuple(value.shape)}"
        raise Mistake(
            "returns_other",
            f"{case.words} it returned {kind}. It should return one number, {quantity}.",
        )
    return value


def require_results(
    observations: Observations, cases: Sequence[Case], *, differentiated: bool = False
) -> list[Any]:
    """Return the result of each case.

    Args:
      observations: of the answer.
      cases: of the exercise.
      differentiated: whether the probe was ``at_tensor``, which says so where JAX has failed. In
        what another probe saw, the same word is the answer's own.

    Raises:
      Mistake: if the answer is no function, or has raised something.
    """
    require_attempted(observations)
    for case, seen in zip(cases, observations.seen, strict=True):
        require_no_error(case.words, seen.error)
        if differentiated:
            require_no_error(f"{case.words}, while JAX differentiates it,", failed(seen.value))
    return [seen.value for seen in observations.seen]


def failed(value: Any) -> str | None:
    """Return the error that ``at_tensor`` saw while JAX differentiated, or None."""
    failure = value.get(FAILED) if isinstance(value, dict) else None
    return failure if isinstance(failure, str) else None


def require_not_in_place(observations: Observations, message: str) -> None:
    """Raise a ``Mistake`` with this message if the first run failed by writing into an array."""
    error = observations.first.error or ""
    if "immutable" in error or "read-only" in error:
        raise Mistake("in_place", message)


def require_a_loss(value: Any, case: Case) -> Any:
    """Return what the probe of an unroll saw if the answer returned a loss, one number.

    Raises:
      Mistake: if it is something else.
    """
    if isinstance(value, dict) and value.keys() == {RETURNED}:
        require_a_number(value[RETURNED], case, "the sum of the losses")
    return value


def require_like(case: Case, result: Any, expected: Any) -> None:
    """Raise a ``Mistake`` unless a result has the form of the expected one."""
    if expected is not None:
        require_not_none(result, case.words)
    if structure(result) != structure(expected):
        kind, right_kind = describe(result), describe(expected)
        but = f"but {right_kind} is expected."
        if kind == right_kind:  # they differ further in
            but = (
                "as it should, but not every part of it is a number or an array. A list, or None, is "
                "neither."
            )
        raise Mistake("structure_changed", f"{case.words} it returned {kind}, {but}")
    for part, right in zip(leaves(result), leaves(expected), strict=True):
        named = isinstance(right, str)
        if isinstance(part, str) != named or isinstance(part, Other) or _is_complex(part):
            kind = "a name" if named else "a number or an array"
            raise Mistake(
                "returns_other",
                f"{case.words} it returned {describe(part)} where {kind} is expected.",
            )
        if shape_of(part) != shape_of(right):
            raise Mistake(
                "shape_changed",
                f"{case.words} it returned {_form(part)}, but "
                f"{_form(right, 'one' if shape_of(part) else 'an array')} is expected.",
            )


def _form(leaf: Any, kind: str = "an array") -> str:
    return f"{kind} of shape {shape_of(leaf)}" if shape_of(leaf) else "one number"


def _is_complex(leaf: Any) -> bool:
    return getattr(getattr(leaf, "dtype", None), "kind", "") == "c"
