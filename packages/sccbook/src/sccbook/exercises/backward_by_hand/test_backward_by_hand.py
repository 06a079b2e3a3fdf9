"""A bank of answers to chapter 00's exercise."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

from scaleclip.ops import scale_gradient
from sccbook.exercises import check

SOLUTION = r"\*\*|states\[|\+=|1 - |\bs \*"


def by_loop(theta, states, targets, s):
    gradient = cotangent = 0.0
    for k in range(len(targets), 0, -1):
        cotangent += states[k] - targets[k - 1]
        shared = cotangent * (1 - states[k] ** 2)
        gradient += shared * states[k - 1]
        cotangent = s * shared * theta
    return gradient


def total_loss(theta, h, targets, gate):
    loss = 0.0
    for target in targets:
        h = jnp.tanh(theta * h)
        loss += (h - target) ** 2 / 2
        h = gate(h)
    return loss


def by_jax(theta, states, targets, s):
    return jax.grad(total_loss)(theta, states[0], targets, lambda h: scale_gradient(h, s))


def in_forward_mode(theta, states, targets, s):
    tangent = gradient = 0.0
    for before, after, target in zip(states[:-1], states[1:], targets, strict=True):
        tangent = (1 - after**2) * (before + theta * s * tangent)
        gradient += (after - target) * tangent
    return gradient


RIGHT = {
    "a loop from the end": by_loop,
    "by jax.grad": by_jax,
    "in forward mode": in_forward_mode,
}


def changed(**changes):
    """The loop with one of its expressions replaced."""
    texts = {
        "own": "after - target",
        "arrived": "cotangent + own",
        "slope": "1 - after**2",
        "shared": "arrived * slope",
        "handed": "shared * before",
        "gradient": "gradient + handed",
        "cotangent": "s * shared * theta",
    }
    loop = {name: compile(text, "answer", "eval") for name, text in {**texts, **changes}.items()}

    def answer(theta, states, targets, s):
        last = len(targets)
        here = {"theta": theta, "s": s, "last": last, "gradient": 0.0, "cotangent": 0.0}
        for k in range(last, 0, -1):
            here |= {"k": k, "before": states[k - 1], "after": states[k], "target": targets[k - 1]}
            for name, text in loop.items():
                here[name] = eval(text, here)
        return here["gradient"]

    return answer


PLAIN = "shared * theta"

WRONG = {
    "other_slope": [
        changed(slope="1 - after"),
        changed(slope="1 - after", cotangent=PLAIN),
        changed(slope="1 + after**2"),
    ],
    "scale_missing": [
        lambda t, h, y, s: by_loop(t, h, y, s=1),
        changed(cotangent="(s * shared + (1 - s) * shared) * theta"),
    ],
    "everything_scaled": [
        changed(own="s * (after - target)", cotangent=PLAIN),
        changed(handed="s * shared * before", cotangent=PLAIN),
    ],
    "own_loss_scaled_too": [
        changed(arrived="s * (cotangent + own)", cotangent=PLAIN),
        changed(shared="s * arrived * slope", cotangent=PLAIN),
        changed(handed="s * shared * before"),
        changed(own="s * (after - target)"),
        changed(arrived="(s if k < last else 1) * (cotangent + own)", cotangent=PLAIN),
        changed(handed="(s if k < last else 1) * shared * before"),
    ],
    "states_scaled": [
        changed(handed="shared * (s * before if k > 1 else before)"),
        lambda t, h, y, s: by_loop(t, [s * x for x in h], y, s),
    ],
    "one_gate_only": [
        changed(cotangent="(s if k == last else 1) * shared * theta"),
        changed(cotangent="(s if k == 2 else 1) * shared * theta"),
    ],
    "gradient_scaled_in_each_turn": [
        changed(gradient="s * (gradient + handed)", cotangent=PLAIN),
        changed(gradient="s * (gradient + handed)"),
        changed(gradient="s * gradient + handed"),
    ],
    "all_shares_but_the_last_scaled": [
        changed(handed="(s if k < last else 1) * shared * before", cotangent=PLAIN),
    ],
    "scaled_by_the_distance_from_the_end": [
        changed(handed="s**(last - k) * shared * before", cotangent=PLAIN)
    ],
    "scaled_from_the_wrong_end": [
        changed(handed="s**(k - 1) * shared * before", cotangent=PLAIN),
        changed(gradient="s * gradient + handed", cotangent=PLAIN),
    ],
    "scaled_more_and_more": [
        changed(cotangent="s**(last - k + 1) * shared * theta"),
        changed(handed="s**(last - k) * shared * before"),
    ],
    "scaled_twice": [
        changed(cotangent="s * s * shared * theta"),
        changed(arrived="s * cotangent + own"),
    ],
    "one_minus_s": [changed(cotangent="(1 - s) * shared * theta")],
    "divided": [changed(cotangent="shared * theta / s")],
    "last_use_only": [
        lambda t, h, y, s: by_loop(t, h[-2:], y[-1:], s),
    ],
    "overwritten": [changed(gradient="handed"), changed(gradient="handed", cotangent=PLAIN)],
    "chain_forgotten": [changed(cotangent="0.0")],
    "own_loss_forgotten": [lambda t, h, y, s: by_loop(t, h, [*h[1:-1], y[-1]], s)],
    "joins_late": [
        changed(arrived="cotangent", cotangent="s * shared * theta + own"),
        changed(arrived="cotangent", cotangent="shared * theta + own"),
    ],
    "factor_two": [
        changed(own="2 * (after - target)"),
    ],
    "sign": [changed(own="target - after"), lambda t, h, y, s: -by_loop(t, h, y, s)],
    "averaged": [lambda t, h, y, s: by_loop(t, h, y, s) / len(y)],
    "gradient_of_the_state": [changed(gradient="shared * theta")],
    "no_slope": [changed(slope="1.0"), changed(slope="1.0", cotangent=PLAIN)],
    "no_slope_in_the_chain": [changed(cotangent="s * arrived * theta")],
    "no_theta_in_the_chain": [changed(cotangent="s * shared")],
    "theta_for_state": [changed(handed="shared * theta")],
    "tanh_of_the_state_before": [changed(slope="1 - before**2")],
    "shifted": [changed(handed="shared * after")],
    "targets_backwards": [lambda t, h, y, s: by_loop(t, h, y[::-1], s)],
    "wrong": [changed(own="abs(after - target)"), lambda t, h, y, s: by_loop(t, h, y, s) + 1],
    "shape_changed": [lambda t, h, y, s: by_loop(t, h, y, s) * np.ones(3)],
    "structure_changed": [lambda t, h, y, s: (by_loop(t, h, y, s), 0.0)],
    "raises": [lambda t, h, y, s: h[99], lambda t, h, y: 0.0, lambda t, h, y, s: sum(h - y)],
    "not_callable": [0.5],
}


def test_finite_differences_miss_the_gate():
    """A gate leaves the loss alone, so no finite difference sees it."""

    def nudged(theta, states, targets, s):
        def loss(theta):
            return total_loss(theta, states[0], targets, lambda h: scale_gradient(h, s))

        return (loss(theta + 1e-5) - loss(theta - 1e-5)) / 2e-5

    with jax.enable_x64(True):
        assert check("backward_by_hand", nudged).finding == "scale_missing"


ALONE = """
import sys


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "jax", "jaxlib", "ml_dtypes"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Refuse())
from sccbook.exercises import check


