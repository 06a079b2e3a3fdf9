"""Between the jaxpr and its lowering: the same equations with less to do.

Calls are inlined, equations of constants alone are evaluated, equal equations are one, what
does not change in a loop is computed before it, and what no result needs is gone. Bodies of
loops and branches refer to what lies outside them directly, without parameters.
"""

from __future__ import annotations

from jax.extend.core import ClosedJaxpr

from gradlab.program.graph import bodies, simplify
from gradlab.program.graph.nodes import Atom, Constant, Equation, Graph, Wire, uses
from gradlab.program.graph.prune import prune
from gradlab.program.graph.scope import Scope

__all__ = ["Atom", "Constant", "Equation", "Graph", "Wire", "bodies", "build", "simplify", "uses"]


def build(closed: ClosedJaxpr) -> Graph:
    """Makes the graph of a jaxpr. To be called with x64 enabled."""
    scope = Scope()
    invars = [scope.wire(variable.aval) for variable in closed.jaxpr.invars]
    graph = Graph(tuple(invars), scope.equations, tuple(scope.inline(closed, invars)))
    prune(graph)
    return graph
