"""The parts of a graph, and when two of them are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True, eq=False)
class Var:
    """The result of an equation, or a parameter of a graph."""

    aval: Any


@dataclass(frozen=True, eq=False)
class Constant:
    """A value that is known; an array of JAX or NumPy."""

    value: Any
    aval: Any

    def key(self) -> Hashable:
        """Return something hashable, equal for equal constants."""
        array = self.value
        if jnp.issubdtype(self.aval.dtype, jax.dtypes.prng_key):
            array = jax.random.key_data(array)
        return str(self.aval), np.asarray(array).tobytes()


Atom = Var | Constant
Sources = tuple[Any, ...]  # JAX's source_info of an equation and of the calls around it


@dataclass(eq=False)
class Equation:
    """One primitive applied; bodies of loops and branches are graphs in its ``params``.

    Attributes:
      sources: where it comes from, from the innermost call outwards.
    """

    primitive: Any
    params: dict[str, Any]
    invars: tuple[Atom, ...]
    outvars: tuple[Var, ...]
    sources: Sources

    def reads(self) -> set[Var]:
        """Return its operands, and what its bodies read from outside themselves."""
        return {*variables(self.invars), *free_variables(self.params)}


@dataclass(eq=False)
class Graph:
    """A body: parameters, equations in order, results."""

    invars: tuple[Var, ...]
    equations: list[Equation]
    outvars: tuple[Atom, ...]

    def reads(self) -> set[Var]:
        """Return all that its results and its equations read."""
        return set(variables(self.outvars)).union(*(e.reads() for e in self.equations))

    def defines(self) -> set[Var]:
        """Return its parameters, and the results of its equations."""
        return {*self.invars, *(var for e in self.equations for var in e.outvars)}


def variables(atoms: Iterable[Atom]) -> list[Var]:
    """Return the atoms that are no constants."""
    return [atom for atom in atoms if isinstance(atom, Var)]


def subgraphs(params: dict[str, Any]) -> list[Graph]:
    """Return the bodies among an equation's parameters."""
    values = (v if isinstance(v, tuple) else (v,) for v in params.values())
    return [each for value in values for each in value if isinstance(each, Graph)]


def free_variables(params: dict[str, Any]) -> set[Var]:
    """Return what the bodies among an equation's parameters read from outside themselves."""
    return {var for body in subgraphs(params) for var in body.reads() - body.defines()}


def count_uses(graph: Graph) -> Counter[Var]:
    """Count how often each variable is read; a loop reads what lies outside it more than once."""
    counts = Counter(variables(graph.outvars))
    for equation in graph.equations:
        counts.update(variables(equation.invars))
        for body in subgraphs(equation.params):
            counts.update(count_uses(body))
            if equation.primitive.name != "cond":
                counts.update(body.reads() - body.defines())
    return counts


def atom_key(atom: Atom, names: dict[Var, int] | None = None) -> Hashable:
    """Return something hashable, equal for equal atoms.

    Args:
      atom: a variable is equal to itself alone.
      names: those of a body's own variables.
    """
    if isinstance(atom, Constant):
        return atom.key()
    return names[atom] if names and atom in names else ("variable", id(atom))


def structural_key(value: Any, names: dict[Var, int] | None = None) -> Hashable:
    """Return something hashable, equal for equal parameters of equations, graphs included."""
    if isinstance(value, Graph):
        names = dict(names or {})
        for var in value.invars:
            names[var] = len(names)
        rows: list[Hashable] = [tuple(str(var.aval) for var in value.invars)]
        for each in value.equations:
            inputs = tuple(atom_key(atom, names) for atom in each.invars)
            rows.append((each.primitive.name, inputs, structural_key(each.params, names)))
            for var in each.outvars:
                names[var] = len(names)
        return (*rows, tuple(atom_key(atom, names) for atom in value.outvars))
    if isinstance(value, dict):
        return tuple((name, structural_key(each, names)) for name, each in sorted(value.items()))
    if isinstance(value, tuple | list):
        return tuple(structural_key(each, names) for each in value)
    if isinstance(value, np.ndarray | jax.Array):
        return Constant(value, jax.typeof(value)).key()
    try:
        hash(value)
    except TypeError:
        return ("object", id(value))
    return type(value).__name__, value
