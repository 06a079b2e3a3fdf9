"""The graph of a jaxpr: the same equations with less to do.

Calls are inlined, equations of constants alone are evaluated, equal equations are one, what
does not change in a loop is computed before it, and what no result needs is gone. Bodies of
loops and branches refer to what lies outside them directly, without parameters.
"""

from __future__ import annotations

import jax
from jax.extend.core import ClosedJaxpr

from explorax.compiler.graph import bodies, expansions, simplify
from explorax.compiler.graph.nodes import (
    Atom,
    Constant,
    Equation,
    Graph,
    Var,
    count_uses,
    subgraphs,
)
from explorax.compiler.graph.prune import prune
from explorax.compiler.graph.scope import Scope

__all__ = [
    "Atom",
    "Constant",
    "Equation",
    "Graph",
    "Var",
    "bodies",
    "build",
    "count_uses",
    "expansions",
    "simplify",
    "subgraphs",
]


def build(closed: ClosedJaxpr) -> Graph:
    """Make the graph of a jaxpr."""
    scope = Scope()
    invars = [scope.variable(variable.aval) for variable in closed.jaxpr.invars]
    with jax.enable_x64(True):
        outvars = scope.inline(closed, invars)
    graph = Graph(tuple(invars), scope.equations, tuple(outvars))
    prune(graph)
    return graph
