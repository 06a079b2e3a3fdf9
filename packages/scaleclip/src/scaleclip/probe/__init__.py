"""A probe of one's own training: what a clip does to it, which limit, and which loss moves what.

    tx = optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4), probe.updates())
    ...
    recording = probe.read(opt_state)  # print it, or show it in a notebook: drag the limit

``load`` and ``figure`` take norms that were logged by other means, ``sources`` the terms of a loss,
``adopt`` the state of a job that is running. ``read`` takes a checkpoint too, without model or
optimizer. Optax's own ``snapshot``, ``monitor`` and ``measure_with_ema`` keep the latest value or a
running mean; here each of the last steps is kept by group, so that another limit can be tried.
"""

from typing import Any

from scaleclip.drawing import figure_of
from scaleclip.probe.adopting import adopt
from scaleclip.probe.groups import by_layer, by_leaf, by_module
from scaleclip.probe.logs import load
from scaleclip.probe.read import read, read_all
from scaleclip.probe.recorder import clip_by_global_norm, updates
from scaleclip.probe.recording import Recording
from scaleclip.probe.sources import Sources, sources

__all__ = [
    "Recording",
    "Sources",
    "adopt",
    "by_layer",
    "by_leaf",
    "by_module",
    "clip_by_global_norm",
    "figure",
    "load",
    "read",
    "read_all",
    "sources",
    "updates",
]


def figure(norms: Any, *, name: str = "", limit: float | None = None) -> Any:
    """Return a figure of norms: on a logarithmic axis, with a limit to drag.

    It says which share of the steps a limit clips, and which part of all length it leaves. It is
    a widget; ``figure.save_html(path)`` writes it as one file.

    Args:
      norms: a ``Recording``, a list of norms, or the path of a log: see ``load``.
      name, limit: as in ``load``.

    Raises:
      ValueError: if fewer than two norms are finite and above 0; else as ``load``.
    """
    return figure_of(load(norms, name=name, limit=limit))
