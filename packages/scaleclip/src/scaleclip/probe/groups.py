"""Name the groups of a model's arrays, which share a norm, by the paths of its leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Groups = Callable[[str, Any], str]
"""From a leaf's path, such as ``"layers/0/weight"``, and the leaf, to the name of its group.

Keys, indices and attributes are joined by slashes, as in ``scaleclip.ops.selection``, but without the
``/value`` that Flax NNX adds to each."""

NAMELESS = "all"
"""The group of leaves whose path says no more: those of a bare array, or of a flat dict by module."""


def by_leaf(path: str, leaf: Any) -> str:
    """Put each array into a group of its own, named by its whole path.

    >>> from scaleclip import probe
    >>> probe.by_leaf("layers/0/weight", None)
    'layers/0/weight'
    """
    return path or NAMELESS


def by_module(path: str, leaf: Any) -> str:
    """Put the arrays of a module into one group, named by the path without their own names.

    >>> from scaleclip import probe
    >>> probe.by_module("layers/0/weight", None)
    'layers/0'
    """
    return path.rpartition("/")[0] or NAMELESS


def by_layer(path: str, leaf: Any) -> str:
    """Put the arrays of a layer into one group, named by the path up to its first number.

    A path without a number is grouped by module.

    >>> from scaleclip import probe
    >>> probe.by_layer("blocks/3/attention/query/kernel", None)
    'blocks/3'
    >>> probe.by_layer("params/Block_3/Dense_0/kernel", None)
    'params/Block_3'
    """
    parts = path.split("/")
    numbered = [n for n, part in enumerate(parts[:-1]) if part[-1:].isdigit()]
    return "/".join(parts[: numbered[0] + 1]) if numbered else by_module(path, leaf)


def group_of(groups: Groups, path: str, leaf: Any) -> str:
    """Return the group of a leaf.

    Raises:
      TypeError: if ``groups`` doesn't return a string.
    """
    group = groups(path, leaf)
    if not isinstance(group, str):
        raise TypeError(
            f"groups returned {group!r} for {path!r}; expected a name, such as "
            "path.split('/')[0]. by_module, by_layer and by_leaf are such functions."
        )
    return group


def encoded(names: Iterable[str]) -> np.ndarray:
    """Write names as uint8 ``[n]``: an array goes wherever an optimizer's state is saved."""
    return np.frombuffer(json.dumps([*names]).encode(), np.uint8)


def decoded(names: Any) -> tuple[str, ...]:
    """Read names that ``encoded`` wrote."""
    return tuple(json.loads(np.asarray(names, np.uint8).tobytes()))
