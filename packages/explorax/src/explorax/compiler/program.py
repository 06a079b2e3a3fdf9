"""A compiled function: JAX runs it here, and a page as JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.extend.core
import numpy as np

from explorax.compiler.emit import emit
from explorax.compiler.errors import ProgramError
from explorax.compiler.graph import build
from explorax.compiler.lower import lower
from explorax.compiler.passes import improve
from explorax.compiler.rules import RULES
from explorax.compiler.sizes import Sizes
from explorax.compiler.trace import Leaf, strong, trace


class Program:
    """A function that was traced once, to be run by JAX here or as JavaScript in a page.

    Attributes:
      inputs, outputs: the flattened leaves, in order, each with name, shape and dtype.
      javascript: the text of a self-contained ES module with one export,
        ``evaluate(...leaves)``. It takes one number for each input leaf, or for a leaf with
        axes one flat typed array of any kind of number, of values that the leaf's dtype holds;
        what float32 does not hold is rounded to it. It returns an array of typed arrays, one
        for each output leaf, the caller's to keep. Another number of arguments, or of numbers
        in one, is a TypeError.
      jaxpr: what was traced.
      sizes: its largest arrays.
      flat: the same, for JAX's own transformations with x64 enabled: from the input
        leaves, in their dtypes, to the list of output leaves.
    """

    def __init__(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], dtype: str
    ) -> None:
        self._dtype = dtype
        self._trace = trace(function, *arguments, dtype=dtype)
        self.inputs, self.outputs = self._trace.inputs, self._trace.outputs
        self.jaxpr = self._trace.jaxpr
        self.sizes = Sizes.of(self.jaxpr)
        self.sizes.check(self._trace.name)
        graph = build(self.jaxpr)
        module = lower(graph, self._trace, RULES)
        module = improve(module)
        self.javascript: str = emit(module, self.inputs, self.outputs)
        self.flat = jax.extend.core.jaxpr_as_fun(self.jaxpr)
        self._run = jax.jit(self.flat)

    def __call__(self, *arguments: Any) -> Any:
        """Run the trace by JAX, in the program's precision.

        Where singular vectors and eigenvectors have a sign to choose, it is the page's
        (``linear_algebra``).

        Raises:
          ProgramError: where the number of leaves, their structure or a shape is not the traced
            one, or where an integer was traced and is none.
        """
        leaves, structure = jax.tree.flatten(arguments)
        if len(leaves) != len(self.inputs):
            expected = ", ".join(leaf.name for leaf in self.inputs)
            raise ProgramError(
                f"Given {len(leaves)} leaves; expected {len(self.inputs)}: {expected}."
            )
        if structure != self._trace.arguments:
            raise ProgramError(
                f"The arguments are structured as {structure}; expected {self._trace.arguments}, "
                "as traced."
            )
        with jax.enable_x64(True):
            arrays = [strong(value, self._dtype) for value in leaves]
            for leaf, array in zip(self.inputs, arrays, strict=True):
                if array.shape != leaf.shape:
                    raise ProgramError(
                        f"{leaf.name} has shape {array.shape}; expected {leaf.shape}."
                    )
                if not np.can_cast(array.dtype, leaf.dtype, "same_kind") and leaf.dtype != "bool":
                    raise ProgramError(
                        f"{leaf.name} is {array.dtype}; expected {leaf.dtype}, as traced."
                    )
            cast = [a.astype(leaf.dtype) for leaf, a in zip(self.inputs, arrays, strict=True)]
            return jax.tree.unflatten(self._trace.result, self._run(*cast))

    def __repr__(self) -> str:
        def names(leaves: tuple[Leaf, ...]) -> str:
            return ", ".join(f"{leaf.name}: {leaf.dtype}{list(leaf.shape)}" for leaf in leaves)

        return f"Program {self._trace.name}({names(self.inputs)}) -> {names(self.outputs)}"


def compile(
    function: Callable[..., Any], *example_arguments: Any, dtype: Any = "float64"
) -> Program:
    """Compile a JAX function to a program for the page.

    Args:
      function: pure; its arguments and results are pytrees of arrays. Gradients, scans and
        custom derivatives are traced through.
      *example_arguments: one for each parameter; only shapes and dtypes matter. Floats become
        strong arrays of ``dtype``; integers and booleans stay (a Python integer is int64,
        exact in JavaScript to 2**53).
      dtype: float64 or float32, of the arguments. What a function makes itself without saying a
        dtype, such as ``jnp.zeros(3)``, is float64 in both: say ``dtype=x.dtype`` there.

    Raises:
      UnsupportedPrimitive: names the primitive, the line that brought it in, and what to do.
      ProgramError: for arguments that cannot be traced; for Python or NumPy that needs the number
        behind a traced argument, such as ``if x > 2:``, with the line and what to write instead;
        and for arrays that are too large for a page (see ``explorax.compiler.sizes``).

    Example:
      >>> program = compile(lambda x: 2 * x + 1, 0.5)
      >>> float(program(3.0))
      7.0
      >>> program.javascript.splitlines()[-3].strip()
      'out1_result[0] = 2 * in1_x + 1;'
    """
    name = dtype if isinstance(dtype, str) else jax.numpy.dtype(dtype).name
    return Program(function, example_arguments, name)