def answer(theta, states, targets, s):
    gradient = cotangent = 0.0
    for k in range(len(targets), 0, -1):
        cotangent += states[k] - targets[k - 1]
        shared = cotangent * (1 - states[k] ** 2)
        gradient += shared * states[k - 1]
        cotangent = s * shared * theta
    return gradient


print(check("backward_by_hand", answer).finding)
print(check("backward_by_hand", lambda t, h, y, s: answer(t, h, y, 1)).finding)
print(check("backward_by_hand", lambda t, h, y, s: 7.0).message)
print(check("backward_by_hand", lambda t, h, y, s: h).finding)
print(check("backward_by_hand", lambda t, h, y, s: (h, {1})).finding)
print(check("backward_by_hand", lambda t, h, y, s: h - y).message)
print(check("backward_by_hand", 7.0).finding)
print(*{name.partition(".")[0] for name in sys.modules} & {"numpy", "jax", "jaxlib", "ml_dtypes"})
"""


def test_the_check_needs_the_standard_library_alone():
    run = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "passed",
        "scale_missing",
        "for three steps, theta = 1.4 and s = 0.5 the gradient of theta should be 0.5809, not 7.0.",
        "structure_changed",
        "structure_changed",
        "for three steps, theta = 1.4 and s = 0.5 it raised TypeError: unsupported operand type(s) for "
        "-: 'list' and 'list'",
        "not_callable",
        "",
    ]
