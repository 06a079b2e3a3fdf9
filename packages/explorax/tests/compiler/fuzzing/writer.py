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

Shape = tuple[int, ...]
Item = TypeVar("Item")
NAMES = {"jax": jax, "jnp": jnp, "lax": lax, "np": np, "optax": optax}

FLOATS = ("float64", "float32")
INTEGERS = ("int64", "int32")
LARGEST = 120  # elements of an array
DEEPEST = 2  # functions in functions


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
    """State that all scopes of a program share.

    Attributes:
      index: draws a number in 0..n-1; simpler choices come first.
      float: the program's precision.
      sizes: the lengths of axes that it likes.
      inputs: the program's arguments so far.
    """

    index: Callable[[int], int]
    float: str = "float64"
    sizes: tuple[int, ...] = (2, 3)
    inputs: list[Var] = field(default_factory=list)
    count: int = 0

    def fresh(self, prefix: str) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"{prefix}{self.count}"

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


@dataclass
class Scope:
    """A function's body that is being written.

    Attributes:
      text: what is shared with the other scopes.
      depth: of functions in functions.
      variables: what has a name here, the outer scopes' names first.
      own: how many of the variables, from the end, were made here or are parameters.
      closed: nothing from outside may be used.
      smooth: it will be differentiated in reverse, and so has no loop without a known end.
      forward: it will be differentiated forward, and so has no custom derivative in reverse.
    """

    text: Text
    depth: int = 0
    variables: list[Var] = field(default_factory=list)
    own: list[Var] = field(default_factory=list)
    closed: bool = False
    smooth: bool = False
    forward: bool = False
    lines: list[str] = field(default_factory=list)
    parameters: Sequence[Var] = ()

    # ------------------------------------------------------------- writing

    def line(self, line: str) -> None:
        """Write a line."""
        self.lines.append("    " * (self.depth + 1) + line)

    def receive(self, call: str, results: Sequence[Var], mark: str = ",") -> list[Var]:
        """Name the results of a call, a sequence of arrays like some variables."""
        made = [Var(self.text.fresh("v"), v.shape, v.dtype) for v in results]
        self.line(f"{', '.join(v.name for v in made)}{mark} = {call}")
        self.variables += made
        self.own += made
        return made

    def assign(self, expression: str, result: Var) -> Var:
        """Name an expression whose value is like some variable."""
        return self.receive(expression, [result], mark="")[0]

    def let(self, expression: str, *operands: Var) -> Var | None:
        """Name an expression in ``{0}``, ``{1}``, ...; None where it is no array that will do."""
        found = result_of(expression, tuple((x.shape, x.dtype) for x in operands))
        if found is None:
            return None
        shape, dtype = found
        if math.prod(shape) > LARGEST or len(shape) > 4 or dtype not in DTYPES:
            return None
        expression = expression.format(*(x.name for x in operands))
        return self.assign(expression, Var("", shape, dtype))

    def function(
        self,
        write: Write,
        given: Sequence[Var],
        *,
        turns: Sequence[int] = (1, 1, 2),
        decorator: str = "",
        closed: bool = False,
        smooth: bool = False,
        forward: bool = False,
    ) -> tuple[str, Scope]:
        """Write a function of arguments like some variables, but for its last line.

        Returns:
          Its name, and the scope for the line that is left.
        """
        name = self.text.fresh("f")
        parameters = [Var(self.text.fresh("p"), v.shape, v.dtype) for v in given]
        if decorator:
            self.line(decorator)
        self.line(f"def {name}({', '.join(v.name for v in parameters)}):")
        inner = Scope(
            self.text,
            self.depth + 1,
            [*([] if closed else self.variables), *parameters],
            parameters.copy(),
            closed or self.closed,
            smooth or self.smooth,
            forward or self.forward,
            self.lines,
            parameters,
        )
        for _ in range(self.text.pick(turns)):
            write(inner)
        return name, inner

    # ------------------------------------------------------------- reading

    def new_input(self, shape: Shape, dtype: str) -> Var:
        """An argument more for the program, or a literal array where nothing comes from outside."""
        if self.closed or len(self.text.inputs) >= 6:
            # XLA crashes where it folds a remainder by an unsigned 0
            numbers = ("1", "2", "0" if is_float(dtype) else "3")
            start = "True" if dtype == "bool" else self.text.pick(numbers)
            return self.assign(f"jnp.full({shape}, {start}, jnp.{dtype})", Var("", shape, dtype))
        variable = Var(f"x{len(self.text.inputs)}", shape, dtype)
        self.text.inputs.append(variable)
        self.variables.insert(0, variable)
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
        found = [v for v in self.variables if wanted(v)]
        if besides and not self.text.chance(15):
            found = [v for v in found if v not in besides]
        if not self.closed:
            names = {v.name for v in found}
            names |= {v.name for v in besides}
            found = [v for v in self.text.inputs if v.name not in names and wanted(v)] + found
        if not found or self.text.chance(12):
            return otherwise()
        near = [v for v in self.own if v in found]
        if near and not self.text.chance(35):
            found = near
        found.reverse()
        return self.text.pick(found)

    def dtype(self, kind: str) -> str:
        """A dtype of a kind: f(loat), i(nteger), w(hole: integers and unsigned), u, b, n(umber), a."""
        if kind == "n":
            kind = self.text.pick("fffi")
        elif kind == "a":
            kind = self.text.pick("fffib")
        elif kind == "w":
            kind = self.text.pick("iu")
        if kind == "f":
            if self.text.chance(4):
                return self.text.pick(FLOATS)
            return self.text.float
        return {"i": self.text.pick(INTEGERS), "b": "bool", "u": "uint32"}[kind]

    def operand(self, kind: str, rank: int = 0, most: int = 4) -> Var:
        """A variable of a kind, and of a rank in a range."""

        def make() -> Var:
            low = self.text.pick((rank, *range(rank, min(most, 2) + 1)))
            return self.made(self.text.shape(low), self.dtype(kind))

        return self.find(lambda v: v.dtype in KINDS[kind] and rank <= len(v.shape) <= most, make)

    def like(self, shape: Shape, dtype: str, besides: Sequence[Var] = ()) -> Var:
        """A variable of this shape and dtype."""
        return self.find(
            lambda v: v.shape == shape and v.dtype == dtype,
            lambda: self.made(shape, dtype),
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
            if self.text.chance(40):
                shape = tuple(1 if self.text.chance(50) else n for n in shape)
                shape = shape[self.text.index(len(shape) + 1) :]
            return self.made(shape, first.dtype if kind == "=" else self.dtype(kind))

        return self.find(fits, make, [first])

    def made(self, shape: Shape, dtype: str) -> Var:
        """A new variable of a shape and dtype; what no argument can be is converted."""
        given = "int64" if dtype == "uint32" else self.text.float if is_float(dtype) else dtype
        source = self.new_input(shape, given)
        if given == dtype:
            return source
        return self.assign(f"{source.name}.astype(jnp.{dtype})", Var("", shape, dtype))

    def fits(self, count: int) -> str:
        """A tuple of expressions that fit the first parameters."""
        return f"({', '.join(self.fit(target) for target in self.parameters[:count])},)"

    def fit(self, target: Var) -> str:
        """An expression of the shape and dtype of ``target``, of what was made here if possible."""
        same = [v for v in self.own if v.shape == target.shape and v.dtype == target.dtype]
        if same and (same[-1].name != target.name or len(self.own) == 1):
            return same[-1].name
        others = [v for v in self.own if v.name != target.name and v.shape != (0,)]
        if not others:
            return target.name
        name = others[-1].name
        if target.dtype == "bool":
            return f"{target.name} ^ jnp.any({name} > 0)"
        if not is_float(target.dtype):
            return f"{target.name} + jnp.sum({name} > 0).astype(jnp.{target.dtype})"
        return f"{target.name} * 0.5 + jnp.sum({name}).astype(jnp.{target.dtype})"


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
Write = Callable[[Scope], None]
