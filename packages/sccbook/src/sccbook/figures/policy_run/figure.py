"""A policy of 30 weights, trained in the page by a policy gradient."""

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp

from explorax import Choice, Integer, LogRange, Part, Prediction, Preset, Table
from explorax.figure.runs import Run
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, History, Level, Panels, Series, View
from sccbook.figures._views import DIST
from sccbook.models import policy

STEPS = 200
FRAMES = 150
RATE, LIMIT = 10.0, 0.3
SEED = 13
FAR, VERY_FAR = 1 + policy.EPSILON, 100.0
"""Ratios by which the question asks how far the policy goes."""
OUTCOMES = ("It stays at 1.2", "It passes 1.2, but stays below 100", "It passes 100")


def train_step(
    carry: Any, surrogate: Any, clip: Any, rate: Any, epochs: Any, optimizer: Any
) -> Any:
    """One batch; what it records besides is the policy, the largest ratio so far, its batch, and how far that is."""
    training, largest, peak, batch = carry
    limit = jnp.where(clip == 1, LIMIT, jnp.inf)
    training, record = policy.step(training, surrogate, limit, rate, epochs, optimizer)
    peak = jnp.where(record["ratio"] > largest, batch, peak)
    largest = jnp.maximum(largest, record["ratio"])
    outcome = (largest > FAR).astype(int) + (largest > VERY_FAR).astype(int)
    record |= {
        "stopped": policy.BATCH * record["stopped"],
        "largest": largest,
        "peak": peak,
        "outcome": outcome,
    }
    likely = jnp.exp(policy.log_policy(training.w))
    record |= {f"policy_{n + 1}": likely[n] for n in range(policy.CONTEXTS)}
    return (training, largest, peak, batch + 1), record


def start(seed: Any) -> Any:
    """The first carry of ``train_step``: no peak yet, before batch 1."""
    return policy.start(seed), jnp.zeros(()), *jnp.arange(2, dtype="int32")


def _asks(surrogate: str, question: str, because: str) -> Prediction:
    return Prediction(
        question,
        answer="last_outcome",
        how="choice",
        options=OUTCOMES,
        settings={
            "surrogate": surrogate,
            "clip": "off",
            "rate": RATE,
            "epochs": policy.EPOCHS,
            "optimizer": "sgd",
        },
        reveal=tuple(
            f"{outcome}. In the recorded run the largest ratio is {{last_largest:,.3~g}}, and the reward ends at {{last_reward:.0f}} %: {because}"
            for outcome in OUTCOMES
        ),
    )


_SAID = (
    "After {steps} batches the policy earns {last_reward:.0f} % of the best. The largest ratio was "
    "{last_largest:,.3~g}, at batch {last_peak} (dashed)."
)
RUN: Any = Run(
    train_step, start, STEPS, frames=FRAMES, before=({"surrogate": "plain", "clip": "off"},)
)


@dataclass(frozen=True)
class Policy(View):
    """How likely each action is in each situation; ``pays`` ``[situations, actions]`` is what it brings on average."""

    pays: tuple[tuple[float, ...], ...]
    kind = "policy"
    script = DIST / "policy.js"
    style = DIST / "policy.css"
    reads = tuple(
        f"last_policy_{i + 1}_{j + 1}"
        for i in range(policy.CONTEXTS)
        for j in range(policy.ACTIONS)
    )


