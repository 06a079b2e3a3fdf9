"""What a graph is made of, and when two of its parts are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True, eq=False)
class Wire:
    """The result of an equation, or a parameter of a graph."""

    aval: Any


@dataclass(frozen=True, eq=False)
class Constant:
    """A value that is known; an array of JAX or NumPy."""

    value: Any
    aval: Any

    def key(self) -> Hashable:
        """Equal for equal constants."""
        array = self.value
        if jnp.issubdtype(self.aval.dtype, jax.dtypes.prng_key):
            array = jax.random.key_data(array)
        return str(self.aval), np.asarray(array).tobytes()


Atom = Wire | Constant
Sources = tuple[Any, ...]  # JAX's source_info of an equation and of the calls around it


@dataclass(eq=False)
class Equation:
    """One primitive applied; bodies of loops and branches are graphs in its ``params``.

    ``sources`` says where it comes from, from the innermost call outwards.
    """

    primitive: Any
    params: dict[str, Any]
    invars: tuple[Atom, ...]
    outvars: tuple[Wire, ...]
    sources: Sources


@dataclass(eq=False)
class Graph:
    """A body: parameters, equations in order, results."""

    invars: tuple[Wire, ...]
    equations: list[Equation]
    outvars: tuple[Atom, ...]


def uses(graph: Graph) -> Counter[Wire]:
    """How often each wire is read; a loop reads what lies outside it more than once."""
    counted = Counter(atom for atom in graph.outvars if isinstance(atom, Wire))
    for equation in graph.equations:
        counted.update(atom for atom in equation.invars if isinstance(atom, Wire))
        for body in graphs(equation.params):
            inside = uses(body)
            if equation.primitive.name != "cond":
                inside.update(captured(body))
            counted.update(inside)
    return counted


def graphs(params: dict[str, Any]) -> list[Graph]:
    """The bodies among an equation's parameters."""
    graphs = []
    for value in params.values():
        values = value if isinstance(value, tuple) else (value,)
        graphs += [each for each in values if isinstance(each, Graph)]
    return graphs


def captured_by(params: dict[str, Any]) -> Iterable[Wire]:
    """What the bodies in an equation's parameters read from outside themselves."""
    for graph in graphs(params):
        yield from captured(graph)


def captured(graph: Graph) -> list[Wire]:
    """What a body reads from outside itself, bodies within it included."""
    own = set(graph.invars)
    found: dict[Wire, None] = {}
    for equation in graph.equations:
        for atom in (*equation.invars, *captured_by(equation.params)):
            if isinstance(atom, Wire) and atom not in own:
                found[atom] = None
        own.update(equation.outvars)
    found |= dict.fromkeys(a for a in graph.outvars if isinstance(a, Wire) and a not in own)
    return list(found)


def atom_key(atom: Atom, names: dict[Wire, int] | None = None) -> Hashable:
    """Something hashable that is equal for equal atoms; ``names`` are those of a body's wires."""
    if isinstance(atom, Constant):
        return atom.key()
    return names[atom] if names and atom in names else ("wire", id(atom))


def frozen(value: Any, names: dict[Wire, int] | None = None) -> Hashable:
    """Something hashable that is equal for equal parameters."""
    if isinstance(value, Graph):
        names = dict(names or {})
        for wire in value.invars:
            names[wire] = len(names)
        rows: list[Hashable] = [tuple(str(wire.aval) for wire in value.invars)]
        for each in value.equations:
            inputs = tuple(atom_key(atom, names) for atom in each.invars)
            rows.append((each.primitive.name, inputs, frozen(each.params, names)))
            for wire in each.outvars:
                names[wire] = len(names)
        rows.append(tuple(atom_key(atom, names) for atom in value.outvars))
        return tuple(rows)
    if isinstance(value, dict):
        return tuple((name, frozen(each, names)) for name, each in sorted(value.items()))
    if isinstance(value, tuple | list):
        return tuple(frozen(each, names) for each in value)
    if isinstance(value, np.ndarray | jax.Array):
        return Constant(value, jax.typeof(value)).key()
    try:
        hash(value)
    except TypeError:
        return ("object", id(value))
    return type(value).__name__, value
