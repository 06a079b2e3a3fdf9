"""Views of views: small multiples of one, and several beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, View, check_each, check_whole

SMALL = ("plane", "profile", "surface", "matrix")
"""The kinds of views that can be drawn small."""


@dataclass(frozen=True)
class Multiples(View):
    """One view many times, on the same scales: once for each place of a leading axis.

    Attributes:
      of: the view; a ``Plane``, ``Profile``, ``Surface`` or ``Matrix``.
      over: results that have one axis more than ``of`` draws, the first; the others are the
        same in every picture.
      titles: a template for each picture, ``{n}`` its number from 1; or one for each.
      across, across_narrow: how many stand in a row.
      plot_narrow: pixels from the lowest value to the highest of a profile where it is narrow; as in ``of`` if 0.
    """

    of: View
    over: Sequence[str]
    titles: str | Sequence[str] = "{n}"
    across: int = 4
    across_narrow: int = 2
    plot_narrow: int = 0
    kind: ClassVar[str] = "multiples"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Multiples", outputs, controls)
        if self.of.kind not in SMALL:
            raise ValueError(
                f"Multiples cannot draw {type(self.of).__name__} small; expected a view of the kind "
                f"{', '.join(SMALL)}."
            )
        if not self.over:
            raise ValueError("Multiples was given no results in over; expected at least one name.")
        for field, least in (("across", 1), ("across_narrow", 1), ("plot_narrow", 0)):
            check_whole("Multiples", field, getattr(self, field), least)
        lengths = {}
        for name in self.over:
            shape = given.results.get(name)
            if not shape:
                raise ValueError(
                    f"Multiples goes over {name!r}, which is no result with a leading axis. The function "
                    f"gives {', '.join(f'{n} {list(s)}' for n, s in given.results.items())}."
                )
            lengths[name] = shape[0]
        if len(set(lengths.values())) > 1:
            raise ValueError(
                "Multiples goes over results of different lengths: "
                f"{', '.join(f'{name} {length}' for name, length in lengths.items())}; expected one length."
            )
        length = lengths[self.over[0]]
        if not isinstance(self.titles, str) and len(self.titles) != length:
            raise ValueError(
                f"Multiples was given {len(self.titles)} titles for {length} pictures; expected one each."
            )
        picture = [
            replace(leaf, shape=tuple(leaf.shape[1:])) if leaf.name in self.over else leaf
            for leaf in outputs
        ]
        titles = [self.titles] if isinstance(self.titles, str) else self.titles
        Bindings("Multiples", picture, controls).check_templates(*titles)
        self.of.check(picture, controls)


@dataclass(frozen=True)
class Panels(View):
    """Several views of the same figure, each under its title.

    Attributes:
      views: pairs of a title, which may be empty, and a view.
      wide: where there is room, they may stand beside each other in rows of two, each as it is
        drawn where it is narrow; or all below each other, as they do on a narrow page.
      linked: names of parts, one for each view: where one lights up, so do the others.

    Example:
      >>> from explorax.views import Dot, Matrix, Plane
      >>> view = Panels([("Where", Plane([Dot("p")])), ("What", Matrix("m"))], wide="beside")
      >>> view.describe()["wide"]
      'beside'
    """

    views: Sequence[tuple[str, View]]
    wide: Literal["beside", "below"] = "below"
    linked: Sequence[Sequence[str]] = ()
    kind: ClassVar[str] = "panels"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        check_each("Panels", "views", self.views, tuple, 'views=[("before", Plane(...))]')
        pairs: Any = self.views
        if not pairs or not all(
            len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], View)
            for pair in pairs
        ):
            raise TypeError(
                f"Panels was given views = {self.views!r}; expected pairs of a title and a view, "
                "one or more."
            )
        if any(len(names) != len(self.views) for names in self.linked):
            raise ValueError(
                f"Panels was given linked = {self.linked!r}; expected {len(self.views)} names in each."
            )
        for _, view in self.views:
            view.check(outputs, controls)
