"""From a jaxpr to equations that are worth doing: where each is placed, and which are not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal

from gradlab.program.graph.folding import fold
from gradlab.program.graph.nodes import (
    Atom,
    Constant,
    Equation,
    Graph,
    Sources,
    Wire,
    atom_key,
    captured_by,
    frozen,
)

# Primitives that call a jaxpr in place, by the parameter that holds it.
CALLS = {
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "closed_call": "call_jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}

# A rewrite gives the results of an equation of given inputs, or None where it does not apply.
Rewrite = Callable[["Scope", Any, list[Atom], Sources], "Sequence[Atom] | None"]
REWRITES: list[tuple[frozenset[str], Rewrite]] = []


def rewrite(*names: str) -> Callable[[Rewrite], Rewrite]:
    """Registers a rewrite of equations of some primitives; the first that applies is taken."""

    def register(function: Rewrite) -> Rewrite:
        REWRITES.append((frozenset(names), function))
        return function

    return register


@dataclass(eq=False)
class Scope:
    """Where equations are collected: a whole program, or one body inside it.

    Attributes:
      outer: the scope around it.
      hoists: whether what depends on nothing inside goes to the outer scope.
    """

    outer: Scope | None = None
    hoists: bool = False
    equations: list[Equation] = field(default_factory=list)
    _own: set[Wire] = field(default_factory=set)
    _made: dict[Wire, Equation] = field(default_factory=dict)
    _seen: dict[Hashable, tuple[Atom, ...]] = field(default_factory=dict)

    def wire(self, aval: Any) -> Wire:
        """A new wire of this scope."""
        wire = Wire(aval)
        self._own.add(wire)
        return wire

    def maker(self, atom: Atom) -> Equation | None:
        """The equation that makes a wire, if one here or outside does."""
        scope: Scope | None = self
        while scope is not None and isinstance(atom, Wire):
            if atom in scope._made:
                return scope._made[atom]
            scope = scope.outer
        return None

    def inline(self, jaxpr: Any, arguments: Sequence[Atom], around: Sources = ()) -> list[Atom]:
        """Adds a jaxpr's equations; returns what its results are here."""
        closed = closed_jaxpr(jaxpr)
        atoms: dict[Any, Atom] = dict(zip(closed.jaxpr.invars, arguments, strict=True))
        for variable, value in zip(closed.jaxpr.constvars, closed.consts, strict=True):
            aval: Any = jax.typeof(value)
            atoms[variable] = Constant(value, aval)

        def read(atom: Any) -> Atom:
            if isinstance(atom, Literal):
                aval: Any = atom.aval
                return Constant(np.asarray(atom.val, dtype=aval.dtype), aval)
            return atoms[atom]

        for equation in closed.jaxpr.eqns:
            inputs = [read(atom) for atom in equation.invars]
            results = self.add(equation, inputs, (equation.source_info, *around))
            atoms.update(zip(equation.outvars, results, strict=True))
        return [read(atom) for atom in closed.jaxpr.outvars]

    def add(self, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
        """Adds one equation of a jaxpr, or less than that; returns what its results are."""
        name, params = equation.primitive.name, equation.params
        if not equation.outvars and not equation.effects:
            return []
        if name in CALLS:
            return self.inline(params[CALLS[name]], inputs, sources)
        folded = fold(equation, inputs)
        if folded is not None:
            return folded
        for names, function in REWRITES:
            if name in names and (results := function(self, equation, inputs, sources)) is not None:
                return results
        avals = [variable.aval for variable in equation.outvars]
        return self.place(equation.primitive, params, inputs, avals, sources)

    def place(
        self,
        primitive: Any,
        params: dict[str, Any],
        inputs: Sequence[Atom],
        avals: Iterable[Any],
        sources: Sources,
    ) -> Sequence[Atom]:
        """Adds an equation to the outermost scope that has its inputs, or finds an equal one."""
        needed = {*inputs, *captured_by(params)}
        scope = self
        while scope.outer and scope.hoists and not needed & scope._own:
            scope = scope.outer
        key = primitive.name, tuple(atom_key(atom) for atom in inputs), frozen(params)
        at: Scope | None = scope
        while at is not None:
            if key in at._seen:
                return at._seen[key]
            at = at.outer
        outvars = tuple(scope.wire(aval) for aval in avals)
        equation = Equation(primitive, params, tuple(inputs), outvars, sources)
        scope.equations.append(equation)
        scope._made |= dict.fromkeys(outvars, equation)
        scope._seen[key] = outvars
        return outvars

    def body(
        self, jaxpr: Any, given: Sequence[Atom | None], sources: Sources, *, hoists: bool
    ) -> Graph:
        """A body inside this scope, whose parameters are those that are not given."""
        inner = Scope(self, hoists)
        invars: list[Wire] = []
        arguments: list[Atom] = []
        for variable, atom in zip(closed_jaxpr(jaxpr).jaxpr.invars, given, strict=True):
            if atom is None:
                atom = inner.wire(variable.aval)
                invars.append(atom)
            arguments.append(atom)
        outvars = inner.inline(jaxpr, arguments, sources)
        return Graph(tuple(invars), inner.equations, tuple(outvars))


def closed_jaxpr(jaxpr: Any) -> ClosedJaxpr:
    """A jaxpr with its constants; an open one has none."""
    return jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, ())
