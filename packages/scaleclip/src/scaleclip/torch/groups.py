"""Groups of parameters: which of them share a norm in a record, by their paths.

These are ``scaleclip.probe``'s functions of the same names, without its import of JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from torch import Tensor

Groups = Callable[[str, Tensor], str]
"""From a parameter's path, such as ``"layers/0/weight"``, and the parameter, to its group's name."""

NAMELESS = "all"
"""The group of parameters that are the model's own, as in ``scaleclip.probe``."""

# What DDP, torch.compile, FSDP, activation checkpoints and Keras put into a parameter's name.
_FIRST = "module"
_ANYWHERE = {
    "_checkpoint_wrapped_module",
    "_fsdp_wrapped_module",
    "_functional",
    "_orig_mod",
    "_torch_params",
}


def by_leaf(path: str, parameter: Tensor) -> str:
    """Put each parameter into a group of its own, named by its whole path.

    >>> from scaleclip.torch import by_leaf
    >>> by_leaf("layers/0/weight", None)
    'layers/0/weight'
    """
    return path


def by_module(path: str, parameter: Tensor) -> str:
    """Put the parameters of a module into one group.

    >>> from scaleclip.torch import by_module
    >>> by_module("layers/0/weight", None)
    'layers/0'
    """
    return path.rpartition("/")[0] or NAMELESS


def by_layer(path: str, parameter: Tensor) -> str:
    """Put the parameters of a layer into one group, by the path up to its first number.

    A path without a number is grouped by module.

    >>> from scaleclip.torch import by_layer
    >>> by_layer("blocks/3/attention/query/weight", None)
    'blocks/3'
    """
    parts = path.split("/")
    numbered = [n for n, part in enumerate(parts[:-1]) if part[-1:].isdigit()]
    return "/".join(parts[: numbered[0] + 1]) if numbered else by_module(path, parameter)


def unwrapped(names: Iterable[str], separator: str = ".") -> list[str]:
    """Return names without what wrappers of a model add to them.

    ``"module._orig_mod.0.weight"`` becomes ``"0.weight"``. ``module`` is taken off where every name
    begins with it. Names that would then be the same are returned as they are.
    """
    given = list(names)
    parts = [[p for p in name.split(separator) if p not in _ANYWHERE] for name in given]
    while parts and all(len(part) > 1 and part[0] == _FIRST for part in parts):
        parts = [part[1:] for part in parts]
    short = [separator.join(part) for part in parts]
    return short if len(set(short)) == len(short) else given


def unwrapped_groups(groups: Iterable[str]) -> list[str]:
    """Return groups by the names that they have without wrappers."""
    return [g.rstrip("/") or NAMELESS for g in unwrapped((f"{g}/" for g in groups), "/")]
