"""Names of parameters and groups without what wrappers of a model add to them."""

from __future__ import annotations

from collections.abc import Iterable

from scaleclip.probe.groups import NAMELESS

# What DDP, torch.compile, FSDP, activation checkpoints and Keras put into a parameter's name.
_FIRST = "module"
_ANYWHERE = {
    "_checkpoint_wrapped_module",
    "_fsdp_wrapped_module",
    "_functional",
    "_orig_mod",
    "_torch_params",
}


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
