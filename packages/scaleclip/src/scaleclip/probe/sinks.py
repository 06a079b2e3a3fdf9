"""Send a step's numbers to Weights & Biases, TensorBoard, trackio, MLflow, or a function."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, float]
"""What was measured in one step, by name."""
Send = Callable[[Row, int], object]
"""Send the numbers of one step, and its number."""


def sender(sink: Any, prefix: str) -> Send:
    """Find how a logger takes numbers, by the methods that it has.

    Args:
      sink: a Weights & Biases run, a TensorBoard writer, trackio or one of its runs, MLflow, whatever
        else has ``log_metrics(dict, step=)`` or ``log(dict, step=)``, or a function of both.
      prefix: what the names of the numbers begin with.

    Raises:
      TypeError: if it is none of these.
    """
    if hasattr(sink, "add_scalar"):
        return lambda row, step: [sink.add_scalar(name, row[name], step) for name in row]
    if hasattr(sink, "log_metrics"):
        return lambda row, step: sink.log_metrics(_plain(row, prefix), step=step)
    if hasattr(sink, "define_metric") and hasattr(sink, "log"):
        return _to_wandb(sink, prefix)
    if hasattr(sink, "log"):
        return lambda row, step: sink.log(dict(row), step=step)
    if callable(sink):
        return lambda row, step: sink(dict(row), step)
    raise TypeError(
        f"A stream can't send to {sink!r}: expected a Weights & Biases run, a TensorBoard writer "
        "(add_scalar), trackio or MLflow (the module), or a function of a dict and the step."
    )


def _to_wandb(run: Any, prefix: str) -> Send:
    """Give the steps an axis of their own: W&B drops a row whose ``step=`` is behind its last one.

    The training's own calls of ``log`` have counted on by the time that a stream sends past steps.
    """
    run.define_metric(f"{prefix}/step")
    run.define_metric(f"{prefix}/*", step_metric=f"{prefix}/step")
    return lambda row, step: run.log({f"{prefix}/step": step, **row})


def _plain(row: Row, prefix: str) -> dict[str, float]:
    """Keep to names that MLflow takes: few marks, and no name that is the folder of another."""
    short = {name.removeprefix(f"{prefix}/"): value for name, value in row.items()}
    return {
        f"{prefix}/" + re.sub(r"[^\w. :-]", "_", name.replace("/", ".")): value
        for name, value in short.items()
        if not math.isinf(value)  # its databases store inf as the largest number there is
    }
