"""A recorder for Keras: an optimizer around another that clips, and keeps what the clip saw."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from scaleclip.keras._norms import clip_by_global_norm
from scaleclip.keras.layers import norm_limit
from scaleclip.probe.groups import Groups, by_layer, by_leaf, by_module, group_of
from scaleclip.probe.recording import Recording

for _known in (by_layer, by_leaf, by_module):  # so that a saved model may name them
    keras.saving.register_keras_serializable("scaleclip")(_known)


def _of_inner(name: str) -> Any:
    """Make a property that reads and sets what the inner optimizer has of this name."""
    return property(
        lambda self: getattr(self.inner_optimizer, name),
        lambda self, value: setattr(self.inner_optimizer, name, value),
    )


@keras.saving.register_keras_serializable("scaleclip")
class Recorded(keras.optimizers.Optimizer):  # type: ignore[misc]
    """Clip gradients by their global norm before an optimizer sees them, and record the norms.

    >>> import keras, numpy as np
    >>> from scaleclip.keras import Recorded, read
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, use_bias=False)])
    >>> model.compile(Recorded(keras.optimizers.SGD(0.1), global_clipnorm=1.0), "mse")
    >>> history = model.fit(np.ones((8, 2)), np.full((8, 1), 9.0), epochs=3, verbose=0)
    >>> recording = read(model)
    >>> recording.seen, recording.clipped
    (3, 3)

    It takes the place of the optimizer's own ``global_clipnorm``: it acts where that would, on the
    mean gradient of each real step under ``gradient_accumulation_steps``, and on unscaled gradients
    under a ``loss_scale_factor`` or inside a ``LossScaleOptimizer``, which ``compile`` adds for
    ``mixed_float16``. Gradients within the limit stay, bit for bit; no square overflows; norms are
    in float32 at least.

    The record is in Keras variables: ``model.save`` and ``save_weights`` keep it, and a training that
    is resumed goes on with it. It takes ``4 * keep * (2 + number of groups)`` bytes.

    Args:
      inner_optimizer: a Keras optimizer, or the name of one, without a clip of its own.
      global_clipnorm: the limit, a real number from 0 to inf; None or inf records without clipping;
        or a function from the number of the step (from 0) to it, such as a ``LearningRateSchedule``.
      groups: ``groups(path, variable) -> str``; the variables of a group share a norm in the record.
        ``by_module`` (the default: by layer), ``by_layer`` and ``by_leaf`` are such functions. To
        load a model with one of your own, register it with Keras.
      keep: so many steps are kept, 1 or more.
      name: as for every optimizer.

    Raises:
      TypeError: if ``inner_optimizer`` isn't an optimizer, or the limit not a number or a function.
      ValueError: if the optimizer clips by itself, is a ``LossScaleOptimizer`` or is recorded
        already; if the limit is negative or NaN, or ``keep`` isn't a whole number from 1.
      NotImplementedError: in training under a TensorFlow strategy with several replicas.
      RuntimeError: in training, if the inner optimizer's ``apply`` isn't Keras' own, so that nothing
        was clipped.

    Warns:
      UserWarning: if the limit is 0: for Keras that means no limit, here it makes every gradient 0.
        Also if ``global_clipnorm`` is set after the first step, which needs a new ``compile``.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1, for the clip.
    """

    def __init__(
        self,
        inner_optimizer: Any,
        global_clipnorm: float | Callable[[Any], Any] | None = None,
        groups: Groups = by_module,
        keep: int = 4096,
        name: str | None = None,
    ) -> None:
        inner = keras.optimizers.get(inner_optimizer)
        if isinstance(inner, Recorded | keras.optimizers.LossScaleOptimizer):
            raise ValueError(
                f"inner_optimizer is a {type(inner).__name__}. Record the optimizer within it, once: "
                "LossScaleOptimizer(Recorded(keras.optimizers.Adam(), global_clipnorm=1.0)); with "
                "mixed_float16, compile(optimizer=Recorded(...)) adds the LossScaleOptimizer."
            )
        if type(keep) is not int or keep < 1:
            raise ValueError(
                f"keep must be a whole number of steps, 1 or more, but {keep!r} was given."
            )
        super().__init__(learning_rate=0.0, name=name)
        self.inner_optimizer, self.groups, self.keep = inner, groups, keep
        self.global_clipnorm = global_clipnorm
        self.loss_scale_factor = inner.loss_scale_factor
        inner._clip_gradients = self._clip_and_record  # called where its own clip would be
        self._refuse_other_clips()

    def build(self, variables: Any) -> None:
        """Make the optimizer's variables and the record's."""
        if self.built:
            return
        inner = self.inner_optimizer
        strategy = getattr(inner, "_distribution_strategy", None)  # TensorFlow's
        if strategy is not None and strategy.num_replicas_in_sync > 1:
            raise NotImplementedError(
                f"Recorded doesn't work under {type(strategy).__name__}: there Keras clips on each "
                "replica by itself, before gradients are added up, so there is no one norm to record. "
                "Train on one device, or on Keras' JAX backend with keras.distribution."
            )
        inner.build(variables)
        named = {
            inner._var_key(v): group_of(self.groups, path, v)
            for path, v in zip(_paths(variables), variables, strict=True)
        }
        self._names = tuple(dict.fromkeys(named.values()))
        self._group_of = {key: self._names.index(name) for key, name in named.items()}
        # The inner optimizer's variables, which on JAX it restores in a step that only accumulates.
        rows = inner.add_variable((self.keep, 2 + len(self._names)), dtype="float32", name="rows")
        counts = inner.add_variable((3,), dtype="int", name="seen_clipped_nonfinite")
        object.__setattr__(self, "_record", (rows, counts))  # not tracked a second time
        super().build(variables)

    @property
    def variables(self) -> list[Any]:
        """All variables: those of the inner optimizer, and the record's, among them."""
        return [*self._variables, *self.inner_optimizer.variables]

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Clip, record, and let the inner optimizer take its step."""
        inner = self.inner_optimizer
        if not self.built:
            self.build([*trainable_variables])
        self._refuse_other_clips()
        inner.loss_scale_factor = self.loss_scale_factor  # LossScaleOptimizer sets it to None
        variables = trainable_variables or self._trainable_variables
        self._present = tuple(
            self._group_of[inner._var_key(v)]
            for g, v in zip(grads, variables, strict=True)
            if g is not None and not inner._overwrite_variable_with_gradient(v)
        )
        inner.apply(grads, variables)
        if self._present and not inner.gradient_accumulation_steps:  # which may have only added up
            raise RuntimeError(
                f"{type(inner).__name__} of Keras {keras.__version__} doesn't call _clip_gradients, so "
                "nothing was clipped or recorded. Please use a Keras that scaleclip was tested with, "
                "and an optimizer whose apply is Keras' own."
            )

    @property
    def global_clipnorm(self) -> Any:
        """The limit. Once the model was trained, another one counts after ``compile``, which keeps the record."""
        return self._limit

    @global_clipnorm.setter
    def global_clipnorm(self, given: Any) -> None:
        limit, built = math.inf if given is None else given, getattr(self, "built", False)
        if not callable(limit) and norm_limit(limit, "global_clipnorm") == 0:
            warnings.warn(
                "global_clipnorm = 0 makes every gradient 0; for Keras' optimizers it means no "
                "limit. To record without clipping give None.",
                stacklevel=3 if built else 4,
            )
        self._limit = limit
        if built:
            warnings.warn(
                "A step that Keras has compiled goes on with the old limit. So that the new one "
                "counts, call model.compile(model.optimizer, loss) now: it keeps the record.",
                stacklevel=3,
            )

    def _clip_and_record(self, grads: Sequence[Any]) -> list[Any]:
        limit, (rows, counts) = self.global_clipnorm, self._record
        limit = limit(self.iterations) if callable(limit) else limit
        clipped, norms = clip_by_global_norm(grads, limit, self._present, len(self._names))
        self._present = ()
        norm, limit = norms[0], ops.cast(limit, norms.dtype)
        row = ops.cast(ops.append(limit, norms), "float32")
        at = ops.reshape(counts[0] % self.keep, (1, 1))
        rows.assign(ops.scatter_update(rows, at, row[None]))
        broken = ops.logical_not(ops.isfinite(norm))
        one = ops.stack([ops.ones_like(broken), norm > limit, broken])
        counts.assign_add(ops.cast(one, counts.dtype))
        return clipped

    def _refuse_other_clips(self) -> None:
        inner = self.inner_optimizer
        clips = ("clipnorm", "clipvalue", "global_clipnorm")
        own = [f"{name}={getattr(inner, name)}" for name in clips if getattr(inner, name)]
        if own:
            raise ValueError(
                f"The {type(inner).__name__} within Recorded clips by itself: {', '.join(own)}. Make "
                "it without. Recorded has one clip, global_clipnorm=, by the norm of all gradients "
                "together. That of clipvalue or clipnorm, which limit each entry or each variable, is "
                "another clip, so it needs another number."
            )

    learning_rate = _of_inner("learning_rate")
    iterations = _of_inner("iterations")
    exclude_from_weight_decay = _of_inner("exclude_from_weight_decay")
    finalize_variable_values = _of_inner("finalize_variable_values")  # of running means (use_ema)

    def save_own_variables(self, store: Any) -> None:
        """Save nothing: all that counts is the inner optimizer's, which Keras saves beside this."""

    def load_own_variables(self, store: Any) -> None:
        """Load nothing, as nothing was saved."""

    def get_config(self) -> dict[str, Any]:
        """Return what ``from_config`` makes the same optimizer of."""
        limit, dump = self.global_clipnorm, keras.saving.serialize_keras_object
        return {
            "inner_optimizer": dump(self.inner_optimizer),
            "global_clipnorm": None if limit == math.inf else dump(limit),
            "groups": dump(self.groups),
            "keep": self.keep,
            "name": self.name,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Recorded:
        """Make an optimizer from its configuration."""
        load = keras.saving.deserialize_keras_object
        return cls(**{key: load(value, custom_objects) for key, value in config.items()})


def read(trained: Any) -> Recording:
    """Read what was recorded, from a compiled model or its optimizer.

    >>> import keras, numpy as np
    >>> from scaleclip.keras import Recorded, read
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, name="head")])
    >>> model.compile(Recorded(keras.optimizers.SGD(0.1), global_clipnorm=1.0), "mse")
    >>> history = model.fit(np.ones((8, 2)), np.full((8, 1), 9.0), epochs=3, verbose=0)
    >>> sorted(read(model).groups)
    ['head']

    The arrays are fetched from the device now. Steps that a ``LossScaleOptimizer`` left out, because
    a scaled gradient overflowed, aren't recorded, and ``unseen`` is None then.

    Args:
      trained: a model compiled with a ``Recorded`` optimizer, or that optimizer, or one around it.

    Returns:
      The steps that were kept, numbered from 1, in NumPy. ``print(read(model))`` prints them.

    Raises:
      TypeError: if there is no ``Recorded`` in it.
      ValueError: if it has no variables yet, because the model wasn't built.
    """
    optimizer = recorder_of(trained)
    if not optimizer.built:
        raise ValueError(
            "The optimizer has no variables yet: it gets them in the first step of fit."
        )
    rows, counts = (ops.convert_to_numpy(variable.value) for variable in optimizer._record)
    seen, clipped, nonfinite = counts.tolist()
    steps = np.arange(max(0, seen - len(rows)), seen)
    kept = rows[steps % len(rows)].astype(np.float64)
    return Recording(
        steps=steps + 1,
        norms=kept[:, 1],
        limits=kept[:, 0],
        groups={name: kept[:, 2 + n] for n, name in enumerate(optimizer._names)},
        seen=seen,
        clipped=clipped,
        nonfinite=nonfinite,
        unseen=0 if getattr(trained, "optimizer", trained) is optimizer else None,
    )


def recorder_of(trained: Any) -> Recorded:
    """Return the ``Recorded`` optimizer of a model, or in an optimizer."""
    optimizer = getattr(trained, "optimizer", trained)
    while optimizer is not None and not isinstance(optimizer, Recorded):
        optimizer = getattr(optimizer, "inner_optimizer", None)
    if optimizer is None:
        raise TypeError(
            f"There is no Recorded optimizer in {trained!r}. Compile the model with one: "
            "model.compile(Recorded(keras.optimizers.Adam(), global_clipnorm=1.0), loss)."
        )
    return optimizer


def _paths(variables: Sequence[Any]) -> list[str]:
    """Return the paths of variables, without the name of the model that all begin with."""
    paths = [str(getattr(v, "path", v.name)) for v in variables]
    within = [path.partition("/")[2] for path in paths]
    shared = len({path.partition("/")[0] for path in paths}) == 1
    return within if shared and all("/" in path for path in within) else paths
