"""Put parentheses where JavaScript needs them, and nowhere else."""

from __future__ import annotations

import re
from functools import cache

# From the loosest to the tightest; an operator stands between spaces, a prefix right before.
BINARY = {
    "=>": 2,
    "||": 4,
    "&&": 5,
    "|": 6,
    "^": 7,
    "&": 8,
    "===": 9,
    "!==": 9,
    "<": 10,
    "<=": 10,
    ">": 10,
    ">=": 10,
    "<<": 11,
    ">>": 11,
    ">>>": 11,
    "+": 12,
    "-": 12,
    "*": 13,
    "/": 13,
    "%": 13,
    "**": 14,
}
ANYTHING, CHOICE, PREFIX, ATOM = 0, 3, 15, 18
TOKEN = re.compile(
    r"\{\d+\}|[\w.]+|[(\[]|[)\]]|,|\?|:| [^\w\s(){}\[\],?:]+ |[^\w\s(){}\[\],?:]+|\s"
)


@cache
def precedences(template: str) -> tuple[int, tuple[int, ...]]:
    """Return how tightly a template holds together, and how tightly each operand has to.

    Args:
      template: JavaScript with ``{0}``, ``{1}`` ... in it.

    Returns:
      The precedence of the loosest operator outside all parentheses, and what each operand
      must have at least to stand without parentheses, wherever it stands.
    """
    needs: dict[int, int] = {}
    loosest = [ATOM]  # by depth
    left = [ANYTHING]  # what the operator to the left asks for
    waiting: list[int] = []  # operands whose right neighbour is not known yet

    def require(asked: int) -> None:
        for number in waiting:
            needs[number] = max(needs.get(number, ANYTHING), asked)
        waiting.clear()

    for token in TOKEN.findall(template):
        word = token.strip()
        if re.fullmatch(r"\{\d+\}", token):
            number = int(token[1:-1])
            needs[number] = max(needs.get(number, ANYTHING), left[-1])
            waiting.append(number)
        elif word in ("(", "["):
            require(ATOM)
            loosest.append(ATOM)
            left.append(ANYTHING)
        elif word in (")", "]"):
            require(ANYTHING)
            loosest.pop()
            left.pop()
        elif word == ",":
            require(ANYTHING)
            left[-1] = ANYTHING
        elif word == "?":
            require(CHOICE + 1)
            loosest[-1], left[-1] = CHOICE, ANYTHING
        elif word == ":":
            require(ANYTHING)
            left[-1] = CHOICE
        elif token.startswith(" ") and word:
            require(ATOM if word == "**" else BINARY[word])
            loosest[-1] = min(loosest[-1], BINARY[word])
            left[-1] = BINARY[word] + 1
        elif word and not re.match(r"[\w.]", word):
            loosest[-1] = min(loosest[-1], PREFIX)
            left[-1] = PREFIX + 1
    return loosest[0], tuple(needs[number] for number in sorted(needs))


def parenthesize(template: str, *operands: tuple[str, int]) -> tuple[str, int]:
    """Fill a template with texts, in parentheses where they need them.

    Args:
      template: JavaScript with ``{0}``, ``{1}`` ... in it.
      *operands: each a text and its precedence.

    Returns:
      The text, and its precedence.
    """
    own, needs = precedences(template)
    texts = (
        f"({text})" if precedence < need else text
        for (text, precedence), need in zip(operands, needs, strict=True)
    )
    return template.format(*texts), own
