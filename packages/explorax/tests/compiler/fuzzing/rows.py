"""A statement from one row of a table."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.compiler.fuzzing.writer import Scope, Text, Var

KIND = re.compile(r"([fiuwbna])(\d)?(-(\d))?$")


def write_row(
    scope: Scope, row: str, settings: dict[str, Callable[[Text, Var], str]]
) -> Var | None:
    """Write one row of a table, ``kinds: expression``.

    A kind is a letter of ``Scope.dtype``, with the least rank after it and, after a dash, the
    greatest; or ``&`` for a variable that broadcasts against the first and has its dtype (``b&``:
    of another kind), or ``=`` for one of the same shape and dtype. In the expression ``{0}`` is
    an operand, and ``{axis}`` a setting.
    """
    kinds, _, expression = row.partition(": ")
    operands: list[Var] = []
    for kind in kinds.split():
        if kind == "=":
            operands.append(scope.like(operands[0].shape, operands[0].dtype, operands))
        elif kind.endswith("="):
            operands.append(scope.like(operands[0].shape, scope.dtype(kind[0]), operands))
        elif kind.endswith("&"):
            operands.append(scope.beside(operands[0], kind[0] if len(kind) > 1 else "="))
        else:
            match = KIND.match(kind)
            assert match is not None, row
            letter, low, _, high = match.groups()
            operands.append(scope.operand(letter, int(low or 0), int(high or 4)))
    for name in re.findall(r"\{([a-z]\w*)\}", expression):
        setting = settings[name](scope.text, operands[0])
        expression = expression.replace("{" + name + "}", setting, 1)
    return scope.let(expression, *operands)
