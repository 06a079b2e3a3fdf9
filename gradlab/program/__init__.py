"""JAX function -> jaxpr -> JavaScript: the page runs the program that JAX traced."""

from gradlab.program.errors import ProgramError, UnsupportedPrimitive
from gradlab.program.program import Program, compile
from gradlab.program.trace import Leaf

__all__ = ["Leaf", "Program", "ProgramError", "UnsupportedPrimitive", "compile"]
