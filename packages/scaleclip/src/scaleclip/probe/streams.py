"""Send a recording to loggers while the training runs: each step once."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scaleclip.probe import scalars
from scaleclip.probe.alerts import Alert
from scaleclip.probe.recording import Recording

Send = Callable[[dict[str, float], int], object]
"""Send the numbers of one step, by name, and its number."""


class Stream:
    """Send new steps to loggers, and check alerts against them, every so many calls.

    >>> from scaleclip import probe
    >>> stream = probe.Stream(lambda metrics, step: print(step, metrics["gradient/norm"]))
    >>> stream.flush(probe.load([0.5, 4.0], limit=2.0))
    1 0.5
    2 4.0
    >>> stream.flush(probe.load([0.5, 4.0, 1.0], limit=2.0))  # each step is sent once
    3 1.0

    In a training, ``stream(recorder)`` or ``stream(opt_state)`` goes in each step, and
    ``stream.flush(...)`` after the last. The device is waited for only when the recording is read.

    Weights & Biases drops rows whose step is behind its own count, so there the steps have an axis of
    their own, ``gradient/step``, and each row counts W&B's step on. Where the training calls
    ``run.log(..., step=)`` itself, use ``every=1``.

    Args:
      sinks: any number of: a Weights & Biases run; a TensorBoard writer; trackio or MLflow (the
        modules); what has ``log_metrics(dict, step=)``; a function of a dict and the step.
      every: calls from one reading to the next, at least 1; the recorder must keep as many steps.
      prefix: what every name begins with, before a slash.
      alerts: an ``Alert``, or several.
      after: steps up to this one are not sent; ``state_dict`` has it for a resumed run.

    Raises:
      TypeError: if a sink is none of these.
      ValueError: if ``every`` is below 1.
    """

    def __init__(
        self,
        *sinks: Any,
        every: int = 100,
        prefix: str = "gradient",
        alerts: Alert | Sequence[Alert] = (),
        after: int = 0,
    ) -> None:
        if every < 1:
            raise ValueError(
                f"every must be a number of calls, 1 or more, but {every!r} was given."
            )
        self.every, self.prefix, self.after = every, prefix, after
        self.alerts = [alerts] if isinstance(alerts, Alert) else [*alerts]
        self._senders = [_sender(sink, prefix) for sink in sinks]
        self._calls = 0

    def __call__(self, source: Any) -> None:
        """Count a step, and send what is new in every ``every``-th.

        Args:
          source: as in ``flush``.
        """
        self._calls += 1
        if self._calls % self.every == 0:
            self.flush(source)

    def flush(self, source: Any) -> None:
        """Send what is new now.

        Args:
          source: a recorder, or whatever else has ``read()``; a function that returns a ``Recording``,
            such as ``lambda: recorder.read_all()["muon"]``; a ``Recording``; or an Optax state.
        """
        recording = _read(source)
        last = int(recording.steps[-1]) if len(recording.steps) else 0
        if last <= self.after:
            if last < self.after:
                warnings.warn(
                    f"The recording ends in step {last}, but steps up to {self.after} were sent; none "
                    "is sent again. If this is another run, make a new Stream.",
                    stacklevel=2,
                )
            return
        first = int(recording.steps[0])
        if recording.seen > len(recording.steps) and first > self.after + 1:
            warnings.warn(
                f"Steps {self.after + 1} to {first - 1} weren't sent: the recorder keeps "
                f"{len(recording.steps)} steps. Give it a larger keep=, or the stream a smaller every=; "
                "for a recorder that has been running, Stream(..., after=) says where to begin.",
                stacklevel=2,
            )
        rows = scalars.by_step(recording, self.prefix, self.after)
        rows[last] |= scalars.counts(recording, self.prefix)
        before = self.after
        for step, row in rows.items():
            self.after = step  # a row that fails halfway isn't sent twice
            for send in self._senders:
                send(row, step)
        for alert in self.alerts:
            alert.tell(recording, before)

    def state_dict(self) -> dict[str, Any]:
        """Return what a checkpoint needs, so that a resumed run sends no step twice."""
        return {"after": self.after, "holds": [alert.holds for alert in self.alerts]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state_dict``.

        Raises:
          ValueError: if it is of a stream with another number of alerts.
        """
        for alert, holds in zip(self.alerts, state["holds"], strict=True):
            alert.holds = bool(holds)
        self.after = int(state["after"])


def _read(source: Any) -> Recording:
    found = source.read() if hasattr(source, "read") else source() if callable(source) else source
    if isinstance(found, Recording):
        return found
    from scaleclip import probe  # which imports JAX when it reads

    return probe.read(found)


def _sender(sink: Any, prefix: str) -> Send:
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


def _plain(row: dict[str, float], prefix: str) -> dict[str, float]:
    """Keep to names that MLflow takes: few marks, and no name that is the folder of another."""
    short = {name.removeprefix(f"{prefix}/"): value for name, value in row.items()}
    return {
        f"{prefix}/" + re.sub(r"[^\w. :-]", "_", name.replace("/", ".")): value
        for name, value in short.items()
        if not math.isinf(value)  # its databases store inf as the largest number there is
    }
