"""A figure in a page, as a reader has it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

WINDOWS = {"wide": {"width": 1280, "height": 1000}, "narrow": {"width": 360, "height": 800}}
OPEN_FOLDS = (
    "document.querySelectorAll('details:not(.menu)').forEach((fold) => { fold.open = true; })"
)


class Shown:
    """A figure that answers.

    Attributes:
      page: Playwright's.
      root: the figure's element.
    """

    def __init__(self, page: Any, name: str) -> None:
        self.page = page
        self.root = page.locator(f"figure[data-figure={name}].gl-ready").first
        self.root.wait_for()

    @property
    def sentence(self) -> str:
        """The sentence that states the present."""
        return str(self.root.locator(".gl-live .gl-sentence").inner_text())

    @property
    def settings(self) -> dict[str, Any]:
        """What every control is set to."""
        found: dict[str, Any] = self.root.evaluate("(f) => window.exploraxFigures.get(f).settings")
        return found

    @property
    def said(self) -> str:
        """What was told last to those who listen."""
        return str(self.root.get_by_role("status").inner_text())

    def says(self, words: Any) -> None:
        """Wait until these words are told, or such as match a pattern."""
        expect(self.root.get_by_role("status")).to_have_text(words)

    @property
    def outcome(self) -> str:
        """What became of a question."""
        return str(self.root.locator(".gl-outcome").inner_text())

    def drawn(self, selector: str) -> Any:
        """Find elements of the picture that is seen."""
        return self.root.locator(f".gl-live svg:visible {selector}")

    def part(self, name: str) -> Any:
        """Find what is drawn of a result, besides its key."""
        return self.drawn(f":not(.gl-key)[data-part={name}]")

    def handle(self, control: str) -> Any:
        """Find the handle of a control in the picture."""
        return self.drawn(f"[data-handle={control}]:has(.gl-knob)").first

    def control(self, name: str) -> Any:
        """Find the slider, menu or box of a control."""
        return self.root.locator(f"[data-control={name}]").first

    def button(self, name: str) -> Any:
        """Find a button by all that it reads."""
        return self.root.get_by_role("button", name=name, exact=True)

    def open_folds(self) -> None:
        """Open whatever is folded, and wait until it's there."""
        self.page.evaluate(OPEN_FOLDS)
        self.root.locator(".gl-code").last.wait_for()

    def commit(self, choice: str) -> None:
        """Guess one of the options."""
        self.root.get_by_label(choice, exact=True).check()
        self.button("Check").click()