class PolicyRun(Figure):
    """A small policy gradient, trained in the page; earlier runs stay behind the present one.

    Args:
      stage: 1 for the surrogate and the clip; 2 for rate, steps on a batch, optimizer and seed too,
        behind "more".
      surrogate: ``"plain"`` (the default), ``"ppo"`` or ``"cispo"``.
      clip: ``"off"`` or ``"on"``: whether the gradient's norm is clipped at 0.3.
      rate: the learning rate, in [0.1, 30], default 10.
      epochs: steps on a batch, 1 to 16, default 16.
      optimizer: ``"sgd"`` or ``"adam"``.
      seed: of the data, 0 to 15.
    """

    spec = FigureSpec(
        function=RUN,
        controls=(
            Choice(
                "surrogate",
                "loss",
                options=(
                    ("plain", "plain ratio"),
                    ("ppo", "PPO’s clip"),
                    ("cispo", "CISPO’s clip"),
                ),
            ),
            Choice(
                "clip", "max_grad_norm", options=(("off", "any norm"), ("on", f"norm ≤ {LIMIT:g}"))
            ),
            LogRange("rate", "learning rate", "η", 0.1, 30.0, RATE, 0.1),
            Integer("epochs", "steps on a batch", "", 1, policy.EPOCHS, policy.EPOCHS),
            Choice("optimizer", "optimizer", options=(("sgd", "SGD"), ("adam", "Adam"))),
            Integer("seed", "seed", "", 0, 15, SEED),
        ),
        view=Panels(
            (
                ("", Policy(tuple(map(tuple, policy.REWARDS.tolist())))),
                (
                    "",
                    History(
                        (Series("reward", "", "state", "line"),),
                        Axis((0.0, 100.0), label="mean reward, % of the best"),
                        label="",
                        levels=(Level(26.1, "at random", role="muted"),),
                        plot=90,
                        at="last_peak",
                    ),
                ),
                (
                    "",
                    History(
                        (Series("ratio", "", "cotangent", "line"),),
                        Axis((0.8, 5000.0), "log", label="largest ratio, new ÷ old probability"),
                        label="batch",
                        plot=90,
                        fine=True,
                        at="last_peak",
                    ),
                ),
            )
        ),
        title="A ratio of 1,750, a ruined policy",
        look="A run named “recorded” was trained with JAX. Earlier runs remain, in grey.",
        sentences=(
            "Press Train: the policy is trained on 200 batches, here in your page.",
            _SAID,
            _SAID,
            "It stops after {steps} of 200 batches, because the next numbers aren’t finite.",
        ),
        table=Table(
            columns=(
                ("batch", "step_at"),
                ("reward, %", "reward_at"),
                ("entropy", "entropy_at"),
                ("largest ratio", "ratio_at"),
                ("of 48 past PPO’s clip", "stopped_at"),
                ("largest gradient norm", "norm_at"),
            ),
            count="reached",
            general=True,
        ),
        labels={
            "run": "Train",
            "situation": "situation",
            "action": "action",
            "likely": "how likely the action is",
            "pays": "what it pays (thick: the best)",
            "across": "across: situations; down: actions",
        },
        presets=[
            Preset(f"{name}’s clip", {"surrogate": name.lower()}) for name in ("PPO", "CISPO")
        ],
        stages=(
            (("surrogate", "clip"), ()),
            (("surrogate", "clip"), ("rate", "epochs", "optimizer", "seed")),
        ),
        stills=({}, {"surrogate": "ppo"}, {"surrogate": "cispo"}),
        parts={
            "policy": Part(
                "last_entropy", "The policy: its entropy is {last_entropy:.2f} nats on average."
            ),
            "reward": Part("last_reward", "The policy earns {last_reward:.0f} % of the best."),
            "ratio": Part(
                "last_ratio",
                "After the last batch’s steps the largest ratio is {last_ratio:,.3~g}.",
            ),
        },
        prediction=_asks(
            "ppo",
            "With the plain loss, one sample’s ratio reaches 1,750, and the policy ends at 45 %. PPO gives no gradient to a "
            "sample whose ratio has passed 1.2: how large does a ratio get?",
            "a sample beyond 1.2 has no gradient of its own, but the others still carry it along.",
        ),
        questions={
            "cispo": _asks(
                "cispo",
                "In CISPO a ratio above 1.2 counts as 1.2, and no sample loses its gradient. How large does "
                "a ratio get?",
                "every sample keeps a gradient, and the clip bounds its weight, not the ratio.",
            ),
        },
        note=(
            "Twelve contexts, five actions; a linear policy of 30 weights over 6 features, which starts with all "
            "actions equally probable. A batch is 48 contexts, an action for each, and a reward with noise of "
            "standard deviation 1; advantages are rewards shifted and scaled to mean 0 and variance 1. The page takes "
            "16 steps on each batch. ε is 0.2; PPO clips on both sides, CISPO only above. The mean reward is the "
            "policy’s expected reward, without noise."
        ),
        source=policy.step,
    )
