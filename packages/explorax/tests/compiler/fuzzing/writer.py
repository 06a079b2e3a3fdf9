"""Write the text of a program statement by statement, knowing the shape of every name."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import jax
import jax.extend.random
import jax.flatten_util
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
import optax
from jax import lax
from tests.compiler.cases.control import clip_gradient

Shape = tuple[int, ...]
Item = TypeVar("Item")
NAMES = {
    "jax": jax, "jnp": jnp, "lax": lax, "np": np, "optax": optax, "clip_gradient": clip_gradient,
}  # fmt: skip

FLOATS = ("float64", "float32")
INTEGERS = ("int64", "int32")
LARGEST = 120  # elements of an array


@dataclass(frozen=True)
class Var:
    """A name in the program."""

    name: str
    shape: Shape
    dtype: str


def is_float(dtype: str) -> bool:
    return dtype in FLOATS


@functools.lru_cache(maxsize=50_000)
def result_of(expression: str, operands: tuple[tuple[Shape, str], ...]) -> tuple[Shape, str] | None:
    """Shape and dtype of an expression in ``{0}``, ``{1}``, ...: None where JAX refuses it."""
    names = [f"a{i}" for i in range(len(operands))]
    # the text is this package's own
    function = eval(f"lambda {', '.join(names)}: {expression.format(*names)}", NAMES)
    try:
        result = jax.eval_shape(
            function, *(jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in operands)
        )
    except (TypeError, ValueError, IndexError, ZeroDivisionError, NotImplementedError):
        return None
    if not hasattr(result, "shape"):
        return None
    return tuple(result.shape), np.dtype(result.dtype).name


@dataclass
class Text:
    """A program that is being written.

    Attributes:
      index: draws a number in 0..n-1; simpler choices come first.
      float: the program's precision.
      sizes: the lengths of axes that it likes.
      inputs: its arguments so far.
      made: what it has given a name so far.
      lines: its body.
    """

    index: Callable[[int], int]
    float: str = "float64"
    sizes: tuple[int, ...] = (2, 3)
    inputs: list[Var] = field(default_factory=list)
    made: list[Var] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def pick(self, items: Sequence[Item]) -> Item:
        """One of some items; the first is the simplest."""
        return items[self.index(len(items))]

    def chance(self, percent: int) -> bool:
        """True so often; False is simpler."""
        return self.index(100) >= 100 - percent

    def shape(self, rank: int | None = None) -> Shape:
        """A shape of the lengths that the program likes."""
        if rank is None:
            rank = self.pick((1, 2, 0, 1, 2, 1, 2, 3))
        return tuple(self.pick(self.sizes) for _ in range(rank))

    # ------------------------------------------------------------- writing

    def line(self, line: str) -> None:
        """Write a line."""
        self.lines.append("    " + line)

    def assign(self, expression: str, shape: Shape, dtype: str) -> Var:
        """Name an expression whose value has this shape and dtype."""
        variable = Var(f"v{len(self.made)}", shape, dtype)
        self.line(f"{variable.name} = {expression}")
        self.made.append(variable)
        return variable

    def let(self, expression: str, *operands: Var) -> Var | None:
        """Name an expression in ``{0}``, ``{1}``, ...; None where it is no array that will do."""
        found = result_of(expression, tuple((x.shape, x.dtype) for x in operands))
        if found is None:
            return None
        shape, dtype = found
        if math.prod(shape) > LARGEST or len(shape) > 4 or dtype not in DTYPES:
            return None
        return self.assign(expression.format(*(x.name for x in operands)), shape, dtype)

    # ------------------------------------------------------------- reading

    def new_input(self, shape: Shape, dtype: str) -> Var:
        """An argument more for the program, or a literal array where it has many."""
        if len(self.inputs) >= 6:
            # XLA crashes where it folds a remainder by an unsigned 0
            numbers = ("1", "2", "0" if is_float(dtype) else "3")
            start = "True" if dtype == "bool" else self.pick(numbers)
            return self.assign(f"jnp.full({shape}, {start}, jnp.{dtype})", shape, dtype)
        variable = Var(f"x{len(self.inputs)}", shape, dtype)
        self.inputs.append(variable)
        return variable

    def find(
        self,
        wanted: Callable[[Var], bool],
        otherwise: Callable[[], Var],
        besides: Sequence[Var] = (),
    ) -> Var:
        """A variable of some kind, new ones before old ones; sometimes a new input.

        One that is in ``besides`` is rarely taken again.
        """
        found = [v for v in (*self.inputs, *self.made) if wanted(v)]
        if besides and not self.chance(15):
            found = [v for v in found if v not in besides]
        if not found or self.chance(12):
            return otherwise()
        near = [v for v in self.made if v in found]
        if near and not self.chance(35):
            found = near
        found.reverse()
        return self.pick(found)

    def dtype(self, kind: str) -> str:
        """A dtype of a kind: f(loat), i(nteger), w(hole: integers and unsigned), u, b, n(umber), a."""
        if kind == "n":
            kind = self.pick("fffi")
        elif kind == "a":
            kind = self.pick("fffib")
        elif kind == "w":
            kind = self.pick("iu")
        if kind == "f":
            if self.chance(4):
                return self.pick(FLOATS)
            return self.float
        return {"i": self.pick(INTEGERS), "b": "bool", "u": "uint32"}[kind]

    def operand(self, kind: str, rank: int = 0, most: int = 4) -> Var:
        """A variable of a kind, and of a rank in a range."""

        def make() -> Var:
            low = self.pick((rank, *range(rank, min(most, 2) + 1)))
            return self.new(self.shape(low), self.dtype(kind))

        return self.find(lambda v: v.dtype in KINDS[kind] and rank <= len(v.shape) <= most, make)

    def like(self, shape: Shape, dtype: str, besides: Sequence[Var] = ()) -> Var:
        """A variable of this shape and dtype."""
        return self.find(
            lambda v: v.shape == shape and v.dtype == dtype,
            lambda: self.new(shape, dtype),
            besides,
        )

    def beside(self, first: Var, kind: str) -> Var:
        """A variable that broadcasts against another, of its dtype where ``kind`` is ``=``."""

        def fits(v: Var) -> bool:
            if v.dtype not in ((first.dtype,) if kind == "=" else KINDS[kind]):
                return False
            try:
                return math.prod(np.broadcast_shapes(v.shape, first.shape)) <= LARGEST
            except ValueError:
                return False

        def make() -> Var:
            shape = first.shape
            if self.chance(40):
                shape = tuple(1 if self.chance(50) else n for n in shape)
                shape = shape[self.index(len(shape) + 1) :]
            return self.new(shape, first.dtype if kind == "=" else self.dtype(kind))

        return self.find(fits, make, [first])

    def new(self, shape: Shape, dtype: str) -> Var:
        """A new variable of a shape and dtype; what no argument can be is converted."""
        given = "int64" if dtype == "uint32" else self.float if is_float(dtype) else dtype
        source = self.new_input(shape, given)
        if given == dtype:
            return source
        return self.assign(f"{source.name}.astype(jnp.{dtype})", shape, dtype)


KINDS = {
    "f": FLOATS,
    "i": INTEGERS,
    "u": ("uint32",),
    "w": (*INTEGERS, "uint32"),
    "b": ("bool",),
    "n": (*FLOATS, *INTEGERS),
    "a": (*FLOATS, *INTEGERS, "bool"),
}
DTYPES = (*KINDS["a"], "uint32")
