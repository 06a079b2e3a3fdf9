"""Every public optimizer and loss of Optax, every function of jax.nn, jax.numpy and its linalg, and
the special functions of jax.scipy.

They are found by introspection, and given vectors: each agrees with JAX in Node, or is refused by
name. None is wrong.
"""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from typing import get_origin

import jax
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np
import optax
import optax.contrib
import pytest
from tests.compiler.fuzzing.check import differing
from tests.compiler.fuzzing.reference import standards

from explorax.compiler import ProgramError, UnsupportedPrimitive, compile

X = np.array([0.3, -1.2, 0.0, 2.1, -0.25, 40.0, 0.7, -3.5])
Y = np.array([1.5, 0.4, 0.9, 0.2, 3.0, 1.0, -0.6, 2.0])
INTEGERS = np.array([3, 0, 5, 1, 1, 2, 7, 4])
M = np.reshape(X / 7 + Y, (4, 2))
SHARES = np.array([0.1, 0.2, 0.05, 0.15, 0.1, 0.1, 0.25, 0.05])  # they add up to 1
LABELS = np.array([1, 0, 0, 1])
# what to try, in this order, until JAX takes it
ARGUMENTS = [(X,), (X, Y), (INTEGERS,), (INTEGERS, INTEGERS[::-1]), (M,), (M, M)]

# For functions of which introspection does not tell what they take.
SPECIAL = {
    "ctc_loss": (np.reshape([*X, *Y], (2, 4, 2)), np.zeros((2, 4)), np.ones((2, 1), int), np.zeros((2, 1))),
    "dot_product_attention": [np.reshape(v, (1, 4, 1, 2)) for v in (X, Y, X + Y)],
    "hinge_loss": (X / 4, np.sign(Y)),  # else at its kink, where a fused 1 - x * y is not 0
    "multiclass_hinge_loss": (M, LABELS),
    "multiclass_perceptron_loss": (M, LABELS),
    "multiclass_sparsemax_loss": (M, LABELS),
    "ntxent": (M, LABELS),
    "softmax_cross_entropy_with_integer_labels": (M, LABELS),
}  # fmt: skip
SPECIAL["ctc_loss_with_forward_probs"] = SPECIAL["ctc_loss"]
OPTIONS = {
    "dpsgd": {"l2_norm_clip": 1.0, "noise_multiplier": 0.0, "seed": 0},
    "noisy_sgd": {"key": 0},
    "one_hot": {"num_classes": 4},
    "scale_by_backtracking_linesearch": {"max_backtracking_steps": 5},
    "scale_by_zoom_linesearch": {"max_linesearch_steps": 5},
    "schedule_free": {"base_optimizer": optax.sgd(0.1)},
}
BEFORE = {  # what comes before an optimizer: a batch of one for the one that clips examples
    "dpsgd": optax.stateless(lambda grads, _: jax.tree.map(lambda leaf: leaf[None], grads)),
}
# What is not a function of arrays.
NOT_OF_ARRAYS = {
    "make_fenchel_young_loss": "takes a function",
    "get_scaled_dot_general_config": "takes the name of a format",
}


def public(module):
    """The public functions of a module, by their names."""
    names = (n for n in sorted(dir(module)) if not n.startswith("_") and n not in NOT_OF_ARRAYS)
    found = {name: getattr(module, name) for name in names}
    return {
        name: f
        for name, f in found.items()
        if callable(f) and not inspect.isclass(f) and get_origin(f) is None
    }


def trained(make, before=None):
    """Some steps of an optimizer, in a scan."""

    def loss(params, obj_fn=None):  # which the line searches would hand on
        return jnp.sum(jnp.sin(params["w"]) ** 2) + jnp.sum(params["b"] ** 2)

    def train(params):
        tx = optax.chain(before or optax.identity(), make())

        def step(carry, _):
            params, state = carry
            value, grads = jax.value_and_grad(loss)(params)
            updates, state = tx.update(
                grads, state, params, value=value, grad=grads, value_fn=loss, obj_fn=loss
            )
            return (optax.apply_updates(params, updates), state), value

        (params, _), losses = jax.lax.scan(step, (params, tx.init(params)), length=4)
        return params, losses

    return train


