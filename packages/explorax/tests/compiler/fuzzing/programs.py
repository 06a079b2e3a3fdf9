"""The strategy: whole programs, with arguments to call them with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.compiler.fuzzing.tables import SETTINGS, TABLES
from tests.compiler.fuzzing.writer import FLOATS, NAMES, Text, Var

# How often each kind of statement is written.
WEIGHTS = {
    "arithmetic": 14, "transcendental": 8, "comparisons": 6, "where": 6, "reductions": 8,
    "products": 6, "softmax": 3, "activations": 3, "cumulative": 4, "sorting": 4,
    "arranging": 9, "indexing": 10, "updating": 6, "conversions": 5, "integers": 6,
    "functions": 4, "windows": 1, "linear": 1, "keys": 3, "loops": 3, "nested": 25,
}  # fmt: skip
ALL = [name for name, weight in WEIGHTS.items() for _ in range(weight)]


@dataclass(frozen=True)
class Example:
    """A program and what to call it with; prints as a test that can be pasted.

    Attributes:
      source: the text of ``def program(x0, x1, ...)``.
      calls: for each call, its arguments.
      dtype: the precision to compile it in.
    """

    source: str
    calls: tuple[tuple[np.ndarray, ...], ...]
    dtype: str

    def function(self) -> Callable[..., Any]:
        """The program."""
        names = dict(NAMES)
        exec(compile(self.source, "<a program of fuzzing>", "exec"), names)
        return names["program"]

    def __repr__(self) -> str:
        calls = "".join(
            "    [" + ", ".join(_literal(x) for x in call) + "],\n" for call in self.calls
        )
        return f"\n# dtype={self.dtype!r}\n{self.source}\ncalls = [\n{calls}]\n"


def _literal(array: np.ndarray) -> str:
    with np.printoptions(threshold=10**6, floatmode="unique", linewidth=10**6):
        text = repr(array.tolist()).replace("nan", "np.nan").replace("inf", "np.inf")
    if array.size == 0:
        return f"np.zeros({array.shape}, np.{array.dtype.name})"
    return f"np.array({text}, np.{array.dtype.name})"


KIND = re.compile(r"([fiuwbna])(\d)?(-(\d))?$")


def write_row(text: Text, row: str) -> None:
    """Write one row of a table, ``kinds: expression``.

    A kind is a letter of ``Text.dtype``, with the least rank after it and, after a dash, the
    greatest; or ``&`` for a variable that broadcasts against the first and has its dtype (``b&``:
    of another kind), or ``=`` for one of the same shape and dtype. In the expression ``{0}`` is
    an operand, and ``{axis}`` a setting.
    """
    kinds, _, expression = row.partition(": ")
    operands: list[Var] = []
    for kind in kinds.split():
        if kind == "=":
            operands.append(text.like(operands[0].shape, operands[0].dtype, operands))
        elif kind.endswith("="):
            operands.append(text.like(operands[0].shape, text.dtype(kind[0]), operands))
        elif kind.endswith("&"):
            operands.append(text.beside(operands[0], kind[0] if len(kind) > 1 else "="))
        else:
            match = KIND.match(kind)
            assert match is not None, row
            letter, low, _, high = match.groups()
            operands.append(text.operand(letter, int(low or 0), int(high or 4)))
    for name in re.findall(r"\{([a-z]\w*)\}", expression):
        setting = SETTINGS[name](text, operands[0])
        expression = expression.replace("{" + name + "}", setting, 1)
    text.let(expression, *operands)


def write_program(index: Callable[[int], int]) -> tuple[Text, str]:
    """Write a program with the choices of ``index``; its notes and its text."""
    text = Text(index)
    text.float = "float32" if text.chance(30) else "float64"
    sizes = (2, 3, 4, 1, 5)
    text.sizes = tuple(text.pick(sizes) for _ in range(2))
    if text.chance(12):
        text.sizes = (*text.sizes, text.pick((0, 1, 17)))
    text.new(text.shape(), text.float)
    for _ in range(1 + text.index(4)):
        write_row(text, text.pick(TABLES[text.pick(ALL)]))
    return text, returned(text)


def returned(text: Text) -> str:
    """The text of a program that ends here: it returns what nothing has read, and some more."""
    mentions = Counter(re.findall(r"\w+", "\n".join(text.lines)))
    names = [v for v in text.made if mentions[v.name] == 1] or text.made[-1:]
    if text.made and text.chance(40):
        more = text.pick(text.made)
        names = names if more in names else [*names, more]
    results = [
        f"{v.name}.astype(jnp.int64)" if v.dtype == "uint32" else v.name
        for v in names or text.inputs[:1]
    ]
    text.line(f"return {', '.join(results)}")
    parameters = ", ".join(v.name for v in text.inputs)
    return f"def program({parameters}):\n" + "\n".join(text.lines) + "\n"


# ---------------------------------------------------------------------- arguments

STYLES = ("plain", "halves", "special", "plain", "wide", "extreme", "special")


def make_argument(variable: Var, style: str, random: np.random.Generator) -> np.ndarray:
    """An argument in a style.

    Floats are normal numbers of size 1 (``plain``), halves, which make ties, with numbers that
    IEEE 754 treats specially (``special``), over many magnitudes (``wide``), or with the largest
    and least (``extreme``). None is subnormal: JAX takes those for zero.
    """
    shape, dtype = variable.shape, np.dtype(variable.dtype)

    def mixed(x: np.ndarray, values: Any) -> np.ndarray:
        return np.where(random.random(shape) < 0.3, random.choice(values, shape), x)

    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind == "i":
        x = random.integers(-3, 6, shape)
        if style in ("wide", "extreme"):
            ends = [2**31 - 1, -(2**31), 2**30]
            x = mixed(x, ends if dtype == np.int32 else random.integers(-(2**40), 2**40, 9))
        return x.astype(dtype)
    x = np.round(random.normal(0, 1, shape), random.choice([3, 16]))
    limits = np.finfo(dtype)
    if style == "halves":
        x = random.integers(-4, 5, shape) / 2
    elif style == "special":
        x = mixed(x, [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0])
    elif style == "wide":
        x = x * 10.0 ** random.integers(-9, 9, shape)
    elif style == "extreme":
        x = mixed(x, [float(limits.max), -float(limits.max), float(limits.tiny), 1 / 3, 1e9])
    x = np.asarray(x).astype(dtype)
    return np.where(np.abs(x) < limits.tiny, np.copysign(dtype.type(0), x), x)


class Examples(st.SearchStrategy[Example]):
    """Programs with two calls each.

    The choices are drawn from Hypothesis's data one by one and not through strategies of their
    own: that is ten times as fast, and Hypothesis, which likes to repeat a strategy's result
    elsewhere in the example, makes each program anew.
    """

    def do_draw(self, data: Any) -> Example:
        text, source = write_program(lambda n: data.draw_integer(0, n - 1) if n > 1 else 0)
        assert all(v.dtype in (*FLOATS, "int32", "int64", "bool") for v in text.inputs)
        styles = (text.pick(STYLES), text.pick(STYLES))
        random = np.random.default_rng(data.draw_integer(0, 2**16))
        calls = tuple(
            tuple(make_argument(v, style, random) for v in text.inputs) for style in styles
        )
        return Example(source, calls, text.float)


def examples() -> st.SearchStrategy[Example]:
    """Programs with two calls each."""
    return Examples()
