"""Recorded runs of PyTorch on four processes: ``experiments/torch_at_scale`` made them."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any

PATH = files(__package__) / "torch_at_scale.json"


@functools.cache
def _read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def read() -> dict[str, Any]:
    """Return the record.

    Returns:
      ``provenance``; ``one_process``, the norm of the whole batch's gradient; ``fsdp`` and ``ddp``, a dict a
      process, with norms, and the length of a step and the degrees by which it is turned; ``amp``, with
      ``steps``, each the power of two of the loss scale, the norm of the gradient (a text where it is
      not finite) and whether the weights moved, and ``orders``, a clip after the loss scale is taken out and
      before.
    """
    return dict(_read())
