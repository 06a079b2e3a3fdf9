"""A step taken again and again: by JAX in one scan, and in the page in slices of a frame."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorax.compiler import Leaf, compile
from explorax.compiler.traced_values import advised
from explorax.controls.control import Control, checked, to_builtin
from explorax.figure.named import check_arguments, results, with_signature
from explorax.figure.runs.carry import Carry
from explorax.figure.runs.recorded import Records, listed
from explorax.views.base import check_whole

FEW = 8
"""Numbers of a recorded array, at most: each is a line."""
HORIZON = 20
"""Steps within which page and JAX agree whatever the run, and which plain text states."""
COMMENT = re.compile(r"^//.*\n", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Run:
    """A run: the ``function`` of a figure's spec whose page takes step after step.

    Of each record ``loss`` the figure has the results ``loss`` ``[steps]``, NaN where there is no
    step yet; ``last_loss``; and ``loss_at``, after the steps ``step_at`` of its table. It has
    besides ``steps``, how many were taken; ``reached``, how many rows of the table that is; and
    ``case``: 0 before the first step, 1 under way, 2 at the end, 3 where a record was no finite
    number, and the run stopped before it.

    Attributes:
      step: ``(carry, **controls) -> (carry, record)``, pure. The record is a number, a tuple or
        a dict of numbers, or of arrays of a few.
      carry: the first: a pytree of arrays, numbers and random keys, such as ``(params,
        opt_state, key)``; or a function of those of the controls that it names, such as a seed.
      steps: how many are taken.
      horizon: how many plain text states. Where a small difference grows from step to step, the
        digits of later ones are another machine's own; where a run settles, all can be stated.
      frames: in how many frames of the screen, at least, the page takes them all.
      before: settings of runs whose lines stand behind the first one, recorded by JAX; each is
        completed by the figure's own.
    """

    step: Callable[..., tuple[Any, Any]]
    carry: Any
    steps: int
    horizon: int = HORIZON
    frames: int = 60
    before: Sequence[Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        check_whole("A run", "steps", self.steps, 1)
        check_whole("A run", "frames", self.frames, 1)
        check_whole("A run", "horizon", self.horizon, 1)


class RunProgram:
    """The two programs of a run: its first carry and its step.

    Attributes:
      start: from the controls to the first carry.
      step: from a carry and the controls to the next carry and the record.
      records: names of what is recorded, in the step's own order.
      outputs: the figure's results.
      javascript: the step's module.

    Args:
      run: the run.
      controls: the figure's, whose names are arguments of the step.
      dtype: as of ``compile``.

    Raises:
      TypeError: for controls and arguments that do not fit each other, and for a carry that
        changes its structure.
      ValueError: for a record that cannot be drawn.
      UnsupportedPrimitive: where the step or the first carry cannot be compiled.
    """

    def __init__(self, run: Run, controls: Sequence[Control], dtype: Any = "float64") -> None:
        self.run, self._controls = run, tuple(controls)
        self._dtype = dtype if isinstance(dtype, str) else jnp.dtype(dtype).name
        self._name = getattr(run.step, "__name__", "step")
        names = [control.name for control in controls]
        examples = [control.traced(control.initial) for control in controls]
        carry, made_by = run.carry, getattr(run.carry, "__name__", "carry")
        made = callable(carry) and jax.tree_util.all_leaves([carry])
        self._refuse_unused(run.step, *([carry] if made else []))
        first: Any = (
            with_signature(self._with_its_own(carry, made_by), made_by, names) if made else None
        )
        self._step = self._with_its_own(run.step, self._name, 1)
        with jax.enable_x64(True), advised(made_by):
            self._carry = Carry(jax.eval_shape(first, *examples) if made else carry, self._dtype)
            packed = None if made else jax.tree.map(np.asarray, self._carry.pack(carry))

        def start(*values: Any) -> Any:
            return self._carry.pack(first(*values)) if made else jax.tree.map(jnp.asarray, packed)

        self.records: list[str] = []
        self.start = compile(with_signature(start, "start", names), *examples, dtype=self._dtype)
        step = with_signature(lambda *given: self._taken(*given), self._name, ["carry", *names])
        self.step = compile(step, self.start(*examples), *examples, dtype=self._dtype)
        kinds = {leaf.name.removeprefix("record."): leaf.dtype for leaf in self.step.outputs}
        self.outputs = _outputs(run, {name: kinds[name] for name in self.records})
        self.javascript = self.step.javascript
        self._scan = jax.jit(self._scanned)
        self._known = functools.lru_cache(maxsize=32)(self._recorded)

    def _with_its_own(
        self, function: Callable[..., Any], name: str, before: int = 0
    ) -> Callable[..., Any]:
        """Make a function of all controls from one that takes those it names."""
        taken = [control for control in self._controls if _takes(function, control.name)]
        check_arguments(functools.partial(function, *[None] * before), name, taken)
        named = {control.name for control in taken}

        def called(*values: Any) -> Any:
            settings = zip((c.name for c in self._controls), values[before:], strict=True)
            return function(*values[:before], **{n: value for n, value in settings if n in named})

        return called

    def _refuse_unused(self, *functions: Callable[..., Any]) -> None:
        for control in self._controls:
            if not any(_takes(function, control.name) for function in functions):
                raise TypeError(
                    f"{self._name} has no argument {control.name!r} for the control of this name, "
                    "and no function that makes the first carry has one. Add it where it is used."
                )

    def _taken(self, carry: Any, *values: Any) -> dict[str, Any]:
        """Take one step; this is what's compiled."""
        pair: Any = self._step(self._carry.unpack(carry), *values)
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(
                f"{self._name} returns {type(pair).__name__}; expected two things, the next carry "
                "and what is recorded: return carry, loss."
            )
        recorded = _numbers(self._name, results(self._name, pair[1], single="record"))
        self.records[:] = recorded
        return {"carry": self._carry.pack(pair[0]), "record": recorded}

    def _scanned(self, carry: list[Any], values: list[Any]) -> list[Any]:
        count = len(carry)

        def body(carry: list[Any], _: None) -> tuple[list[Any], list[Any]]:
            found = self.step.flat(*carry, *values)
            return found[:count], found[count:]

        return jax.lax.scan(body, carry, None, length=self.run.steps)[1]

    def whole(self, *values: Any) -> Records:
        """Compute the records of the whole run with JAX, in one scan.

        Args:
          *values: what the controls are set to, as they are traced.
        """
        return self._known(*map(to_builtin, values))

    def _recorded(self, *settings: Any) -> Records:
        values = [np.asarray(value) for value in settings]
        carry = jax.tree.leaves(self.start(*values))
        with jax.enable_x64(True):
            leaves = self.step.inputs[len(carry) :]
            given = [
                jnp.asarray(value, leaf.dtype) for value, leaf in zip(values, leaves, strict=True)
            ]
            found = [np.asarray(each, np.float64) for each in self._scan(carry, given)]
        by = dict(zip(sorted(self.records), found, strict=True))
        return Records({name: by[name] for name in self.records}, self.run.steps)

    def __call__(self, *values: Any) -> dict[str, np.ndarray]:
        """Compute the figure's results at these settings, with JAX."""
        return self.whole(*values).results()

    def stated(self, *values: Any) -> dict[str, np.ndarray]:
        """Compute the results up to the run's horizon."""
        return self.whole(*values).results(self.run.horizon)

    def describe(self, settings: Mapping[str, Any], described: Mapping[str, Any]) -> dict[str, Any]:
        """Describe what else the page needs to run it.

        Recorded runs are given for the present settings, for those of the prediction, which are
        completed by the present ones, and for those of the stills.
        """
        asked = described["prediction"]
        if asked is not None:
            asked = {**asked, "settings": {**settings, **asked["settings"]}}
        before = [
            {**settings, **checked(self._controls, one, "A run before")} for one in self.run.before
        ]
        wanted = [{**settings, **still} for still in described["stills"]] + before
        view = json.dumps(described["view"], ensure_ascii=False)
        drawn = [name for name in self.records if f'"{name}"' in view]
        table = json.dumps(described["table"])
        tabled = [name for name in self.records if f'"{name}_at"' in table]
        recorded: list[dict[str, Any]] = []
        for one in (settings, *wanted, *([asked["settings"]] if asked else ())):
            if all(one != other["settings"] for other in recorded):
                values = [control.traced(one[control.name]) for control in self._controls]
                whole = self.whole(*values).describe(drawn, tabled)
                recorded.append({"settings": dict(one), **whole})
        count = len(self.step.inputs) - len(self._controls)
        run = {
            "start": COMMENT.sub("", self.start.javascript),  # which nobody reads
            "steps": self.run.steps,
            "frames": self.run.frames,
            "before": before,
            "at": listed(self.run.steps),
            "numbers": [leaf.shape == () for leaf in self.step.inputs[:count]],
            "records": sorted(self.records),
            "recorded": recorded,
        }
        return {"run": run, "prediction": asked}


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Tell whether a function has an argument of this name, or takes any."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True  # `check_arguments` says what is wrong
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _numbers(name: str, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Give every recorded number a name of its own."""
    found: dict[str, Any] = {}
    for key, value in recorded.items():
        array = jnp.asarray(value)
        if jnp.issubdtype(array.dtype, jnp.integer):
            array = array.astype("int64")
        if array.ndim > 1 or array.size > FEW or array.size == 0:
            raise ValueError(
                f"{name} records {key!r} of the shape {list(array.shape)}; expected a number, or an "
                f"array of at most {FEW}: each is a line. Record its norm, or some of it."
            )
        if array.ndim == 0:
            found[key] = array
        else:
            found |= {f"{key}_{n}": number for n, number in enumerate(array, 1)}
    return found


def _outputs(run: Run, records: Mapping[str, str]) -> tuple[Leaf, ...]:
    rows = len(listed(run.steps))
    leaves = [
        *(Leaf(name, (run.steps,), "float64") for name in records),
        *(Leaf(f"last_{name}", (), dtype) for name, dtype in records.items()),
        *(Leaf(f"{name}_at", (rows,), "float64") for name in records),
        Leaf("step_at", (rows,), "float64"),
        *(Leaf(name, (), "int64") for name in ("steps", "reached", "case")),
    ]
    names = [leaf.name for leaf in leaves]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"A record is named so that {name!r} would be two results of the figure; rename it."
            )
    return tuple(leaves)
