"""What the tests of the river in a browser read of it."""

from __future__ import annotations

from typing import Any

LANDING = "book/index.html"
RIVER = "figure[data-figure=UnrolledFlow]"


def ready(page: Any) -> Any:
    figure = page.locator("figure.gl-figure.gl-ready").first
    figure.wait_for()
    return figure


def painted(figure: Any, selector: str, *attributes: str) -> list[list[str]]:
    """The attributes of what matches in the picture that is seen."""
    return figure.evaluate(
        """(figure, [selector, attributes]) => {
          const svg = [...figure.querySelectorAll(".gl-live svg")].find((s) => s.checkVisibility());
          return [...svg.querySelectorAll(selector)].map((e) => attributes.map((a) => e.getAttribute(a)));
        }""",
        [selector, list(attributes)],
    )


def lane(figure: Any) -> list[list[str]]:
    return painted(figure, ".gl-value", "x", "y", "width", "height")


def stream(figure: Any) -> list[list[str]]:
    return painted(figure, ".gl-band", "d")


def sentence(figure: Any) -> str:
    return str(figure.locator(".gl-live .gl-sentence").inner_text())


def lit_terms(figure: Any) -> list[tuple[str, str]]:
    """The parts of the equation that are lit."""
    found = figure.locator(".gl-term.gl-lit").evaluate_all(
        "(all) => all.map((e) => [e.dataset.part, e.dataset.index ?? ''])"
    )
    return [(part, index) for part, index in found]


def show_all(figure: Any) -> None:
    """Let the figure show what it would have predicted first."""
    figure.get_by_role("button", name="Skip, show me").click()


def handle(figure: Any, control: str) -> Any:
    return figure.locator(f".gl-live svg:visible [data-handle={control}]")
