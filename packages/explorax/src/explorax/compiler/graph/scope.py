"""Equations that are worth doing, out of a jaxpr: each at its place, and once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal

from explorax.compiler.graph.folding import fold
from explorax.compiler.graph.nodes import (
    Atom,
    Constant,
    Equation,
    Graph,
    Sources,
    Var,
    atom_key,
    free_variables,
    structural_key,
)
from explorax.compiler.jaxprs import CALLS, closed_jaxpr

# A rewrite gives the results of an equation of given inputs, or None where it does not apply.
Rewrite = Callable[["Scope", Any, list[Atom], Sources], "Sequence[Atom] | None"]
REWRITES: list[tuple[frozenset[str], Rewrite]] = []


def rewrite(*names: str) -> Callable[[Rewrite], Rewrite]:
    """Register a rewrite of equations of some primitives; the first that applies is taken."""

    def register(function: Rewrite) -> Rewrite:
        REWRITES.append((frozenset(names), function))
        return function

    return register


@dataclass(eq=False)
class Scope:
    """The equations of a whole program, or of one body inside it, while they are collected.

    Attributes:
      outer: the scope around it.
      hoists: whether what depends on nothing inside goes to the outer scope.
    """

    outer: Scope | None = None
    hoists: bool = False
    equations: list[Equation] = field(default_factory=list)
    _own: set[Var] = field(default_factory=set)
    _producers: dict[Var, Equation] = field(default_factory=dict)
    _known: dict[Hashable, tuple[Var, ...]] = field(default_factory=dict)

    def variable(self, aval: Any) -> Var:
        """Make a new variable of this scope."""
        var = Var(aval)
        self._own.add(var)
        return var

    def enclosing(self) -> Iterable[Scope]:
        """Yield this scope and those around it, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def producer(self, atom: Atom) -> Equation | None:
        """Return the equation that a variable is the result of, if one here or outside is."""
        if isinstance(atom, Constant):
            return None
        return next((s._producers[atom] for s in self.enclosing() if atom in s._producers), None)

    def inline(self, jaxpr: Any, arguments: Sequence[Atom], around: Sources = ()) -> list[Atom]:
        """Add the equations of a jaxpr, and return what its results are here."""
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
            results = self.simplify(equation, inputs, (equation.source_info, *around))
            atoms.update(zip(equation.outvars, results, strict=True))
        return [read(atom) for atom in closed.jaxpr.outvars]

    def simplify(self, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
        """Add one equation of a jaxpr, or less than that, and return what its results are."""
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
        return self.add(equation.primitive, params, inputs, avals, sources)

    def add(
        self,
        primitive: Any,
        params: dict[str, Any],
        inputs: Sequence[Atom],
        avals: Iterable[Any],
        sources: Sources,
    ) -> Sequence[Var]:
        """Add an equation to the outermost scope that has its inputs, or find an equal one."""
        needed = {*inputs, *free_variables(params)}
        scope = self
        while scope.outer and scope.hoists and not needed & scope._own:
            scope = scope.outer
        key = primitive.name, tuple(atom_key(atom) for atom in inputs), structural_key(params)
        for around in scope.enclosing():
            if key in around._known:
                return around._known[key]
        outvars = tuple(scope.variable(aval) for aval in avals)
        equation = Equation(primitive, params, tuple(inputs), outvars, sources)
        scope.equations.append(equation)
        scope._producers |= dict.fromkeys(outvars, equation)
        scope._known[key] = outvars
        return outvars

    def body(
        self, jaxpr: Any, given: Sequence[Atom | None], sources: Sources, *, hoists: bool = False
    ) -> Graph:
        """Make a body inside this scope, whose parameters are those that are not given."""
        inner = Scope(self, hoists)
        own = closed_jaxpr(jaxpr).jaxpr.invars
        invars = [
            inner.variable(variable.aval)
            for variable, atom in zip(own, given, strict=True)
            if atom is None
        ]
        rest = iter(invars)
        arguments = [next(rest) if atom is None else atom for atom in given]
        outvars = inner.inline(jaxpr, arguments, sources)
        return Graph(tuple(invars), inner.equations, tuple(outvars))
