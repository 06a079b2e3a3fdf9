"""Default words and a default table: what is set, what follows, and what isn't drawn."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import Leaf
from explorax.controls import Choice, Toggle
from explorax.controls.control import Control
from explorax.figure.shorthand import words
from explorax.figure.spec import Table

ROWS = 200
"""Of a table, at most."""
SAID = 6
"""Numbers in a sentence, at most."""


def undrawn(outputs: Sequence[Leaf], drawn: Sequence[str], table: Table | None) -> str:
    """Write a sentence that names the results that aren't drawn and says where they are."""
    left = [leaf.name for leaf in outputs if leaf.name not in drawn]
    if not left:
        return ""
    listed = {name for _, name in table.columns} if table else set()
    where = (
        "The table has" if listed.issuperset(left) else "In Python, <code>figure.value</code> has"
    )
    return (
        f"Not drawn: {', '.join(map(words, left))}. {where} {'it' if len(left) == 1 else 'them'}."
    )


def sentence(controls: Sequence[Control], outputs: Sequence[Leaf]) -> str:
    """Write a template that says what is set, and the numbers that follow."""
    given = settings(controls)
    numbers = [leaf.name for leaf in outputs if leaf.shape == ()][:SAID]
    *first, last = [f"{words(name)} = {{{name}:.3~g}}" for name in numbers] or [""]
    found = f"{', '.join(first)} and {last}" if first else last
    if given and found:
        return f"With {given}: {found}."
    return f"With {given}." if given else f"{found}." if found else "What the function gives."


def settings(controls: Sequence[Control]) -> str:
    """Write a template that says what is set."""
    return ", ".join(
        f"{symbol_of(c)} = {{{c.name}{'' if isinstance(c, Choice) else ':.3~g'}}}"
        for c in controls
        if not isinstance(c, Toggle)
    )


def symbol_of(control: Control) -> str:
    """Name a control in a template, without braces, which would be filled."""
    symbols = (control.symbol, control.label, control.name)
    return next(text for text in symbols if text and not {*"{}"} & {*text})


def table(outputs: Sequence[Leaf]) -> Table | None:
    """Put the results in a table: series as columns, or a matrix, or the numbers."""
    small = [leaf for leaf in outputs if all(0 < n <= ROWS for n in leaf.shape)]
    scalars, series, matrices = (
        [leaf for leaf in small if len(leaf.shape) == rank] for rank in range(3)
    )
    if series:
        same = [leaf for leaf in series if leaf.shape == series[0].shape]
        columns = [(words(leaf.name), leaf.name) for leaf in same]
        return Table(columns, rows="{n}", count=same[0].shape[0], general=True)
    if matrices:
        leaf = matrices[0]
        return Table([("{n}", leaf.name)], rows="{n}", count=leaf.shape[0], general=True)
    if scalars:
        return Table([(words(leaf.name), leaf.name) for leaf in scalars], general=True)
    return None
