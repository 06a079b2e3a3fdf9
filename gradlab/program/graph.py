"""Between the jaxpr and its lowering: the same equations with less to do.

Calls are inlined, equations of constants alone are evaluated by JAX, equal equations are
one, what does not change in a loop is computed before it, and what no result needs is gone.
Bodies of loops and branches refer to what lies outside them directly, without parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Literal

from gradlab.program import folding

FOLDED = 4096  # bytes; a larger result of constants is computed in the page

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


# Primitives that act on each element by itself, whatever the shape.
ELEMENTWISE = frozenset(
    [
        "add",
        "sub",
        "mul",
        "div",
        "neg",
        "abs",
        "sign",
        "max",
        "min",
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "tanh",
        "logistic",
        "select_n",
        "convert_element_type",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "and",
        "or",
        "not",
        "xor",
        "integer_pow",
        "square",
        "pow",
        "is_finite",
        "add_any",
    ]
)

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


@dataclass(eq=False)
class _Scope:
    """Where equations are collected: a whole program, or one body inside it."""

    outer: _Scope | None
    hoists: bool  # whether what depends on nothing inside goes to the outer scope
    equations: list[Equation] = field(default_factory=list)
    own: set[Wire] = field(default_factory=set)
    made: dict[Wire, Equation] = field(default_factory=dict)
    seen: dict[Hashable, tuple[Atom, ...]] = field(default_factory=dict)

    def maker(self, atom: Atom) -> Equation | None:
        """The equation that makes a wire, if one here or outside does."""
        scope: _Scope | None = self
        while scope is not None and isinstance(atom, Wire):
            if atom in scope.made:
                return scope.made[atom]
            scope = scope.outer
        return None


def build(closed: ClosedJaxpr) -> Graph:
    """Makes the graph of a jaxpr. To be called with x64 enabled."""
    scope = _Scope(None, hoists=False)
    invars = [_wire(scope, v.aval) for v in closed.jaxpr.invars]
    outvars = _inline(scope, closed, invars)
    graph = Graph(tuple(invars), scope.equations, tuple(outvars))
    prune(graph)
    return graph


def _wire(scope: _Scope, aval: Any) -> Wire:
    wire = Wire(aval)
    scope.own.add(wire)
    return wire


def _constant(value: Any) -> Constant:
    aval: Any = jax.typeof(value)
    return Constant(value, aval)


def _inline(
    scope: _Scope, closed: ClosedJaxpr, arguments: Sequence[Atom], around: Sources = ()
) -> list[Atom]:
    """Adds a jaxpr's equations to a scope; returns what its results are there."""
    jaxpr = closed.jaxpr
    atoms: dict[Any, Atom] = dict(zip(jaxpr.invars, arguments, strict=True))
    atoms |= {v: _constant(c) for v, c in zip(jaxpr.constvars, closed.consts, strict=True)}

    def read(atom: Any) -> Atom:
        if isinstance(atom, Literal):
            aval: Any = atom.aval
            return Constant(np.asarray(atom.val, dtype=aval.dtype), aval)
        return atoms[atom]

    for equation in jaxpr.eqns:
        results = _add(scope, equation, [read(atom) for atom in equation.invars], around)
        atoms.update(zip(equation.outvars, results, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _add(scope: _Scope, equation: Any, inputs: list[Atom], around: Sources) -> Sequence[Atom]:
    name, params = equation.primitive.name, equation.params
    sources = (equation.source_info, *around)
    if not equation.outvars and not equation.effects:
        return []
    if name in CALLS:
        return _inline(scope, _closed(params[CALLS[name]]), inputs, sources)
    folded = _fold(equation, inputs)
    if folded is not None:
        return folded
    if name == "cond":
        return _cond(scope, equation, inputs, sources)
    if name == "scan":
        return _scan(scope, equation, inputs, sources)
    if name == "while":
        return _while(scope, equation, inputs, sources)
    if (same := _identity(name, params, inputs, equation)) is not None:
        return [same]
    avals = [v.aval for v in equation.outvars]
    if name in ELEMENTWISE and avals[0].shape:
        scalars = [_uniform(scope, atom, avals[0].shape) for atom in inputs]
        if None not in scalars:
            return _of_scalars(scope, equation, scalars, avals[0], sources)
    return _place(scope, equation.primitive, params, inputs, avals, sources)


def _uniform(scope: _Scope, atom: Atom, shape: tuple[int, ...]) -> Atom | None:
    """The scalar that stands everywhere in an array of a shape, if it is known to."""
    if atom.aval.shape == ():
        return atom
    if atom.aval.shape != shape:
        return None
    if isinstance(atom, Constant):
        return _element_of(atom) if atom.aval.size else None
    maker = scope.maker(atom)
    if maker is not None and maker.primitive.name == "broadcast_in_dim":
        return _uniform(scope, maker.invars[0], maker.invars[0].aval.shape)
    return None


def _element_of(constant: Constant) -> Atom | None:
    """The scalar that a constant array holds everywhere, bit for bit."""
    array = np.asarray(constant.value)
    first = array.reshape(-1)[0]
    same = np.broadcast_to(first, array.shape).tobytes() == array.tobytes()
    return Constant(first, constant.aval.update(shape=())) if same else None


def _of_scalars(
    scope: _Scope, equation: Any, scalars: Sequence[Any], aval: Any, sources: Sources
) -> Sequence[Atom]:
    """An elementwise equation of arrays that are the same everywhere: computed once."""
    single = aval.update(shape=())
    params = equation.params
    (one,) = _place(scope, equation.primitive, params, scalars, [single], sources)
    return [_spread(scope, one, aval, (), sources)]


def _spread(scope: _Scope, atom: Atom, aval: Any, axes: tuple[int, ...], sources: Sources) -> Atom:
    """An array broadcast, its axes standing at ``axes`` of the result."""
    params = {"shape": aval.shape, "broadcast_dimensions": axes, "sharding": None}
    return _place(scope, lax.broadcast_in_dim_p, params, [atom], [aval], sources)[0]


def _closed(jaxpr: Any) -> ClosedJaxpr:
    return jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, ())


def _place(
    scope: _Scope,
    primitive: Any,
    params: dict[str, Any],
    inputs: Sequence[Atom],
    avals: Iterable[Any],
    sources: Sources,
) -> Sequence[Atom]:
    """Adds an equation to the outermost scope that has its inputs, or finds an equal one."""
    captured = set(_captured(params))
    while scope.outer and scope.hoists:
        if any(wire in scope.own for wire in (*inputs, *captured)):
            break
        scope = scope.outer
    key = (
        primitive.name,
        tuple(_atom_key(atom) for atom in inputs),
        _frozen(params),
    )
    at: _Scope | None = scope
    while at is not None:
        if key in at.seen:
            return at.seen[key]
        at = at.outer
    outvars = tuple(_wire(scope, aval) for aval in avals)
    equation = Equation(primitive, params, tuple(inputs), outvars, sources)
    scope.equations.append(equation)
    scope.made |= dict.fromkeys(outvars, equation)
    scope.seen[key] = outvars
    return outvars


def _fold(equation: Any, inputs: Sequence[Atom]) -> list[Atom] | None:
    """Evaluates an equation of constants alone by JAX, where its result is small enough."""
    values = [atom.value for atom in inputs if isinstance(atom, Constant)]
    if len(values) != len(inputs) or equation.effects:
        return None
    given = sum(_bytes(atom.aval) for atom in inputs)
    made = sum(_bytes(v.aval) for v in equation.outvars)
    if made > max(FOLDED, given) and not any(_inner(a.aval) for a in (*inputs, *equation.outvars)):
        return None
    results = folding.evaluate(equation, values)
    return [Constant(r, v.aval) for r, v in zip(results, equation.outvars, strict=True)]


def _inner(aval: Any) -> bool:
    """Whether an array is of a kind that stays inside JAX: a key, or the bits of a draw."""
    dtype = aval.dtype
    return bool(jnp.issubdtype(dtype, jax.dtypes.extended)) or dtype in (
        np.uint32,
        np.uint64,
    )


def _bytes(aval: Any) -> int:
    return int(np.prod(aval.shape, dtype=int)) * int(getattr(aval.dtype, "itemsize", 8))


def _identity(name: str, params: dict[str, Any], inputs: list[Atom], equation: Any) -> Atom | None:
    """The input that an equation gives back unchanged, bit for bit, if it does."""
    if not equation.outvars:
        return None
    aval = equation.outvars[0].aval

    def uniform(atom: Atom, value: float) -> bool:
        return isinstance(atom, Constant) and bool(np.all(np.asarray(atom.value) == value))

    def fits(atom: Atom) -> bool:
        return bool(atom.aval.shape == aval.shape and atom.aval.dtype == aval.dtype)

    if name in ("stop_gradient", "copy", "copy_p") and fits(inputs[0]):
        return inputs[0]
    if name == "convert_element_type" and fits(inputs[0]):
        return inputs[0]
    if name in ("mul", "max", "min") and not jnp.issubdtype(
        inputs[0].aval.dtype, jax.dtypes.extended
    ):
        neutral = {"mul": 1, "max": -np.inf, "min": np.inf}[name]
        for atom, other in (inputs, inputs[::-1]):
            if uniform(atom, neutral) and fits(other):
                return other
    if name in ("or", "and", "ne", "eq", "xor") and str(inputs[0].aval.dtype) == "bool":
        for atom, other in (inputs, inputs[::-1]):
            if uniform(atom, name in ("and", "eq")) and fits(other):
                return other
    if name == "select_n" and isinstance(inputs[0], Constant) and inputs[0].aval.shape == ():
        chosen = inputs[1 + int(np.asarray(inputs[0].value))]
        return chosen if fits(chosen) else None
    if name == "select_n" and all(fits(case) for case in inputs[1:]):
        first, *others = inputs[1:]
        if all(_atom_key(case) == _atom_key(first) for case in others):
            return first
    return None


# ------------------------------------------------------------------ branches and loops


def _body(
    scope: _Scope,
    closed: ClosedJaxpr,
    given: Sequence[Atom | None],
    sources: Sources,
    *,
    hoists: bool,
) -> Graph:
    """A body whose parameters are those that are not given."""
    inner = _Scope(scope, hoists)
    arguments: list[Atom] = []
    invars = []
    for variable, atom in zip(closed.jaxpr.invars, given, strict=True):
        if atom is None:
            atom = _wire(inner, variable.aval)
            invars.append(atom)
        arguments.append(atom)
    outvars = _inline(inner, closed, arguments, sources)
    return Graph(tuple(invars), inner.equations, tuple(outvars))


def _cond(scope: _Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    index, operands = inputs[0], inputs[1:]
    branches = equation.params["branches"]
    if isinstance(index, Constant):
        chosen = int(np.clip(np.asarray(index.value).astype(int), 0, len(branches) - 1))
        return _inline(scope, branches[chosen], operands, sources)
    bodies = tuple(_body(scope, branch, operands, sources, hoists=False) for branch in branches)
    avals = [v.aval for v in equation.outvars]
    params = {"branches": bodies}
    return _place(scope, equation.primitive, params, [index], avals, sources)


def _unchanging(given: list[Atom | None], body: Graph, initial: Sequence[Atom]) -> list[int]:
    """The carries that a body hands on as it got them."""
    free = [i for i, atom in enumerate(given[: len(initial)]) if atom is None]
    handed = dict(zip(free, body.invars, strict=False))
    return [i for i, wire in handed.items() if body.outvars[i] is wire]


def _scan(scope: _Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params = equation.params
    consts, carries, length = params["num_consts"], params["num_carry"], params["length"]
    given_consts = inputs[:consts]
    initial, sequences = inputs[consts : consts + carries], inputs[consts + carries :]
    elements_of = [
        _every(scope, sequence, variable.aval, sources) if length else None
        for sequence, variable in zip(
            sequences, _closed(params["jaxpr"]).jaxpr.invars[consts + carries :], strict=True
        )
    ]
    fixed: list[Atom | None] = [*([None] * carries), *elements_of]
    sequences = [s for s, same in zip(sequences, elements_of, strict=True) if same is None]
    while True:
        body = _body(scope, _closed(params["jaxpr"]), [*given_consts, *fixed], sources, hoists=True)
        same = _unchanging(fixed, body, initial)
        if not same:
            break
        for i in same:
            fixed[i] = initial[i]
    free = [i for i in range(carries) if fixed[i] is None]
    results: dict[int, Atom] = {i: initial[i] for i in range(carries) if fixed[i] is not None}
    elements = dict(zip(body.invars[len(free) :], sequences, strict=True))
    stacked = []
    for number in range(carries, len(equation.outvars)):
        atom, aval = body.outvars[number], equation.outvars[number].aval
        if isinstance(atom, Wire) and atom in elements:
            results[number] = elements[atom]
        elif length and not _belongs(atom, body):
            results[number] = _repeat(scope, atom, aval, sources)
        else:
            stacked.append(number)
    outputs = [*free, *stacked]
    body = Graph(body.invars, body.equations, tuple(body.outvars[n] for n in outputs))
    placed = _place(
        scope,
        equation.primitive,
        {"body": body, "carries": len(free), "length": length, "reverse": params["reverse"]},
        [*(initial[i] for i in free), *sequences],
        [equation.outvars[n].aval for n in outputs],
        sources,
    )
    results |= dict(zip(outputs, placed, strict=True))
    return [results[n] for n in range(len(equation.outvars))]


def _belongs(atom: Atom, body: Graph) -> bool:
    """Whether an atom is made inside a body."""
    if isinstance(atom, Constant):
        return False
    made = (wire for equation in body.equations for wire in equation.outvars)
    return atom in body.invars or any(wire is atom for wire in made)


def _repeat(scope: _Scope, atom: Atom, aval: Any, sources: Sources) -> Atom:
    """An array of the same thing along a new first axis."""
    return _spread(scope, atom, aval, tuple(range(1, len(aval.shape))), sources)


def _every(scope: _Scope, sequence: Atom, aval: Any, sources: Sources) -> Atom | None:
    """What a sequence has at each of its places, if that is the same."""
    if isinstance(sequence, Constant):
        if _inner(sequence.aval) or not sequence.aval.size:
            return None
        array = np.asarray(sequence.value)
        same = np.broadcast_to(array[:1], array.shape).tobytes() == array.tobytes()
        return Constant(array[0], aval) if same else None
    maker = scope.maker(sequence)
    if maker is None or maker.primitive.name != "broadcast_in_dim":
        return None
    axes = maker.params["broadcast_dimensions"]
    operand = maker.invars[0]
    if 0 in axes:
        return None
    if operand.aval.shape == aval.shape:
        return operand
    return _spread(scope, operand, aval, tuple(axis - 1 for axis in axes), sources)


def _while(scope: _Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params = equation.params
    test_consts, body_consts = params["cond_nconsts"], params["body_nconsts"]
    for_test = inputs[:test_consts]
    for_body = inputs[test_consts : test_consts + body_consts]
    initial = inputs[test_consts + body_consts :]
    fixed: list[Atom | None] = [None] * len(initial)
    while True:
        body = _body(
            scope, _closed(params["body_jaxpr"]), [*for_body, *fixed], sources, hoists=True
        )
        same = _unchanging(fixed, body, initial)
        if not same:
            break
        for i in same:
            fixed[i] = initial[i]
    test = _body(scope, _closed(params["cond_jaxpr"]), [*for_test, *fixed], sources, hoists=True)
    free = [i for i, atom in enumerate(fixed) if atom is None]
    body = Graph(body.invars, body.equations, tuple(body.outvars[i] for i in free))
    placed = _place(
        scope,
        equation.primitive,
        {"test": test, "body": body},
        [initial[i] for i in free],
        [equation.outvars[i].aval for i in free],
        sources,
    )
    results: dict[int, Atom] = dict(zip(free, placed, strict=True))
    return [results.get(i, initial[i]) for i in range(len(initial))]


# ------------------------------------------------------------------ equal equations


def _graphs(params: dict[str, Any]) -> list[Graph]:
    graphs = []
    for value in params.values():
        values = value if isinstance(value, tuple) else (value,)
        graphs += [each for each in values if isinstance(each, Graph)]
    return graphs


def _captured(params: dict[str, Any]) -> Iterable[Wire]:
    """What the bodies in an equation's parameters read from outside themselves."""
    for graph in _graphs(params):
        yield from captured(graph)


def captured(graph: Graph) -> list[Wire]:
    """What a body reads from outside itself, bodies within it included."""
    own = set(graph.invars)
    found: dict[Wire, None] = {}
    for equation in graph.equations:
        for atom in (*equation.invars, *_captured(equation.params)):
            if isinstance(atom, Wire) and atom not in own:
                found[atom] = None
        own.update(equation.outvars)
    found |= dict.fromkeys(a for a in graph.outvars if isinstance(a, Wire) and a not in own)
    return list(found)


def _atom_key(atom: Atom, names: dict[Wire, int] | None = None) -> Hashable:
    if isinstance(atom, Constant):
        return atom.key()
    return names[atom] if names and atom in names else ("wire", id(atom))


def _frozen(value: Any, names: dict[Wire, int] | None = None) -> Hashable:
    """Something hashable that is equal for equal parameters."""
    if isinstance(value, Graph):
        names = dict(names or {})
        for wire in value.invars:
            names[wire] = len(names)
        rows: list[Hashable] = [tuple(str(wire.aval) for wire in value.invars)]
        for each in value.equations:
            inputs = tuple(_atom_key(atom, names) for atom in each.invars)
            rows.append((each.primitive.name, inputs, _frozen(each.params, names)))
            for wire in each.outvars:
                names[wire] = len(names)
        rows.append(tuple(_atom_key(atom, names) for atom in value.outvars))
        return tuple(rows)
    if isinstance(value, dict):
        return tuple((name, _frozen(each, names)) for name, each in sorted(value.items()))
    if isinstance(value, tuple | list):
        return tuple(_frozen(each, names) for each in value)
    if isinstance(value, np.ndarray | jax.Array):
        return Constant(value, jax.typeof(value)).key()
    try:
        hash(value)
    except TypeError:
        return ("object", id(value))
    return type(value).__name__, value


# ------------------------------------------------------------------ what nobody needs


def prune(graph: Graph) -> None:
    """Removes the equations, and the results of loops, that no result of the graph needs."""
    needed = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    kept = []
    for equation in reversed(graph.equations):
        wanted = [wire in needed for wire in equation.outvars]
        if not any(wanted) and equation.outvars:
            continue  # without results it is done for its effect, which the lowering refuses
        name = equation.primitive.name
        if name == "scan":
            _prune_loop(equation, wanted, equation.params["carries"])
        elif name == "while":
            _prune_loop(equation, wanted, len(wanted))
        elif name == "cond":
            _prune_branches(equation, wanted)
        needed.update(atom for atom in equation.invars if isinstance(atom, Wire))
        needed.update(_captured(equation.params))
        kept.append(equation)
    graph.equations[:] = kept[::-1]


def _prune_branches(equation: Equation, wanted: list[bool]) -> None:
    branches = equation.params["branches"]
    for branch in branches:
        branch.outvars = tuple(a for a, keep in zip(branch.outvars, wanted, strict=True) if keep)
        prune(branch)
    outvars = zip(equation.outvars, wanted, strict=True)
    equation.outvars = tuple(wire for wire, keep in outvars if keep)


def _prune_loop(equation: Equation, wanted: list[bool], carries: int) -> None:
    """Drops the carries and stacks that nobody reads, and the sequences that then nobody reads."""
    params = equation.params
    body, test = params["body"], params.get("test")
    if test is not None:
        prune(test)
        read = _read(test)
        wanted = [w or wire in read for w, wire in zip(wanted, test.invars, strict=True)]
    while True:
        trial = Graph(
            body.invars,
            list(body.equations),
            tuple(a for a, keep in zip(body.outvars, wanted, strict=True) if keep),
        )
        read = _needed(trial)
        more = [w or (i < carries and body.invars[i] in read) for i, w in enumerate(wanted)]
        if more == wanted:
            break
        wanted = more
    body.outvars = trial.outvars
    prune(body)
    read = _read(body)
    keep = [wanted[i] if i < carries else body.invars[i] in read for i in range(len(body.invars))]
    body.invars = tuple(w for w, k in zip(body.invars, keep, strict=True) if k)
    equation.invars = tuple(a for a, k in zip(equation.invars, keep, strict=True) if k)
    if test is not None:
        test.invars = tuple(w for w, k in zip(test.invars, keep, strict=True) if k)
    else:
        params["carries"] = sum(wanted[:carries])
    equation.outvars = tuple(w for w, k in zip(equation.outvars, wanted, strict=True) if k)


def _needed(graph: Graph) -> set[Wire]:
    """What the results of a graph stand on, without changing it."""
    needed = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    for equation in reversed(graph.equations):
        if any(wire in needed for wire in equation.outvars):
            needed.update(atom for atom in equation.invars if isinstance(atom, Wire))
            needed.update(_captured(equation.params))
    return needed


def _read(graph: Graph) -> set[Wire]:
    """All that a graph reads."""
    read = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    for equation in graph.equations:
        read.update(atom for atom in equation.invars if isinstance(atom, Wire))
        read.update(_captured(equation.params))
    return read


def uses(graph: Graph) -> Counter[Wire]:
    """How often each wire is read; a loop reads what lies outside it more than once."""
    counted = Counter(atom for atom in graph.outvars if isinstance(atom, Wire))
    for equation in graph.equations:
        counted.update(atom for atom in equation.invars if isinstance(atom, Wire))
        for body in _graphs(equation.params):
            inside = uses(body)
            if equation.primitive.name != "cond":
                inside.update(captured(body))
            counted.update(inside)
    return counted
