"""The equation under the tape: what the application that is played computes, with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradlab.unroll.examples import THETA

STEPS = 3

H, H_BAR = "<mi>h</mi>", "<mover><mi>h</mi><mo>¯</mo></mover>"
THETA_BAR = "<mover><mi>θ</mi><mo>¯</mo></mover>"
EQUALS, TIMES, PLUS = "<mo>=</mo>", "<mo>·</mo>", "<mo>+</mo>"

STOPPED = (
    '<span data-when="heard_3 stops"><span class="gl-muted">handed to θ:</span> '
    "nothing, because θ is stopped in application {at}</span>"
)


def _at(symbol: str, k: int) -> str:
    return f"<msub>{symbol}<mn>{k}</mn></msub>"


def _number(result: str, k: int, part: str, index: int) -> str:
    """A number of application k, which lights with its place in the picture."""
    return f'<mn data-part="{part}" data-index="{index}">{{{result}.{k - 1}:2}}</mn>'


def _line(words: Sequence[str], terms: Callable[[int], str], when: str = "") -> str:
    """A line of the equation, about the application that is played."""
    return "".join(
        f'<span data-when="at={k}{when}"><span class="gl-muted">{words[k - 1]}:</span> '
        f"<math>{terms(k)}</math></span>"
        for k in (1, 2, 3)
    )


def _forward(k: int) -> str:
    before, after = _at(H, k - 1), _at(H, k)
    given = f"<mn>{THETA}</mn>{TIMES}{_number('before', k, 'states', k)}"
    tanh = "<mi>tanh</mi><mo>(</mo>{}<mo>)</mo>"
    return (
        f"{after}{EQUALS}{tanh.format('<mi>θ</mi>' + TIMES + before)}{EQUALS}{tanh.format(given)}"
        f"{EQUALS}{_number('after', k, 'states', k + 1)}"
    )


def _arrives(k: int) -> str:
    own = f"{_at(H, k)}<mo>−</mo><mn>0.2</mn>"
    arrived = _number("arrived", k, "cotangents", k + 1)
    if k == STEPS:
        return f"{_at(H_BAR, k)}{EQUALS}{own}{EQUALS}{arrived}"
    passed = _number("passed", k + 1, "passed", k + 1)
    numbers = f"{_number('own', k, 'losses', k)}{PLUS}{passed}"
    symbols = f"<mo>(</mo>{own}<mo>)</mo>{PLUS}{passed}"
    # two formulas, so that a narrow page can break the line between them
    return f"{_at(H_BAR, k)}{EQUALS}{symbols}</math> <math>{EQUALS}{numbers}{EQUALS}{arrived}"


def _shared(k: int) -> tuple[str, str]:
    """The two factors that both products have: in symbols, and in numbers."""
    mark = f'<mrow data-part="shared" data-index="{k}">{{}}</mrow>'
    square = f"<msubsup><mi>h</mi><mn>{k}</mn><mn>2</mn></msubsup>"
    slope = f"<mo>(</mo><mn>1</mn><mo>−</mo>{square}<mo>)</mo>"
    arrived = _number("arrived", k, "cotangents", k + 1)
    numbers = f"{arrived}{TIMES}<mn>{{slope.{k - 1}:2}}</mn>"
    return mark.format(_at(H_BAR, k) + TIMES + slope), mark.format(numbers)


def _to_theta(k: int) -> str:
    symbols, numbers = _shared(k)
    return (
        f"{symbols}{TIMES}{_at(H, k - 1)}{EQUALS}{numbers}{TIMES}"
        f"{_number('before', k, 'states', k)}{EQUALS}{_number('received', k, 'received', k)}"
    )


def _to_state(k: int) -> str:
    symbols, numbers = _shared(k)
    return (
        f"{symbols}{TIMES}<mi>θ</mi>{EQUALS}{numbers}{TIMES}<mn>{THETA}</mn>{EQUALS}"
        f"{_number('passed', k, 'passed', k)}"
    )


def _sum() -> str:
    terms = "".join(
        f'<mrow data-when="heard_{k}">{_number("received", k, "received", k)}'
        + (f"{PLUS}</mrow>" if k < STEPS else "</mrow>")
        for k in (1, 2, 3)
    )
    return (
        '<span data-when="heard_3"><span class="gl-muted">the gradient of θ:</span> '
        f'<math>{THETA_BAR}{EQUALS}<mrow data-part="total">{terms}<mrow data-when="heard_2">{EQUALS}'
        "<mn>{so_far:2}</mn></mrow></mrow></math> "
        '<span class="gl-muted" data-when="!heard_1">so far</span></span>'
    )


def equation() -> tuple[str, ...]:
    """The lines, for ``FigureSpec.equation``; they ask for the results of ``tape``."""
    return (
        _line([f"application {k}, forward" for k in (1, 2, 3)], _forward),
        _line(
            [
                "arriving at h₁, from ℓ₁ and application 2",
                "arriving at h₂, from ℓ₂ and application 3",
                "arriving at h₃, from ℓ₃",
            ],
            _arrives,
            " heard_3",
        ),
        _line(["handed to θ"] * STEPS, _to_theta, " heard_3 !stops") + STOPPED,
        _line(["handed to h₀", "handed to h₁", "handed to h₂"], _to_state, " heard_3"),
        _sum(),
    )