def optimizers():
    for name, make in (public(optax.contrib) | public(optax)).items():
        parameters = inspect.signature(make).parameters
        rates = {p: 0.1 for p in parameters if p.endswith("learning_rate")}
        if rates:
            given = rates | OPTIONS.get(name, {})
            train = trained(functools.partial(make, **given), BEFORE.get(name))
            yield name, train, [({"w": M, "b": Y[:2]},)]


def with_slope(function):
    """The results of a function of floats, and what half of them send back to its first argument."""

    def both(first, *rest):
        if not jnp.issubdtype(jnp.asarray(first).dtype, jnp.floating):
            return function(first, *rest)
        value, pull = jax.vjp(lambda x: function(x, *rest), first)
        return value, pull(jax.tree.map(lambda leaf: jnp.full_like(leaf, 0.5), value))

    return both


def losses():
    for name, function in public(optax.losses).items():
        required = [
            p for p in inspect.signature(function).parameters.values() if p.default is p.empty
        ]
        given = [SHARES if p.name in ("labels", "targets") else X / 4 for p in required]
        yield name, with_slope(function), [tuple(SPECIAL.get(name, given))]


def neural():
    for name, function in public(jax.nn).items():
        call = with_slope(functools.partial(function, **OPTIONS.get(name, {})))
        yield name, call, [tuple(SPECIAL[name])] if name in SPECIAL else ARGUMENTS


def of(module, arguments):
    def functions():
        for name, function in public(module).items():
            yield name, lambda *given, f=function: f(*given), arguments

    return functions


LIBRARIES = {
    "Optax's optimizers": optimizers,
    "Optax's losses": losses,
    "jax.nn": neural,
    "jax.numpy": of(jnp, ARGUMENTS),
    "jax.numpy.linalg": of(jnp.linalg, [(M @ M.T + np.diag(X[:4]),), (M, Y[:4]), *ARGUMENTS]),
    "jax.scipy.special": of(sp, [(SHARES,), (SHARES, Y**2), (SHARES, Y**2, SHARES), *ARGUMENTS]),
}
REFUSED = {  # where all else is known to agree
    "jax.numpy.linalg": {"eig", "eigvals"},
    "jax.scipy.special": {"polygamma", "wofz", "zeta"},
}
ALWAYS = {"adam", "sgd", "lion", "softmax_cross_entropy", "gelu"}

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def taken(function, attempts):
    """The first arguments that JAX takes, and gives arrays for; None where there are none."""
    for arguments in attempts:
        try:
            with jax.enable_x64(True):
                if jax.tree.leaves(jax.eval_shape(function, *arguments)):
                    return arguments
        except Exception as error:
            refusal = error
    assert len(attempts) > 1, refusal
    return None


def outcome(function, arguments, run):
    """Classify a function: ``agree``, ``wrong``, or the name by which it is refused."""
    try:
        program = compile(function, *arguments)
    except ProgramError as error:
        return f"refused: {named(error)}"
    leaves = jax.tree.leaves(arguments)
    (found,) = run(program.javascript, [leaves], [leaf.dtype for leaf in program.outputs])
    expected = [np.ravel(x) for x in jax.tree.leaves(program(*arguments))]
    return "wrong" if differing(found, expected, standards(program._trace.jaxpr)) else "agree"


def named(error):
    """The primitive that an error names, or its sentence."""
    if isinstance(error, UnsupportedPrimitive):
        assert f"The JAX primitive '{error.primitive}'" in str(error)
        return error.primitive
    assert str(error).endswith(".")
    return str(error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "every"),
    [
        *((library, 16) for library in [*LIBRARIES][:4]),
        *(pytest.param(library, 1, marks=pytest.mark.exhaustive) for library in LIBRARIES),
    ],
)
def test_public_functions_agree_or_are_refused_by_name(library, every, run_in_node):
    cases = sorted(LIBRARIES[library](), key=lambda case: case[0])
    found = {
        name: outcome(function, arguments, run_in_node)
        for number, (name, function, attempts) in enumerate(cases)
        if number % every == 0 or name in ALWAYS
        if (arguments := taken(function, attempts)) is not None
    }
    counts = Counter(result.partition(":")[0] for result in found.values())
    print(f"\n{library}: {len(cases)} public functions", counts)
    for name, result in found.items():
        if result != "agree":
            print(f"  {name}: {result}")
    assert counts["wrong"] == 0
    assert counts["agree"] > counts["refused"]
    refused = {name for name, result in found.items() if result.startswith("refused")}
    assert every > 1 or refused <= REFUSED.get(library, refused)
