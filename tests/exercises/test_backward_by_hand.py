"""A bank of answers to chapter 00's exercise."""

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.exercises import check

SOLUTION = r"\*\*|states\[|\+=|1 - "


def by_loop(theta, states, targets):
    gradient = cotangent = 0.0
    for k in range(len(targets), 0, -1):
        cotangent += 2 * (states[k] - targets[k - 1])
        shared = cotangent * (1 - states[k] ** 2)
        gradient += shared * states[k - 1]
        cotangent = shared * theta
    return gradient


def actions_of(theta, states):
    return np.arctanh(states[1:]) - theta * states[:-1]


def total_loss(theta, h, actions, targets):
    loss = 0.0
    for a, target in zip(actions, targets, strict=True):
        h = jnp.tanh(theta * h + a)
        loss += (h - target) ** 2
    return loss


def by_jax(theta, states, targets):
    return jax.grad(total_loss)(theta, states[0], actions_of(theta, states), targets)


def by_finite_differences(theta, states, targets):
    rest = states[0], actions_of(theta, states), targets
    return (total_loss(theta + 1e-5, *rest) - total_loss(theta - 1e-5, *rest)) / 2e-5


def by_forward_mode(theta, states, targets):
    tangent = gradient = 0.0
    for before, after, target in zip(states[:-1], states[1:], targets, strict=True):
        tangent = (1 - after**2) * (before + theta * tangent)
        gradient += 2 * (after - target) * tangent
    return gradient


def by_pairs(theta, states, targets):
    """Every loss by every application that it reaches, first to last."""
    gradient = 0.0
    for j in range(1, len(states)):
        for k in range(j, len(states)):
            way = np.prod([theta * (1 - states[i] ** 2) for i in range(j + 1, k + 1)])
            sent = 2 * (states[k] - targets[k - 1]) * way
            gradient += sent * (1 - states[j] ** 2) * states[j - 1]
    return gradient


def by_recursion(theta, states, targets, cotangent=0.0):
    if len(targets) == 0:
        return 0
    shared = (cotangent + 2 * (states[-1] - targets[-1])) * (1 - states[-1] ** 2)
    return shared * states[-2] + by_recursion(theta, states[:-1], targets[:-1], shared * theta)


def by_vjp(theta, states, targets):
    gradient, cotangent = 0.0, 0.0
    actions = actions_of(theta, states)
    for k in reversed(range(len(targets))):
        cotangent += 2 * (states[k + 1] - targets[k])
        _, back = jax.vjp(lambda t, h, a=actions[k]: jnp.tanh(t * h + a), theta, states[k])
        handed, cotangent = back(cotangent)
        gradient += handed
    return gradient


def by_writing_into_the_arguments(theta, states, targets):
    gradient = by_loop(theta, states, targets)
    states[:] = 0
    targets[:] = 0
    return np.array(gradient)


RIGHT = {
    "a loop from the end": by_loop,
    "by jax.grad": by_jax,
    "in forward mode": by_forward_mode,
    "every loss by every application": by_pairs,
    "by recursion": by_recursion,
    "by jax.vjp of each application": by_vjp,
    "written into its arguments": by_writing_into_the_arguments,
}


def stub(theta, states, targets):
    k = len(targets)
    cotangent = 2 * (states[k] - targets[k - 1])
    return cotangent * (1 - states[k] ** 2) * states[k - 1]


def chain_forgotten(theta, states, targets):
    after, before = states[1:], states[:-1]
    return sum(2 * (after - targets) * (1 - after**2) * before)


def forward_order(theta, states, targets):
    gradient = cotangent = 0.0
    for k in range(1, len(states)):
        cotangent += 2 * (states[k] - targets[k - 1])
        shared = cotangent * (1 - states[k] ** 2)
        gradient += shared * states[k - 1]
        cotangent = shared * theta
    return gradient


def changed(**changes):
    """The loop with one of its expressions replaced."""
    texts = {
        "own": "2 * (after - target)",
        "arrived": "cotangent + own",
        "slope": "1 - after**2",
        "shared": "arrived * slope",
        "handed": "shared * before",
        "gradient": "gradient + handed",
        "cotangent": "shared * theta",
    }
    loop = {name: compile(text, "answer", "eval") for name, text in {**texts, **changes}.items()}

    def answer(theta, states, targets):
        here = {"theta": theta, "np": np, "gradient": 0.0, "cotangent": 0.0}
        for before, after, target in zip(states[-2::-1], states[:0:-1], targets[::-1], strict=True):
            here |= {"before": before, "after": after, "target": target}
            for name, text in loop.items():
                here[name] = eval(text, here)
        return here["gradient"]

    return answer


WRONG = {
    "last_use_only": [lambda t, h, y: by_loop(t, h[-2:], y[-1:]), stub],
    "overwritten": [changed(gradient="handed")],
    "chain_forgotten": [chain_forgotten, changed(cotangent="0.0")],
    "own_loss_forgotten": [lambda t, h, y: by_loop(t, h, np.r_[h[1:-1], y[-1:]])],
    "joins_late": [changed(arrived="cotangent", cotangent="shared * theta + own")],
    "factor_two": [changed(own="after - target"), lambda t, h, y: by_loop(t, h, y) / 2],
    "sign": [changed(own="2 * (target - after)"), lambda t, h, y: -by_loop(t, h, y)],
    "averaged": [lambda t, h, y: by_loop(t, h, y) / len(y)],
    "gradient_of_the_state": [changed(gradient="shared * theta")],
    "no_slope": [changed(slope="1.0")],
    "no_slope_in_the_chain": [changed(cotangent="arrived * theta")],
    "no_theta_in_the_chain": [changed(cotangent="shared")],
    "passes_on_the_wrong_factor": [changed(cotangent="shared * before")],
    "theta_for_state": [changed(handed="shared * theta")],
    "tanh_twice": [
        changed(slope="1 - np.tanh(after) ** 2"),
        changed(slope="1 / np.cosh(after) ** 2"),
    ],
    "tanh_of_the_input": [changed(slope="1 - np.arctanh(after) ** 2")],
    "tanh_of_the_state_before": [changed(slope="1 - before**2")],
    "shifted": [changed(handed="shared * after")],
    "loss_of_the_state_before": [changed(own="2 * (before - target)")],
    "targets_backwards": [lambda t, h, y: by_loop(t, h, y[::-1])],
    "wrong_direction": [forward_order],
    "wrong": [changed(own="2 * abs(after - target)"), lambda t, h, y: by_loop(t, h, y) + 1],
    "shape_changed": [lambda t, h, y: by_loop(t, h, y) * np.ones(3)],
    "structure_changed": [lambda t, h, y: (by_loop(t, h, y), 0.0)],
    "returns_none": [lambda t, h, y: None],
    "raises": [lambda t, h, y: h[99], lambda t, h: 0.0],
    "not_callable": [0.5],
}


def test_a_finite_difference_passes():
    with jax.enable_x64(True):
        assert check("backward_by_hand", by_finite_differences)
