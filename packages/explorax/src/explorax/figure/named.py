"""Adapt a function to a figure: an argument for each control, and named results."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorax.compiler import Program, compile
from explorax.controls.control import Control


def with_signature(function: Any, name: str, arguments: Sequence[str]) -> Any:
    """Give a function a name and named arguments, for the compiler to read."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__ = name
    function.__signature__ = inspect.Signature([inspect.Parameter(a, kind) for a in arguments])
    return function


def compiled(function: Callable[..., Any], controls: Sequence[Control], dtype: Any) -> Program:
    """Compile a function of what the controls are set to."""
    return compile(
        function, *(control.traced(control.initial) for control in controls), dtype=dtype
    )


def check_arguments(function: Callable[..., Any], name: str, controls: Sequence[Control]) -> None:
    """Refuse controls without an argument, and arguments without a control."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{function!r} has no arguments that could be named; expected a Python function of "
            "arrays. Put it into one: lambda x: ..."
        ) from error
    kinds = inspect.Parameter
    anything = any(p.kind is kinds.VAR_KEYWORD for p in parameters.values())
    names = [control.name for control in controls]
    for control in names:
        if control not in parameters and not anything:
            raise TypeError(
                f"{name} has no argument {control!r} for the control of this name. "
                f"Its arguments are {', '.join(parameters) or 'none'}."
            )
    for argument, parameter in parameters.items():
        open_ended = parameter.kind in (kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL)
        if argument not in names and parameter.default is kinds.empty and not open_ended:
            raise TypeError(
                f"{name} has the argument {argument!r}, and there is no control for it. "
                f"The controls are {', '.join(names) or 'none'}; add one, or give it a default."
            )


def with_named_results(
    function: Callable[..., Any], name: str, controls: Sequence[Control]
) -> tuple[Callable[..., dict[str, Any]], list[str]]:
    """Order a function's arguments as the controls are, and name its results.

    Beside it the results' names, in the function's own order, once it has been traced: JAX
    sorts a dict.
    """
    names = [control.name for control in controls]
    signature = inspect.signature(function)
    order: list[str] = []

    def called(*values: Any) -> dict[str, Any]:
        given = dict(zip(names, values, strict=True))
        first = [
            given.pop(argument, parameter.default)
            for argument, parameter in signature.parameters.items()
            if parameter.kind is parameter.POSITIONAL_ONLY
        ]
        bound = signature.bind(*first, **given)
        found = results(name, function(*bound.args, **bound.kwargs))
        for control, value in zip(names, values, strict=True):
            if found.get(control, value) is not value:
                raise ValueError(
                    f"{name} returns {control!r}, which is the name of a control and not its value: "
                    "words and views could not tell them apart. Rename the result."
                )
        order[:] = found
        return {key: jnp.asarray(value) for key, value in found.items()}

    adapted: Callable[..., dict[str, Any]] = with_signature(called, name, names)
    return adapted, order


def results(name: str, result: Any, single: str = "result") -> dict[str, Any]:
    """Name what a function returns; without names it's ``single``, or numbered after it.

    Raises:
      ValueError: for what is neither an array, nor a tuple or a dict of arrays.
    """
    if isinstance(result, Mapping):
        found = dict(result)
    elif hasattr(result, "_asdict"):
        found = result._asdict()
    elif isinstance(result, tuple | list):
        found = {f"{single}_{n}": array for n, array in enumerate(result, 1)}
    else:
        found = {single: result}
    if not found:
        raise ValueError(
            f"{name} returns nothing; expected an array, a tuple, or a dict of arrays."
        )
    if "case" in found:
        raise ValueError(
            f"{name} returns 'case', which in a figure says which of several sentences holds; "
            "here is one. Rename the result."
        )
    for key, value in found.items():
        if not isinstance(key, str) or not key.isidentifier():
            raise ValueError(f"{name} returns a result named {key!r}; expected a Python name.")
        if not _is_array(value):
            raise ValueError(
                f"{name} returns {key!r}: {type(value).__name__}; expected an array, a tuple of "
                "arrays, or a dict of arrays whose keys are names."
            )
    return found


def _is_array(value: Any) -> bool:
    return isinstance(value, jax.Array | np.ndarray | np.generic | int | float)
