"""Draw a student's own numbers from their id: the same on every machine, and stored nowhere.

They are for looking: each student tries a function on other numbers than their neighbour. Nothing
is graded on them, so an id that is mistyped, or missing, costs nothing.
"""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Values = Sequence[float]


@dataclass(frozen=True)
class Pick:
    """The values that a number is drawn from.

    Attributes:
      values: of which one is as likely as another.
      count: so many are drawn, each by itself, and come as a tuple; one number, if it is 0.
    """

    values: Values
    count: int = 0


SCALES = (0.2, 0.25, 0.3, 0.4, 0.6, 0.7, 0.75, 0.8)  # not one half, at which s and 1 - s agree
ENTRIES = (-1.4, -1.1, -0.8, -0.5, -0.3, 0.2, 0.4, 0.6, 0.9, 1.2, 1.5)

PICKS: Mapping[str, Mapping[str, Pick]] = {
    "1_the_missing_function": {
        "scale": Pick(SCALES),
        "x": Pick((-3.0, -2.0, -1.5, -0.5, 0.5, 1.0, 2.0, 4.0), count=3),
        "sent": Pick((-8.0, -2.0, -1.0, 0.5, 1.0, 3.0, 10.0), count=3),
        "value": Pick((3.0, 4.0, 6.0, 7.0, 8.0, 9.0)),
        "slope": Pick((-2.0, -1.5, -0.5, 0.25, 0.5, 1.5, 2.5)),
    },
    "2_what_the_optimizer_sees": {
        "scale": Pick(SCALES),
        "steps": Pick((3, 4, 5, 6)),
        "gradient": Pick((-0.05, -0.04, -0.02, 0.01, 0.02, 0.04, 0.05)),
        "epsilon": Pick((1e-8, 1e-7, 1e-6, 1e-5, 1e-4)),
        "loss_scale": Pick((64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)),
    },
    "3_clipping": {
        "long": Pick((5.0, 8.0, 10.0, 15.0, 20.0, 25.0)),
        "short": Pick((0.1, 0.15, 0.2, 0.3, 0.4)),
        "limit": Pick((0.5, 0.75, 1.25, 1.5, 2.0, 2.5)),
        "angle": Pick((8.0, 12.0, 15.0, 18.0, 22.0, 25.0, 28.0, 32.0, 35.0)),
    },
    "4_constraining": {
        "limit": Pick((1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0)),
        "long": Pick((4.0, 5.0, 6.0, 7.0, 8.0)),
        "short": Pick((0.2, 0.3, 0.4, 0.6, 0.7, 0.9)),
        "scale": Pick(SCALES),
        "clip": Pick((0.2, 0.25, 0.3, 0.35, 0.4)),
        "cap": Pick((0.5, 0.6, 0.7, 0.8)),
    },
    "5_the_ledger": {
        "steps": Pick((3, 4, 5, 6)),
        "scale": Pick(SCALES),
        "gain": Pick((0.6, 0.7, 0.8, 0.9, 1.25, 1.5)),
        "total": Pick((1.2, 1.3, 1.4, 1.5, 1.6, 1.75)),
        "jacobians": Pick(ENTRIES, count=12),
        "own": Pick(ENTRIES, count=6),
    },
    "6_update_weights": {
        "steps": Pick((3, 4, 5, 6)),
        "scale": Pick(SCALES),
        "program": Pick((12, 25, 38, 51)),  # the rest by four is its placement
    },
    "7_at_scale_and_today": {
        "tokens": Pick((8, 12, 20, 35, 50, 80), count=4),
        "loss_scale": Pick((64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)),
        "limit": Pick((0.5, 0.6, 0.75, 0.8, 0.9)),
        "start": Pick((2.0**15, 2.0**16, 2.0**17, 2.0**18)),
        "interval": Pick((15, 20, 25, 30)),
        "ratios": Pick((0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.4, 1.6), count=6),
        "epsilon": Pick((0.1, 0.15, 0.2, 0.25, 0.3)),
    },
}
"""The numbers of each assignment. A new entry changes none of the others."""


@dataclass(frozen=True, repr=False)
class Numbers:
    """One student's numbers for one assignment: ``mine.scale``, ``mine.limit``.

    Attributes:
      student: the id as it is folded; "" where none was given.
      assignment: the assignment's name.
      values: the numbers, by name.
    """

    student: str
    assignment: str
    values: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("values", {})  # not there yet while a copy is being made
        if name in values:
            return values[name]
        raise AttributeError(f"There is no number {name!r} here. There are: {', '.join(values)}.")

    def __repr__(self) -> str:
        lines = [f"{name} = {value}" for name, value in self.values.items()]
        everybody = "These are everybody's: no id was given. Write yours into STUDENT for your own."
        head = f"The numbers of {self.student!r}:" if self.student else everybody
        return "\n".join([head, *lines])


def folded(student: str | int) -> str:
    """Normalise an id: ignore case, spaces and the width of letters.

    Raises:
      TypeError: if it is neither text nor a whole number.
    """
    if isinstance(student, bool) or not isinstance(student, str | int):
        raise TypeError(
            f"An id is text, as in STUDENT = 'ab123', but {student!r} was given. Write it in "
            "quotation marks."
        )
    return "".join(unicodedata.normalize("NFKC", str(student)).casefold().split())


def numbers(student: str | int, assignment: str) -> Numbers:
    """Return a student's numbers for an assignment.

    Number i of the ``count`` that are called ``name`` is ``values[n % len(values)]``, where n is SHA-256
    of ``"sccbook/assignment/name/i/id"``, in UTF-8, read as a whole number. It depends on neither
    the process nor the machine.

    Args:
      student: the id, in any case and with any spaces. An empty one gives numbers, too, with a
        remark.
      assignment: its name, as in ``"4_constraining"``.

    Raises:
      TypeError: if the id is neither text nor a whole number.
      ValueError: if there is no assignment of that name.

    Examples:
      >>> mine = numbers(" AB 123", "4_constraining")
      >>> mine.student, mine.limit, mine.cap
      ('ab123', 1.75, 0.8)
    """
    if assignment not in PICKS:
        known = ", ".join(map(repr, PICKS))
        raise ValueError(f"There is no assignment {assignment!r}. The assignments are: {known}.")
    who = folded(student)
    return Numbers(
        who,
        assignment,
        {
            name: _draw(f"sccbook/{assignment}/{name}", who, pick)
            for name, pick in PICKS[assignment].items()
        },
    )


def _draw(label: str, who: str, pick: Pick) -> Any:
    texts = [f"{label}/{index}/{who}" for index in range(max(1, pick.count))]
    digests = [int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") for text in texts]
    drawn = tuple(pick.values[digest % len(pick.values)] for digest in digests)
    return drawn if pick.count else drawn[0]
