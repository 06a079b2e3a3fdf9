"""The unrolled chain: states forward, cotangents backward, what the parameter receives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

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
      forward, backward: results or controls that say how many states, and how many
        cotangents from the last, have been reached; all if empty.
      uses: what is written at the one parameter, from which a line leads into each application.
      stopped: the control or result that says in which application the parameter is stopped.
      drag: the control of one number that the first state's bar sets.
    """

    states: str
    cotangents: str = ""
    received: str = ""
    losses: str = ""
    total: str = ""
    longest: float = 1.0
    span: Span = (-1.0, 1.0)
    widest: float = 1.0
    forward: str = ""
    backward: str = ""
    passed: str = ""
    uses: str = ""
    stopped: str = ""
    drag: str = ""
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
        given.need_each(
            ("cotangents", self.cotangents, (states,)),
            ("what is passed on", self.passed, (states - 1,)),
            ("what a parameter receives", self.received, (states - 1,)),
            ("losses", self.losses, (states,), (states - 1,)),
            ("a sum", self.total, ()),
            ("how far it has come", self.forward, ()),
            ("how far it has come", self.backward, ()),
            ("the application that is stopped", self.stopped, ()),
        )
        given.may_drag("the first state", self.drag, *NUMBERS)
