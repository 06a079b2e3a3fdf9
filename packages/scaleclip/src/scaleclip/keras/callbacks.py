"""A callback that passes what was recorded on while a model is trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras

from scaleclip.keras.recorder import read, recorder_of
from scaleclip.probe.recording import Recording


class LogRecording(keras.callbacks.Callback):  # type: ignore[misc]
    """Pass the recording on every so many batches, and at the end of the training.

    >>> import keras, numpy as np
    >>> from scaleclip.keras import LogRecording, Recorded
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    >>> model.compile(Recorded("sgd", global_clipnorm=1.0), "mse")
    >>> x, y = np.ones((12, 2)), np.full((12, 1), 9.0)
    >>> log = LogRecording(lambda recording: print(recording.seen, recording.clipped), every=2)
    >>> history = model.fit(x, y, batch_size=4, verbose=0, callbacks=[log])
    2 2
    3 3

    ``LogRecording(probe.Stream(wandb_run))`` sends what is new to Weights & Biases, and
    ``LogRecording(every=1000)`` prints the table. Between two calls nothing is fetched.

    Args:
      to: a function of a ``scaleclip.probe.Recording``: by default ``print``.
      every: the recording is passed on every so many batches, 1 or more; that of a ``Stream`` isn't
        used. With ``steps_per_execution`` it is called after the
        execution in which they are complete.

    Raises:
      TypeError: if ``to`` can't be called.
      ValueError: if ``every`` isn't a whole number from 1.
    """

    def __init__(self, to: Callable[[Recording], object] = print, every: int = 100) -> None:
        super().__init__()
        if not callable(to):
            raise TypeError(f"to must be a function of a Recording, but {to!r} was given.")
        if type(every) is not int or every < 1:
            raise ValueError(f"every must be a whole number of batches, 1 or more, not {every!r}.")
        self.to, self.every = to, every

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to count, and refuse a model without a record."""
        self._before = self._batches = self._passed = 0
        recorder_of(self.model)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Pass the recording on if it is time."""
        self._batches = self._before + batch + 1
        self._pass_on(self.every)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Go on counting: Keras counts an epoch's batches from 0."""
        self._before = self._batches

    def on_train_end(self, logs: Any = None) -> None:
        """Pass on what is left."""
        self._pass_on(1)

    def _pass_on(self, every: int) -> None:
        if self._batches // every > self._passed // every:
            self._passed = self._batches
            # Not the Stream itself, which would count calls.
            getattr(self.to, "flush", self.to)(read(self.model))
