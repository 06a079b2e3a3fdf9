"""Record what a clip does to a training, try other limits, and see which loss moves what.

    tx = optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4), probe.updates())
    ...
    recording = probe.read(opt_state)

It prints as a table; with ``scaleclip.figure`` imported, a notebook draws it, with a limit to drag.

``load`` takes norms that were logged by other means, ``sources`` the terms of a loss, ``adopt`` the
state of a job that is running. ``read`` takes a checkpoint too, without model or optimizer. Optax's
own ``snapshot``, ``monitor`` and ``measure_with_ema`` keep the latest value or a running mean; here
each of the last steps is kept by group, so that you can try another limit.

A ``Recording``, its report and ``load`` need NumPy alone; the rest is imported with JAX and Optax
when it is first used.
"""

from typing import TYPE_CHECKING, Any

from scaleclip._extras import needed
from scaleclip.probe.groups import by_layer, by_leaf, by_module
from scaleclip.probe.logs import load
from scaleclip.probe.recording import Recording

if TYPE_CHECKING:
    from scaleclip.probe.adopting import adopt
    from scaleclip.probe._reading import read, read_all
    from scaleclip.probe.recorder import clip_by_global_norm, updates
    from scaleclip.probe._terms import Sources, sources

__all__ = [
    "Recording",
    "Sources",
    "adopt",
    "by_layer",
    "by_leaf",
    "by_module",
    "clip_by_global_norm",
    "load",
    "read",
    "read_all",
    "sources",
    "updates",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needed(f"{__name__}.{name}", "jax"):
        from scaleclip.probe.adopting import adopt
        from scaleclip.probe._reading import read, read_all
        from scaleclip.probe.recorder import clip_by_global_norm, updates
        from scaleclip.probe._terms import Sources, sources
    # All at once, because two of the functions have the names of their modules.
    globals().update(
        Sources=Sources,
        adopt=adopt,
        clip_by_global_norm=clip_by_global_norm,
        read=read,
        read_all=read_all,
        sources=sources,
        updates=updates,
    )
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
