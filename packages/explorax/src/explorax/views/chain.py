"""The unrolled chain: states forward, cotangents backward, what the parameter receives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.controls.control import NUMBERS
from explorax.views.base import Bindings, Span, View, check_span


@dataclass(frozen=True)
class Chain(View):
    """States from left to right, and what comes back; turned downwards where it is narrow.

    Attributes:
      states: a result of the shape [n + 1], or [n + 1, d]: a bar each.
      cotangents: a result of the shape [n + 1]: what arrives at each state; as wide as it is
        large, hatched where it is negative.
      passed: a result of the shape [n]: what each application hands to the state before it; the
        rest of a cotangent comes from the loss there.
      received: a result of the shape [n]: what the parameter receives at each application.
      total: a result of the shape []: the sum of what is received. Where it is given, what is
        received is drawn as long as it is large, and again in one bar; that not before the
        total may be seen.
      longest: a sum that is drawn as long as the whole unroll.
      losses: a result of the shape [n + 1] or [n]: the loss at each state, or at each but
        the first.
      span: the two ends of the states' bars.
      widest: the size of a cotangent that is drawn at full width.
      widths: ``"linear"``, or ``"log"``: four decades down from ``widest``.
      count: the result or control that says how many applications are there; all if empty.
      forward, backward: results or controls that say how many states, and how many
        cotangents from the last, have been reached; all if empty.
      uses: what is written at the one parameter, from which a line leads into each application.
      stopped: the control or result that says in which application the parameter is stopped.
      drag: the control of one number that the first state's bar sets.
      state, cotangent, loss, parameter, application: symbols; a step's number is put after
        the first three.
    """

    states: str
    cotangents: str = ""
    received: str = ""
    losses: str = ""
    total: str = ""
    longest: float = 1.0
    span: Span = (-1.0, 1.0)
    widest: float = 1.0
    widths: Literal["linear", "log"] = "linear"
    count: str = ""
    forward: str = ""
    backward: str = ""
    passed: str = ""
    uses: str = ""
    stopped: str = ""
    drag: str = ""
    state: str = "h"
    cotangent: str = "h̄"
    loss: str = "ℓ"
    parameter: str = "θ̄"
    application: str = "f"
    kind: ClassVar[str] = "chain"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Chain", outputs, controls)
        check_span("Chain", "span", self.span)
        for field, of in (
            ("widest", "cotangent to draw at full width"),
            ("longest", "longest sum"),
        ):
            if not 0 < (size := getattr(self, field)) < float("inf"):
                raise ValueError(
                    f"Chain was given {field} = {size!r}; expected a size above 0: that of the {of}."
                )
        states = given.need("states", self.states, ("n",), ("n", "d"))[0]
        for what, name, lengths in (
            ("cotangents", self.cotangents, (states,)),
            ("what is passed on", self.passed, (states - 1,)),
            ("what a parameter receives", self.received, (states - 1,)),
            ("losses", self.losses, (states, states - 1)),
        ):
            given.may_need(what, name, *((length,) for length in lengths))
        given.may_need("a sum", self.total, ())
        for name in (self.count, self.forward, self.backward):
            given.may_need("how far it has come", name, ())
        given.may_need("the application that is stopped", self.stopped, ())
        given.may_drag("the first state", self.drag, *NUMBERS)
