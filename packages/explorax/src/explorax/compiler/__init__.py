"""Compile a JAX function to JavaScript: the page runs the program that JAX traced."""

from explorax.compiler.errors import ProgramError, UnsupportedPrimitive
from explorax.compiler.program import Program, compile
from explorax.compiler.trace import Leaf

__all__ = ["Leaf", "Program", "ProgramError", "UnsupportedPrimitive", "compile"]
