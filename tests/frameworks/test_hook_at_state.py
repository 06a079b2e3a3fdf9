"""A hook on each state of an unroll acts before the heads, and one on a view of it after them."""

from __future__ import annotations

import pytest

from tests.frameworks.run import SNIPPETS, load

torch = pytest.importorskip("torch")
hook_at_state = load(SNIPPETS / "hook_at_state" / "pytorch.py")


@pytest.mark.parametrize(
    ("scale", "on_view", "received", "at_root"),
    [
        (1.0, False, 3.5, 1.0),
        (0.5, False, 0.8359375, 0.1640625),
        (0.5, True, 1.671875, 0.328125),
        (0.0, False, 0.0, 0.0),
        (0.0, True, 1.0, 1 / 6),
    ],
)
def test_on_the_river_the_hook_leaves_what_its_place_leaves(
    scale: float, on_view: bool, received: float, at_root: float
) -> None:
    given, steps = torch.tensor([0.0, 1.0], dtype=torch.float64).requires_grad_(), 6
    loss = hook_at_state(
        lambda h, _: h + given[0], lambda h: h / steps, given[1], range(steps), scale, on_view
    )
    loss.backward()
    assert float(loss.detach()) == pytest.approx(1.0)
    assert given.grad.tolist() == pytest.approx([received, at_root])
