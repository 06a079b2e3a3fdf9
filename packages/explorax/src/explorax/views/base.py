"""The base of all views: plain data for the page, and checks that name what is missing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar

from explorax.compiler import Leaf
from explorax.controls import control
from explorax.controls.control import Control
from explorax.frontend import own_asset
from explorax.words.template import Schema, check

Role = str
"""Meaning of a mark, and so its colour and its other sign; one of ``ROLES``."""

ROLES = ("state", "cotangent", "second", "own", "parameter", "loss", "limit", "muted", "ink")

Span = tuple[float, float]
"""The two ends of an axis, the lower first."""

Dimension = int | str
"""An axis of a shape that a view takes: its length, or a letter for any length."""


def encode(value: Any) -> Any:
    """Encode a specification as plain data: dicts, lists, texts and numbers; a mark's ``kind`` included."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = getattr(value, "kind", "")
        data = {
            attribute.name: encode(getattr(value, attribute.name)) for attribute in fields(value)
        }
        return {"kind": kind, **data} if kind else data
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


@dataclass(frozen=True)
class View:
    """A picture as plain data, and the script that draws it.

    Attributes:
      kind: the name under which the script registers the view.
      script: the script, or its file; None for a view of the engine.
      style: CSS for it, or its file; None where it needs none.
      reads: the results and controls that the script reads by fixed names.
    """

    kind: ClassVar[str] = ""
    script: ClassVar[Path | str | None] = None
    style: ClassVar[Path | str | None] = None
    reads: ClassVar[tuple[str, ...]] = ()

    def describe(self) -> dict[str, Any]:
        """The view as plain data, for the page."""
        return dict(encode(self))

    def scripts(self) -> dict[str, dict[str, str]]:
        """The script and the style of each view that is not the engine's, by kind: its own, and those in it.

        Raises:
          FileNotFoundError: where a script has not been built.
        """
        found = {}
        if self.script is not None:
            found[self.kind] = {
                "script": own_asset(self.script),
                "style": own_asset(self.style or ""),
            }
        for view in _views_in([getattr(self, attribute.name) for attribute in fields(self)]):
            found |= view.scripts()
        return found

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        """Raise a ValueError where the view asks for what the function does not give."""
        there = [leaf.name for leaf in outputs] + [control.name for control in controls]
        missing = [name for name in self.reads if name not in there]
        if missing:
            raise ValueError(
                f"{type(self).__name__} draws {', '.join(missing)}, which this figure does not have. "
                f"Its results and controls are {', '.join(there) or 'none'}."
            )


def _views_in(value: Any) -> Iterator[View]:
    if isinstance(value, View):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _views_in(item)


def check_each(owner: str, what: str, items: Any, kind: Any, example: str) -> None:
    """Raise a TypeError where something else stands among the things that a view draws."""
    many = isinstance(items, Sequence) and not isinstance(items, str)
    if not many or not all(isinstance(item, kind) for item in items):
        raise TypeError(
            f"{owner} was given {what} = {items!r}; expected a list, such as {example}."
        )


def check_whole(owner: str, name: str, value: Any, least: int, most: float = math.inf) -> None:
    """Raise a ValueError for what is no integer, or for one out of its range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        end = "or more" if most == math.inf else f"to {most}"
        raise ValueError(
            f"{owner} was given {name} = {value!r}; expected an integer, {least} {end}."
        )


def check_span(owner: str, name: str, span: Any) -> None:
    """Raise a ValueError where an axis has no two ends, the lower first."""
    ends = [*map(control.real, span)] if isinstance(span, Iterable) else []
    if len(ends) != 2 or not -math.inf < ends[0] < ends[1] < math.inf:
        raise ValueError(
            f"{owner} was given {name} = {span!r}; expected two finite numbers, the lower first, "
            f"such as {name}=(-1.0, 1.0). They stay as they are while a reader drags."
        )


def check_role(owner: str, role: str) -> None:
    """Raise a ValueError for a role that the palette does not have."""
    if role not in ROLES:
        raise ValueError(f"{owner} has the role {role!r}; expected one of {', '.join(ROLES)}.")


class Bindings:
    """Results and controls of a figure, by name, with their shapes: what a view can draw.

    Args:
      view: the view's name, for errors.
      outputs: the function's results.
      controls: the figure's.
    """

    def __init__(self, view: str, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        self.view = view
        self.schema = Schema.of(outputs, controls, numbers=("n",))
        self.results = self.schema.results
        self.controls = {each.name: each for each in controls}

    def need(self, what: str, name: Any, *shapes: tuple[Dimension, ...]) -> tuple[int, ...]:
        """Return the shape of a result or control that the view reads.

        Args:
          what: what the view takes it for, for errors.
          name: of a result or a control; a number stands for itself.
          *shapes: those that the view can draw; a letter stands for any length, the same
            wherever it stands in one shape.

        Raises:
          ValueError: where there is none of this name, or where it has another shape.
        """
        name = control.to_builtin(name)
        if isinstance(name, int | float | tuple):
            numbers = name if isinstance(name, tuple) else (name,)
            shape: tuple[int, ...] = (len(numbers),) if isinstance(name, tuple) else ()
            finite = all(map(math.isfinite, map(control.real, numbers)))
            given, wanted = "", "finite numbers of the shape "
        elif name in self.results or name in self.controls:
            shape, finite = self.schema.shape(self.view, name), True
            given, wanted = f", which has the shape {_written(shape)}", ""
        else:
            listed = (f"{name} {_written(shape)}" for name, shape in self.results.items())
            raise ValueError(
                f"{self.view} draws {what} from {name!r}, which the figure does not have. "
                f"The function gives {', '.join(listed) or 'no results'}; the controls are "
                f"{', '.join(self.controls) or 'none'}."
            )
        if not finite or not any(_fits(shape, expected) for expected in shapes):
            allowed = " or ".join(map(_written, shapes))
            raise ValueError(
                f"{self.view} draws {what} from {name!r}{given}; expected {wanted}{allowed}."
            )
        return shape

    def need_each(self, *asked: tuple[Any, ...]) -> None:
        """Check several, each as ``need`` takes it; an empty name stands for nothing."""
        for what, name, *shapes in asked:
            if not isinstance(name, str) or name:
                self.need(what, name, *shapes)

    def check_templates(self, *texts: Any) -> None:
        """Refuse a template that asks for what the figure does not have; ``{n}`` is a number."""
        for text in texts:
            check(f"A text in {self.view}, {text!r},", text, self.schema)

    def may_drag(self, what: str, name: str, *kinds: str) -> None:
        """Refuse a handle that is to set what is no control of such a kind; an empty name sets nothing."""
        found = self.controls.get(name)
        if name and (found is None or found.kind not in kinds):
            is_ = f"a control of the kind {found.kind!r}" if found else "no control of the figure"
            raise ValueError(
                f"{self.view} lets a reader drag {what} to set {name!r}, which is {is_}; expected "
                f"{' or '.join(map(repr, kinds))}. The controls are {', '.join(self.controls) or 'none'}."
            )


def _fits(shape: tuple[int, ...], expected: tuple[Dimension, ...]) -> bool:
    lengths: dict[str, int] = {}
    return len(shape) == len(expected) and all(
        length == want if isinstance(want, int) else lengths.setdefault(want, length) == length
        for length, want in zip(shape, expected, strict=True)
    )


def _written(shape: Iterable[Dimension]) -> str:
    return f"[{', '.join(map(str, shape))}]"
